"""CSV and TSV: quoted fields may hold delimiters and line ends, and each row knows the line that it begins on.

The delimiter of a CSV file (comma, semicolon, tab) is the one that splits its header into most fields. A million
rows take about two seconds and hold the chosen cells as Python strings.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from patstone.errors import DataError
from patstone.files.cells import Grid
from patstone.files.streams import Rewindable
from patstone.files.text import read_text

if TYPE_CHECKING:
    from _csv import Reader

Choose = Callable[[Sequence[str], int], dict[str, int]]
"""Given a header and its line, the place of each column to read."""
LONGEST_CELL = 1 << 24
"""Characters; a quotation mark that is never closed is noticed here at the latest."""
_QUOTED = re.compile(r'"[^"]*"')
_HEADER = re.compile(r'\s*("[^"]*"|[^"\r\n])*')


def read_csv(source: Rewindable, choose: Choose) -> Grid:
    text = read_text(source)
    return _read(text, delimiter_of(text), choose, source.name)


def read_tsv(source: Rewindable, choose: Choose) -> Grid:
    return _read(read_text(source), "\t", choose, source.name)


def delimiter_of(text: str) -> str:
    header = _HEADER.match(text)
    unquoted = _QUOTED.sub("", header.group() if header else "")
    return max(",;\t", key=unquoted.count)


def reader_of(lines: Iterable[str], delimiter: str) -> "Reader":
    csv.field_size_limit(LONGEST_CELL)
    return csv.reader(lines, delimiter=delimiter, strict=True)


def records(reader: "Reader", path: str) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line it begins on; wholly empty ones, as spreadsheets append, are passed over."""
    line = 1
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            rule = (
                f"This is not well-formed CSV ({error}); look for a quotation mark that is not closed or not doubled."
            )
            raise DataError(rule, path=path, line=line) from None
        if any(record):
            yield line, record
        line = reader.line_num + 1


def _read(text: str, delimiter: str, choose: Choose, path: str) -> Grid:
    # Line ends must reach the reader as they are, or lines would be counted wrong.
    rows = records(reader_of(StringIO(text, newline=""), delimiter), path)
    start, header = next(rows, (1, []))
    names = [name.strip() for name in header]
    places = choose(names, start)
    columns: dict[str, list[str]] = {name: [] for name in places}
    sinks = [(columns[name].append, place) for name, place in places.items()]
    lines = []
    for line, record in rows:
        if len(record) != len(header):
            rule = f"A row must have {len(header)} fields, as the header has; this one has {len(record)}."
            raise DataError(rule, path=path, line=line, value=delimiter.join(record))
        for append, place in sinks:
            append(record[place])
        lines.append(line)
    called = {name: names[place] for name, place in places.items()}
    return Grid(path=path, cells=columns, names=called, lines=np.array(lines, dtype=np.int64))
