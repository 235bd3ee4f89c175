"""What measures look at: where each judged document stands in a run's one canonical ranking.

The engine makes a `Ranked` once for each run, after every policy has been applied; kernels are functions of it
and return one number for each topic of the gold standard. Rows are sorted by topic, then rank. Documents that
nobody judged are not here: only `retrieved` and the words read tell of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from patstone.gold.qrels import Floats, Ints, Qrels

if TYPE_CHECKING:
    from patstone.measures.labelled import Labelled

Bools: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class Reading:
    """Words that a user has passed, from the documents' lengths."""

    own: Floats
    """Per hit, the document's length."""
    before: Floats
    """Per hit, the words of all documents ranked before it, judged or not."""
    until: Mapping[int, Floats]
    """By cutoff k, per topic: the words of the first k documents."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranked:
    gold: Qrels
    topic: Ints
    """Per hit: index into gold.topics."""
    rank: Ints
    """Per hit: 1 is the top."""
    row: Ints
    """Per hit: its row in the gold standard."""
    retrieved: Ints
    """Per topic: how many documents the ranking holds."""
    answered: Bools
    """Per topic: whether the run has the topic at all."""
    tie_first: Ints | None = None
    """Per hit, with ties="expected": the first rank of its group of equal scores."""
    tie_size: Ints | None = None
    """Per hit, with ties="expected": how many documents share its score."""
    view: Ints | None = None
    """Per hit: its place in the viewing order, where that is not the ranking."""
    reading: Reading | None = None
    assigned: Bools | None = None
    """Per hit: whether it is in the set that the system assigned, where the run says so."""
    set_size: Ints | None = None
    """Per topic: how many classes the system assigned, where the run says so."""
    labelled: "Labelled | None" = None
    """The whole rankings as terms of class schemes, where schemes are known."""
    _kept: dict[float, "Relevant"] = field(default_factory=dict, init=False, repr=False)

    @property
    def size(self) -> int:
        return len(self.gold.topics)

    @property
    def answer_size(self) -> Ints:
        """Per topic: the size of the set that stands for the answer: what was assigned, or all that was retrieved."""
        return self.retrieved if self.set_size is None else self.set_size

    @cached_property
    def grade(self) -> Floats:
        return self.gold.grades[self.row]

    def relevant(self, rel: float) -> "Relevant":
        """The hits with a grade of at least `rel`, made once for each level."""
        if rel not in self._kept:
            self._kept[rel] = Relevant.select(self, rel)
        return self._kept[rel]

    def total(self, values: NDArray[np.generic], topic: Ints | None = None) -> Floats:
        """Add up per-hit values by topic, in rank order (as trec_eval adds, to the last bit)."""
        where = self.topic if topic is None else topic
        return np.bincount(where, weights=values, minlength=self.size).astype(np.float64, copy=False)

    def earlier(self, values: Floats) -> Floats:
        """Per hit, the sum of a per-hit value over the topic's hits above it; exact for whole numbers."""
        above = np.concatenate([[0.0], np.cumsum(values)[:-1]])[: len(values)]
        starts = np.flatnonzero(np.diff(self.topic, prepend=-1))
        elsewhere: Floats = np.repeat(above[starts], np.diff(starts, append=len(values)))
        return above - elsewhere


@dataclass(frozen=True, eq=False, kw_only=True)
class Relevant:
    """The relevant hits at one level, and how many relevant documents each topic has in the gold standard."""

    topic: Ints
    rank: Ints
    row: Ints
    index: Ints
    """Which hits these are."""
    ordinal: Ints
    """1 for a topic's first relevant hit, 2 for its second, …"""
    known: Floats
    """Per topic: relevant documents in the gold standard."""

    @classmethod
    def select(cls, ranked: Ranked, rel: float) -> "Relevant":
        index = np.flatnonzero(ranked.grade >= rel)
        topic = ranked.topic[index]
        found = np.bincount(topic, minlength=ranked.size)
        gold = ranked.gold
        return cls(
            topic=topic,
            rank=ranked.rank[index],
            row=ranked.row[index],
            index=index,
            ordinal=np.arange(1, len(index) + 1) - np.repeat(np.cumsum(found) - found, found),
            known=np.bincount(gold.topic[gold.grades >= rel], minlength=ranked.size).astype(np.float64),
        )


def ratio(numerator: Floats, denominator: Floats | float) -> Floats:
    """Divide; 0 where there is nothing to divide by, which the engine reports as a topic without relevant ones."""
    denominator = np.broadcast_to(np.asarray(denominator, dtype=np.float64), numerator.shape)
    return np.divide(numerator, denominator, out=np.zeros(numerator.shape), where=denominator != 0)


Kernel: TypeAlias = Callable[..., Floats]
