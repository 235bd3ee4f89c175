"""Which classes each patent belongs to, as a gold standard: patents are the topics, classes what is to be found.

A table has a row for each patent and class, or a row for each patent with all its classes in one cell; the NTCIR
layout has white-space separated lines of patent, theme and F-term, with a grade where there is a fourth field. A patent
in several themes is a topic in each, named patent/theme.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.lines import Fields, read_fields
from patstone.files.numerals import numbers
from patstone.files.streams import rewindable
from patstone.files.tables import Table, read_table
from patstone.gold.columns import Judgments, assemble, coded
from patstone.gold.qrels import Ints, Qrels
from patstone.gold.sources import TRUE_CLASS_COLUMNS

_PATENT, _THEME, _TERM, _GRADE = range(4)


@dataclass(frozen=True, eq=False, kw_only=True)
class Exploded:
    """A table of classes with one class a row."""

    topics: tuple[str, ...]
    topic: Ints
    """Per row: its topic."""
    docs: ids.Ids
    row: Ints
    """Per row: the table's row that it comes from."""


def exploded(table: Table) -> Exploded:
    names = ids.texts(table.columns["patent"])
    if "theme" in table.columns:
        names = [f"{name}/{theme}" for name, theme in zip(names, ids.texts(table.columns["theme"]), strict=True)]
    topic, topics = coded(names)
    several = table.columns["classes"].tolist()
    row = np.repeat(np.arange(len(several)), np.fromiter(map(len, several), dtype=np.int64, count=len(several)))
    docs = np.array([term for terms in several for term in terms], dtype=np.bytes_)
    return Exploded(topics=topics, topic=topic[row], docs=ids.widen(docs) if len(docs) else ids.pack(()), row=row)


def read_class_table(path: str | Path, format: str, columns: Mapping[str, str] | None) -> Qrels:  # noqa: A002
    table = read_table(path, TRUE_CLASS_COLUMNS, columns=columns, format=format)
    rows = exploded(table)
    if not len(rows.row):
        raise DataError("A gold standard must hold at least one class; every cell is empty.", path=table.path)
    grades = table.columns["grade"][rows.row] if "grade" in table.columns else np.ones(len(rows.row))
    gold = assemble(
        Judgments(
            topics=rows.topics,
            topic=rows.topic,
            docs=rows.docs,
            grades=grades,
            path=table.path,
            lines=table.lines[rows.row],
        )
    )
    return replace(gold, of_classes=True, notes=table.notes)


def read_ntcir(path: str | Path) -> Qrels:
    source = rewindable(path)
    codes: dict[str, int] = {}
    blocks: list[Judgments] = []
    with source.open() as stream:
        for fields in read_fields(stream, counts=(3, 4), path=source.name):
            changes, names = answered(fields)
            numbered = [codes.setdefault(name, len(codes)) for name in names]
            graded = len(fields.ends) > _GRADE
            blocks.append(
                Judgments(
                    topics=(),
                    topic=np.repeat(np.array(numbered, dtype=np.int64), np.diff(changes, append=len(fields))),
                    docs=ids.from_words(fields.ids(_TERM)),
                    grades=numbers(fields, _GRADE, what="A grade") if graded else np.ones(len(fields)),
                    path=fields.path,
                    lines=fields.lines.copy(),
                )
            )
    if not blocks:
        raise DataError("A gold standard must hold at least one class; this file is empty.", path=source.name)
    return replace(assemble(_joined(blocks, tuple(codes))), of_classes=True)


def answered(fields: Fields) -> tuple[Ints, list[str]]:
    """The rows at which patent or theme change, and the names of the topics that begin there."""
    changes = np.union1d(fields.changes(_PATENT), fields.changes(_THEME))
    pairs = zip(fields.texts(_PATENT, changes), fields.texts(_THEME, changes), strict=True)
    return changes, [f"{patent}/{theme}" for patent, theme in pairs]


def _joined(blocks: Sequence[Judgments], topics: tuple[str, ...]) -> Judgments:
    return replace(
        blocks[0],
        topics=topics,
        topic=np.concatenate([block.topic for block in blocks]),
        docs=ids.concatenate([block.docs for block in blocks]),
        grades=np.concatenate([block.grades for block in blocks]),
        lines=np.concatenate([block.lines for block in blocks if block.lines is not None]),
    )
