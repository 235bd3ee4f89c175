"""The best rankings that a gold standard with subtopics allows, for all topics at once.

They look at all judged documents of a topic and at no run, so each is made once for a gold standard.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np

from patstone.files import ids
from patstone.gold.columns import offsets
from patstone.gold.qrels import Floats, Ints, Qrels
from patstone.measures.aspects import aspects, shares, spans
from patstone.measures.ranked import Bools
from patstone.measures.ranking import gained

# Sums of powers differ in their last bits with the order of adding, which must not decide between documents.
TIED = 1e-12


def greedy_gains(gold: Qrels, alpha: float, cutoff: int) -> list[Floats]:
    """For each rank, the gain in each topic when every rank takes the document that gains most, given those before.

    The best ranking is NP-hard to find; this is what is called ideal. Ties go to the later document id.
    """
    known, following = _greedy(gold, alpha)
    known.extend(islice(following, max(cutoff - len(known), 0)))
    return known[:cutoff]


@lru_cache(maxsize=4)
def _greedy(gold: Qrels, alpha: float) -> tuple[list[Floats], Iterator[Floats]]:
    """What is known of the ideal, and what goes on from there: the next cutoff need not begin again."""
    return [], _greedy_ranks(gold, alpha)


def _greedy_ranks(gold: Qrels, alpha: float) -> Iterator[Floats]:
    pool = Pool.of(gold)
    weight = np.ones(len(aspects(gold).topic))
    for _rank in range(pool.deepest):
        # Made smaller only when half is gone, so that all the copying costs no more than one pass.
        if 2 * np.count_nonzero(pool.taken) > len(pool.taken):
            pool = pool.without_taken()
        gain = pool.gains(weight)
        best = pool.best(gain)
        pool.taken[best] = True
        answered, _ = spans(pool.starts, best)
        weight[pool.subtopic[answered]] *= 1.0 - alpha
        row = np.zeros(len(gold.topics))
        row[pool.topic[best]] = gain[best]
        yield row


@dataclass(frozen=True, eq=False, kw_only=True)
class Pool:
    """Relevant documents to choose from, by topic, then document id."""

    topic: Ints
    first: Ints
    """Where each topic's documents begin."""
    starts: Ints
    """Document d answers subtopic[starts[d]:starts[d + 1]]."""
    subtopic: Ints
    owner: Ints
    """The document of each of them."""
    taken: Bools

    @classmethod
    def of(cls, gold: Qrels) -> "Pool":
        known = aspects(gold)
        rows = np.flatnonzero(np.diff(known.starts))
        # Words whose first byte counts most sort as the bytes do, in half the time.
        words = ids.words(gold.docs[rows]).view(">u8").astype(np.uint64)
        rows = rows[np.lexsort((*words.T[::-1], gold.topic[rows]))]
        pairs, owner = spans(known.starts, rows)
        return cls.untaken(gold.topic[rows], known.subtopic[pairs], owner)

    @classmethod
    def untaken(cls, topic: Ints, subtopic: Ints, owner: Ints) -> "Pool":
        return cls(
            topic=topic,
            first=np.flatnonzero(np.diff(topic, prepend=-1)),
            starts=offsets(np.bincount(owner, minlength=len(topic))),
            subtopic=subtopic,
            owner=owner,
            taken=np.zeros(len(topic), dtype=np.bool_),
        )

    @property
    def deepest(self) -> int:
        return int(np.bincount(self.topic).max(initial=0))

    def without_taken(self) -> "Pool":
        left = np.flatnonzero(~self.taken)
        pairs, owner = spans(self.starts, left)
        return self.untaken(self.topic[left], self.subtopic[pairs], owner)

    def gains(self, weight: Floats) -> Floats:
        """Per document; below any gain for the taken."""
        gain = np.bincount(self.owner, weights=weight.take(self.subtopic)).astype(np.float64, copy=False)
        gain[self.taken] = -1.0
        return gain

    def best(self, gain: Floats) -> Ints:
        """Where each topic's best document stands; a topic whose documents are all taken has none."""
        top = np.maximum.reduceat(gain, self.first)
        tied = gain >= np.repeat(top, np.diff(self.first, append=len(gain))) - TIED
        last = np.maximum.reduceat(np.where(tied, np.arange(len(gain)), -1), self.first)
        return last[top >= 0]


@lru_cache(maxsize=8)
def global_gains(gold: Qrels, importance: str, gains: str) -> Floats:
    """Per row of the gold standard: the sum of P(i) · g_i over the subtopics that its document answers."""
    known = aspects(gold)
    row = np.repeat(np.arange(len(gold)), np.diff(known.starts))
    worth = shares(gold, importance)[known.subtopic] * gained(known.grade, gains)
    return np.bincount(row, weights=worth, minlength=len(gold)).astype(np.float64, copy=False)


@lru_cache(maxsize=8)
def sorted_gains(gold: Qrels, importance: str, gains: str) -> Floats:
    """The global gains, each topic's from high to low, where the gold standard has the topic's rows."""
    gain = global_gains(gold, importance, gains)
    return gain[np.lexsort((-gain, gold.topic))]


def best_first(gold: Qrels) -> Iterator[tuple[Ints, Floats]]:
    """Each subtopic's grades from high to low: the n-th item has the subtopics with an n-th one, and that grade."""
    grade, counts = _sorted_grades(gold)
    first = np.cumsum(counts) - counts
    for place in range(int(counts.max(initial=0))):
        subtopic = np.flatnonzero(counts > place)
        yield subtopic, grade[first[subtopic] + place]


@lru_cache(maxsize=4)
def _sorted_grades(gold: Qrels) -> tuple[Floats, Ints]:
    """All grades by subtopic, from high to low; how many each subtopic has."""
    known = aspects(gold)
    levels = np.unique(known.grade)[::-1]
    # One sort of whole numbers takes a tenth of the time of a sort by two columns.
    place = len(levels) - 1 - np.searchsorted(levels[::-1], known.grade)
    keys = np.sort(known.subtopic * len(levels) + place)
    counts = np.bincount(known.subtopic, minlength=len(known.topic))
    subtopic = np.repeat(np.arange(len(counts)), counts)
    return levels[keys - subtopic * len(levels)], counts
