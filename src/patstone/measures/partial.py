"""Paper 2's measures where a term that is nearly right counts in part: the kernels behind `cost=`.

`credit` is the numerator of precision over some rows, by equation (4), or (5) for bdm-low; precision, recall,
R-precision, average precision and F1 all come from it. Binary costs never get here: they are plain counts.
"""

import numpy as np

from patstone.errors import UsageError
from patstone.gold.qrels import Floats, Ints
from patstone.measures.labelled import (
    LOW,
    Labelled,
    Truth,
    closest_answers,
    closest_true,
    paired,
    similarity_of,
)
from patstone.measures.ranked import Ranked, ratio


def labelled_of(ranked: Ranked) -> Labelled:
    if ranked.labelled is None or not ranked.labelled.vocabulary.schemes:
        raise UsageError("A measure of how close classes are needs their scheme: name it with --scheme (scheme=).")
    return ranked.labelled


def average_precision(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:
    """Precision at the rank of each true term that is hit; one that is never hit adds 0."""
    relevant = ranked.relevant(rel)
    kept = np.flatnonzero(relevant.rank <= (cutoff or np.inf))
    topic, rank = relevant.topic[kept], relevant.rank[kept]
    return ratio(ranked.total(_upto(ranked, cost, rel, topic, rank) / rank, topic), relevant.known)


def r_precision(ranked: Ranked, *, cost: str, rel: float) -> Floats:
    known = ranked.relevant(rel).known
    topic = np.flatnonzero((known > 0) & (ranked.retrieved > 0))
    rank = np.minimum(known.astype(np.int64), ranked.retrieved)[topic]
    found = np.zeros(ranked.size)
    found[topic] = _upto(ranked, cost, rel, topic, rank)
    return ratio(found, known)


def precision(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:
    size = ranked.answer_size.astype(np.float64) if cutoff is None else np.full(ranked.size, float(cutoff))
    return ratio(credit(ranked, cost, rel, cutoff), size)


def recall(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:
    """The mirror image of precision: true terms are looked up among the assigned ones."""
    known = ranked.relevant(rel).known
    if cost == LOW:
        # Pairs are the same from either side.
        return ratio(credit(ranked, cost, rel, cutoff), known)
    labelled = labelled_of(ranked)
    found = labelled.once(
        ("recall", cost, rel, cutoff),
        lambda: closest_answers(labelled, truth_of(ranked, rel), similarity_of(cost), labelled.chosen(cutoff)),
    )
    return ratio(found, known)


def f_measure(ranked: Ranked, *, beta: float, cost: str, rel: float, cutoff: int | None) -> Floats:
    p = precision(ranked, cost=cost, rel=rel, cutoff=cutoff)
    r = recall(ranked, cost=cost, rel=rel, cutoff=cutoff)
    return ratio((1 + beta**2) * p * r, beta**2 * p + r)


def truth_of(ranked: Ranked, rel: float) -> Truth:
    return Truth.of(ranked, labelled_of(ranked), rel)


def credit(ranked: Ranked, cost: str, rel: float, cutoff: int | None) -> Floats:
    """Per topic: what the answer's terms are worth together."""
    labelled = labelled_of(ranked)
    rows = labelled.chosen(cutoff)
    if cost != LOW:
        return ranked.total(_closest(ranked, cost, rel)[rows], labelled.topic[rows])

    def last() -> Floats:
        topic, value = labelled.topic[rows], paired(labelled, truth_of(ranked, rel), similarity_of(cost), rows)
        found = np.zeros(ranked.size)
        found[topic] = value  # of a topic's rows the last one stays
        return found

    return labelled.once(("credit", cost, rel, cutoff), last)


def _closest(ranked: Ranked, cost: str, rel: float) -> Floats:
    labelled = labelled_of(ranked)
    return labelled.once(
        ("closest", cost, rel), lambda: closest_true(labelled, truth_of(ranked, rel), similarity_of(cost))
    )


def _upto(ranked: Ranked, cost: str, rel: float, topic: Ints, rank: Ints) -> Floats:
    """The credit of a topic's first rows, for pairs of topic and rank."""
    labelled = labelled_of(ranked)
    key = ("upto", cost, rel)
    upto = labelled.once(key, lambda: _pairs_upto(ranked, rel) if cost == LOW else _sums(ranked, cost, rel))
    return np.asarray(upto[labelled.starts[topic] + rank - 1])


def _sums(ranked: Ranked, cost: str, rel: float) -> Floats:
    """Credit added up from the top of each list, rank by rank, so that no topic's last digit depends on another."""
    labelled, value = labelled_of(ranked), _closest(ranked, cost, rel)
    sizes, found = np.diff(labelled.starts), np.empty(len(labelled.term))
    longest = np.argsort(-sizes, kind="stable")
    total = np.zeros(len(sizes))
    for step in range(int(sizes.max(initial=0))):
        longest = longest[sizes[longest] > step]
        row = labelled.starts[longest] + step
        total[longest] += value[row]
        found[row] = total[longest]
    return found


def _pairs_upto(ranked: Ranked, rel: float) -> Floats:
    """Only as deep as it is looked at: to the last true term that is hit, and to as many ranks as there are."""
    labelled, relevant = labelled_of(ranked), ranked.relevant(rel)
    deepest = relevant.known.astype(np.int64)
    np.maximum.at(deepest, relevant.topic, relevant.rank)
    rows = np.flatnonzero(labelled.rank <= deepest[labelled.topic])
    found = np.zeros(len(labelled.term))
    found[rows] = paired(labelled, truth_of(ranked, rel), similarity_of(LOW), rows)
    return found
