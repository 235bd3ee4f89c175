"""Judgments as TREC's tracks publish them, one white-space separated line each.

- `qrels`: topic, iteration, document, grade; a fifth field, where there is one, names the invention.
- `diversity`: topic, subtopic, document, grade.
- `claims`: topic, claim, document, grade, invention, as test collections have it.
- `dd` (Dynamic Domain): topic, subtopic, document, rating; with five fields the fourth is the passage.
- `clef-ip`: topic, subtopic, document, paragraph; a fifth field is 0 for a paragraph that is not relevant.

What passages and paragraphs make of a document's grade, a note says.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.lines import Fields, read_fields
from patstone.files.numerals import numbers
from patstone.files.streams import rewindable
from patstone.gold.columns import Judgments, assemble
from patstone.gold.passages import counted, highest
from patstone.gold.qrels import Qrels


@dataclass(frozen=True)
class Layout:
    """How many fields a line may have, and which of them hold what."""

    counts: tuple[int, ...]
    subtopic: int | None = None
    invention: int | None = None
    rated: bool = False
    """Whether passages are rated, and the highest rating counts."""
    paragraph: int | None = None
    """The field that names a relevant paragraph, where their number makes the grade."""

    def grade(self, count: int) -> int | None:
        """The field that holds the grade; None where being listed says it."""
        if self.paragraph is not None:
            return 4 if count == 5 else None
        return 4 if self.rated and count == 5 else 3


LAYOUTS = {
    "qrels": Layout((4, 5), invention=4),
    "diversity": Layout((4,), subtopic=1),
    "claims": Layout((5,), subtopic=1, invention=4),
    "dd": Layout((4, 5), subtopic=1, rated=True),
    "clef-ip": Layout((4, 5), subtopic=1, paragraph=3),
}
_TOPIC, _DOC = 0, 2


def read_trec(path: str | Path, layout: str = "qrels") -> Qrels:
    shape = LAYOUTS[layout]
    source = rewindable(path)
    codes: dict[str, int] = {}
    blocks, paragraphs = [], []
    with source.open() as stream:
        for fields in read_fields(stream, counts=shape.counts, path=source.name):
            blocks.append(_rows(fields, shape, codes))
            if shape.paragraph is not None:
                paragraphs.append(ids.from_words(fields.ids(shape.paragraph)))
    if not blocks:
        raise DataError("A gold standard must hold at least one judgment; this file is empty.", path=source.name)
    rows = replace(_joined(blocks), topics=tuple(codes))
    notes: tuple[str, ...] = ()
    if shape.rated:
        rows, notes = highest(rows)
    elif shape.paragraph is not None:
        rows, notes = counted(rows, ids.concatenate(paragraphs))
    gold = assemble(rows)
    return replace(gold, notes=(*gold.notes, *notes))


def _rows(fields: Fields, shape: Layout, codes: dict[str, int]) -> Judgments:
    """The judgments of one block; `codes` numbers the topics of all."""
    count = len(fields.ends)
    changes = fields.changes(_TOPIC)
    numbered = [codes.setdefault(name, len(codes)) for name in fields.texts(_TOPIC, changes)]
    grade = shape.grade(count)
    has_invention = shape.invention is not None and count > shape.invention
    return Judgments(
        topics=(),
        topic=np.repeat(np.array(numbered, dtype=np.int64), np.diff(changes, append=len(fields))),
        docs=ids.from_words(fields.ids(_DOC)),
        grades=np.ones(len(fields)) if grade is None else numbers(fields, grade, what="A grade"),
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
