"""Rows of a table one at a time, for tables that no memory holds: CSV, TSV, Parquet and XLSX, also compressed.

Where `read_table` gives typed columns of the whole, this gives the cells as they stand, by the names of the wanted
columns. A row that can't be read is a `DataError` in its place; what makes the rest unreadable is raised. Memory is
bounded by a row of text, by a few rows of Parquet beside its row group's pages, and by a whole sheet of XLSX, which has
at most a million rows.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO, TextIOWrapper
from typing import Any

from patstone.errors import DataError, UsageError
from patstone.files.delimited import delimiter_of, reader_of, records
from patstone.files.parquet import damage
from patstone.files.streams import Rewindable
from patstone.files.text import not_utf8, refuse_utf16

Choose = Callable[[Sequence[str], int], dict[str, int]]
"""Given a header and its line, the place of each column to read."""
Row = tuple[int, dict[str, Any]]
"""Line (of a text), row (of a sheet) or record, from 1, and the cells by the names of the wanted columns."""
_HEAD = 1 << 16
_BATCH = 256


def read_rows(
    source: Rewindable,
    choose: Choose,
    *,
    format: str,  # noqa: A002 - the word that users know
) -> Iterator[Row | DataError]:
    readers: dict[str, Callable[[Rewindable, Choose], Iterator[Row | DataError]]] = {
        "csv": _delimited,
        "tsv": partial(_delimited, delimiter="\t"),
        "parquet": _parquet,
        "xlsx": _sheet,
    }
    if format not in readers:
        raise UsageError(f"Rows are read from {', '.join(readers)}. Got {format!r} instead.")
    return readers[format](source, choose)


def _delimited(source: Rewindable, choose: Choose, *, delimiter: str = "") -> Iterator[Row | DataError]:
    with source.open() as stream:
        head = stream.read(_HEAD)
    refuse_utf16(head, source.name)
    mark = delimiter or delimiter_of(head.decode("utf-8-sig", errors="replace"))
    with source.open() as stream:
        # Line ends must reach the reader as they are, or lines would be counted wrong.
        reader = reader_of(TextIOWrapper(stream, "utf-8-sig", newline=""), mark)
        found = records(reader, source.name)
        try:
            start, header = next(found, (1, []))
            places = choose([name.strip() for name in header], start)
            for line, record in found:
                if len(record) == len(header):
                    yield line, {name: record[place] for name, place in places.items()}
                else:
                    rule = f"A row must have {len(header)} fields, as the header has; this one has {len(record)}."
                    yield DataError(rule, path=source.name, line=line, value=mark.join(record))
        except UnicodeDecodeError as error:
            # The block that can't be decoded begins within the line after those read.
            line = reader.line_num + 1 + error.object.count(b"\n", 0, error.start)
            raise not_utf8(error, source.name, line) from None


def _parquet(source: Rewindable, choose: Choose) -> Iterator[Row]:
    from pyarrow import parquet

    with source.open() as stream:
        # A decompressor can't seek from the end, where Parquet keeps its table of contents.
        seekable = stream if stream.seekable() else BytesIO(stream.read())
        with damage(source.name):
            file = parquet.ParquetFile(seekable)
            header = file.schema_arrow.names
        names = {name: header[place] for name, place in choose(header, 1).items()}
        line = 0
        with damage(source.name):
            for batch in file.iter_batches(batch_size=_BATCH, columns=[*names.values()]):
                for row in batch.to_pylist():
                    line += 1
                    yield line, {name: row[column] for name, column in names.items()}


def _sheet(source: Rewindable, choose: Choose) -> Iterator[Row]:
    from patstone.files.xlsx import read_xlsx

    grid = read_xlsx(source, choose)
    columns = [*grid.cells]
    for line, cells in zip(grid.lines.tolist(), zip(*grid.cells.values(), strict=True), strict=True):
        yield line, dict(zip(columns, cells, strict=True))
