"""The rules as they are declared, and what one says of a claim.

A rule is a card in `rules.toml` and a function under the same code. Which rules run is chosen by codes or the starts
of codes, as in other linters: `C1` means all that begin so.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from patstone.errors import UsageError

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    code: str
    name: str
    severity: Severity
    title: str
    why: str
    fix: str
    bad: str
    """A claim set that breaks it, and no other."""
    good: str
    """The same, mended."""
    gold: str = ""
    """What the claims are compared with, for the rules that need it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnostic:
    claim: int
    """The claim's number."""
    place: int
    """Which claim of the set it is, from 0: a number may come twice."""
    code: str
    severity: Severity
    start: int
    end: int
    """Characters of the claim's own text; equal where something is missing."""
    message: str

    @property
    def rule(self) -> Rule:
        return rules()[self.code]


@cache
def rules() -> Mapping[str, Rule]:
    """All rules by code."""
    table = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
    return {code: Rule(code=code, **card) for code, card in table.items()}


def chosen(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> frozenset[str]:
    """The codes to run: those selected, or all, without those ignored."""
    picked = _matching(select) if select else set(rules())
    return frozenset(picked - _matching(ignore))


def _matching(asked: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for word in asked:
        # A name serves as well as its code.
        codes = {code for code, rule in rules().items() if code.startswith(word.upper()) or rule.name == word.lower()}
        if not codes or not word:
            known = ", ".join(rules())
            raise UsageError(f"A rule is named by its code, the start of it, or its name: {known}. Got {word!r}.")
        found |= codes
    return found


def by_severity(found: Iterable[Diagnostic]) -> dict[Severity, int]:
    counted = dict.fromkeys(SEVERITIES, 0)
    for each in found:
        counted[each.severity] += 1
    return counted
