"""Finding the few judged documents among the many retrieved ones, exactly and without Python strings.

Each (topic, document) pair is hashed to 64 bits. A small table of booleans answers "surely not" for nearly every
row; what remains is looked up among the sorted hashes, and the bytes decide: the hash only filters.
"""

from dataclasses import dataclass

import numpy as np

from patstone.files import ids
from patstone.gold.qrels import Ints
from patstone.measures.ranked import Bools

_TABLE_BITS = 17
_SLOT_BITS = 18


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows:
    """(topic, document) pairs with their hashes; `topic` is any numbering that both sides share."""

    words: ids.Words
    topic: Ints
    keys: ids.Words

    def __len__(self) -> int:
        return len(self.topic)

    @classmethod
    def of(cls, docs: ids.Ids, topic: Ints, *, seed: int = 0) -> "Rows":
        words = ids.words(docs)
        return cls(words=words, topic=topic, keys=ids.hashed([topic.view(np.uint64), *words.T], seed=seed))

    def take(self, rows: Ints) -> "Rows":
        return Rows(words=self.words[rows], topic=self.topic[rows], keys=self.keys[rows])


@dataclass(frozen=True, eq=False, kw_only=True)
class PairIndex:
    """Distinct (topic, document) pairs, sorted by topic, in which rows of a run are looked up."""

    rows: Rows
    starts: Ints
    """Topic t owns rows starts[t]:starts[t + 1]."""
    seed: int

    @classmethod
    def of(cls, docs: ids.Ids, topic: Ints, topics: int) -> "PairIndex":
        for seed in range(64):
            rows = Rows.of(docs, topic, seed=seed)
            # Lookup relies on one pair a hash; equal hashes of unequal pairs need other factors.
            if (np.diff(np.sort(rows.keys)) != 0).all():
                break
        starts = np.searchsorted(topic, np.arange(topics + 1))
        return cls(rows=rows, starts=starts, seed=seed)

    def find(self, rows: Rows, topics: Ints) -> tuple[Ints, Ints]:
        """Which `rows` are in the index, and where; `topics` are the topics that occur in them."""
        wanted = spans(self.starts[topics], self.starts[topics + 1])
        if not len(wanted) or not len(rows):
            return wanted[:0], wanted[:0]
        keys = self.rows.keys[wanted]
        table = np.zeros(1 << _TABLE_BITS, dtype=np.bool_)
        table[_slots(keys, _TABLE_BITS)] = True
        maybe = np.flatnonzero(table[_slots(rows.keys, _TABLE_BITS)])
        order = np.argsort(keys)
        place = order[np.minimum(np.searchsorted(keys, rows.keys[maybe], sorter=order), len(keys) - 1)]
        same = keys[place] == rows.keys[maybe]
        found, at = maybe[same], wanted[place[same]]
        exact = equal(rows, found, self.rows, at)
        return found[exact], at[exact]


def spans(starts: Ints, stops: Ints) -> Ints:
    """start, start + 1, …, stop - 1 for each pair, one after the other."""
    sizes = stops - starts
    total = int(sizes.sum())
    if not total:
        return np.empty(0, dtype=np.int64)
    before = np.cumsum(sizes) - sizes
    rows: Ints = np.arange(total) + np.repeat(starts - before, sizes)
    return rows


def _slots(keys: ids.Words, bits: int) -> Ints:
    slots: Ints = (keys >> np.uint64(64 - bits)).view(np.int64)
    return slots


def equal(left: Rows, a: Ints, right: Rows, b: Ints) -> Bools:
    """Whether pair a[i] of `left` is pair b[i] of `right`, byte by byte."""
    same = left.topic[a] == right.topic[b]
    for word in range(max(left.words.shape[1], right.words.shape[1])):
        same &= _word(left, a, word) == _word(right, b, word)
    return np.asarray(same)


def _word(rows: Rows, places: Ints, word: int) -> ids.Words:
    if word < rows.words.shape[1]:
        return np.asarray(rows.words[places, word])
    return np.zeros(len(places), dtype=np.uint64)


def repeated(rows: Rows) -> list[Ints]:
    """Groups of rows that are the same pair, in ascending order; nearly always none.

    Every row writes its number into a slot chosen by its hash; one that reads back another's number shares the
    slot, and only those are compared.
    """
    slots = _slots(rows.keys, _SLOT_BITS + max(0, len(rows).bit_length() - 15))
    owner = np.empty(int(slots.max(initial=0)) + 1, dtype=np.int32)
    number = np.arange(len(rows), dtype=np.int32)
    owner[slots] = number
    winner = owner[slots]
    suspect = winner != number
    lost = np.flatnonzero(suspect)
    suspect[winner[lost]] = True
    suspects = np.flatnonzero(suspect)
    order = suspects[np.argsort(rows.keys[suspects])]
    same = rows.keys[order[1:]] == rows.keys[order[:-1]]
    if not same.any():
        return []
    touched = np.concatenate([[False], same]) | np.concatenate([same, [False]])
    return _groups(rows, order[touched])


def _groups(rows: Rows, places: Ints) -> list[Ints]:
    part = rows.take(places)
    order = np.lexsort((places, part.topic, *part.words.T))
    same = equal(part, order[1:], part, order[:-1])
    groups = np.split(places[order], np.flatnonzero(~same) + 1)
    return [group for group in groups if len(group) > 1]
