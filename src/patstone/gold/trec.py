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
from patstone.files.lines import Fields, Ints, read_fields
from patstone.files.numerals import Floats, numbers
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


@dataclass(frozen=True, eq=False, kw_only=True)
class _Columns:
    topic: Ints
    docs: ids.Ids
    grades: Floats
    lines: Ints
    subtopics: Sequence[str]
    inventions: Sequence[str]


def read_trec(path: str | Path, layout: str = "qrels") -> Qrels:
    shape = LAYOUTS[layout]
    source = rewindable(path)
    codes: dict[str, int] = {}
    with source.open() as stream:
        blocks = [
            _columns(fields, shape, codes) for fields in read_fields(stream, counts=shape.counts, path=source.name)
        ]
    if not blocks:
        raise DataError("A gold standard must hold at least one judgment; this file is empty.", path=source.name)
    rows = Judgments(
        topics=tuple(codes),
        topic=np.concatenate([block.topic for block in blocks]),
        docs=ids.concatenate([block.docs for block in blocks]),
        grades=np.concatenate([block.grades for block in blocks]),
        subtopics=[name for block in blocks for name in block.subtopics] or None,
        inventions=[name for block in blocks for name in block.inventions] or None,
        path=source.name,
        lines=np.concatenate([block.lines for block in blocks]),
    )
    return _highest_passages(rows) if shape.passages else assemble(rows)


def _columns(fields: Fields, shape: Layout, codes: dict[str, int]) -> _Columns:
    count = len(fields.ends)
    every = np.arange(len(fields))
    changes = fields.changes(_TOPIC)
    numbered = [codes.setdefault(name, len(codes)) for name in fields.texts(_TOPIC, changes)]
    has_invention = shape.invention is not None and count > shape.invention
    return _Columns(
        topic=np.repeat(np.array(numbered, dtype=np.int64), np.diff(changes, append=len(fields))),
        docs=ids.from_words(fields.ids(_DOC)),
        grades=numbers(fields, shape.grade(count), what="A grade"),
        lines=fields.lines,
        subtopics=() if shape.subtopic is None else fields.texts(shape.subtopic, every),
        inventions=fields.texts(shape.invention, every) if has_invention and shape.invention else (),
    )


def _highest_passages(rows: Judgments) -> Qrels:
    """Keep one row for each topic, subtopic and document: the one with the highest rating."""
    names = rows.subtopics or ()
    best: dict[tuple[int, str, bytes], int] = {}
    grades = rows.grades.tolist()
    for row, key in enumerate(zip(rows.topic.tolist(), names, rows.docs.tolist(), strict=True)):
        if key not in best or grades[row] > grades[best[key]]:
            best[key] = row
    kept = np.array(sorted(best.values()), dtype=np.int64)
    slim = replace(
        rows,
        topic=rows.topic[kept],
        docs=rows.docs[kept],
        grades=rows.grades[kept],
        subtopics=[names[row] for row in kept.tolist()],
        lines=None if rows.lines is None else rows.lines[kept],
    )
    folded = len(names) - len(kept)
    gold = assemble(slim)
    note = f"{rows.path}: {folded:,} further passages of documents already rated; the highest rating counts"
    return replace(gold, notes=(*gold.notes, note)) if folded else gold
