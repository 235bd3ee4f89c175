"""Judgments as TREC's tracks publish them, one white-space separated line each.

- `qrels`: topic, iteration, document, grade; a fifth field, where there is one, names the invention.
- `diversity`: topic, subtopic, document, grade.
- `dd` (Dynamic Domain): topic, subtopic, document, rating; with five fields the fourth is the passage. Passages of
  one document rated for one subtopic count as their highest rating, and a note says how often that was so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.index import first_places
from patstone.files.lines import Fields, read_fields
from patstone.files.numerals import numbers
from patstone.files.streams import rewindable
from patstone.gold.columns import Judgments, assemble
from patstone.gold.qrels import Qrels


@dataclass(frozen=True)
class Layout:
    """How many fields a line may have, and which of them hold a subtopic or an invention."""

    counts: tuple[int, ...]
    subtopic: int | None = None
    invention: int | None = None
    passages: bool = False

    def grade(self, count: int) -> int:
        return 4 if self.passages and count == 5 else 3


LAYOUTS = {
    "qrels": Layout((4, 5), invention=4),
    "diversity": Layout((4,), subtopic=1),
    "dd": Layout((4, 5), subtopic=1, passages=True),
}
_TOPIC, _DOC = 0, 2


def read_trec(path: str | Path, layout: str = "qrels") -> Qrels:
    shape = LAYOUTS[layout]
    source = rewindable(path)
    codes: dict[str, int] = {}
    with source.open() as stream:
        blocks = [_rows(fields, shape, codes) for fields in read_fields(stream, counts=shape.counts, path=source.name)]
    if not blocks:
        raise DataError("A gold standard must hold at least one judgment; this file is empty.", path=source.name)
    rows = replace(_joined(blocks), topics=tuple(codes))
    return _highest_passages(rows) if shape.passages else assemble(rows)


def _rows(fields: Fields, shape: Layout, codes: dict[str, int]) -> Judgments:
    """The judgments of one block; `codes` numbers the topics of all."""
    count = len(fields.ends)
    changes = fields.changes(_TOPIC)
    numbered = [codes.setdefault(name, len(codes)) for name in fields.texts(_TOPIC, changes)]
    has_invention = shape.invention is not None and count > shape.invention
    return Judgments(
        topics=(),
        topic=np.repeat(np.array(numbered, dtype=np.int64), np.diff(changes, append=len(fields))),
        docs=ids.from_words(fields.ids(_DOC)),
        grades=numbers(fields, shape.grade(count), what="A grade"),
        subtopics=None if shape.subtopic is None else ids.from_words(fields.ids(shape.subtopic)),
        inventions=ids.from_words(fields.ids(shape.invention)) if has_invention and shape.invention else None,
        path=fields.path,
        lines=fields.lines,
    )


def _joined(blocks: Sequence[Judgments]) -> Judgments:
    return replace(
        blocks[0],
        topic=np.concatenate([block.topic for block in blocks]),
        docs=ids.concatenate([block.docs for block in blocks]),
        grades=np.concatenate([block.grades for block in blocks]),
        subtopics=_names([block.subtopics for block in blocks]),
        inventions=_names([block.inventions for block in blocks]),
        lines=np.concatenate([block.lines for block in blocks if block.lines is not None]),
    )


def _names(columns: Sequence[ids.Ids | None]) -> ids.Ids | None:
    given = [column for column in columns if column is not None]
    return ids.concatenate(given) if given else None


def _highest_passages(rows: Judgments) -> Qrels:
    """Keep one row for each topic, subtopic and document: the one with the highest rating."""
    subtopics = rows.subtopics if rows.subtopics is not None else rows.docs[:0]
    aspect = first_places(subtopics, rows.topic)
    first = first_places(rows.docs, aspect)
    # The first row with the highest rating of its group: by group, then by rating, then as they came.
    order = np.lexsort((-rows.grades, first))
    kept = np.sort(order[np.concatenate([[True], np.diff(first[order]) != 0])])
    slim = replace(
        rows,
        topic=rows.topic[kept],
        docs=rows.docs[kept],
        grades=rows.grades[kept],
        subtopics=subtopics[kept],
        lines=None if rows.lines is None else rows.lines[kept],
    )
    folded = len(rows.topic) - len(kept)
    gold = assemble(slim)
    note = f"{rows.path}: {folded:,} further passages of documents already rated; the highest rating counts"
    return replace(gold, notes=(*gold.notes, note)) if folded else gold
