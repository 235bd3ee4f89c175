"""A collection of patents in, the folder of a test collection out: clusters, texts, judgments, card.

The folder appears whole or not at all. Nothing in it tells of the time, the machine or the order of rows: the same
collection and selection give the same bytes.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from patstone.errors import UsageError, shorten
from patstone.files.streams import atomic_folder
from patstone.gold import dataset as datasets
from patstone.gold.building.selection import Selection
from patstone.gold.building.splits import part
from patstone.gold.building.stages import find
from patstone.gold.building.texts import Mask, documents
from patstone.patents.collection.collection import Collection

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Also = Literal["beir", "json"]
_ROWS = 1 << 14
_NAMED = "JOIN documents t ON t.doc = {0}.citing JOIN documents d ON d.doc = {0}.doc"
_CLUSTERS = f"""
    SELECT topic, document, family, role, category, grade, claims FROM (
      SELECT t.number AS topic, d.number AS document, CAST(o.family AS VARCHAR) AS family,
        CASE WHEN o.doc = o.citing THEN 'base' ELSE 'own' END AS role,
        NULL AS category, NULL AS grade, NULL AS claims FROM own o {_NAMED.format("o")}
      UNION ALL
      SELECT t.number, d.number, CAST(r.family AS VARCHAR), CASE WHEN direct THEN 'cited' ELSE 'family' END,
        r.category, r.grade, r.claims FROM relevant r {_NAMED.format("r")})
    ORDER BY topic, CASE role WHEN 'base' THEN 0 WHEN 'own' THEN 1 ELSE 2 END, document"""  # noqa: S608
_JUDGMENTS = f"""
    SELECT t.number AS topic, {{claim}} AS claim, d.number AS document, r.grade, CAST(r.family AS VARCHAR) AS invention
    FROM {{rows}} r {_NAMED.format("r")} ORDER BY topic, {{order}}document"""  # noqa: S608
_BY_CLAIM = "(SELECT *, unnest(claims) AS number FROM relevant)"
_SIZES = {
    "documents": "SELECT count(*) FROM members",
    "relevant documents": "SELECT count(DISTINCT doc) FROM relevant",
    "relevant documents in several clusters": """
        SELECT count(*) FROM (SELECT doc FROM relevant GROUP BY doc HAVING count(*) > 1)""",
    "judgments": "SELECT count(*) FROM relevant",
    "inventions": "SELECT count(DISTINCT (citing, family)) FROM relevant",
    "judgments with claims": "SELECT count(*) FROM relevant WHERE len(claims) > 0",
    "topics with claims": "SELECT count(DISTINCT citing) FROM relevant WHERE len(claims) > 0",
    "topics that share their family with another": """
        SELECT count(*) FROM chosen WHERE family IN (SELECT family FROM chosen GROUP BY family HAVING count(*) > 1)""",
}


def build(
    collection: Collection,
    out: str | Path,
    selection: Selection,
    *,
    also: Sequence[Also] = (),
    licence: str = "",
    memory: str = "1GB",
    jobs: int = 1,
) -> datasets.Dataset:
    """Write the test collection into the folder `out`, which must not exist or be empty."""
    if not re.fullmatch(r"[1-9]\d*(\.\d+)?\s?[KMGT]i?B", memory):
        raise UsageError(f"An amount of memory is written 500MB or 4GB. Got {shorten(repr(memory))}.")
    if jobs < 1:
        raise UsageError(f"The number of jobs must be at least 1. Got {jobs}.")
    if wrong := [one for one in also if one not in ("beir", "json")]:
        raise UsageError(f"also is one of beir, json. Got {shorten(repr(wrong[0]))}.")
    with atomic_folder(out) as folder, collection.connect(memory=memory, threads=jobs) as connection:
        counts = find(connection, selection)
        splits = part(connection, selection)
        sizes = {name: _one(connection, query) for name, query in _SIZES.items()}
        _write(folder, connection, collection, sizes)
        card = {
            "source": {"collection": _digest(json.dumps(collection.manifest["tables"], sort_keys=True).encode())},
            "snapshot": collection.manifest["snapshot"],
            "licence": licence or None,
            "filters": selection.shown(),
            "counts": counts,
            "sizes": {**sizes, "mean cluster size": round(sizes["judgments"] / counts["clusters"], 3)},
            "splits": splits,
            "sha256": {file.name: _file_digest(file) for file in sorted(folder.iterdir())},
        }
        datasets.write_card(folder, card)
        _write_also(folder, also)
    return datasets.open_dataset(out)


def _write(folder: Path, connection: "DuckDBPyConnection", collection: Collection, sizes: Mapping[str, int]) -> None:
    total = len(collection)
    datasets.write_documents(folder, documents(collection, _mask(connection, "members", total)))
    datasets.write_queries(folder, _queries(connection, collection, total))
    datasets.write_clusters(folder, _batches(connection, _CLUSTERS))
    whole = _JUDGMENTS.format(claim="CAST(NULL AS VARCHAR)", rows="relevant", order="")
    datasets.write_judgments(folder, _batches(connection, whole))
    # Where some topics have no judged claims, a file of claims would silently leave those topics out of every score.
    if sizes["topics with claims"] == _one(connection, "SELECT count(*) FROM chosen"):
        claimed = _JUDGMENTS.format(claim="CAST(r.number AS VARCHAR)", rows=_BY_CLAIM, order="r.number, ")
        datasets.write_judgments(folder, _batches(connection, claimed), of_claims=True)


def _queries(connection: "DuckDBPyConnection", collection: Collection, total: int) -> Iterator[pa.RecordBatch]:
    """The base documents; their order is that of topics, which is that of numbers and not of dates."""
    split = connection.sql("SELECT doc, split FROM chosen ORDER BY doc").to_arrow_table()
    found = pa.Table.from_batches(documents(collection, _mask(connection, "chosen", total)))
    place = np.searchsorted(split.column("doc").to_numpy(), found.column("doc").to_numpy())
    found = found.append_column("split", split.column("split").take(pa.array(place)).cast(pa.string()))
    found = found.append_column("topic", found.column("id")).append_column("document", found.column("id"))
    yield from found.take(pc.sort_indices(found, [("topic", "ascending")])).to_batches(_ROWS)


def _mask(connection: "DuckDBPyConnection", table: str, total: int) -> Mask:
    mask = np.zeros(total, dtype=np.bool_)
    for batch in _batches(connection, f"SELECT doc FROM {table}"):  # noqa: S608 - our own names
        mask[batch.column(0).to_numpy()] = True
    return mask


def _batches(connection: "DuckDBPyConnection", query: str) -> Iterator[pa.RecordBatch]:
    yield from connection.sql(query).to_arrow_reader(_ROWS)


def _write_also(folder: Path, also: Sequence[Also]) -> None:
    if "json" in also:
        _write_json(folder)
    if "beir" in also:
        from patstone.gold.beir import write_beir

        write_beir(datasets.open_dataset(folder), folder / "beir")


def _write_json(folder: Path) -> None:
    """The clusters as JSON Lines: a topic, and its members in their order."""
    from patstone.files.columnar import batches
    from patstone.gold import schemas

    rows = (
        row
        for batch in batches(folder / datasets.CLUSTERS, schemas.CLUSTERS, rows=_ROWS, needed=("topic", "document"))
        for row in batch.to_pylist()
    )
    with (folder / "clusters.jsonl").open("w", encoding="utf-8") as stream:
        for topic, members in groupby(rows, key=lambda row: row["topic"]):
            held = [{name: value for name, value in row.items() if name != "topic"} for row in members]
            stream.write(json.dumps({"topic": topic, "members": held}, ensure_ascii=False) + "\n")


def _one(connection: "DuckDBPyConnection", query: str) -> int:
    # A result that is not read to its end would hold the connection.
    return int(connection.execute(query).fetchall()[0][0])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
