"""From scores to the first k documents, ties by document id descending; from rankings to a fused one, and to a run.

Documents go by their numbers on a shelf, which fall as ids rise: among equal scores the lower number goes first.
Reciprocal rank fusion gives a document the sum over rankings of 1 / (60 + rank).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids
from patstone.systems.run import Answers, Run

FUSION = 60


@dataclass(frozen=True, eq=False)
class Ranking:
    docs: NDArray[np.int64]
    """Numbers of documents, the best first."""
    scores: NDArray[np.float32]

    @classmethod
    def best(cls, scores: NDArray[np.float32], allowed: NDArray[np.bool_] | None, k: int) -> "Ranking":
        """The k best of those that have a score and are allowed."""
        if allowed is not None:
            scores = np.where(allowed, scores, np.float32(-np.inf))
        near = np.arange(len(scores))
        if k < len(scores):
            least = np.partition(scores, len(scores) - k)[len(scores) - k]
            near = np.flatnonzero(scores >= least)
        near = near[scores[near] > -np.inf]
        order = np.argsort(-scores[near], kind="stable")[:k]
        return cls(near[order], scores[near[order]])

    @classmethod
    def fused(cls, rankings: "Sequence[Ranking]", k: int) -> "Ranking":
        """The k best by reciprocal rank fusion."""
        docs = np.concatenate([one.docs for one in rankings])
        points = np.concatenate([1 / (FUSION + 1 + np.arange(len(one.docs))) for one in rankings])
        distinct, place = np.unique(docs, return_inverse=True)
        # 32 bits, as all scores are: the ranking must be the one that a reader of the file makes.
        sums = np.bincount(place, weights=points, minlength=len(distinct)).astype(np.float32)
        order = np.argsort(-sums, kind="stable")[:k]
        return cls(distinct[order].astype(np.int64), sums[order])


def run_of(name: str, topics: Sequence[str], rankings: Sequence[Ranking], docs: ids.Ids, k: int) -> Run:
    """A run with the topics that have an answer; rankings of one topic, as of its claims, are fused."""
    by_topic: dict[str, list[Ranking]] = {}
    for topic, ranking in zip(topics, rankings, strict=True):
        if len(ranking.docs):
            by_topic.setdefault(topic, []).append(ranking)
    found = [several[0] if len(several) == 1 else Ranking.fused(several, k) for several in by_topic.values()]
    numbers = [one.docs for one in found] or [np.empty(0, dtype=np.int64)]
    scores = [one.scores for one in found] or [np.empty(0, dtype=np.float32)]
    return Run(
        name=name,
        topics=tuple(by_topic),
        starts=np.concatenate([[0], np.cumsum([len(one.docs) for one in found])]).astype(np.int64),
        docs=np.asarray(docs)[np.concatenate(numbers)],
        scores=np.concatenate(scores).astype(np.float64),
    )


def fused_runs(runs: Sequence[Answers], *, name: str, k: int) -> Run:
    """Fuse runs, each ranked by score, then document id, both descending, whatever its ranks say."""
    wholes = [run.whole() for run in runs]
    docs = np.unique(ids.concatenate([whole.docs for whole in wholes]))[::-1]
    topics, rankings = [], []
    for whole in wholes:
        numbers = len(docs) - 1 - np.searchsorted(docs[::-1], ids.widen(whole.docs, docs.dtype.itemsize))
        for topic, low, high in zip(whole.topics, whole.starts[:-1].tolist(), whole.starts[1:].tolist(), strict=True):
            scores = whole.scores[low:high]
            order = np.lexsort((numbers[low:high], -scores))
            topics.append(topic)
            rankings.append(Ranking(numbers[low:high][order], scores[order].astype(np.float32)))
    return run_of(name, topics, rankings, docs, k)
