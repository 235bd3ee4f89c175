"""Patterns of numbers, as the table of forms writes them, matched against the shape of a text.

`{Y}` is a four-digit year, `{y:2+1988}` a year of two digits counted from 1988 (Heisei), `{n:1-6}` a serial number of
one to six digits, `{a:1-16}` letters and digits as they stand, `{c}` two letters, `{k}` a check digit after a full
stop, `~` a hyphen or slash that may be missing and `/` one that may not; digits and letters stand for themselves. In
a shape every digit is `#`, so that a pattern is matched once for all the numbers of a shape.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

DIGIT = "#"
_TOKEN = re.compile(
    r"\{(?P<name>\w)(?::(?P<low>\d+)(?:-(?P<high>\d+))?)?(?:\+(?P<offset>\d+))?\}|(?P<digits>\d+)|(?P<other>.)"
)
# A number of letters may have slashes inside (1234/DEL/2004), which its value leaves out.
_CLASSES = {"a": f"[A-Z{DIGIT}/]", "c": "[A-Z]"}
_SIZES = {"Y": "4", "c": "2"}
# In a body hyphens are slashes already, so that one optional slash stands for either or for none.
_LITERALS = {"~": "/?"}
_FILLED = re.compile(r"\{(\w)(?::(\d+))?\}")


@dataclass(frozen=True, kw_only=True)
class Span:
    """A part of a matched body: what it is, and where it stands."""

    name: str
    """Y, y, n, a or c; empty for digits that stand for themselves."""
    start: int
    end: int
    offset: int = 0
    value: int = 0
    """What digits that stand for themselves must be."""


@dataclass(frozen=True)
class Pattern:
    text: str
    shape: "re.Pattern[str]"
    parts: tuple[tuple[str, int, int], ...]
    """The name, offset and value of each group of `shape`."""

    @classmethod
    def of(cls, text: str) -> "Pattern":
        tokens = list(_TOKEN.finditer(text))
        # Matched against shapes, so that it runs once for all numbers written in one way.
        shape = re.compile("".join(map(_shape, tokens)))
        parts = tuple(
            (token["name"] or "", int(token["offset"] or 0), int(token["digits"] or 0))
            for token in tokens
            # A check digit says nothing about the document.
            if token["digits"] or (token["name"] and token["name"] != "k")
        )
        return cls(text, shape, parts)

    def match(self, body: str) -> tuple[Span, ...] | None:
        found = self.shape.fullmatch(body)
        return None if found is None else tuple(self._spans(found))

    def _spans(self, found: "re.Match[str]") -> Iterator[Span]:
        for group, (name, offset, value) in enumerate(self.parts, start=1):
            start, end = found.span(group)
            yield Span(name=name, start=start, end=end, offset=offset, value=value)


def _shape(token: "re.Match[str]") -> str:
    name, digits = token["name"], token["digits"]
    if digits:
        return f"({DIGIT}{{{len(digits)}}})"
    if name == "k":
        return rf"(?:\.[{DIGIT}X])?"
    if name:
        low = token["low"] or _SIZES[name]
        return f"({_CLASSES.get(name, DIGIT)}{{{low},{token['high'] or low}}})"
    return _LITERALS.get(token["other"]) or re.escape(token["other"])


def template(number: str) -> tuple[str, tuple[str, ...]]:
    """Turn `{Y}{n:6}` into `%d%06d` and the names of what goes in; `{n}` has no leading zeros."""
    names = tuple(found[1] for found in _FILLED.finditer(number))
    return _FILLED.sub(_filled, number.replace("%", "%%")), names


def _filled(found: "re.Match[str]") -> str:
    if found[1] in _CLASSES:
        return "%s"
    return f"%0{found[2]}d" if found[2] else "%d"
