"""What the parts of a written number are, told from its shape alone: country, words, kind, date and body.

Everything here is done once for all numbers of one shape, and remembers where in the text each character stood.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from patstone.patents.numbers.offices import Office, countries, office, words
from patstone.patents.numbers.pattern import DIGIT
from patstone.patents.numbers.reading import Role

_WORD = re.compile(r"[A-Z]+")
# A date stands after a kind or after a sign that no number has in it.
_DATE = re.compile(r"(?:[_;]\s*|(?<=[A-Z][0-9A-Z#])[ ,(]+|(?<=[A-Z])[ ,(]+)(#{4})([-./]?)(#{2})(?:\2(#{2}))?\)?$")
_FIRST_KIND = re.compile(r"[\s\-_.;]*([A-Z][0-9]?)[\s\-_;]+(?=[\s\-A-Z#])")
# Behind a digit, or behind the X of a check digit; `EP A1` alone has no number that a kind could follow.
_LAST_KIND = re.compile(r"(?<=[#X0-9])[\s\-_/,;()\[]*([A-Z][0-9A-Z]?)[\])]?$")
# An application's publication is a publication, and a patent application is an application.
_WORDS_OF_ROLES = (("publication", "publication"), ("application", "application"), ("patent", "publication"))
_CHECK = re.compile(rf"\.(?=[{DIGIT}X]$)")


@dataclass(frozen=True, kw_only=True)
class Body:
    """The number itself: hyphens and slashes are `/`, what only groups digits is gone."""

    office: Office
    kind: str
    role: Role | None
    shape: str
    places: tuple[int, ...]
    """Where in the text each character of the shape stands."""


@dataclass(frozen=True, kw_only=True)
class Outline:
    bodies: tuple[Body, ...]
    """The ways of telling kind from number, the likeliest first."""
    date: tuple[int, ...]
    """Where the digits of the date stand: eight, six or none."""
    reason: str = ""


def outline(shape: str, country: str, kind: str) -> Outline:
    """Split a shape in which the digits of kinds are their own values."""
    dated = _DATE.search(shape)
    # In `US 10012345` the eight digits behind the letters are the number, and no date.
    if dated and DIGIT not in shape[: dated.start()]:
        dated = None
    places = [place for group in (1, 3, 4) if dated for place in range(*dated.span(group))]
    text = shape[: dated.start()] if dated else shape
    text, said = _without_words(text)
    code, start = _country(text, country or said["country"])
    if not code:
        return Outline(bodies=(), date=(), reason="nothing says which country's number it is")
    if code not in countries():
        return Outline(bodies=(), date=(), reason=f"no office has the code {code}")
    bodies = tuple(_bodies(text, start, office(code), kind or said["kind"], said["role"]))
    reason = "" if bodies else f"the text and the context name different kinds, or one that {code} does not use"
    return Outline(bodies=bodies, date=tuple(places), reason=reason)


def _without_words(text: str) -> tuple[str, dict[str, str]]:
    """Blank the words out that stand around a number, keeping every place."""
    said, roles = {"country": "", "kind": ""}, set()
    for found in _WORD.finditer(text):
        word = words().get(found[0])
        # A word of two letters that begins a text is a country: NO is Norway.
        if word is None or len(found[0]) == 1 or (not text[: found.start()].strip() and found[0] in countries()):
            continue
        text = text[: found.start()] + " " * len(found[0]) + text[found.end() :]
        said |= {key: word[key] for key in ("country", "kind") if word[key]}
        roles.add(word["role"])
    said["role"] = next((role for said_by, role in _WORDS_OF_ROLES if said_by in roles), "")
    return text, said


def _country(text: str, context: str) -> tuple[str, int]:
    """The office's code, and where what follows it begins."""
    start = len(text) - len(text.lstrip(" .:-_"))
    # An international application has the receiving office's code inside, which is not the country of the number.
    if text.startswith("PCT", start):
        return "WO", start
    code = text[start : start + 2]
    if not context and text.startswith("U.S", start):
        return "US", start + 3
    if context:
        return context, start + 2 if code == context else start
    return (code, start + 2) if code in countries() else ("", start)


def _bodies(text: str, start: int, where: Office, context: str, said: str) -> Iterator[Body]:
    # Kinds stand in front (US-A-5948634), behind (US5948634A) or both; every split that holds is tried.
    for first, begin in _first_kinds(text, start, where):
        last, end = _last_kind(text, begin)
        kind = _one_kind(_one_kind(first, last), context)
        if kind is None:
            continue
        shape, places = _body(text, begin, end)
        # DOCDB and the USPTO write the country again in front of the number.
        skip = 2 if shape.startswith(where.code) and shape[2:3] in "/#" else 0
        skip += shape[skip : skip + 1] == "/"
        role: Role | None = "publication" if said == "publication" else "application" if said == "application" else None
        yield Body(office=where, kind=kind, role=role, shape=shape[skip:], places=places[skip:])


def _first_kinds(text: str, start: int, where: Office) -> Iterator[tuple[str, int]]:
    """US-A-5948634 has its kind in front; what looks like one there may also begin the number (US D 701016)."""
    found = _FIRST_KIND.match(text, start)
    kinds = [(found[1], found.end())] if found and where.knows(found[1]) else []
    # Showa 5 (JP S5-1234) is no kind S5, which would be a design.
    exact = any(kind in where.kinds for kind, _ in kinds)
    yield from [*kinds, ("", start)] if exact else [("", start), *kinds]


def _last_kind(text: str, begin: int) -> tuple[str, int]:
    found = _LAST_KIND.search(text, begin)
    if found and not (found[1] == "X" and text[found.start(1) - 1] == "."):
        return found[1], found.start()
    return "", len(text)


def _one_kind(one: str | None, other: str) -> str | None:
    """The more exact of two kinds (A and A1 agree); None where they contradict each other."""
    if one is None or not (one.startswith(other) or other.startswith(one)):
        return None
    return max(one, other, key=len)


def _body(text: str, begin: int, end: int) -> tuple[str, tuple[int, ...]]:
    kept = [(char, place) for place, char in enumerate(text[begin:end], start=begin) if char not in " ,'\t_:;()\u00b7"]
    joined = "".join("/" if char == "-" else char for char, _ in kept)
    check = _CHECK.search(joined)
    chosen = [
        place
        for place, char in enumerate(joined)
        if (char != "." or (check and place == check.start()))
        and (char != "/" or joined[place - 1 : place] not in ("/", ""))
    ]
    # A hyphen before a kind that is cut off is no part of the number.
    while chosen and joined[chosen[-1]] == "/":
        chosen.pop()
    # What looked like the digit of a kind and was none (H4-76664) is a digit like any other.
    shape = "".join(DIGIT if joined[place].isdigit() else joined[place] for place in chosen)
    return shape, tuple(kept[place][1] for place in chosen)
