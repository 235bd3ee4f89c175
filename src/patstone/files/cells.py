"""From cells as a source holds them to typed columns; a cell that does not fit is refused by its line.

Spreadsheets, JSON and Parquet store some ids as numbers: a whole number is read as its digits, and how many there
were is noted, since leading zeros can't be seen any more. White space around a cell does not count. Columns that
hold nothing but plain text are converted whole, all others cell by cell, with the same result.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError, shorten
from patstone.files import ids
from patstone.files.header import Kind, Wanted
from patstone.files.lines import LONGEST_ID

# A spreadsheet keeps 15 digits of a number, so a longer id has lost some.
_DIGITS = 10**15
# Beyond this a float can't tell whole numbers apart.
_WHOLE = 2**53
_TRUE, _FALSE = {"yes", "y", "true", "t", "1", "1.0"}, {"no", "n", "false", "f", "0", "0.0"}
_BLANKS: dict[str, Any] = {"id": b"", "text": "", "ids": ()}
_SHEET_ERRORS = {"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!"}
_SEPARATORS = re.compile(r"[;,|]")
_CONTROL = re.compile(r"[\x00-\x1f]")


@dataclass(frozen=True, eq=False, kw_only=True)
class Grid:
    """The chosen columns of a source, before their cells are understood."""

    path: str
    cells: Mapping[str, Sequence[Any]]
    names: Mapping[str, str]
    """What the source calls each column."""
    lines: NDArray[np.int64]
    """The line (of a text), row (of a sheet) or record of each row, from 1."""

    def refuse(self, rule: str, row: int, value: object) -> DataError:
        return DataError(rule, path=self.path, line=int(self.lines[row]), value=value)


class _Unfit(ValueError):
    """A cell that is not what its column holds; becomes a `DataError` where its row is known."""


def convert(grid: Grid, column: Wanted) -> NDArray[Any]:
    cells = grid.cells[column.name]
    if column.kind == "boolean":
        return np.array(_each(grid, column, _boolean), dtype=np.bool_)
    if column.kind == "text":
        return np.array(_each(grid, column, _text), dtype=np.object_)
    if column.kind == "ids":
        several = np.empty(len(cells), dtype=np.object_)
        several[:] = _each(grid, column, _identifiers)
        return several
    if column.kind == "id":
        plain = _plain_ids(cells)
        return plain if plain is not None else ids.widen(np.array(_each(grid, column, _identifier), dtype=np.bytes_))
    numbers = _plain_numbers(cells)
    if column.kind == "number":
        return numbers if numbers is not None else np.array(_each(grid, column, _number), dtype=np.float64)
    if numbers is not None and (np.abs(numbers) < _WHOLE).all() and (numbers == np.trunc(numbers)).all():
        return numbers.astype(np.int64)
    return np.array(_each(grid, column, _integer), dtype=np.int64)


def numeric_ids(cells: Sequence[Any]) -> int:
    """Count the ids that a source stores as numbers."""
    if set(map(type, cells)) <= {str, type(None)}:
        return 0
    return sum(isinstance(cell, int | float | Decimal) and cell == cell for cell in cells)


def _plain_ids(cells: Sequence[Any]) -> ids.Ids | None:
    if set(map(type, cells)) != {str}:
        return None
    together = "".join(cells)
    if not together.isascii() or not together.isprintable() or " " in together or "#" in together:
        return None
    if max(map(len, cells)) > LONGEST_ID or not all(cells):
        return None
    return ids.widen(np.array(cells, dtype=np.bytes_))


def _plain_numbers(cells: Sequence[Any]) -> NDArray[np.float64] | None:
    kinds = set(map(type, cells))
    if kinds == {str}:
        together = "".join(cells)
        # Python would read 1_000 and other scripts' digits too.
        if "_" in together or not together.isascii():
            return None
    elif not kinds <= {float, int}:
        return None
    try:
        values = np.array(list(map(float, cells)), dtype=np.float64)
    except (ValueError, OverflowError):
        return None
    return None if np.isnan(values).any() else values


def _each(grid: Grid, column: Wanted, read: Callable[[Any], Any]) -> list[Any]:
    blank = _BLANKS.get(column.kind, float("nan"))
    values = []
    for row, cell in enumerate(grid.cells[column.name]):
        try:
            empty = _is_empty(cell, column.kind)
            if empty and not column.blank:
                raise _Unfit("must not have an empty cell")
            values.append(blank if empty else read(cell))
        except _Unfit as error:
            raise grid.refuse(f"Column {shorten(repr(grid.names[column.name]))} {error}.", row, cell) from None
    return values


def _is_empty(cell: object, kind: Kind) -> bool:
    # Data frames store a missing id as NaN; among numbers NaN is refused for what it is.
    return cell is None or (isinstance(cell, str) and not cell.strip()) or (kind in _BLANKS and cell != cell)


def _text(cell: object) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, bytes):
        return cell.decode(errors="replace")
    text = cell.isoformat() if isinstance(cell, date | time) else str(cell).strip()
    # JSON can hold halves of characters, which no output could print.
    return text.encode(errors="replace").decode()


def _identifier(cell: object) -> bytes:
    text = _id_text(cell)
    if text in _SHEET_ERRORS:
        raise _Unfit("holds the error value of a formula; correct the formula")
    if _CONTROL.search(text):
        raise _Unfit("must hold ids without control characters")
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        raise _Unfit("must hold ids of valid Unicode characters") from None
    if len(raw) > LONGEST_ID:
        raise _Unfit(f"must hold ids of at most {LONGEST_ID:,} bytes")
    return raw


def _identifiers(cell: object) -> tuple[bytes, ...]:
    if isinstance(cell, list | tuple):
        parts = [part for part in cell if not _is_empty(part, "id")]
    else:
        parts = [part for part in _SEPARATORS.split(_id_text(cell)) if part.strip()]
    return tuple(map(_identifier, parts))


def _id_text(cell: object) -> str:
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bytes):
        return cell.decode(errors="surrogateescape").strip()
    _refuse_date(cell)
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        raise _Unfit("must hold ids: text or whole numbers")
    if not isinstance(cell, int) and not (-_DIGITS < cell < _DIGITS and cell == int(cell)):
        raise _Unfit("must hold ids; a number with a fraction or over 15 digits can't be one, store it as text")
    return str(int(cell))


def _number(cell: object) -> float:
    if isinstance(cell, str):
        return _written_number(cell)
    _refuse_date(cell)
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        raise _Unfit("must hold numbers")
    try:
        value = float(cell)
    except OverflowError:
        raise _Unfit("must hold numbers that fit 64 bits") from None
    return _told(value)


def _written_number(cell: str) -> float:
    text = cell.strip()
    if re.fullmatch(r"[-+]?[0-9.]*,[0-9]+([eE][-+]?[0-9]+)?", text):
        raise _Unfit("must write its numbers with a decimal point; replace the commas and save the table again")
    try:
        value = float(text)
    except ValueError:
        raise _Unfit("must hold numbers") from None
    if "_" in text or not text.isascii():
        raise _Unfit("must hold numbers in plain digits")
    return _told(value)


def _told(value: float) -> float:
    if value != value:
        raise _Unfit("must hold numbers, and NaN is none")
    return value


def _integer(cell: object) -> int:
    value = int(cell) if isinstance(cell, int) and not isinstance(cell, bool) else _number(cell)
    if not abs(value) < _WHOLE or value != int(value):
        raise _Unfit("must hold whole numbers")
    return int(value)


def _boolean(cell: object) -> bool:
    text = str(cell).strip().casefold() if isinstance(cell, str | int | float) else ""
    if text not in _TRUE | _FALSE:
        raise _Unfit("must hold yes or no")
    return text in _TRUE


def _refuse_date(cell: object) -> None:
    if isinstance(cell, date | time | timedelta):
        raise _Unfit("holds a date; if a spreadsheet made it one, format the column as text and enter it again")
