"""What is wrong with a claim set, as a linter says it: rules with codes, places, severities and ways to mend.

`check` runs the rules over claims and gives `Diagnostic`s. The rules are declared in `rules.toml`; the words that they
go by are tables in `words/`, English and German. In other languages only the rules run that need no words of their own.
"""

from patstone.patents.claims.checks.checking import Checked, check
from patstone.patents.claims.checks.rules import Diagnostic, Rule, Severity, rules

__all__ = ["Checked", "Diagnostic", "Rule", "Severity", "check", "rules"]
