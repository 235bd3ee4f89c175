"""Who is whom in a collection: documents merged and numbered, families formed, the order of all tables.

The thinking is in `plan.sql`, done by DuckDB on what is little of each document, beyond memory where need be. Whatever
leaves it is fully ordered, so that the same sources give the same bytes however many threads there were.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from patstone.errors import MissingExtra
from patstone.patents.collection.parts import KEYS, Part
from patstone.patents.components import Ints, components

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY = "1GB"
"""What DuckDB may use; beyond it, it works on the disk."""
_PLANS = {
    "documents": """
        SELECT d.doc, e.part, e.batch, e.place, e.rank, e.size FROM entries e JOIN documents d USING (number)
        WHERE NOT e.overlay ORDER BY d.doc, e.rank""",
    "citations": """
        SELECT doc, part, batch, place, citations * 100 AS size,
          row_number() OVER (PARTITION BY doc ORDER BY source, part DESC, position DESC) - 1 AS rank
        FROM (SELECT d.doc, e.* FROM entries e JOIN documents d USING (number) WHERE NOT e.overlay AND e.citations > 0
          UNION ALL
          SELECT s.doc, e.* FROM entries e JOIN spoken_of s USING (application) WHERE e.overlay)
        ORDER BY doc, rank""",
    "kin": """
        SELECT doc, k.family, x.extended, family_by FROM kin k JOIN extended x USING (family) ORDER BY doc""",
    "families": """
        SELECT k.family, x.extended, doc, d.number AS document, family_by
        FROM kin k JOIN extended x USING (family) JOIN documents d USING (doc) ORDER BY k.family, doc""",
}
_COUNTS = {
    "records": "SELECT count(*) FROM entries WHERE NOT overlay",
    "overlays": "SELECT count(*) FROM entries WHERE overlay",
    "overlays_without_document": """
        SELECT count(*) FROM entries e LEFT JOIN spoken_of s USING (application) WHERE e.overlay AND s.doc IS NULL""",
    "applications_with_several_families": "SELECT count(*) FROM applications WHERE families > 1",
}


@contextmanager
def connected(folder: Path, *, threads: int, memory: str = MEMORY) -> Iterator["DuckDBPyConnection"]:
    """A database of its own; what does not fit in its memory goes to the folder."""
    # A database file would be synchronised with the disk at every step, for nothing: it is thrown away in the end.
    # Each has a place of its own to spill to: several work side by side.
    settings = {"memory_limit": memory, "threads": threads, "temp_directory": mkdtemp(prefix="spill-", dir=folder)}
    with _duckdb().connect(":memory:", config=settings) as connection:
        yield connection


def make(connection: "DuckDBPyConnection", parts: Sequence[Part], folder: Path) -> dict[str, int]:
    """Write `documents`, `citations`, `kin` and `families` as Parquet; tells what was merged."""
    rows = [(place, part.file.source, str(part.folder / KEYS)) for place, part in enumerate(parts)]
    connection.execute("CREATE TABLE parts (part INTEGER, source INTEGER, path VARCHAR)")
    connection.executemany("INSERT INTO parts VALUES (?, ?, ?)", rows)
    connection.execute("SET VARIABLE keys = ?", [[path for _, _, path in rows]])
    run(connection, "plan.sql")
    connection.register("extended", _extended(connection, folder / "links.parquet"))
    for name, query in _PLANS.items():
        copy(connection, query, folder / f"{name}.parquet")
    return {name: _one(connection, query) for name, query in _COUNTS.items()}


def run(connection: "DuckDBPyConnection", name: str) -> None:
    text = files("patstone.patents.collection").joinpath(name).read_text(encoding="utf-8")
    for statement in text.split("\n;\n"):
        if statement.strip():
            connection.execute(statement)


def copy(connection: "DuckDBPyConnection", query: str, path: Path) -> None:
    connection.execute(f"COPY ({query}) TO '{quoted(path)}' (FORMAT parquet)")


def quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _extended(connection: "DuckDBPyConnection", links: Path) -> pa.Table:
    """The extended family of each family, numbered in the order of their first families."""
    nodes = _one(connection, "SELECT count(*) FROM families")
    copy(connection, "SELECT family - 1, first - 1 FROM links", links)
    first = components(nodes, map(_columns, parquet.ParquetFile(links).iter_batches(1 << 20)))
    numbers = np.cumsum(first == np.arange(nodes), dtype=np.int32)
    return pa.table({"family": np.arange(1, nodes + 1, dtype=np.int32), "extended": numbers[first]})


def _columns(batch: pa.RecordBatch) -> tuple[Ints, Ints]:
    return batch.column(0).to_numpy(), batch.column(1).to_numpy()


def _one(connection: "DuckDBPyConnection", query: str) -> int:
    row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0


def _duckdb() -> Any:  # noqa: ANN401 - a module
    try:
        import duckdb
    except ImportError as error:
        raise MissingExtra("patents", "Collections") from error
    return duckdb
