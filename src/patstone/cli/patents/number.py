"""`patstone patents number`: what a patent number says, however it is written, and whether that would be a guess."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from patstone.cli.answer import Answer
from patstone.errors import UsageError, shorten

if TYPE_CHECKING:
    from patstone.patents.numbers import Identified
    from patstone.report.cells import Cell, Table


def number(
    texts: Sequence[str] = (),
    *,
    file: str | None = None,
    country: str = "",
    kind: str = "",
    date: str = "",
    role: str = "",
) -> Answer:
    """Identify patent numbers: the canonical form of each, or all its readings where there are several.

    What can be read in two ways is ambiguous and is never guessed; --kind, --date and --role say what is known of all
    the numbers, and narrow the readings.

    Try:
      patstone patents number 'WO 02/64032' 'JP-A- 7 300 979' US10012345
      patstone patents number US10012345 --date 2018-07-03 --json
      patstone patents number --file numbers.txt --out numbers.csv
    """
    from patstone.patents.numbers import identify

    _check(kind, date)
    asked = [*texts, *(_listed(file) if file is not None else ())]
    if not asked:
        raise UsageError("Name the numbers, or a file with one on each line with --file.")
    found = [identify(text, country=country, kind=kind, date=date, role=role) for text in asked]
    counts = _counts(found)
    return Answer(
        tables=[_table(found)],
        data=[_flat(found)],
        payload=lambda: {"signature": None, "results": [_row(one) for one in found], "counts": counts},
        notes=[_told(counts)] if counts["read"] < len(found) else (),
    )


def _check(kind: str, date: str) -> None:
    """Context that says nothing would look as if it had been heeded."""
    from patstone.patents.numbers.identify import day_of, kind_of

    if kind and not kind_of(kind):
        raise UsageError(f"A kind is a letter and perhaps a digit, such as B2. Got {shorten(repr(kind))}.")
    if date and not day_of(date):
        raise UsageError(f"A date is written 2018-07-03, 2018-07 or 2018. Got {shorten(repr(date))}.")


def _listed(path: str) -> list[str]:
    """The lines of a file that are not blank."""
    from patstone.files.streams import rewindable
    from patstone.files.text import read_text

    return [line for line in map(str.strip, read_text(rewindable(path)).splitlines()) if line]


def _counts(found: "Sequence[Identified]") -> dict[str, int]:
    ambiguous = sum(one.ambiguous for one in found)
    unreadable = sum(not one.readings for one in found)
    return {"read": len(found) - ambiguous - unreadable, "ambiguous": ambiguous, "unreadable": unreadable}


def _told(counts: dict[str, int]) -> str:
    return f"numbers: {', '.join(f'{count} {what}' for what, count in counts.items())}"


def _row(one: "Identified") -> dict[str, Any]:
    return {
        "input": one.input,
        "ambiguous": one.ambiguous,
        "canonical": one.canonical,
        "readings": [{"canonical": reading.canonical, **asdict(reading)} for reading in one.readings],
        "reason": one.reason,
    }


def _table(found: "Sequence[Identified]") -> "Table":
    from patstone.report.cells import Column, Table

    keys = ("input", "canonical", "role", "kind", "date")
    columns = (*(Column(key=key) for key in keys), Column(key="remark", kind="prose"))
    rows = [tuple(row) for one in found for row in _lines(one)]
    # A column that would be empty throughout only takes room.
    kept = [place for place, column in enumerate(columns) if place < 2 or any(row[place] for row in rows)]
    return Table(
        title="",
        columns=tuple(columns[place] for place in kept),
        rows=tuple(tuple(row[place] or None for place in kept) for row in rows),
    )


def _lines(one: "Identified") -> Iterator[list["Cell"]]:
    """A line for each reading, and for what has none."""
    remarks = [*(["ambiguous"] if one.ambiguous else []), *([one.reason] if one.reason else [])]
    remark = ": ".join(remarks)
    if not one.readings:
        yield [one.input, None, None, None, None, remark]
    for each in one.readings:
        yield [one.input, each.canonical, each.role, each.kind, each.date, remark]


def _flat(found: "Sequence[Identified]") -> "Table":
    """A row for each reading; what can't be read has one too, so that no number is lost."""
    from patstone.report.cells import Column, Table

    keys = ("input", "ambiguous", "canonical", "country", "number", "kind", "role", "date", "reason")
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        for each in one.readings:
            parts = (each.canonical, each.country, each.number, each.kind, each.role, each.date)
            rows.append((one.input, one.ambiguous, *parts, one.reason))
        if not one.readings:
            rows.append((one.input, False, "", "", "", "", "", "", one.reason))
    return Table(title="", columns=tuple(Column(key=key) for key in keys), rows=tuple(rows))
