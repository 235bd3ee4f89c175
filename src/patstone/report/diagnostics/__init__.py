"""What a claim linter found, for people and for machines: marks under the line, one page, SARIF."""
