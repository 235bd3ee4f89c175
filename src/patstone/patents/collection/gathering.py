"""Rows from many parts in the order that a plan says, with bounded memory.

A plan's rows come in chunks of about equal size that never cut a document in two. Where parts are in about the order of
the plan, as weekly files are, a chunk's rows are read from the parts' small batches directly. Where they are not, that
would read every batch again and again: then all rows are first written once more, block by block, each block sorted
and cut at the chunks, and a chunk is put together from its pieces. Either way each row is read a few times at most.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from patstone.patents.collection.plan import connected, copy, quoted

Ints = NDArray[np.int64]
_LISTED = pa.schema([(name, pa.int32()) for name in ("chunk", "row", "part", "batch", "place")])
CHUNK = 24_000_000
"""Characters of text, and so many hundred bytes of everything else, in a chunk."""
ROW = 500
"""What a row takes beside its text."""
KEPT = 64 << 20
"""Bytes of batches that are kept, in the hope that the next chunk needs them too."""
OPEN = 200
"""Files that are open at a time."""
OFTEN = 3
"""How often batches may be read in the mean before sorting comes cheaper."""
BLOCK = 48 << 20
"""Bytes that are sorted at a time."""


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


def gathered(paths: Sequence[Path], plan: Path, work: Path) -> Iterator[tuple[Chunk, pa.Table]]:
    """Each chunk of a plan with its rows, from one file of each part; `work` is for what is sorted on the way."""
    parts = Parts(paths)
    if repeats(plan) <= OFTEN:
        yield from ((chunk, parts.rows(chunk)) for chunk in chunks(plan))
        return
    pieces = _Pieces(work / f"{plan.stem}.arrow")
    for batch, numbers, rows in _in_order_of_parts(parts, plan, work):
        pieces.add(batch, numbers, rows)
    pieces.close()
    yield from ((chunk, pieces.rows(number)) for number, chunk in enumerate(chunks(plan)))


def repeats(plan: Path) -> float:
    """How often each batch would be read, in the mean, if chunks took their rows from the parts."""
    read, last = 0, dict[int, int]()
    for chunk in chunks(plan):
        held = np.unique(np.stack([chunk.part, chunk.batch]), axis=1)
        read += held.shape[1]
        for part, batch in held.T.tolist():
            last[part] = max(last.get(part, 0), batch)
    return read / max(sum(last.values()) + len(last), 1)


def _in_order_of_parts(parts: "Parts", plan: Path, work: Path) -> Iterator[tuple[pa.RecordBatch, Ints, Ints]]:
    """All rows as the parts have them, with the chunk and the place in it that each belongs to."""
    order, listed = work / f"{plan.stem}-order.parquet", work / f"{plan.stem}-listed.parquet"
    with parquet.ParquetWriter(listed, _LISTED) as writer:
        for number, chunk in enumerate(chunks(plan)):
            own = {"chunk": np.full(len(chunk.doc), number), "row": np.arange(len(chunk.doc))}
            columns = {**own, "part": chunk.part, "batch": chunk.batch, "place": chunk.place}
            writer.write_table(pa.table(columns, schema=_LISTED))
    with connected(work, threads=1) as connection:
        rows = f"SELECT * FROM '{quoted(listed)}'"  # noqa: S608 - our own file
        copy(connection, f"{rows} ORDER BY part, batch, place, chunk, row", order)
    for several in parquet.ParquetFile(order).iter_batches(1 << 16):
        chunk, row, part, batch, place = (several.column(name).to_numpy() for name in _LISTED.names)
        cuts = np.append(0, np.flatnonzero((np.diff(part) != 0) | (np.diff(batch) != 0)) + 1).tolist()
        for start, end in zip(cuts, [*cuts[1:], len(part)], strict=True):
            held = parts.batch(int(part[start]), int(batch[start]))
            yield held.take(pa.array(place[start:end])), chunk[start:end], row[start:end]


@dataclass
class _Pieces:
    """A file of sorted pieces, each of one chunk, and which of them a chunk is made of."""

    path: Path
    pending: list[pa.RecordBatch] = field(default_factory=list)
    chunks: list[Ints] = field(default_factory=list)
    places: list[Ints] = field(default_factory=list)
    held: int = 0
    written: int = 0
    of: dict[int, list[int]] = field(default_factory=dict)

    def add(self, batch: pa.RecordBatch, chunks: Ints, rows: Ints) -> None:
        self.pending.append(batch.append_column("row", pa.array(rows)))
        self.chunks.append(chunks)
        self.places.append(rows)
        self.held += batch.nbytes
        if self.held >= BLOCK:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()
        self._reader = pa.ipc.open_file(pa.OSFile(str(self.path)))

    def rows(self, number: int) -> pa.Table:
        table = pa.Table.from_batches([self._reader.get_batch(piece) for piece in self.of.pop(number)])
        order = np.argsort(table["row"].to_numpy())
        return table.drop_columns(["row"]).combine_chunks().take(pa.array(order))

    def _flush(self) -> None:
        if not self.pending:
            return
        if not self.written:
            self._writer = pa.ipc.new_file(self.path, self.pending[0].schema)
        chunks, places = np.concatenate(self.chunks), np.concatenate(self.places)
        order = np.lexsort((places, chunks))
        whole = pa.Table.from_batches(self.pending).combine_chunks().take(pa.array(order)).combine_chunks()
        cuts = [0, *(np.flatnonzero(np.diff(chunks[order])) + 1).tolist(), len(order)]
        for start, end in pairwise(cuts):
            self._writer.write_table(whole.slice(start, end - start))
            self.of.setdefault(int(chunks[order[start]]), []).append(self.written)
            self.written += 1
        self.pending, self.chunks, self.places, self.held = [], [], [], 0


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
        if 2 * len(pieces) <= len(chunk.doc) + 1:
            # Rows that stand together already are not copied.
            return pa.Table.from_batches([batch.slice(start, length) for batch, start, length in pieces])
        return self._scattered(chunk)

    def _runs(self, chunk: Chunk) -> Iterator[tuple[pa.RecordBatch, int, int]]:
        together = (np.diff(chunk.part) == 0) & (np.diff(chunk.batch) == 0) & (np.diff(chunk.place) == 1)
        starts = np.append(0, np.flatnonzero(~together) + 1)
        lengths = np.diff(np.append(starts, len(chunk.doc)))
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
            batch = self.batch(int(chunk.part[start]), int(chunk.batch[start]))
            yield batch, int(chunk.place[start]), length

    def _scattered(self, chunk: Chunk) -> pa.Table:
        order = np.lexsort((chunk.place, chunk.batch, chunk.part))
        part, batch, place = chunk.part[order], chunk.batch[order], chunk.place[order]
        cuts = np.append(0, np.flatnonzero((np.diff(part) != 0) | (np.diff(batch) != 0)) + 1)
        taken = [
            self.batch(int(part[start]), int(batch[start])).take(pa.array(place[start:end]))
            for start, end in zip(cuts.tolist(), [*cuts[1:].tolist(), len(order)], strict=True)
        ]
        back = np.empty(len(order), dtype=np.int64)
        back[order] = np.arange(len(order))
        return pa.Table.from_batches(taken).combine_chunks().take(pa.array(back))

    def batch(self, part: int, number: int) -> pa.RecordBatch:
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
