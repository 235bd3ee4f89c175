"""Parquet tables: only the chosen columns are read; the record's number stands for the line."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import numpy as np

from patstone.errors import DataError, shorten
from patstone.files.cells import Grid
from patstone.files.delimited import Choose
from patstone.files.streams import Rewindable


@contextmanager
def damage(path: str) -> Iterator[None]:
    """Turn what a damaged file makes the library raise, in its many types, into an error that names the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError, OverflowError, TypeError, KeyError, MemoryError) as error:
        raise DataError(f"The file is not readable Parquet: {shorten(str(error).rstrip('.'))}.", path=path) from error


def read_parquet(source: Rewindable, choose: Choose) -> Grid:
    from pyarrow import parquet

    with source.open() as stream, damage(source.name):
        # A decompressor can't seek from the end, where Parquet keeps its table of contents.
        file = parquet.ParquetFile(stream if stream.seekable() else BytesIO(stream.read()))
        header = file.schema_arrow.names
        names = {name: header[place] for name, place in choose(header, 1).items()}
        table = file.read(columns=list(names.values()))
        cells = {name: table.column(column).to_pylist() for name, column in names.items()}
    return Grid(path=source.name, cells=cells, names=names, lines=np.arange(1, table.num_rows + 1))
