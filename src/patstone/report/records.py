"""The rows of a table for machines: values under stable keys, and each row as one line of strict JSON.

What is undefined is None, and null in JSON, which has no word for NaN or infinity. Tables can be long, so everything
goes by columns: that takes a third of the time of going by rows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from json import JSONEncoder
from math import isfinite
from types import NoneType
from typing import Any

from patstone.report.cells import Cell, Table

_AS_THEY_ARE = {str, int, NoneType}


def records(table: Table) -> Iterator[dict[str, Any]]:
    source = table.for_machines
    keys = [column.key for column in source.columns]
    columns = map(_plain_cells, zip(*source.rows, strict=True))
    return (dict(zip(keys, row, strict=True)) for row in zip(*columns, strict=True))


def _plain_cells(cells: Sequence[Cell]) -> Iterable[Any]:
    return cells if _AS_THEY_ARE.issuperset(map(type, cells)) else map(_plain, cells)


def _plain(cell: Cell) -> Any:  # noqa: ANN401 - whatever JSON can hold
    if isinstance(cell, tuple):
        return None if not any(map(isfinite, cell)) else [_plain(end) for end in cell]
    return None if isinstance(cell, float) and not isfinite(cell) else cell


def jsonl(table: Table) -> str:
    return "".join(line + "\n" for line in json_lines(list(records(table)), escape=False))


def json_lines(rows: Sequence[Any], *, escape: bool) -> list[str]:
    """Each row as JSON; with `escape` in ASCII, which is readable whatever the encoding of a terminal or a file."""
    line = JSONEncoder(ensure_ascii=escape, allow_nan=False).encode
    shapes = {tuple(row) if isinstance(row, dict) else None for row in rows}
    keys = next(iter(shapes), None)
    if keys is None or len(shapes) > 1:
        return list(map(line, rows))
    form = ", ".join(line(key).replace("%", "%%") + ": %s" for key in keys)
    columns = zip(*[row.values() for row in rows], strict=True)
    texts = [_texts(cells, line, escape=escape) for cells in columns]
    return list(map(f"{{{form}}}".__mod__, zip(*texts, strict=True)))


def _texts(cells: Sequence[Any], line: Callable[[Any], str], *, escape: bool) -> list[str]:
    # JSON writes a line end within a string as an escape, so that a real one can only stand between two values.
    parted = JSONEncoder(ensure_ascii=escape, allow_nan=False, separators=("\n", ": ")).encode(cells)
    texts = parted[1:-1].split("\n")
    # More texts than cells come from cells that hold several values.
    return texts if len(texts) == len(cells) else list(map(line, cells))
