"""Parquet tables: only the chosen columns are read; the record's number stands for the line."""

from io import BytesIO

import numpy as np

from patstone.errors import DataError, shorten
from patstone.files.cells import Grid
from patstone.files.delimited import Choose
from patstone.files.streams import Rewindable


def read_parquet(source: Rewindable, choose: Choose) -> Grid:
    import pyarrow as pa
    from pyarrow import parquet

    with source.open() as stream:
        # A decompressor can't seek from the end, where Parquet keeps its table of contents.
        seekable = stream if stream.seekable() else BytesIO(stream.read())
        try:
            file = parquet.ParquetFile(seekable)
            header = file.schema_arrow.names
            places = choose(header, 1)
            names = {name: header[place] for name, place in places.items()}
            table = file.read(columns=list(names.values()))
            cells = {name: table.column(column).to_pylist() for name, column in names.items()}
        except (pa.ArrowException, OSError, ValueError, OverflowError, TypeError, KeyError, MemoryError) as error:
            raise DataError(
                f"The file is not readable Parquet: {shorten(str(error).rstrip('.'))}.", path=source.name
            ) from error
    return Grid(path=source.name, cells=cells, names=names, lines=np.arange(1, table.num_rows + 1))
