"""How to read the numbers of one shape: which forms they could have, where their digits stand, and what must hold.

A plan is made once for a shape and its context, and then carried out on any number of texts: by
`patstone.patents.numbers.identify` on one, by `patstone.patents.numbers.columns` on columns of them. Both do exactly
what the plan says.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from patstone.patents.numbers.offices import ANY_YEAR, Form, Kind, series
from patstone.patents.numbers.outline import Body, outline
from patstone.patents.numbers.pattern import Span
from patstone.patents.numbers.reading import Reading, Role

Run = tuple[int, int]
LAST_YEAR = 9999


@dataclass(frozen=True, kw_only=True)
class Field:
    """A part of the number: characters at these places of the text."""

    name: str
    runs: tuple[Run, ...]
    whole: bool
    """Whether it is a number; else it is letters and digits as they stand."""
    offset: int
    low: int
    high: int

    def of(self, text: str) -> int | str | None:
        """Its value in one text; None where that is out of bounds."""
        joined = "".join([text[start:end] for start, end in self.runs])
        if not self.whole:
            return joined
        value = int(joined) + self.offset
        return value if self.low <= value <= self.high else None


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One way to read the numbers of a shape."""

    country: str
    role: Role
    kind: str
    template: str
    fields: tuple[Field, ...]
    filled: tuple[tuple[int, int], ...]
    """For each gap of the template: the field, and what its value is counted from there."""
    year: int
    """The field that tells the number's own year; -1 where none does."""
    serial: int
    """The field that a series of numbers by year is about; -1 where there is none."""
    late: int
    years: Run
    """The years that the form and the kind allow."""
    firsts: tuple[int, ...]
    """The first numbers of the series, rising, with the years of `since`."""
    since: tuple[int, ...]
    dated: bool
    doubtful: bool

    @property
    def canonical(self) -> str:
        """A template of the whole canonical form."""
        reading = Reading(country=self.country, number=self.template, kind=self.kind, role=self.role)
        return reading.canonical

    def values(self, text: str) -> list[int | str] | None:
        found = []
        for field in self.fields:
            value = field.of(text)
            if value is None:
                return None
            found.append(value)
        return found

    def number(self, values: Sequence[int | str]) -> str:
        return self.template % tuple(
            [values[place] - counted if counted else values[place] for place, counted in self.filled]  # type: ignore[operator]
        )

    def window(self, values: Sequence[int | str]) -> Run:
        """The years in which such a document can have come out."""
        low, high = self.years
        if self.year >= 0:
            year = int(values[self.year])
            low, high = max(low, year), min(high, year + self.late)
        if self.serial >= 0:
            # A number was given out no sooner than the series had reached it, and no later than the next mark.
            place = bisect_right(self.firsts, int(values[self.serial])) - 1
            low = max(low, self.since[place])
            high = min(high, self.since[place + 1] + self.late if place + 1 < len(self.since) else LAST_YEAR)
        return low, high


@dataclass(frozen=True, kw_only=True)
class Plan:
    choices: tuple[Choice, ...]
    date: tuple[int, ...]
    reason: str
    """Why there is no choice, or why none held."""


# Real files have a few hundred shapes; bounded, because a hostile one can have as many as lines.
@lru_cache(maxsize=1 << 14)
def plan(shape: str, country: str, kind: str, role: str) -> Plan:
    """Find the forms that a shape fits; hostile input of ever new shapes only fills a cache of bounded size."""
    seen = outline(shape, country, kind)
    # The first split that any form fits wins; the outline gives the likeliest first.
    for body in seen.bodies:
        choices = tuple(_choices(body, role))
        if choices:
            reason = f"{body.office.code} gives no such number, or not of this kind"
            return Plan(choices=choices, date=seen.date, reason=reason)
    return Plan(choices=(), date=seen.date, reason=seen.reason or _refusal(seen.bodies[-1], role))


def _refusal(body: Body, role: str) -> str:
    code = body.office.code
    if body.kind and not body.office.knows(body.kind):
        return f"{code} has no kind {body.kind}"
    if not any(char.isalnum() or char == "#" for char in body.shape):
        return "there is no number"
    what = " ".join(filter(None, [role or "number", body.kind and f"of kind {body.kind}"]))
    return f"{code} has no {what} written like this"


def _choices(body: Body, role: str) -> list[Choice]:
    asked: str = role or body.role or ""
    meanings = body.office.meanings(body.kind) if body.kind else ()
    # A kind without a meaning in the tables narrows nothing.
    roles = {asked} if asked else {meaning.role for meaning in meanings} or {"publication", "application"}
    if body.kind and not body.office.knows(body.kind) and asked != "application":
        return []
    asked = asked or (next(iter(roles)) if len(roles) == 1 else "")
    found: list[Choice] = []
    last: list[Choice] = []
    for form in body.office.forms:
        # A form that is asked for by name only would make most plain numbers ambiguous.
        if form.role not in roles or (form.asked and not asked):
            continue
        spans = form.pattern.match(body.shape)
        if spans is not None and (form.role == "application" or form.takes(body.kind)):
            (last if form.last else found).append(_choice(body, form, spans, meanings))
    # The catch-all form keeps an unknown office's application as it stands, and only where somebody says it is one.
    return found or (last if asked else [])


def _choice(body: Body, form: Form, spans: Sequence[Span], meanings: Sequence[Kind]) -> Choice:
    fields = tuple(_field(body, form, span) for span in spans)
    names = [field.name for field in fields]
    year = next((place for place, name in enumerate(names) if name in ("Y", "y")), -1)
    rows = series(form.series) if form.series else ()
    # DOCDB's kinds of applications (A, W, P) are its own and tell nothing about the document.
    kind = (body.kind or form.implies) if form.role == "publication" else ""
    return Choice(
        country=body.office.code,
        role=form.role,
        kind=kind,
        template=form.template,
        fields=fields,
        filled=tuple(_gap(fields, names, name) for name in form.names),
        year=year,
        serial=names.index("n") if rows else -1,
        late=form.late,
        years=_allowed(form, meanings),
        firsts=tuple(first for _, first in rows),
        since=tuple(since for since, _ in rows),
        dated=form.dated,
        doubtful=form.doubtful,
    )


def _gap(fields: Sequence[Field], names: Sequence[str], name: str) -> tuple[int, int]:
    # Years are held as western ones, which is what {Y} in a template means whatever the pattern says.
    place = names.index(name if name in names else "y")
    return place, fields[place].offset if name == "y" else 0


def _allowed(form: Form, meanings: Sequence[Kind]) -> Run:
    """The years of the form and of the kind, which a year given by the number itself need not be told."""
    if form.role == "application" or not meanings:
        return form.years
    low, high = min(kind.years[0] for kind in meanings), max(kind.years[1] for kind in meanings)
    return max(low, form.years[0]), min(high, form.years[1] + form.late)


def _field(body: Body, form: Form, span: Span) -> Field:
    places = [
        place
        for place, char in zip(body.places[span.start : span.end], body.shape[span.start : span.end], strict=True)
        if char != "/"
    ]
    low, high = ANY_YEAR[0], 10**18
    if not span.name:
        low = high = span.value
    elif span.name in ("Y", "y"):
        low, high = form.years
    elif span.name == "n":
        low, high = form.serials
    return Field(
        name=span.name,
        runs=tuple(_runs(places)),
        whole=span.name not in ("a", "c"),
        offset=span.offset,
        low=low,
        high=high,
    )


def _runs(places: Sequence[int]) -> Iterator[Run]:
    start = 0
    for place in range(1, len(places) + 1):
        if place == len(places) or places[place] != places[place - 1] + 1:
            yield places[start], places[place - 1] + 1
            start = place
