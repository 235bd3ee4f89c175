"""The rows of a table for machines: values under stable keys, and each row as one line of strict JSON.

What is undefined is None, and null in JSON, which has no word for NaN or infinity. Tables can be long, so everything
goes by columns: that takes a third of the time of going by rows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from json import JSONEncoder
from math import isfinite
from types import NoneType
from typing import Any, overload

from patstone.report.cells import Cell, Table

_AS_THEY_ARE = {str, int, NoneType}


@dataclass(frozen=True, eq=False)
class Records(Sequence[dict[str, Any]]):
    """Rows as dictionaries, each made when it is looked at."""

    keys: tuple[str, ...]
    columns: tuple[Sequence[Any], ...]

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(place, slice):
            return list(self)[place]
        return {key: column[place] for key, column in zip(self.keys, self.columns, strict=True)}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.keys, row, strict=True)) for row in zip(*self.columns, strict=True))

    def without(self, key: str) -> "Records":
        kept = [place for place, name in enumerate(self.keys) if name != key]
        return Records(tuple(self.keys[place] for place in kept), tuple(self.columns[place] for place in kept))


def records(table: Table) -> Records:
    source = table.for_machines
    columns = zip(*source.rows, strict=True) if source.rows else [()] * len(source.columns)
    return Records(tuple(column.key for column in source.columns), tuple(map(_plain_cells, columns)))


def _plain_cells(cells: Sequence[Cell]) -> Sequence[Any]:
    return cells if _AS_THEY_ARE.issuperset(map(type, cells)) or _all_finite(cells) else list(map(_plain, cells))


def _all_finite(cells: Sequence[Any]) -> bool:
    return {float}.issuperset(map(type, cells)) and all(map(isfinite, cells))


def _plain(cell: Cell) -> Any:  # noqa: ANN401 - whatever JSON can hold
    if isinstance(cell, tuple):
        return None if not any(map(isfinite, cell)) else [_plain(end) for end in cell]
    return None if isinstance(cell, float) and not isfinite(cell) else cell


def jsonl(table: Table) -> str:
    return "".join(line + "\n" for line in json_lines(records(table), escape=False))


def json_lines(rows: Sequence[Any], *, escape: bool) -> list[str]:
    """Each row as JSON; with `escape` in ASCII, which is readable whatever the encoding of a terminal or a file."""
    line = JSONEncoder(ensure_ascii=escape, allow_nan=False).encode
    if not isinstance(rows, Records):
        return list(map(line, rows))
    form = ", ".join(line(key).replace("%", "%%") + ": %s" for key in rows.keys)
    texts = [_texts(cells, line, escape=escape) for cells in rows.columns]
    return list(map(f"{{{form}}}".__mod__, zip(*texts, strict=True)))


def _texts(cells: Sequence[Any], line: Callable[[Any], str], *, escape: bool) -> Iterable[str]:
    if _all_finite(cells):
        return map(repr, cells)
    if {str}.issuperset(map(type, cells)):
        # Names come again and again.
        written = {cell: line(cell) for cell in set(cells)}
        return map(written.__getitem__, cells)
    # JSON writes a line end within a string as an escape, so that a real one can only stand between two values.
    parted = JSONEncoder(ensure_ascii=escape, allow_nan=False, separators=("\n", ": ")).encode(cells)
    texts = parted[1:-1].split("\n")
    # More texts than cells come from cells that hold several values.
    return texts if len(texts) == len(cells) else list(map(line, cells))
