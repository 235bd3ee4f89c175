"""Tables as a workbook: one sheet for each, real numbers, and texts that can never become formulas."""

import re
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patstone.errors import UsageError
from patstone.files.streams import atomic
from patstone.report.cells import Cell, Column, Table, is_number
from patstone.report.text import display_width, shortened

if TYPE_CHECKING:
    from openpyxl import Workbook

_ROWS = 1_048_576
_TEXT = 32_767
_NAME = 31
_WIDEST = 60
# What XML 1.0 cannot hold.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_FORMATS = {"count": "#,##0", "p": "0.0000"}


def write_xlsx(tables: Sequence[Table], path: str | Path) -> None:
    from openpyxl import Workbook

    for table in tables:
        if len(table.rows) >= _ROWS:
            rule = f"A sheet holds {_ROWS:,} rows and {table.title!r} has {len(table.rows):,}: write them as Parquet."
            raise UsageError(rule)
    with atomic(path) as temporary:
        book = Workbook(write_only=True)
        for table, name in zip(tables, sheet_names(table.title for table in tables), strict=True):
            _add_sheet(book, table, name)
        book.save(temporary)


def sheet_names(titles: Iterable[str]) -> list[str]:
    """Names that Excel accepts: short, without its reserved characters, different without regard to case."""
    names: list[str] = []
    for title in titles:
        base = _ILLEGAL.sub("", re.sub(r"[\[\]:*?/\\\n\r\t]", " ", title)).strip(" '") or "Table"
        name, number = base[:_NAME].strip(" '"), 2
        while name.lower() in {taken.lower() for taken in names} or name.lower() == "history":
            suffix = f" ({number})"
            name, number = base[: _NAME - len(suffix)] + suffix, number + 1
        names.append(name)
    return names


def _add_sheet(book: "Workbook", table: Table, name: str) -> None:
    sheet = book.create_sheet(name)
    headings = [heading for column in table.columns for heading in _headings(column)]
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{_letter(len(headings))}{len(table.rows) + 1}"
    for place, width in enumerate(_widths(table), start=1):
        sheet.column_dimensions[_letter(place)].width = width
    sheet.append([_text_cell(sheet, heading, bold=True) for heading in headings])
    for row, cells in enumerate(table.rows):
        sheet.append(_row(sheet, table, row, cells))
    for note in ["", *table.notes] if table.notes else []:
        sheet.append([_text_cell(sheet, note)])


def _letter(place: int) -> str:
    from openpyxl.utils import get_column_letter

    return get_column_letter(place)


def _headings(column: Column) -> list[str]:
    if column.kind != "interval":
        return [column.heading]
    return [f"{column.heading} low", f"{column.heading} high"]


def _widths(table: Table) -> Iterable[float]:
    columns = zip(*(cells for cells in table.written()), strict=True) if table.rows else ((),) * len(table.columns)
    for column, cells in zip(table.columns, columns, strict=True):
        widest = max(map(display_width, [column.heading, *cells]))
        # Room for the arrow of the filter.
        yield from [min(widest, _WIDEST) + 3.0] * len(_headings(column))


def _row(sheet: Any, table: Table, row: int, cells: Sequence[Cell]) -> list[Any]:  # noqa: ANN401 - openpyxl's own type
    written = []
    for place, (cell, column) in enumerate(zip(cells, table.columns, strict=True)):
        bold = (row, place) in table.best
        ends = (cell if isinstance(cell, tuple) else (None, None)) if column.kind == "interval" else (cell,)
        written += [_cell(sheet, end, column, bold=bold) for end in ends]
    return written


def _cell(sheet: Any, cell: Cell, column: Column, *, bold: bool) -> Any:  # noqa: ANN401 - openpyxl's own type
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    if isinstance(cell, str):
        return _text_cell(sheet, cell)
    if not is_number(cell) or not isfinite(cell):
        return None
    # openpyxl writes sixteen digits of a float, and some need seventeen: it gets them as they are to stand.
    number = WriteOnlyCell(sheet, value=repr(cell))
    number.data_type = "n"
    number.number_format = _FORMATS.get(column.kind, f"0.{'0' * column.decimals}")
    if bold:
        number.font = Font(bold=True)
    return number


def _text_cell(sheet: Any, words: str, *, bold: bool = False) -> Any:  # noqa: ANN401 - openpyxl's own type
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    cell = WriteOnlyCell(sheet, value=shortened(_ILLEGAL.sub("", words), _TEXT))
    # Text that begins with "=" would be a formula, and "#N/A" an error.
    cell.data_type = "s"
    cell.quotePrefix = words.startswith(("=", "+", "-", "@"))
    if bold:
        cell.font = Font(bold=True)
    return cell
