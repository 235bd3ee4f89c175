"""A prior-art test collection as one folder: what is searched, what is asked, and what is right.

`documents.parquet`, `queries.parquet` and `clusters.parquet` have the columns of `patstone.gold.schemas`. `qrels.txt`
judges documents for topics (TREC, the invention in a fifth field); `qrels-claims.txt` judges them for single claims,
where that is known, with the claim's number in the second field. `card.json` says where it all comes from. Documents
are streamed, queries are held; a folder in BEIR layout is read as the same value.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from patstone.errors import DataError
from patstone.files.columnar import batches, write_batches
from patstone.files.streams import atomic, rewindable
from patstone.files.text import read_text
from patstone.gold import schemas
from patstone.gold.sources import DATASET_MARK, is_dataset

if TYPE_CHECKING:
    from patstone.gold.qrels import Qrels
    from patstone.patents.families import Families

DOCUMENTS, QUERIES, CLUSTERS = DATASET_MARK, "queries.parquet", "clusters.parquet"
JUDGMENTS, CLAIMS, CARD = "qrels.txt", "qrels-claims.txt", "card.json"
_ROWS = 1 << 13


class Layout(Protocol):
    """Where the tables of a test collection come from."""

    def documents(self, columns: Sequence[str], rows: int) -> Iterator[pa.RecordBatch]: ...
    def queries(self) -> pa.Table: ...
    def qrels(self) -> "Qrels": ...


@dataclass(frozen=True, kw_only=True)
class Dataset:
    path: Path
    layout: Layout
    card: Mapping[str, Any]
    """What `card.json` says: name, licence, source, filters, counts; empty where there is none."""

    @property
    def name(self) -> str:
        return str(self.card.get("name") or self.path.resolve().name)

    def documents(self, *columns: str, rows: int = _ROWS) -> Iterator[pa.RecordBatch]:
        """The documents in the file's order, so many rows at a time; all columns when none is named."""
        return self.layout.documents(columns or tuple(schemas.DOCUMENTS.names), rows)

    @cached_property
    def queries(self) -> pa.Table:
        return _distinct(self.layout.queries(), self.path)

    @cached_property
    def asked(self) -> str:
        """Twelve hex digits of what is asked."""
        from hashlib import sha256

        return sha256(json.dumps(self.queries.to_pylist(), sort_keys=True).encode()).hexdigest()[:12]

    def qrels(self) -> "Qrels":
        """Judgments of claims where there are any, which know the independent ones; else of documents."""
        gold = self.layout.qrels()
        return gold if gold.subtopics is None else _with_independence(gold, self.queries)

    def families(self) -> "Families":
        """The family of every document and of every topic, so that a topic's own family can be left out."""
        from patstone.files.ids import pack
        from patstone.patents.families import build

        asked = self.queries.filter(pc.is_valid(pc.field("family")))
        names, families = (asked.column(name).to_pylist() for name in ("topic", "family"))
        for batch in self.documents("id", "family"):
            names += batch.column("id").to_pylist()
            families += pc.fill_null(batch.column("family"), "").to_pylist()
        return build(pack(names), families)


@dataclass(frozen=True)
class _Folder:
    folder: Path

    def documents(self, columns: Sequence[str], rows: int) -> Iterator[pa.RecordBatch]:
        wanted = pa.schema([schemas.DOCUMENTS.field(name) for name in columns])
        return batches(self.folder / DOCUMENTS, wanted, rows=rows, needed=("id",))

    def queries(self) -> pa.Table:
        found = batches(self.folder / QUERIES, schemas.QUERIES, rows=_ROWS, needed=("topic",))
        return pa.Table.from_batches(found, schema=schemas.QUERIES)

    def qrels(self) -> "Qrels":
        from patstone.gold.trec import read_trec

        claims = self.folder / CLAIMS
        return read_trec(claims, "claims") if claims.exists() else read_trec(self.folder / JUDGMENTS)


def open_dataset(path: str | Path) -> Dataset:
    """Open a test collection: a folder in our layout, or in BEIR's."""
    folder = Path(path)
    if is_dataset(folder):
        return Dataset(path=folder, layout=_Folder(folder), card=_card(folder / CARD))
    from patstone.gold.beir import CORPUS, BeirFolder

    if (folder / CORPUS).is_file():
        return Dataset(path=folder, layout=BeirFolder(folder), card={})
    rule = f"A test collection is a folder that holds {DOCUMENTS} and {QUERIES}, or BEIR's {CORPUS}."
    raise DataError(rule, path=path)


def _card(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    try:
        card = json.loads(read_text(rewindable(path)))
    except ValueError as error:
        raise DataError(f"The card is not valid JSON: {error}.", path=path) from None
    if not isinstance(card, dict):
        raise DataError("The card must be a JSON object.", path=path)
    return card


def _distinct(queries: pa.Table, path: Path) -> pa.Table:
    """A topic asked twice would be answered twice, and the answers scored as one."""
    counted = queries.column("topic").value_counts().to_pylist()
    again = next((one["values"] for one in counted if one["counts"] > 1), None)
    if again is not None:
        raise DataError("A topic stands once among the queries.", path=path, value=again)
    if not queries.num_rows:
        raise DataError("A test collection must hold at least one query.", path=path)
    return queries


def _with_independence(gold: "Qrels", queries: pa.Table) -> "Qrels":
    """Say of each judged claim whether it is independent, where all of them are known."""
    aspects = gold.subtopics
    asked = zip(queries.column("topic").to_pylist(), queries.column("claims").to_pylist(), strict=True)
    known = {(topic, str(one["number"])): one["independent"] for topic, claims in asked for one in claims or ()}
    if aspects is None:
        return gold
    owners = np.repeat(np.arange(len(gold.topics)), np.diff(aspects.starts))
    said = [known.get((gold.topics[owner], name)) for owner, name in zip(owners.tolist(), aspects.names, strict=True)]
    if any(one is None for one in said):
        return gold
    return replace(gold, subtopics=replace(aspects, independent=np.array(said, dtype=np.bool_)))


def write_documents(folder: Path, documents: Iterable[pa.RecordBatch]) -> None:
    write_batches(folder / DOCUMENTS, schemas.DOCUMENTS, documents)


def write_queries(folder: Path, queries: Iterable[pa.RecordBatch]) -> None:
    write_batches(folder / QUERIES, schemas.QUERIES, queries)


def write_clusters(folder: Path, clusters: Iterable[pa.RecordBatch]) -> None:
    write_batches(folder / CLUSTERS, schemas.CLUSTERS, clusters)


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    with atomic(folder / CARD) as temporary:
        temporary.write_text(json.dumps(card, indent=2, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def write_judgments(folder: Path, judgments: Iterable[pa.RecordBatch], *, of_claims: bool = False) -> None:
    """Write rows of `schemas.JUDGMENTS` as TREC's five fields; `of_claims` where each row speaks of one claim."""
    with atomic(folder / (CLAIMS if of_claims else JUDGMENTS)) as temporary, temporary.open("wb") as stream:
        for batch in judgments:
            # A batch takes its columns by name: engines hand them over in any order.
            rows = batch.select(schemas.JUDGMENTS.names).cast(schemas.JUDGMENTS)
            stream.write(_lines(rows, of_claims=of_claims))


def _lines(rows: pa.RecordBatch, *, of_claims: bool) -> bytes:
    claim = rows.column("claim") if of_claims else pa.repeat("0", rows.num_rows)
    grade = pc.cast(rows.column("grade"), pa.string())
    # A document without a known family is an invention of its own.
    invention = pc.if_else(pc.equal(pc.fill_null(rows.column("invention"), ""), ""), rows.column("document"),
                           rows.column("invention"))  # fmt: skip
    fields = [rows.column("topic"), claim, rows.column("document"), grade, invention]
    for field in fields:
        wrong = pc.index(pc.fill_null(pc.match_substring_regex(field, r"\s|^$"), True), True).as_py()
        if wrong >= 0:
            raise DataError("A field of a judgment must be text without white space.", value=field[wrong].as_py())
    lines = pc.binary_join_element_wise(*fields, " ")
    return ("\n".join(lines.to_pylist()) + "\n").encode() if rows.num_rows else b""
