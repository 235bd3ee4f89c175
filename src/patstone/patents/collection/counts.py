"""What is in a collection: the counts that `patstone patents info` shows, taken from the tables as written."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from patstone.patents.collection.plan import quoted
from patstone.patents.collection.schema import TABLES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BY = {
    "documents": {"country": "country", "kind": "kind", "year": "date[:4]", "language": "language", "source": "source"},
    "families": {"rule": "family_by"},
    "claims": {"kind": "kind", "language": "language"},
    "citations": {
        "cited_by": "cited_by",
        "category": "category",
        "phase": "phase",
        "matched": "matched",
        "patent": "CASE WHEN patent THEN 'patents' ELSE 'literature' END",
    },
}
"""For each table, what its rows are counted by."""
_TOTALS = {
    "snapshot": "SELECT coalesce(max(date), '') FROM documents",
    "documents": "SELECT count(*) FROM documents",
    "claims": "SELECT count(*) FROM claims",
    "citations": "SELECT count(*) FROM citations",
    "families": "SELECT count(DISTINCT family) FROM families",
    "extended_families": "SELECT count(DISTINCT extended) FROM families",
    "documents_with_claims": "SELECT count(DISTINCT doc) FROM claims",
    "documents_with_citations": "SELECT count(DISTINCT citing) FROM citations",
    "documents_of_several_sources": "SELECT count(*) FROM documents WHERE len(sources) > 1",
}


def view(connection: "DuckDBPyConnection", folder: Path) -> None:
    """Give the tables of a collection their names."""
    for name in TABLES:
        source = f"read_parquet('{quoted(folder / name)}.parquet')"
        connection.execute(f"CREATE TEMP VIEW {name} AS SELECT * FROM {source}")  # noqa: S608 - our own names


def counted(connection: "DuckDBPyConnection", folder: Path) -> dict[str, Any]:
    """All totals, and rows by each of `BY`, what is not known under an empty name."""
    view(connection, folder)
    totals = {name: _one(connection, query) for name, query in _TOTALS.items()}
    by = {
        table: {name: _groups(connection, table, name, column) for name, column in columns.items()}
        for table, columns in BY.items()
    }
    return {"totals": totals, "by": by}


def _groups(connection: "DuckDBPyConnection", table: str, name: str, column: str) -> dict[str, int]:
    rows = f"(SELECT unnest(sources) AS source FROM {table})" if name == "source" else table  # noqa: S608
    query = f"SELECT coalesce({column}, '') AS value, count(*) FROM {rows} GROUP BY value ORDER BY value"  # noqa: S608
    return dict(connection.execute(query).fetchall())


def _one(connection: "DuckDBPyConnection", query: str) -> Any:  # noqa: ANN401 - a number or a text
    return connection.execute(query).fetchall()[0][0]
