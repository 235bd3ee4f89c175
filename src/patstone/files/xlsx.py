"""XLSX workbooks: one sheet, the first unless another is named; the sheet's row stands for the line.

A workbook is a ZIP archive of XML, so a small file can claim to be huge: sizes are checked before anything is
unpacked. Values are those that the spreadsheet program last computed; a formula without one is an error.
"""

import warnings
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

import numpy as np

from patstone.errors import DataError, shorten
from patstone.files.cells import Grid
from patstone.files.delimited import Choose
from patstone.files.streams import Rewindable

LARGEST = 1 << 30
"""Bytes that a workbook may unpack to; a million rows of four columns take about 200 MB."""
_MOST_ROWS = 1_048_576
_LOST_DIGITS = 10**15

Row = tuple[Any, ...]


def read_xlsx(source: Rewindable, choose: Choose, *, sheet: str | None = None) -> Grid:
    with source.open() as stream:
        file = stream if stream.seekable() else BytesIO(stream.read())
        _check_size(file, source.name)
        title, rows = _sheet(file, sheet, source.name, computed=True)
        path = f"{source.name}#{title}"
        filled = [(line, row) for line, row in enumerate(rows, start=1) if any(cell is not None for cell in row)]
        start, header = filled[0] if filled else (1, ())
        names = ["" if cell is None else str(cell).strip() for cell in header]
        places = choose(names, start)
        if any(place < len(row) and row[place] is None for row in rows[start:] for place in places.values()):
            formulas = _sheet(file, title, source.name, computed=False)[1]
            _refuse_uncomputed(rows, formulas, set(places.values()), path)
    table = [(line, _padded(row, len(names), path, line)) for line, row in filled[1:]]
    cells = {name: [_whole(row[place]) for _, row in table] for name, place in places.items()}
    called = {name: names[place] for name, place in places.items()}
    return Grid(path=path, cells=cells, names=called, lines=np.array([line for line, _ in table], dtype=np.int64))


def _check_size(file: BinaryIO, path: str) -> None:
    try:
        with ZipFile(file) as archive:
            size = sum(member.file_size for member in archive.infolist())
    except (BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise DataError(f"The file is not an XLSX workbook: {shorten(str(error))}.", path=path) from error
    if size > LARGEST:
        rule = f"A workbook may unpack to at most {LARGEST >> 20:,} MB; save the sheet as CSV."
        raise DataError(rule, path=path, value=size)


def _sheet(file: BinaryIO, sheet: str | None, path: str, *, computed: bool) -> tuple[str, list[Row]]:
    """Give the sheet's title and its rows, with computed values or with formulas as they are written."""
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = load_workbook(file, read_only=True, data_only=computed)
            page = _page(book.worksheets, sheet, path)
            # Some programs write a wrong size into the sheet, and openpyxl would cut it there.
            page.reset_dimensions()
            rows = list(islice(page.iter_rows(values_only=True), _MOST_ROWS + 1))
    except DataError:
        raise
    except Exception as error:
        # A damaged workbook makes openpyxl raise nearly anything.
        reason = shorten(f"{type(error).__name__}: {error}".rstrip(".: "))
        raise DataError(f"The workbook is damaged ({reason}).", path=path) from error
    if len(rows) > _MOST_ROWS:
        raise DataError(f"A sheet has at most {_MOST_ROWS:,} rows.", path=path)
    return page.title, rows


def _page(pages: list[Any], sheet: str | None, path: str) -> Any:  # noqa: ANN401 - openpyxl's read-only sheet
    if not pages:
        raise DataError("The workbook has no sheet of cells.", path=path)
    if sheet is None:
        return pages[0]
    titles = [page.title for page in pages]
    if sheet not in titles:
        raise DataError(f"The workbook has no sheet {sheet!r}; it has: {shorten(', '.join(titles))}.", path=path)
    return pages[titles.index(sheet)]


def _refuse_uncomputed(rows: list[Row], formulas: list[Row], places: set[int], path: str) -> None:
    """An empty cell in a wanted column may be a formula that no program has computed yet."""
    for line, (row, written) in enumerate(zip(rows, formulas, strict=True), start=1):
        for place in places:
            if place < len(row) and row[place] is None and written[place] is not None:
                rule = "A formula has no computed value; open the workbook in a spreadsheet program and save it."
                raise DataError(rule, path=path, line=line, value=str(written[place]))


def _padded(row: Row, width: int, path: str, line: int) -> Row:
    beyond = [cell for cell in row[width:] if cell is not None]
    if beyond:
        rule = f"A row must have {width} cells, as the header has; this one has more."
        raise DataError(rule, path=path, line=line, value=beyond[0])
    return row + (None,) * (width - len(row))


def _whole(cell: object) -> object:
    # A spreadsheet keeps 15 digits; as a float, a longer number is refused where an id is wanted.
    return float(cell) if isinstance(cell, int) and abs(cell) >= _LOST_DIGITS else cell
