"""Diagnostics as SARIF 2.1.0, which code hosts and editors show beside the text.

Lines and columns are given where the claims stand in a plain text; elsewhere a claim has no line, and the place is a
logical one: document, claim, and characters of its own text.
"""

import json
from pathlib import Path
from typing import Any

from patstone import __version__
from patstone.files.streams import atomic
from patstone.patents.claims.checks import Diagnostic, Rule, rules
from patstone.report.diagnostics.findings import CheckedSet, Findings

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def write_sarif(findings: Findings, path: str) -> None:
    with atomic(path) as temporary:
        temporary.write_text(json.dumps(sarif(findings), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def sarif(findings: Findings) -> dict[str, Any]:
    driver = {"name": "patstone", "version": __version__, "rules": [_rule(rule) for rule in rules().values()]}
    # Columns are characters, not UTF-16 units.
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, found) for one, found in findings],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(one: CheckedSet, found: Diagnostic) -> dict[str, Any]:
    return {
        "ruleId": found.code,
        "ruleIndex": list(rules()).index(found.code),
        "level": found.severity,
        "message": {"text": f"{found.message}. {found.rule.fix}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": Path(one.named.path).as_posix()},
                    **({"region": _region(one, found)} if one.named.starts else {}),
                },
                "logicalLocations": [
                    {"fullyQualifiedName": f"{one.named.name}/claim {found.claim}", "kind": "element"}
                ],
            }
        ],
        "properties": {"claim": found.claim, "start": found.start, "end": found.end},
    }


def _region(one: CheckedSet, found: Diagnostic) -> dict[str, int]:
    line, column = _position(one, found.place, found.start)
    end_line, end_column = _position(one, found.place, found.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _position(one: CheckedSet, place: int, offset: int) -> tuple[int, int]:
    """Line and column in the file of a character of a claim."""
    line, column = one.named.starts[place]
    before = one.named.claims[place].text[:offset]
    lines = before.count("\n")
    return line + lines, offset - before.rfind("\n") if lines else column + offset
