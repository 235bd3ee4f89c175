"""Rows from many parts in the order that a plan says, with bounded memory.

A plan's rows come in chunks of about equal size that never cut a document in two; a chunk's rows are read from small
batches of the parts. Parts are in sorted runs, so that a batch is mostly used up before it is forgotten.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

Ints = NDArray[np.int64]
CHUNK = 24_000_000
"""Characters of text, and so many hundred bytes of everything else, in a chunk."""
ROW = 500
"""What a row takes beside its text."""
KEPT = 64 << 20
"""Bytes of batches that are kept, in the hope that the next chunk needs them too."""
OPEN = 200
"""Files that are open at a time."""


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Rows of a plan: the entries of some documents, by document and precedence."""

    doc: Ints
    part: Ints
    batch: Ints
    place: Ints
    rank: Ints

    def where(self, chosen: NDArray[np.bool_]) -> "Chunk":
        return Chunk(**{name: getattr(self, name)[chosen] for name in self.__dataclass_fields__})


def chunks(plan: Path) -> Iterator[Chunk]:
    """Cut a plan's rows where a chunk is full and a document begins."""
    held: list[dict[str, Ints]] = []
    total, current = 0, 0
    for batch in parquet.ParquetFile(plan).iter_batches(1 << 16):
        rows = {name: batch.column(name).to_numpy().astype(np.int64) for name in batch.schema.names}
        ends = np.cumsum(rows.pop("size") + ROW) + total
        # Only a document's first entry may begin a chunk; the others stay with it.
        begins = np.where(rows["rank"] == 0, np.append(total, ends[:-1]) // CHUNK, 0)
        owner = np.maximum.accumulate(np.maximum(begins, current))
        changes = np.flatnonzero(np.diff(owner, prepend=current)).tolist()
        starts = sorted({0, *changes})
        for start, end in zip(starts, [*starts[1:], len(owner)], strict=True):
            if held and start in changes:
                yield _joined(held)
                held = []
            held.append({name: column[start:end] for name, column in rows.items()})
        total, current = int(ends[-1]), int(owner[-1])
    if held:
        yield _joined(held)


def _joined(held: Sequence[dict[str, Ints]]) -> Chunk:
    return Chunk(**{name: np.concatenate([piece[name] for piece in held]) for name in held[0]})


@dataclass
class Parts:
    """One file of each part, whose batches are read when rows of them are asked for."""

    paths: Sequence[Path]
    readers: "OrderedDict[int, pa.ipc.RecordBatchFileReader]" = field(default_factory=OrderedDict)
    batches: "OrderedDict[tuple[int, int], pa.RecordBatch]" = field(default_factory=OrderedDict)
    kept: int = 0

    def rows(self, chunk: Chunk) -> pa.Table:
        """The rows that a chunk names, in its order."""
        pieces = list(self._runs(chunk))
        if len(pieces) <= max(len(chunk.doc) // 16, 8):
            # Rows that stand together already are not copied.
            return pa.Table.from_batches([batch.slice(start, length) for batch, start, length in pieces])
        return self._scattered(chunk)

    def _runs(self, chunk: Chunk) -> Iterator[tuple[pa.RecordBatch, int, int]]:
        together = (np.diff(chunk.part) == 0) & (np.diff(chunk.batch) == 0) & (np.diff(chunk.place) == 1)
        starts = np.append(0, np.flatnonzero(~together) + 1)
        lengths = np.diff(np.append(starts, len(chunk.doc)))
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
            batch = self._batch(int(chunk.part[start]), int(chunk.batch[start]))
            yield batch, int(chunk.place[start]), length

    def _scattered(self, chunk: Chunk) -> pa.Table:
        order = np.lexsort((chunk.place, chunk.batch, chunk.part))
        part, batch, place = chunk.part[order], chunk.batch[order], chunk.place[order]
        cuts = np.append(0, np.flatnonzero((np.diff(part) != 0) | (np.diff(batch) != 0)) + 1)
        taken = [
            self._batch(int(part[start]), int(batch[start])).take(pa.array(place[start:end]))
            for start, end in zip(cuts.tolist(), [*cuts[1:].tolist(), len(order)], strict=True)
        ]
        back = np.empty(len(order), dtype=np.int64)
        back[order] = np.arange(len(order))
        return pa.Table.from_batches(taken).combine_chunks().take(pa.array(back))

    def _batch(self, part: int, number: int) -> pa.RecordBatch:
        key = (part, number)
        if key in self.batches:
            self.batches.move_to_end(key)
            return self.batches[key]
        batch = self.batches[key] = self._reader(part).get_batch(number)
        self.kept += batch.nbytes
        while self.kept > KEPT and len(self.batches) > 1:
            self.kept -= self.batches.popitem(last=False)[1].nbytes
        return batch

    def _reader(self, part: int) -> "pa.ipc.RecordBatchFileReader":
        if part not in self.readers:
            self.readers[part] = pa.ipc.open_file(pa.OSFile(str(self.paths[part])))
            if len(self.readers) > OPEN:
                self.readers.popitem(last=False)
        self.readers.move_to_end(part)
        return self.readers[part]
