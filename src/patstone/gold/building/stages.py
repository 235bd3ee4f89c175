"""From base documents and citations to clusters: one table after another, each small enough for the next.

All joins are of the collection's integers. Every drop is counted. What is handed out is fully ordered, and a sample is
the least of md5(seed + number), so that the order of rows, threads and memory never show in the result.
"""

from importlib.resources import files
from typing import TYPE_CHECKING

from patstone.errors import DataError
from patstone.gold.building.selection import Selection

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_COUNTS = {
    "citations": "SELECT count(*) FROM named",
    "citations of other literature": "SELECT count(*) FROM named WHERE NOT patent",
    "citations of unknown documents": """
        SELECT count(*) FROM named WHERE patent AND cited IS NULL AND matched IS DISTINCT FROM 'ambiguous'""",
    "citations of ambiguous numbers": "SELECT count(*) FROM named WHERE patent AND matched = 'ambiguous'",
    "citations by others than asked for": "SELECT count(*) FROM resolved WHERE NOT usable",
    "citations without claims, left out": "SELECT count(*) FROM resolved WHERE usable AND NOT speaks",
    "pairs of documents": "SELECT count(*) FROM pairs",
    "pairs within a family or application": "SELECT count(*) FROM pairs WHERE own",
    "families that cite themselves": "SELECT count(DISTINCT base_family) FROM pairs WHERE own",
    "pairs that cite each other": """
        SELECT count(*) FROM pairs p SEMI JOIN (SELECT DISTINCT citing, cited FROM citations) c
        ON c.citing = p.cited AND c.cited = p.citing""",
    "cited documents of other offices or languages": """
        SELECT count(*) FROM candidates WHERE direct AND NOT here""",
    "documents too late": "SELECT count(*) FROM candidates WHERE here AND NOT undated AND late",
    "documents without a date": "SELECT count(*) FROM candidates WHERE here AND undated AND late",
    "base documents without a date": 'SELECT count(*) FROM matching WHERE "limit" IS NULL',
    "clusters without relevant documents": """
        SELECT count(*) FROM matching m SEMI JOIN pairs p ON p.citing = m.doc ANTI JOIN topics t ON t.doc = m.doc""",
    "clusters with relevant documents": "SELECT count(*) FROM topics",
    "clusters": "SELECT count(*) FROM chosen",
}
_LEFT = {
    "--cited-by leaves no citation": "SELECT count(*) FROM resolved WHERE usable",
    "--with-claims leaves no citation": "SELECT count(*) FROM resolved WHERE usable AND speaks",
    "every citation is of the patent's own family": "SELECT count(*) FROM pairs WHERE NOT own",
    "--office and --language leave no cited invention": "SELECT count(*) FROM candidates WHERE here",
    "--before leaves no relevant document": "SELECT count(*) FROM candidates WHERE here AND NOT late",
}
"""What is left after each step that comes behind the filters."""


def find(connection: "DuckDBPyConnection", selection: Selection) -> dict[str, int]:
    """Make the tables `chosen`, `relevant` and `own`; tells what was counted on the way."""
    counts = _matching(connection, selection)
    here, values = selection.searched()
    connection.execute("CREATE TABLE fitting (doc INTEGER)")
    connection.execute(f"INSERT INTO fitting SELECT doc FROM documents WHERE {here}", values)  # noqa: S608
    text = files("patstone.gold.building").joinpath("stages.sql").read_text(encoding="utf-8")
    speaks = "coalesce(len(claims), 0) > 0" if selection.claims else "true"
    text = text.replace("{usable}", selection.usable()).replace("{speaks}", speaks)
    connection.execute("SET VARIABLE seed = ?", [str(selection.seed)])
    # DuckDB plans better with a number than with a null.
    connection.execute("SET VARIABLE sample = ?", [selection.sample or 1 << 40])
    for statement in text.split("\n;\n"):
        if statement.strip():
            connection.execute(statement)
    counts |= {name: _one(connection, query) for name, query in _COUNTS.items()}
    if not counts["clusters"]:
        raise _emptied(connection)
    return counts


def _matching(connection: "DuckDBPyConnection", selection: Selection) -> dict[str, int]:
    """Make the table of base documents; tells how many are left after each filter, in their order."""
    filters = selection.filters()
    conditions, values, asked = "true", [], []
    columns = ["count(*)"]
    for condition, given in filters.values():
        conditions += f" AND {condition}"
        values += given
        columns.append(f"count(*) FILTER (WHERE {conditions})")
        asked += list(values)
    row = connection.execute(f"SELECT {', '.join(columns)} FROM documents", asked).fetchall()[0]  # noqa: S608
    counts = dict(zip(["documents", *(f"documents after {name}" for name in filters)], row, strict=True))
    for name, left in zip(["documents", *filters], row, strict=True):
        if not left:
            raise _empty("The collection holds no document" if name == "documents" else f"--{name} leaves no document")
    connection.execute(
        'CREATE TABLE matching (doc INTEGER, number VARCHAR, family INTEGER, application VARCHAR, "limit" VARCHAR)'
    )
    connection.execute(
        f"INSERT INTO matching SELECT doc, number, family, application, {selection.limit} "  # noqa: S608
        f"FROM documents WHERE {conditions}",
        values,
    )
    return {name: int(count) for name, count in counts.items()}


def _emptied(connection: "DuckDBPyConnection") -> DataError:
    if not _one(connection, "SELECT count(*) FROM resolved"):
        return _empty("No base document cites a document of the collection")
    for reason, query in _LEFT.items():
        if not _one(connection, query):
            return _empty(reason)
    return _empty("No cluster has a relevant document")


def _empty(reason: str) -> DataError:
    return DataError(f"The test collection would be empty: {reason}.")


def _one(connection: "DuckDBPyConnection", query: str) -> int:
    # A result that is not read to its end would hold the connection.
    return int(connection.execute(query).fetchall()[0][0])
