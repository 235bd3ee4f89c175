"""Which document answers which subtopic, for all topics at once: what the subtopic measures and the Cube Test share.

A judgment with a grade above zero is relevant. A subtopic is answerable when it has such a judgment; the others
carry no importance, so writing down that a document does not answer a claim changes no score. What depends on the
gold standard only is made once for it, whatever the number of runs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.gold.columns import offsets
from patstone.gold.qrels import Floats, Ints, Qrels, Subtopics
from patstone.measures.measure import Parameter
from patstone.measures.ranked import Bools, Ranked, ratio

IMPORTANCE = Parameter(
    name="importance",
    default="uniform",
    choices=("uniform", "decay", "claims", "given"),
    doc="how subtopics weigh: all alike; each half of the one before, in their natural order; independent claims 1 "
    "and dependent claims 0.5; or as the gold standard says",
)
DEPENDENT_CLAIM = 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class Aspects:
    """The relevant judgments, in the order of the gold standard's rows."""

    topics: int
    topic: Ints
    """Per subtopic: its topic."""
    answerable: Bools
    """Per subtopic."""
    starts: Ints
    """The document of row r answers subtopic[starts[r]:starts[r + 1]]."""
    subtopic: Ints
    grade: Floats

    def highest_grade(self, told: float) -> float:
        """The top of the scale: what the user told, or 0 for the highest here, and 1 where none is higher."""
        return told or float(self.grade.max(initial=1.0))

    def by_topic(self, values: Floats | Bools) -> Floats:
        """Add up per-subtopic values."""
        return np.bincount(self.topic, weights=values, minlength=self.topics).astype(np.float64, copy=False)


@lru_cache(maxsize=4)
def aspects(gold: Qrels) -> Aspects:
    source = subtopics(gold)
    relevant = np.flatnonzero(source.grades > 0)
    order = relevant[np.argsort(source.judged[relevant], kind="stable")]
    subtopic = source.subtopic[order]
    return Aspects(
        topics=len(gold.topics),
        topic=np.repeat(np.arange(len(gold.topics)), np.diff(source.starts)),
        answerable=np.bincount(subtopic, minlength=len(source.names)) > 0,
        starts=offsets(np.bincount(source.judged[order], minlength=len(gold))),
        subtopic=subtopic,
        grade=source.grades[order],
    )


def subtopics(gold: Qrels) -> Subtopics:
    if gold.subtopics is None:
        raise UsageError("A subtopic measure needs judgments by subtopic, and this gold standard has none.")
    return gold.subtopics


@lru_cache(maxsize=8)
def shares(gold: Qrels, importance: str) -> Floats:
    """Per subtopic: its importance P(i), which adds up to 1 over the answerable subtopics of a topic."""
    known = aspects(gold)
    weights = np.where(known.answerable, _weights(gold, importance), 0.0)
    return ratio(weights, known.by_topic(weights)[known.topic])


def _weights(gold: Qrels, importance: str) -> Floats:
    source = subtopics(gold)
    if importance == "decay":
        return _halving(aspects(gold), source.starts)
    if importance == "claims":
        if source.independent is None:
            raise _unsaid(importance, "which claims are independent", "the column 'independent'")
        return np.where(source.independent, 1.0, DEPENDENT_CLAIM)
    if importance == "given":
        if source.weights is None:
            raise _unsaid(importance, "the importance of each subtopic", "the column 'weight'")
        bad = source.weights[~((source.weights >= 0) & np.isfinite(source.weights))]
        if len(bad):
            raise DataError("The weight of a subtopic must be a finite number of at least 0.", value=float(bad[0]))
        return source.weights
    return np.ones(len(source.names))


def _halving(known: Aspects, starts: Ints) -> Floats:
    """2^-i, counted from the first answerable subtopic, so that two thousand claims don't underflow to 0/0."""
    position = np.arange(len(known.topic)) - starts[known.topic]
    # A topic without an answerable subtopic keeps a first place beyond all.
    first = np.full(len(starts) - 1, len(known.topic))
    np.minimum.at(first, known.topic[known.answerable], position[known.answerable])
    # What precedes the first answerable one gets no share; the bound only keeps its power finite.
    halvings: Ints = np.minimum(first[known.topic] - position, 0)
    return np.exp2(halvings.astype(np.float64))


def _unsaid(importance: str, what: str, column: str) -> UsageError:
    return UsageError(
        f"importance={importance} needs {what}, and the gold standard doesn't say: "
        f"give a table of subtopics with {column}, or choose importance=uniform."
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Step:
    """One relevant document of each topic that still has one, and the subtopics it answers."""

    hit: Ints
    subtopic: Ints
    """Hit after hit; no subtopic stands twice in a step."""
    grade: Floats
    owner: Ints
    """Per answered subtopic: the place of its hit in `hit`."""

    def total(self, values: Floats) -> Floats:
        """Per hit, the sum of a value for each subtopic that it answers."""
        return np.bincount(self.owner, weights=values, minlength=len(self.hit)).astype(np.float64, copy=False)


def walk(ranked: Ranked, cutoff: int) -> Iterator[Step]:
    """Go down all rankings at once: the n-th step holds each topic's n-th relevant document in the first k."""
    known = aspects(ranked.gold)
    relevant = known.starts[ranked.row + 1] > known.starts[ranked.row]
    hits = np.flatnonzero(relevant & (ranked.rank <= cutoff))
    counts = np.bincount(ranked.topic[hits], minlength=ranked.size)
    first = np.cumsum(counts) - counts
    for step in range(int(counts.max(initial=0))):
        hit = hits[first[counts > step] + step]
        pairs, owner = spans(known.starts, ranked.row[hit])
        yield Step(hit=hit, subtopic=known.subtopic[pairs], grade=known.grade[pairs], owner=owner)


def spans(starts: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """Join the ranges starts[c]:starts[c + 1] of the chosen; also say whose each element is."""
    sizes = starts[chosen + 1] - starts[chosen]
    owner = np.repeat(np.arange(len(chosen)), sizes)
    skipped = starts[chosen] - (np.cumsum(sizes) - sizes)
    return np.arange(len(owner)) + skipped[owner], owner
