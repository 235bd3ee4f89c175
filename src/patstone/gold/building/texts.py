"""The chosen documents with their texts, streamed: the two large tables are read side by side, each once.

Both stand in the order of `doc`, which is that of country, date and number, so that a batch of documents and its
claims are found without a join. Of claims in several languages those in the document's own are taken, else the first.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from patstone.gold import schemas
from patstone.patents.collection.collection import Collection

Mask = NDArray[np.bool_]
_COLUMNS = {
    "number": "id", "application": "application", "country": "country", "kind": "kind", "date": "date",
    "family": "family", "language": "language", "title": "title", "abstract": "abstract", "description": "description",
    "priority_date": "priority",
}  # fmt: skip


def documents(collection: Collection, chosen: Mask) -> Iterator[pa.RecordBatch]:
    """The documents whose place in the mask is true, in the columns of a test collection, and their `doc`."""
    claims = _Claims(collection, chosen)
    for batch in collection.batches("documents", ["doc", *_COLUMNS]):
        kept = batch.filter(pa.array(chosen[batch.column("doc").to_numpy()]))
        if kept.num_rows:
            columns = {name: kept.column(column) for column, name in _COLUMNS.items()}
            columns["family"] = pc.cast(columns["family"], pa.string())
            columns["claims"] = claims.of(kept.column("doc").to_numpy(), kept.column("language"))
            yield pa.RecordBatch.from_pydict({"doc": kept.column("doc"), **columns})


class _Claims:
    """The claims table, read on as far as the documents have come."""

    def __init__(self, collection: Collection, chosen: Mask) -> None:
        self._batches = (
            batch.filter(pa.array(chosen[batch.column("doc").to_numpy()])) for batch in collection.batches("claims")
        )
        self._rest: list[pa.RecordBatch] = []

    def of(self, docs: NDArray[np.int32], language: pa.Array) -> pa.Array:
        """A list of claims for each document, null where it has none."""
        last = int(docs[-1])
        for batch in self._batches:
            if batch.num_rows:
                self._rest.append(batch)
                if batch.column("doc")[-1].as_py() > last:
                    break
        if not self._rest:
            return pa.nulls(len(docs), pa.list_(schemas.CLAIM))
        held = pa.Table.from_batches(self._rest)
        cut = int(np.searchsorted(held.column("doc").to_numpy(), last, side="right"))
        self._rest = held.slice(cut).to_batches() if cut < held.num_rows else []
        return _listed(held.slice(0, cut), docs, language)


def _listed(claims: pa.Table, docs: NDArray[np.int32], language: pa.Array) -> pa.Array:
    owner = np.searchsorted(docs, claims.column("doc").to_numpy())
    said = np.array(pc.fill_null(claims.column("language"), "").to_pylist(), dtype=object)
    wanted = np.array(pc.fill_null(language, "").to_pylist(), dtype=object)
    ours = said == wanted[owner] if len(owner) else np.zeros(0, dtype=bool)
    has = np.bincount(owner, weights=ours, minlength=len(docs)) > 0
    starts = np.searchsorted(owner, np.arange(len(docs)))
    first = said[starts[owner]] if len(owner) else said
    cancelled = pc.fill_null(pc.equal(claims.column("kind"), "cancelled"), False).to_numpy()
    keep = np.where(has[owner], ours, said == first).astype(bool) & ~cancelled
    kept, owner = claims.filter(pa.array(keep)).combine_chunks(), owner[keep]
    lengths = np.bincount(owner, minlength=len(docs))
    ends = np.cumsum(lengths)
    offsets = pa.array(np.append(0, ends).astype(np.int32), mask=np.append(lengths == 0, False))
    values = [kept.column("number"), kept.column("text"), pc.equal(kept.column("kind"), "independent")]
    flat = [
        column.combine_chunks().cast(field.type) if isinstance(column, pa.ChunkedArray) else column
        for column, field in zip(values, schemas.CLAIM, strict=True)
    ]
    flat = [pa.concat_arrays(one.chunks) if isinstance(one, pa.ChunkedArray) else one for one in flat]
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(flat, fields=list(schemas.CLAIM)))
