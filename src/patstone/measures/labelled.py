"""Whole rankings of class terms, and what each ranked term is worth beside the true ones of its topic.

Other measures see judged documents only; here a term that is no true one counts by its similarity to true ones, so
every row is kept, by topic and rank. What is worked out for one measure is kept for the next. Topics are taken in
lots of one scheme and of like numbers of true terms, so that arrays stay small and little of them is padding.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from patstone.gold.qrels import Floats, Ints
from patstone.measures.index import spans
from patstone.measures.matching import Lists, credit_upto
from patstone.measures.ranked import Bools, Ranked
from patstone.measures.vocabulary import Vocabulary

_LOT = 1 << 18
"""Rows times true terms."""
LOW = "bdm-low"


def similarity_of(cost: str) -> str:
    """The similarity behind a cost: bdm-high and bdm-low are two ways to count one."""
    return cost.removesuffix("-high").removesuffix("-low")


@dataclass(frozen=True, eq=False, kw_only=True)
class Labelled:
    vocabulary: Vocabulary
    tree: Ints
    """Per topic: its scheme."""
    starts: Ints
    """Topic t owns rows starts[t]:starts[t + 1], in rank order."""
    term: Ints
    """Per row: its number in the scheme, or -1."""
    gold: Ints
    """The same for each row of the gold standard."""
    assigned: Bools | None = None
    """Per row: whether it is in the set that the system assigned, where the run says so."""
    _kept: dict[object, Floats] = field(default_factory=dict, init=False, repr=False)

    def once(self, key: object, make: Callable[[], Floats]) -> Floats:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    @property
    def topic(self) -> Ints:
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def rank(self) -> Ints:
        return np.arange(1, len(self.term) + 1) - self.starts[self.topic]

    def chosen(self, cutoff: int | None) -> Ints:
        """The rows that answer: the first k, or without k those assigned, or all where no run says which."""
        if cutoff is not None:
            return np.flatnonzero(self.rank <= cutoff)
        return np.arange(len(self.term)) if self.assigned is None else np.flatnonzero(self.assigned)


@dataclass(frozen=True, eq=False, kw_only=True)
class Truth:
    """The true terms of each topic, in the order of their codes."""

    starts: Ints
    row: Ints
    """The row in the gold standard."""
    hit: Ints
    """Per true term: the ranking's row that is it, or -1."""

    @classmethod
    def of(cls, ranked: Ranked, labelled: Labelled, rel: float) -> "Truth":
        gold = ranked.gold
        rows = np.flatnonzero(gold.grades >= rel)
        _, code = np.unique(gold.docs[rows], return_inverse=True)
        rows = rows[np.lexsort((code.reshape(-1), gold.topic[rows]))]
        hit = np.full(len(gold), -1)
        relevant = ranked.relevant(rel)
        hit[relevant.row] = labelled.starts[relevant.topic] + relevant.rank - 1
        counts = np.bincount(gold.topic[rows], minlength=ranked.size)
        return cls(starts=np.concatenate([[0], np.cumsum(counts)]), row=rows, hit=hit[rows])


@dataclass(frozen=True, eq=False, kw_only=True)
class Lot:
    """Some topics of one scheme: their rows, and their true terms side by side, padded."""

    tree: int
    topics: Ints
    starts: Ints
    """Where each topic's rows begin in `rows`."""
    sizes: Ints
    rows: Ints
    owner: Ints
    """Per row: which of the topics has it."""
    terms: Ints
    """Topics × true terms: their numbers, -1 where unknown or where there is none."""
    hits: Ints
    """Topics × true terms: the ranking's row that is it, or -1."""


def lots(labelled: Labelled, truth: Truth, rows: Ints) -> Iterator[Lot]:
    """Cut the topics of these rows, which ascend; within a lot the topics with most rows come first."""
    begins, ends = np.searchsorted(rows, labelled.starts[:-1]), np.searchsorted(rows, labelled.starts[1:])
    sizes, width = ends - begins, np.diff(truth.starts)
    topics = np.flatnonzero((sizes > 0) & (width > 0))
    topics = topics[np.lexsort((width[topics], labelled.tree[topics]))]
    load = np.cumsum(sizes[topics] * width[topics]) // _LOT
    borders = np.flatnonzero((np.diff(load) != 0) | (np.diff(labelled.tree[topics]) != 0)) + 1
    for part in np.split(topics, borders) if len(topics) else []:
        ordered = part[np.argsort(-sizes[part], kind="stable")]
        own = sizes[ordered]
        starts = np.cumsum(own) - own
        place = truth.starts[ordered][:, None] + np.arange(width[ordered].max())
        real = place < truth.starts[ordered + 1][:, None]
        place[~real] = 0
        yield Lot(
            tree=int(labelled.tree[ordered[0]]),
            topics=ordered,
            starts=starts,
            sizes=own,
            rows=rows[spans(begins[ordered], ends[ordered])],
            owner=np.repeat(np.arange(len(ordered)), own),
            terms=np.where(real, labelled.gold[truth.row[place]], -1),
            hits=np.where(real, truth.hit[place], -1),
        )


def closest_true(labelled: Labelled, truth: Truth, cost: str) -> Floats:
    """Per row of the ranking: its similarity to the closest true term; what equation (4) adds up."""
    found = np.zeros(len(labelled.term))
    for lot in lots(labelled, truth, np.arange(len(labelled.term))):
        best, term = np.zeros(len(lot.rows)), labelled.term[lot.rows]
        for each in lot.terms.T:
            np.maximum(best, labelled.vocabulary.similarities(cost, lot.tree, each[lot.owner], term), out=best)
        found[lot.rows] = best
    # A term that no scheme knows is still itself.
    found[truth.hit[truth.hit >= 0]] = 1.0
    return found


def closest_answers(labelled: Labelled, truth: Truth, cost: str, rows: Ints) -> Floats:
    """Per topic: each true term's similarity to the closest of these rows, added up; the mirror of equation (4)."""
    total = np.zeros(len(labelled.starts) - 1)
    among = np.zeros(len(labelled.term) + 1, dtype=np.bool_)
    among[rows] = True
    for lot in lots(labelled, truth, rows):
        term = labelled.term[lot.rows]
        for each, hit in zip(lot.terms.T, lot.hits.T, strict=True):
            near = labelled.vocabulary.similarities(cost, lot.tree, each[lot.owner], term)
            # Place -1, no hit, is never among them.
            total[lot.topics] += np.where(among[hit], 1.0, np.maximum.reduceat(near, lot.starts))
    return total


def paired(labelled: Labelled, truth: Truth, cost: str, rows: Ints) -> Floats:
    """Per row: the credit of equation (5) up to there, within its topic; 0 for rows of topics without true terms."""
    found = np.zeros(len(rows))
    for lot in lots(labelled, truth, rows):
        term = labelled.term[lot.rows]
        near = np.stack(
            [labelled.vocabulary.similarities(cost, lot.tree, each[lot.owner], term) for each in lot.terms.T], axis=1
        )
        lists = Lists(
            starts=lot.starts,
            sizes=lot.sizes,
            near=near,
            hit=_hits(lot),
            code=labelled.vocabulary.codes(lot.tree)[term],
        )
        found[np.searchsorted(rows, lot.rows)] = credit_upto(lists)
    return found


def _hits(lot: Lot) -> Ints:
    """Per row of the lot: which true term it is, or -1."""
    order = np.argsort(lot.rows)
    topic, column = np.nonzero(lot.hits >= 0)
    wanted = lot.hits[topic, column]
    place = np.minimum(np.searchsorted(lot.rows, wanted, sorter=order), len(order) - 1)
    same = lot.rows[order[place]] == wanted
    found = np.full(len(lot.rows), -1)
    found[order[place[same]]] = column[same]
    return found
