"""The offices' habits, read from the tables beside: countries, forms of numbers, kinds, number series by year.

`forms.tsv` has a row for each way in which an office's numbers are written; `patstone.patents.numbers.pattern`
explains its patterns. An office that the table does not list takes the forms of the office `*`.
"""

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from patstone.patents.numbers.pattern import Pattern, template
from patstone.patents.numbers.reading import Role

# Serial 0 stays readable: masked and made-up documents carry it.
NO_LIMIT = (0, 10**18)
ANY_YEAR = (0, 9999)
_ROLES: dict[str, Role] = {"publication": "publication", "application": "application"}


@dataclass(frozen=True, kw_only=True)
class Kind:
    code: str
    role: Role
    years: tuple[int, int]
    """The years in which the office published under this kind."""
    means: str


@dataclass(frozen=True, kw_only=True)
class Form:
    """One way in which an office's numbers are written."""

    role: Role
    pattern: Pattern
    template: str
    """The canonical number, to be filled (%) with the values of `names`."""
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    """Kinds, or first letters of kinds, of which this form is used; all where it is empty. `A=` is A, but not A1."""
    implies: str
    """The kind that the form itself says."""
    years: tuple[int, int]
    serials: tuple[int, int]
    late: int
    """How many years after the number's own year the document may still be published."""
    series: str
    """The table of first numbers by year that tells when a number was given."""
    asked: bool
    """Too easily mistaken for another form: only where the role is said."""
    last: bool
    """As it stands: only where the role is said and no other form fits."""
    dated: bool
    """Too easily mistaken for another form: only where a date is said, and fits."""
    doubtful: bool
    """The number has lost digits: what is left is a reading, but never the only one."""

    def takes(self, kind: str) -> bool:
        if self.implies and kind[:1] not in ("", self.implies[0]):
            return False
        return not kind or not self.kinds or any(f"{kind}=".startswith(known) for known in self.kinds)


@dataclass(frozen=True, kw_only=True)
class Office:
    code: str
    forms: tuple[Form, ...]
    kinds: Mapping[str, tuple[Kind, ...]]

    def knows(self, kind: str) -> bool:
        """Whether the office uses this kind, or kinds that begin with it; all kinds where the tables list none."""
        return not self.kinds or any(known.startswith(kind) or kind.startswith(known) for known in self.kinds)

    def meanings(self, kind: str) -> tuple[Kind, ...]:
        """What a kind means there; kinds are listed by their letter where the digit makes no difference."""
        return self.kinds.get(kind) or self.kinds.get(kind[:1], ())


@cache
def office(code: str) -> Office:
    return Office(code=code, forms=_forms().get(code) or _forms()["*"], kinds=_kinds().get(code, {}))


@cache
def countries() -> Mapping[str, str]:
    return {row["code"]: row["name"] for row in _rows("countries.tsv")}


@cache
def series(name: str) -> tuple[tuple[int, int], ...]:
    """The years with the first number given in each, rising."""
    return tuple((int(row["year"]), int(row["first"])) for row in _rows("series.tsv") if row["series"] == name)


@cache
def words() -> Mapping[str, Mapping[str, str]]:
    """Words around a number (Patent No., DE-OS, Kokai) and what they say of its country, kind and role."""
    return {row["word"]: row for row in _rows("words.tsv")}


@cache
def spellings() -> Mapping[str, str]:
    """Those words in other scripts, and what they are in Latin letters."""
    return {
        other: f" {word} ".replace(" / ", "/") for word, row in words().items() for other in row["spellings"].split()
    }


@cache
def _forms() -> dict[str, tuple[Form, ...]]:
    grouped = defaultdict(list)
    for row in _rows("forms.tsv"):
        for code in row["office"].split():
            grouped[code].append(_form(row))
    return {code: tuple(forms) for code, forms in grouped.items()}


def _form(row: Mapping[str, str]) -> Form:
    filled, names = template(row["number"])
    return Form(
        role=_ROLES[row["role"]],
        pattern=Pattern.of(row["pattern"]),
        template=filled,
        names=names,
        kinds=tuple(row["kinds"].split()),
        implies=row["implies"],
        years=_span(row["years"], ANY_YEAR),
        serials=_span(row["serials"], NO_LIMIT),
        late=int(row["late"] or 0),
        series=row["series"],
        asked=row["when"] == "asked",
        last=row["when"] == "last",
        dated=row["when"] == "dated",
        doubtful=row["when"] == "doubtful",
    )


@cache
def _kinds() -> dict[str, dict[str, tuple[Kind, ...]]]:
    found: dict[str, dict[str, tuple[Kind, ...]]] = defaultdict(dict)
    for row in _rows("kinds.tsv"):
        kind = Kind(code=row["kind"], role=_ROLES[row["role"]], years=_span(row["years"], ANY_YEAR), means=row["means"])
        for code in row["office"].split():
            found[code][kind.code] = (*found[code].get(kind.code, ()), kind)
    return found


def _span(text: str, default: tuple[int, int]) -> tuple[int, int]:
    """Read 1971-1999, or 2001- for what goes on."""
    low, _, high = text.partition("-")
    return (int(low or default[0]), int(high or default[1])) if text else default


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = files("patstone.patents.numbers").joinpath(name).read_text(encoding="utf-8")
    return csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
