"""The one canonical ranking: score descending, equal scores by a named rule, and the judged documents' places in it.

Works on one piece of a run that holds whole topics. Ranks are row numbers when the scores are in order already,
which one comparison of neighbours tells; ties are broken only in groups that hold a judged document.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids
from patstone.gold.qrels import Floats, Ints
from patstone.measures.index import spans
from patstone.measures.ranked import Bools
from patstone.systems.run import Run

_SHORT_LISTS = 64


@dataclass(frozen=True, eq=False, kw_only=True)
class Places:
    """Where hits stand: 0-based places among the rows of the piece, and the tie groups that they belong to."""

    place: Ints
    tie_first: Ints
    tie_size: Ints
    tied: int
    """How many hits share their score with another document."""


def places(run: Run, scores: NDArray[np.floating], hits: Ints, *, ties: str) -> Places:
    """Rank the rows of each topic and say where `hits` stand."""
    inner = _within_topics(run)
    order = None
    if bool((inner & (scores[1:] > scores[:-1])).any()):
        order = _descending(run.starts, scores)
        scores = scores[order]
    place = hits if order is None else _inverse(order)[hits]
    tie = np.zeros(len(scores) + 1, dtype=np.bool_)
    tie[1:-1] = inner & (scores[1:] == scores[:-1])
    # tie[i]: the row at place i has the score of the one before it.
    tied = tie[place] | tie[place + 1]
    if not tied.any():
        return Places(place=place, tie_first=place, tie_size=np.ones_like(place), tied=0)
    first, size = _groups(tie, place)
    place = _broken(run, order, place, first, size, tied, ties)
    return Places(place=place, tie_first=first, tie_size=size, tied=int(tied.sum()))


def _within_topics(run: Run) -> Bools:
    """For each pair of neighbouring rows: whether they belong to one topic."""
    inner = np.ones(max(len(run) - 1, 0), dtype=np.bool_)
    borders = run.starts[1:-1]
    inner[borders[(borders > 0) & (borders < len(run))] - 1] = False
    return inner


def _descending(starts: Ints, scores: NDArray[np.floating]) -> Ints:
    sizes = np.diff(starts)
    if len(sizes) * _SHORT_LISTS > len(scores):
        topic = np.repeat(np.arange(len(sizes)), sizes)
        return np.lexsort((-scores, topic))
    pieces = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    return np.concatenate([np.argsort(-scores[low:high]) + low for low, high in pieces])


def _inverse(order: Ints) -> Ints:
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def _groups(tie: Bools, place: Ints) -> tuple[Ints, Ints]:
    """The first place and the size of the group of equal scores around each place."""
    begins = np.flatnonzero(~tie)
    group = np.searchsorted(begins, place, side="right") - 1
    return begins[group], begins[group + 1] - begins[group]


def _broken(run: Run, order: Ints | None, place: Ints, first: Ints, size: Ints, tied: Bools, ties: str) -> Ints:
    """Places after ties are broken: the members of each group that holds a hit are put in order."""
    begins, index = np.unique(first[tied], return_index=True)
    sizes = size[tied][index]
    members = spans(begins, begins + sizes)
    rows = members if order is None else order[members]
    group = np.repeat(np.arange(len(begins)), sizes)
    settled = np.lexsort((*_tie_keys(run, rows, ties), group))
    # A member's new place is that of the slot it was sorted into.
    now = np.empty(len(rows), dtype=np.int64)
    now[settled] = members
    moved = place.copy()
    moved[tied] = now[np.searchsorted(members, place[tied])]
    return moved


def _tie_keys(run: Run, rows: Ints, ties: str) -> list[NDArray[np.generic]]:
    """Sort keys, the least important first; ties="expected" takes ids, for any order has the same mean."""
    if ties == "input":
        return [rows] if run.given is None else [rows, run.given[rows]]
    # Little-endian words swapped compare as text does; their complement sorts it descending.
    words = ~ids.words(run.docs)[rows].byteswap()
    return list(words.T[::-1])


def first(run: Run, scores: NDArray[np.floating], rows: Ints, *, ties: str) -> int:
    """Which of `rows`, all of one topic, is ranked first."""
    return int(np.lexsort((*_tie_keys(run, rows, ties), -scores[rows]))[0])


def order(run: Run, scores: NDArray[np.floating], *, ties: str) -> Ints:
    """Every row in rank order, topic after topic; told at once where the rows stand in it already."""
    if not (_within_topics(run) & (scores[1:] >= scores[:-1])).any():
        return np.arange(len(run))
    return full_order(run, scores, ties=ties)


def full_order(run: Run, scores: NDArray[np.floating], *, ties: str) -> Ints:
    """Every row in rank order, topic after topic: what `places` gives for hits, for all rows and more slowly."""
    topic = np.repeat(np.arange(len(run.topics)), np.diff(run.starts))
    return np.lexsort((*_tie_keys(run, np.arange(len(run)), ties), -scores, topic))


def words_read(
    run: Run, order: Ints, hits: Ints, words: Floats, cutoffs: tuple[int, ...]
) -> tuple[Floats, list[Floats]]:
    """Words of all documents before each hit, and of each topic's first k documents for each cutoff k."""
    place = _inverse(order)[hits]
    total = np.concatenate([[0.0], np.cumsum(words[order])])
    low, high = run.starts[:-1], run.starts[1:]
    before = total[place] - total[low[np.searchsorted(run.starts, place, side="right") - 1]]
    return before, [total[np.minimum(low + k, high)] - total[low] for k in cutoffs]


def viewed(run: Run, hits: Ints) -> Ints | None:
    """The rank of each hit in the viewing order."""
    if run.order is None:
        return None
    topic = np.repeat(np.arange(len(run.topics)), np.diff(run.starts))
    place = _inverse(np.lexsort((run.order, topic)))[hits]
    return np.asarray(place - run.starts[topic[hits]] + 1)
