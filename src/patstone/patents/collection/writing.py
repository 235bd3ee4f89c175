"""The tables of a collection, written in the order of the plan from what the parts hold.

A document that several sources tell of takes each field from the first that has it, its claims as a set; citations of
all of them are united, a document cited by several being one row. Files are written by pyarrow from one thread, so
that the same rows make the same bytes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import parquet

from patstone.patents.collection import plan
from patstone.patents.collection.gathering import Chunk, gathered
from patstone.patents.collection.parts import CITATIONS as PART_CITATIONS
from patstone.patents.collection.parts import DOCUMENTS as PART_DOCUMENTS
from patstone.patents.collection.schema import CITATION, CITATIONS, CLAIM, CLAIMS, DOCUMENTS, FAMILIES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Ints = NDArray[np.int64]
_LONG = frozenset({"description", "text", "abstract", "title", "raw", "passages", "titles", "abstracts"})
"""Columns whose values hardly ever come again: neither a dictionary nor their least and greatest value is of use."""
_GROUP_ROWS, _GROUP_BYTES = 100_000, 32 << 20
_UNKNOWN = "unknown"


@dataclass
class Table:
    """A Parquet file in the making; small pieces are gathered into row groups."""

    path: Path
    schema: pa.Schema
    pending: list[pa.Table] = field(default_factory=list)
    rows: int = 0
    size: int = 0

    def __enter__(self) -> "Table":
        narrow = [name for name in self.schema.names if name not in _LONG]
        self._writer = parquet.ParquetWriter(
            self.path, self.schema, compression="zstd", compression_level=1, use_dictionary=narrow,
            write_statistics=narrow, store_schema=False,
        )  # fmt: skip
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        if kind is None:
            self._flush()
        self._writer.close()

    def write(self, table: pa.Table) -> None:
        self.pending.append(table)
        self.rows += len(table)
        self.size += table.nbytes
        if self.rows >= _GROUP_ROWS or self.size >= _GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self.rows:
            whole = pa.concat_tables(self.pending)
            self._writer.write_table(whole, row_group_size=len(whole))
        self.pending, self.rows, self.size = [], 0, 0


def documents(folders: Sequence[Path], plans: Path, target: Path) -> dict[str, int]:
    """Write `documents` and `claims`; tells how many documents have long texts, since counting those later is slow."""
    having = dict.fromkeys(("abstract", "description"), 0)
    paths = [folder / PART_DOCUMENTS for folder in folders]
    kin = _Kin(plans / "kin.parquet")
    with (
        Table(target / "documents.parquet", DOCUMENTS) as written,
        Table(target / "claims.parquet", CLAIMS) as claims,
    ):
        for chunk, entries in gathered(paths, plans / "documents.parquet", plans):
            told = merged(chunk, entries)
            own = kin.take(len(told))
            columns = {**{name: told[name] for name in told.schema.names}, **own}
            written.write(pa.table([columns[name] for name in DOCUMENTS.names], schema=DOCUMENTS))
            claims.write(_claims(own["doc"], told["claims"]))
            for name in having:
                having[name] += pc.count(told[name]).as_py()
    return {f"documents_with_{name}": count for name, count in having.items()}


class _Kin:
    """The families of the documents, in the order of the documents."""

    def __init__(self, path: Path) -> None:
        self._batches = parquet.ParquetFile(path).iter_batches(1 << 16)
        self._held = pa.table({})

    def take(self, rows: int) -> dict[str, pa.ChunkedArray]:
        while len(self._held) < rows:
            batch = pa.Table.from_batches([next(self._batches)])
            self._held = pa.concat_tables([self._held, batch]) if len(self._held) else batch
        taken, self._held = self._held.slice(0, rows), self._held.slice(rows)
        return {name: taken[name] for name in taken.schema.names}


def merged(chunk: Chunk, entries: pa.Table) -> pa.Table:
    """The documents of a chunk, a row each: what its first source lacks, the next one may have."""
    sources = _sources(chunk, entries)
    docs, table = chunk.doc, entries
    for rank in range(int(chunk.rank.max()) + 1) if chunk.rank.any() else ():
        own = entries.filter(pa.array(chunk.rank == rank))
        if not rank:
            docs, table = chunk.doc[chunk.rank == 0], own
        else:
            table = _filled(table, own, np.searchsorted(docs, chunk.doc[chunk.rank == rank]))
    return table.drop_columns(["source"]).append_column("sources", sources)


def _filled(table: pa.Table, later: pa.Table, places: Ints) -> pa.Table:
    """Put rows of another table where the first has nothing."""
    columns = []
    for name in table.schema.names:
        column = table[name]
        empty = pc.is_null(column).to_numpy()[places]
        if empty.any():
            index = np.arange(len(table))
            index[places[empty]] = len(table) + np.flatnonzero(empty)
            column = pa.chunked_array([*column.chunks, *later[name].chunks]).combine_chunks().take(pa.array(index))
        columns.append(column)
    return pa.table(columns, schema=table.schema)


def _sources(chunk: Chunk, entries: pa.Table) -> pa.Array:
    """The readers that told of each document, the first first."""
    names = entries["source"]
    if not chunk.rank.any():
        return pa.ListArray.from_arrays(pa.array(np.arange(len(names) + 1), pa.int32()), _whole(names))
    found: dict[int, dict[str, None]] = {}
    for doc, name in zip(chunk.doc.tolist(), names.to_pylist(), strict=True):
        found.setdefault(doc, {})[name] = None
    return pa.array([list(each) for each in found.values()], DOCUMENTS.field("sources").type)


def _claims(docs: pa.ChunkedArray, lists: pa.ChunkedArray) -> pa.Table:
    structs, owner = _flat(lists)
    fields = dict(zip((one.name for one in CLAIM), structs.flatten(), strict=True))
    doc = docs.take(pa.array(owner))
    return pa.table([doc, *(fields[name] for name in CLAIMS.names[1:])], schema=CLAIMS)


def _flat(lists: pa.ChunkedArray) -> tuple[pa.Array, Ints]:
    """What is in all lists, and the list that each comes from."""
    whole = _whole(lists)
    return pc.list_flatten(whole), pc.list_parent_indices(whole).to_numpy()


def _whole(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def citations(folders: Sequence[Path], plans: Path, raw: Path) -> None:
    """Write what is cited by each document, in the order of the documents, not yet resolved."""
    paths = [folder / PART_CITATIONS for folder in folders]
    with Table(raw, pa.schema([("citing", pa.int32()), *CITATION])) as written:
        for chunk, entries in gathered(paths, plans / "citations.parquet", plans):
            structs, owner = _flat(entries["citations"])
            table = pa.Table.from_arrays(
                [pa.array(chunk.doc[owner], pa.int32()), *structs.flatten()], schema=written.schema
            )
            written.write(_united(table, chunk) if chunk.rank.any() else table)


def _united(table: pa.Table, chunk: Chunk) -> pa.Table:
    """Make one row of what several sources say of one citation."""
    several = np.unique(chunk.doc[chunk.rank > 0])
    doc = table["citing"].to_numpy()
    many = np.isin(doc, several)
    rows = list(_rows_united(table.filter(pa.array(many)).to_pylist()))
    whole = pa.concat_tables([table.filter(pa.array(~many)), pa.Table.from_pylist(rows, schema=table.schema)])
    order = np.argsort(whole["citing"].to_numpy(), kind="stable")
    return whole.combine_chunks().take(pa.array(order))


def _rows_united(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Later rows fill what the first of the same citation leaves open."""
    first: dict[tuple[int, str], dict[str, Any]] = {}
    for row in rows:
        known = first.setdefault((row["citing"], row["cited_number"] or " ".join((row["raw"] or "").split())), row)
        for name, value in row.items():
            if known[name] is None or (name == "cited_by" and known[name] == _UNKNOWN):
                known[name] = value
    yield from first.values()


def resolved(connection: "DuckDBPyConnection", raw: Path, target: Path) -> None:
    """Write `citations`: each with the document that it means, if that is in the collection."""
    source = f"read_parquet('{plan.quoted(raw)}', file_row_number = true)"
    connection.execute(f"CREATE VIEW raw AS SELECT * FROM {source}")  # noqa: S608 - our own file
    plan.run(connection, "citing.sql")
    meant = raw.with_name("meant.parquet")
    query = (
        "SELECT r.doc AS cited, r.matched FROM raw LEFT JOIN resolved r USING (cited_number) ORDER BY file_row_number"
    )
    plan.copy(connection, query, meant)
    with Table(target / "citations.parquet", CITATIONS) as written:
        for pair in zip(_even(raw), _even(meant), strict=True):
            columns = {name: table[name] for table in pair for name in table.schema.names}
            written.write(pa.table([columns[name] for name in CITATIONS.names], schema=CITATIONS))


def _even(path: Path, rows: int = 1 << 16) -> Iterator[pa.Table]:
    """The rows of a file in tables of one length, so that two files can be read side by side."""
    held: list[pa.Table] = []
    count = 0
    for batch in parquet.ParquetFile(path).iter_batches(rows):
        held.append(pa.Table.from_batches([batch]))
        count += len(batch)
        if count >= rows:
            whole = pa.concat_tables(held)
            yield whole.slice(0, rows)
            held, count = [whole.slice(rows)], count - rows
    if count:
        yield pa.concat_tables(held)


def families(plans: Path, target: Path) -> None:
    """Write `families`, a row for each document, by family."""
    with Table(target / "families.parquet", FAMILIES) as written:
        for batch in parquet.ParquetFile(plans / "families.parquet").iter_batches(1 << 16):
            written.write(pa.Table.from_batches([batch]).cast(FAMILIES))
