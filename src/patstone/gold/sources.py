"""Judgments from any source: TREC layouts, tables, JSON, BEIR folders and test collections.

The name's ending tells the format; what has no known ending is TREC. A side table may say of each subtopic whether
it is an independent claim and how important it is; it must name exactly the subtopics that are judged.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.files.formats import FORMATS, format_of
from patstone.files.header import Wanted, has
from patstone.files.streams import rewindable
from patstone.gold.beir import judgments
from patstone.gold.columns import Judgments, assemble, coded
from patstone.gold.passages import counted
from patstone.gold.qrels import Qrels, Subtopics

if TYPE_CHECKING:
    from patstone.files.tables import Table

TOPIC = Wanted(name="topic", synonyms=("topic_id", "query", "query_id", "qid", "q_id"))
DOC = Wanted(name="doc", synonyms=("doc_id", "docid", "docno", "document", "document_id", "corpus_id"))
JUDGMENT_COLUMNS = (
    TOPIC,
    DOC,
    Wanted(
        name="grade",
        synonyms=("relevance", "rel", "relevant", "label", "score", "judgment", "judgement"),
        kind="number",
        required=False,
    ),
    Wanted(name="subtopic", synonyms=("subtopic_id", "aspect", "intent", "claim"), required=False),
    Wanted(name="paragraph", synonyms=("paragraph_id",), required=False),
    Wanted(name="invention", synonyms=("invention_id", "family", "family_id", "docdb_family_id"), required=False),
)
PATENT = Wanted(
    name="patent",
    synonyms=(
        "patent_id", "document", "document_id", "doc", "doc_id", "publication", "publication_number", "application",
        "application_number", "number", "topic",
    ),
)  # fmt: skip
THEME = Wanted(name="theme", synonyms=("theme_code",), required=False)
CLASSES = Wanted(
    name="classes",
    synonyms=(
        "class", "labels", "label", "codes", "code", "symbols", "symbol", "terms", "term",
        "f_terms", "f_term", "fterms", "fterm", "cpc", "ipc", "cpcs", "cpc_codes", "ipc_codes", "cpc_classes",
        "ipc_classes",
    ),
    kind="ids",
    blank=True,
)  # fmt: skip
TRUE_CLASS_COLUMNS = (
    PATENT,
    THEME,
    CLASSES,
    Wanted(name="grade", synonyms=("relevance",), kind="number", required=False),
)
SUBTOPIC_COLUMNS = (
    TOPIC,
    Wanted(name="subtopic", synonyms=("subtopic_id", "aspect", "intent", "claim")),
    Wanted(name="independent", synonyms=("is_independent",), kind="boolean", required=False),
    Wanted(name="kind", synonyms=("type", "claim_type"), required=False),
    Wanted(name="weight", synonyms=("importance",), kind="number", required=False),
)
OFFICE_ACTIONS = "office-actions"
DATASET_MARK = "documents.parquet"
NTCIR = "ntcir"
_GLANCE = 4096
LAYOUTS = {"trec": "qrels", "diversity": "diversity", "dd": "dd", "claims": "claims", "clef-ip": "clef-ip"}


def read_qrels(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
    subtopics: str | Path | None = None,
) -> Qrels:
    """Read a gold standard; `columns` maps names of JUDGMENT_COLUMNS, `subtopics` is a side table."""
    gold = _read(path, format, columns)
    return gold if subtopics is None else _with_aspects(gold, subtopics)


def _read(path: str | Path, format: str | None, columns: Mapping[str, str] | None) -> Qrels:  # noqa: A002
    known = (*LAYOUTS, NTCIR, *dict.fromkeys(FORMATS.values()), "beir", OFFICE_ACTIONS)
    if format is not None and format not in known:
        raise UsageError(f"The format of judgments must be one of {', '.join(known)}. Got {format!r}.")
    if format is None and is_dataset(path):
        refuse_columns(columns, "a test collection")
        from patstone.gold.dataset import open_dataset

        return open_dataset(path).qrels()
    if format == OFFICE_ACTIONS:
        refuse_columns(columns, format)
        from patstone.gold.office_actions import read_office_actions

        return read_office_actions(path)
    in_folder = judgments(path) if format in (None, "beir") else None
    if in_folder is not None:
        return _from_table(in_folder, "tsv", columns)
    if format == "beir":
        raise DataError("A folder in BEIR layout is needed here, with qrels/test.tsv in it.", path=path)
    chosen = format or format_of(path) or (NTCIR if names_themes(path) else "trec")
    if chosen in FORMATS.values():
        return _from_table(path, chosen, columns)
    refuse_columns(columns, chosen)
    if chosen == NTCIR:
        from patstone.gold.class_sets import read_ntcir

        return read_ntcir(path)
    from patstone.gold.trec import read_trec

    return read_trec(path, LAYOUTS[chosen])


def holds_classes(path: str | Path, format: str, columns: Mapping[str, str] | None) -> bool:  # noqa: A002
    """Whether the table says of patents which classes they belong to, and not of topics which documents answer them."""
    if columns and {"patent", "classes"} & set(columns):
        return True
    # Standard input is read once.
    if str(path) == "-" or {"topic", "doc"} <= set(columns or ()):
        return False
    from patstone.files.tables import header_of

    header = header_of(path, format=format)
    judges = has(header, TOPIC) and has(header, DOC)
    return not judges and has(header, PATENT) and has(header, CLASSES)


def names_themes(path: str | Path) -> bool:
    """Whether the second word of the file is an F-term theme, as in the NTCIR layout; TREC has `0` or `Q0` there."""
    # Standard input is read once; what can't be opened is refused by whoever reads it.
    if str(path) == "-" or not os.path.isfile(path):  # noqa: PTH113
        return False
    with rewindable(path).open() as stream:
        words = stream.readline(_GLANCE).split()
    return len(words) > 2 and re.fullmatch(rb"[0-9][A-Z][0-9]{3}", words[1]) is not None


def is_dataset(path: str | Path) -> bool:
    """Whether this is a test collection in our own layout, which judges its own documents."""
    # Path.is_file would raise for a name that is too long.
    return os.path.isfile(os.path.join(path, DATASET_MARK))  # noqa: PTH113, PTH118


def refuse_columns(columns: Mapping[str, str] | None, format: str) -> None:  # noqa: A002
    if columns:
        raise UsageError(f"Columns can be named in tables with a header; {format!r} has none.")


def _from_table(path: str | Path, format: str, columns: Mapping[str, str] | None) -> Qrels:  # noqa: A002
    from patstone.files.tables import read_table

    if holds_classes(path, format, columns):
        from patstone.gold.class_sets import read_class_table

        return read_class_table(path, format, columns)
    table = read_table(path, JUDGMENT_COLUMNS, columns=columns, format=format)
    topic, topics = coded(ids.texts(table.columns["topic"]))
    grades: NDArray[np.float64] | None = table.columns.get("grade")
    notes = table.notes
    if grades is None:
        grades = np.ones(len(table))
        notes += (f"{table.path}: there is no column of grades; every row counts as relevant, with grade 1",)
    rows = Judgments(
        topics=topics,
        topic=topic,
        docs=table.columns["doc"],
        grades=grades,
        subtopics=table.columns.get("subtopic"),
        inventions=table.columns.get("invention"),
        path=table.path,
        lines=table.lines,
    )
    if "paragraph" in table.columns:
        rows, made = counted(rows, table.columns["paragraph"])
        notes += made
    return replace(assemble(rows), notes=notes)


def _texts(table: "Table", name: str) -> list[str] | None:
    return ids.texts(table.columns[name]) if name in table.columns else None


def _with_aspects(gold: Qrels, path: str | Path) -> Qrels:
    """Fill in what the side table says of each subtopic."""
    from patstone.files.tables import read_table

    table = read_table(path, SUBTOPIC_COLUMNS)
    if gold.subtopics is None:
        raise DataError("A table of subtopics was given, and the judgments have no subtopics.", path=table.path)
    rows = _rows_by_aspect(gold, gold.subtopics, table)
    independent, weights = _independent(table), table.columns.get("weight")
    if weights is not None:
        wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
        if len(wrong):
            raise table.refuse("A weight is a number from 0.", int(wrong[0]), float(weights[wrong[0]]))
    filled = replace(
        gold.subtopics,
        independent=None if independent is None else independent[rows],
        weights=None if weights is None else weights[rows],
    )
    return replace(gold, subtopics=filled, notes=gold.notes + table.notes)


def _rows_by_aspect(gold: Qrels, aspects: Subtopics, table: "Table") -> NDArray[np.int64]:
    """The table's row for each subtopic of the gold standard, in its order."""
    owners = [topic for topic, size in zip(gold.topics, np.diff(aspects.starts), strict=True) for _ in range(size)]
    judged = {pair: place for place, pair in enumerate(zip(owners, aspects.names, strict=True))}
    rows = np.full(len(judged), -1)
    named = zip(ids.texts(table.columns["topic"]), ids.texts(table.columns["subtopic"]), strict=True)
    for row, pair in enumerate(named):
        if pair not in judged:
            raise table.refuse(f"Subtopic {pair[1]!r} of topic {pair[0]!r} is not among the judgments.", row)
        earlier = rows[judged[pair]]
        if earlier >= 0:
            rule = f"Subtopic {pair[1]!r} of topic {pair[0]!r} is on line {table.lines[earlier]} too."
            raise table.refuse(rule, row)
        rows[judged[pair]] = row
    missing = np.flatnonzero(rows < 0)
    if len(missing):
        topic, name = list(judged)[missing[0]]
        rule = f"Subtopic {name!r} of topic {topic!r} is judged and has no row here; {len(missing)} are missing."
        raise DataError(rule, path=table.path)
    return rows


def _independent(table: "Table") -> NDArray[np.bool_] | None:
    kinds = _texts(table, "kind")
    if kinds is None:
        return table.columns.get("independent")
    if "independent" in table.columns:
        raise table.refuse("Say once which claims are independent: in a column 'independent' or in 'kind'.", 0)
    return np.array([_is_independent(table, row, kind) for row, kind in enumerate(kinds)], dtype=np.bool_)


def _is_independent(table: "Table", row: int, kind: str) -> bool:
    if kind.casefold() not in ("independent", "dependent"):
        raise table.refuse("The kind of a claim is independent or dependent.", row, kind)
    return kind.casefold() == "independent"
