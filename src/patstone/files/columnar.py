"""Parquet tables of a known schema, a batch at a time: for tables too large to hold.

A column that a file lacks is null throughout, unless it is needed; one of a type that can't be taken for the schema's
is refused by name.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from patstone.errors import DataError, shorten
from patstone.files.parquet import damage
from patstone.files.streams import atomic, rewindable

_GROUP = 1 << 16


def batches(path: Path, schema: pa.Schema, *, rows: int, needed: Sequence[str] = ()) -> Iterator[pa.RecordBatch]:
    """Read the columns of the schema, in its order, so many rows at a time."""
    with rewindable(path).open() as stream, damage(str(path)):
        file = parquet.ParquetFile(stream)
        there = [name for name in schema.names if name in file.schema_arrow.names]
        missing = next((name for name in needed if name not in there), None)
        if missing is not None:
            raise DataError(f"The table must have a column {missing!r}.", path=path)
        for batch in file.iter_batches(batch_size=rows, columns=there):
            yield pa.RecordBatch.from_arrays([_column(batch, field, path) for field in schema], schema=schema)


def _column(batch: pa.RecordBatch, field: pa.Field, path: Path) -> pa.Array:
    if field.name not in batch.schema.names:
        return pa.nulls(batch.num_rows, field.type)
    try:
        return batch.column(field.name).cast(field.type)
    except (pa.ArrowException, NotImplementedError) as error:
        found = batch.schema.field(field.name).type
        rule = f"Column {field.name!r} must be {field.type}, and is {found} ({shorten(str(error), 80)})."
        raise DataError(rule, path=path) from None


def write_batches(path: Path, schema: pa.Schema, rows: Iterable[pa.RecordBatch]) -> None:
    """Write batches whose columns are found by name, in any order; completely or not at all."""
    with atomic(path) as temporary, parquet.ParquetWriter(temporary, schema, compression="zstd") as writer:
        for batch in rows:
            named = [_column(batch, field, path) for field in schema]
            writer.write_batch(pa.RecordBatch.from_arrays(named, schema=schema), row_group_size=_GROUP)
