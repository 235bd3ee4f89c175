"""Which column of a table holds what: by the user's map, else by the header's names and their synonyms.

A header that says exactly the wanted name wins over synonyms; several synonyms without it are an error, because
any choice between them would be silent. Case, spaces and punctuation in a header do not count.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from patstone.errors import DataError, UsageError, shorten

Kind = Literal["id", "ids", "number", "integer", "boolean", "text"]
"""`ids` are several to a cell: a list, or text with semicolons, commas or strokes between them."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A column that a reader asks for."""

    name: str
    synonyms: tuple[str, ...] = ()
    kind: Kind = "id"
    required: bool = True
    blank: bool = False
    """Whether a cell may be empty where the column is there; it reads as an empty id or text, or as NaN."""


def choose(
    header: Sequence[str], wanted: Sequence[Wanted], columns: Mapping[str, str] | None, *, path: str, line: int | None
) -> dict[str, int]:
    """Find the place of each wanted column in the header; optional ones may be absent."""
    if not any(header):
        raise DataError("The table is empty: it has no columns.", path=path, line=line)
    places = _mapped(header, wanted, columns or {}, path, line)
    taken = set(places.values())
    free = [(place, plain(name)) for place, name in enumerate(header) if place not in taken]
    for column in wanted:
        if column.name in places:
            continue
        found = _matching(free, column)
        if len(found) > 1:
            names = shorten(", ".join(repr(header[place]) for place in found))
            rule = f"Several columns could be {column.name!r} ({names}); say which with {column.name}=COLUMN."
            raise DataError(rule, path=path, line=line)
        if found:
            places[column.name] = found[0]
        elif column.required:
            known = ", ".join((column.name, *column.synonyms))
            rule = f"The header has no column for {column.name!r} ({known}); name it with {column.name}=COLUMN."
            raise DataError(rule, path=path, line=line, value=", ".join(header))
    return places


def plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


def has(header: Sequence[str], column: Wanted) -> bool:
    """Whether some name of the header could be the column."""
    return bool(_matching([(place, plain(name)) for place, name in enumerate(header)], column))


def _matching(free: Sequence[tuple[int, str]], column: Wanted) -> list[int]:
    exact = [place for place, name in free if name == plain(column.name)]
    known = {plain(synonym) for synonym in column.synonyms}
    return exact or [place for place, name in free if name in known]


def _mapped(
    header: Sequence[str], wanted: Sequence[Wanted], columns: Mapping[str, str], path: str, line: int | None
) -> dict[str, int]:
    names = [column.name for column in wanted]
    for name in columns:
        if name not in names:
            raise UsageError(f"There is no column {name!r} to map here; there are: {', '.join(names)}.")
    places = {}
    for name, source in columns.items():
        found = [place for place, text in enumerate(header) if text == source.strip()]
        if len(found) != 1:
            count = "no column" if not found else f"{len(found)} columns"
            rule = f"The header has {count} {source!r}, which {name}={source} asks for."
            raise DataError(rule, path=path, line=line, value=", ".join(header))
        places[name] = found[0]
    return places
