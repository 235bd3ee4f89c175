"""Tables in any format, as typed columns: CSV, TSV, JSON Lines, JSON, Parquet and XLSX, also compressed.

A reader says which columns it wants; the file's header, or the user's map, says where they are. Other columns are
not looked at. Every row is either understood or refused with its file, line, rule and value. The whole table is held
in memory.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError, UsageError
from patstone.files.cells import Grid, convert, numeric_ids
from patstone.files.formats import FORMATS, format_of, split_sheet
from patstone.files.header import Wanted, choose
from patstone.files.streams import rewindable


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    path: str
    columns: Mapping[str, NDArray[Any]]
    """By wanted name: ids as bytes, numbers, integers, booleans, or text as Python strings; an absent optional column
    is not here."""
    lines: NDArray[np.int64]
    """The line (of a text), row (of a sheet) or record of each row, from 1."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know about the reading."""

    def __len__(self) -> int:
        return len(self.lines)

    def refuse(self, rule: str, row: int, value: object = None) -> DataError:
        return DataError(rule, path=self.path, line=int(self.lines[row]), value=value)


def read_table(
    path: str | Path,
    wanted: Sequence[Wanted],
    *,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    rest: bool = False,
) -> Table:
    """Read the wanted columns; `columns` maps a wanted name to the header's, `format` overrides the suffix.

    With `rest` every other column is read too, as text under its own name.
    """
    name, sheet = split_sheet(path)
    source = rewindable(name)

    def places(header: Sequence[str], line: int | None) -> dict[str, int]:
        found = choose(header, wanted, columns, path=source.name, line=line)
        return found | _others(header, found) if rest else found

    grid = _reader(format or format_of(path), path, sheet)(source, places)
    if not len(grid.lines):
        raise DataError("The table has a header and no rows.", path=grid.path)
    known = {column.name: column for column in wanted}
    asked = [known.get(name) or Wanted(name=name, kind="text", blank=True) for name in grid.cells]
    return Table(
        path=grid.path,
        columns={column.name: convert(grid, column) for column in asked},
        lines=grid.lines,
        notes=tuple(note for column in asked if column.kind == "id" for note in _notes(grid, column.name)),
    )


class _Seen(Exception):
    """Ends the reading once the header is known."""


def header_of(path: str | Path, *, format: str | None = None) -> tuple[str, ...]:  # noqa: A002 - the word users know
    """The names of all columns; of JSON Lines those of the first object."""
    name, sheet = split_sheet(path)
    found: list[str] = []

    def places(header: Sequence[str], line: int | None) -> dict[str, int]:  # noqa: ARG001 - as readers call it
        found.extend(header)
        raise _Seen

    with suppress(_Seen):
        _reader(format or format_of(path), path, sheet)(rewindable(name), places)
    return tuple(found)


def _others(header: Sequence[str], found: Mapping[str, int]) -> dict[str, int]:
    taken = {*found.values()}
    return {name: place for place, name in enumerate(header) if name and name not in found and place not in taken}


def _reader(format: str | None, path: str | Path, sheet: str | None) -> Callable[..., Grid]:  # noqa: A002
    if format == "csv":
        from patstone.files.delimited import read_csv

        return read_csv
    if format == "tsv":
        from patstone.files.delimited import read_tsv

        return read_tsv
    if format == "jsonl":
        from patstone.files.jsonlines import read_jsonl

        return read_jsonl
    if format == "json":
        from patstone.files.nested import read_json

        return read_json
    if format == "parquet":
        from patstone.files.parquet import read_parquet

        return read_parquet
    if format == "xlsx":
        from patstone.files.xlsx import read_xlsx

        return partial(read_xlsx, sheet=sheet)
    if path == "-":
        raise UsageError("Only GOLD and RUN can be standard input; a table beside them needs a file.")
    known = ", ".join(dict.fromkeys(FORMATS.values()))
    raise UsageError(f"Say which format the table {str(path)!r} has: {known}. Got {format!r}.")


def _notes(grid: Grid, name: str) -> list[str]:
    count = numeric_ids(grid.cells[name])
    column = grid.names[name]
    note = f"{grid.path}: column {column!r} stores {count} ids as numbers; leading zeros, if there were any, are gone"
    return [note] if count else []
