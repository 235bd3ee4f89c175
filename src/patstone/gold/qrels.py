"""Judgments of documents for topics: the gold standard of a ranked retrieval task.

`Qrels` holds one row for each judged (topic, document), grouped by topic in order of first appearance;
`Subtopics` says which of a topic's aspects (claims) each row answers, and `inventions` which documents are one
invention. Grades are floats: zero and below mean judged and not relevant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids

_SMALL = 1 << 20
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Subtopics:
    """Aspects of topics; `names` lists each topic's own aspects, topic after topic as in the gold standard."""

    names: tuple[str, ...]
    starts: Ints
    """Topic t owns names[starts[t]:starts[t + 1]]."""
    judged: Ints
    """For each judgment: its row in the gold standard."""
    subtopic: Ints
    """For each judgment: its index into `names`."""
    grades: Floats
    independent: NDArray[np.bool_] | None = None
    """Per name, whether it is an independent claim; None where nobody said."""
    weights: Floats | None = None
    """Per name, an importance given with the data; None where nobody gave one."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Qrels:
    topics: tuple[str, ...]
    starts: Ints
    """Topic t owns rows starts[t]:starts[t + 1]."""
    docs: ids.Ids
    grades: Floats
    """With subtopics: the highest grade that the document has for any of them."""
    inventions: Ints | None = None
    """Per row, a code shared by the documents of one invention."""
    subtopics: Subtopics | None = None
    of_classes: bool = False
    """Whether the topics are patents and the documents the classes that they belong to."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know about how this was read."""

    def __len__(self) -> int:
        return len(self.docs)

    @cached_property
    def topic(self) -> Ints:
        """The topic of each row."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.starts))

    @cached_property
    def best_first(self) -> Ints:
        """Rows by topic, then grade, the highest first."""
        # Asked of the floats: a grade that no integer holds would be cast to any number.
        if not ((np.trunc(self.grades) == self.grades) & (np.abs(self.grades) < _SMALL)).all():
            return np.lexsort((-self.grades, self.topic))
        # Grades are nearly always small whole numbers, and one key sorts several times as fast as two.
        return np.argsort(self.topic * (2 * _SMALL) - self.grades.astype(np.int64), kind="stable")

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits of the content; the order of the rows does not count."""
        from patstone.gold.digest import digest

        return digest(self)

    @classmethod
    def from_dict(cls, judgments: Mapping[str, Mapping[str, float]]) -> "Qrels":
        """Build from {topic: {document: grade}}, as pytrec_eval takes it."""
        pairs = [(topic, doc, grade) for topic, docs in judgments.items() for doc, grade in docs.items()]
        return cls.from_columns(
            [topic for topic, _, _ in pairs], [doc for _, doc, _ in pairs], [grade for _, _, grade in pairs]
        )

    @classmethod
    def from_columns(
        cls,
        topics: Sequence[str],
        docs: Sequence[str],
        grades: Sequence[float],
        *,
        subtopics: Sequence[str] | None = None,
        inventions: Sequence[str] | None = None,
    ) -> "Qrels":
        """Build from columns of equal length, one row for each judgment."""
        from patstone.gold.columns import build

        return build(topics, docs, grades, subtopics=subtopics, inventions=inventions)
