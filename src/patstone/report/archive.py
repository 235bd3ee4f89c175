"""Per-topic scores as Parquet: a row for each system, measure and topic, written one system at a time."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from patstone.files.streams import atomic
from patstone.gold.qrels import Ints
from patstone.measures.scores import Scores
from patstone.report.signature import sign

if TYPE_CHECKING:
    import pyarrow as pa


def write_parquet(scores: Scores, path: str | Path) -> None:
    """Write `system, measure, topic, value`; a topic that a policy left out has no value (null)."""
    import pyarrow as pa
    from pyarrow import parquet

    signatures = {str(measure): str(sign(scores, measure)) for measure in scores.measures}
    words = pa.dictionary(pa.int32(), pa.string())
    fields = [("system", words), ("measure", words), ("topic", words), ("value", pa.float64())]
    schema = pa.schema(fields, metadata={"patstone": json.dumps(signatures)})
    with atomic(path) as temporary, parquet.ParquetWriter(temporary, schema) as writer:
        for place in range(len(scores.systems)):
            writer.write_table(_table(scores, place, schema))


def _table(scores: Scores, place: int, schema: "pa.Schema") -> "pa.Table":
    import pyarrow as pa

    measures, topics = len(scores.measures), len(scores.topics)
    columns = [
        _repeated(np.full(measures * topics, place), scores.systems),
        _repeated(np.repeat(np.arange(measures), topics), [str(measure) for measure in scores.measures]),
        _repeated(np.tile(np.arange(topics), measures), scores.topics),
        pa.array(scores.values[place].reshape(-1), from_pandas=True),
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _repeated(codes: Ints, names: Sequence[str]) -> "pa.DictionaryArray":
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(codes.astype("int32")), pa.array(list(names), pa.string()))
