"""Finding the few judged documents among the many retrieved ones, exactly and without Python strings.

Each (topic, document) pair is hashed to 64 bits, and every row of a piece of a run writes its number into the slot
that its hash chooses. A judged pair then reads one slot; a row that lost its slot to another is in a short sorted
list. Whether two pairs are the same, their bytes decide: the hash only tells where to look.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids
from patstone.gold.qrels import Ints
from patstone.measures.ranked import Bools

# Enough slots for few rows to lose theirs, few enough for the slots to stay in the processor's cache beside the piece.
_SLOT_BITS = 19


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows:
    """(topic, document) pairs with their hashes; `topic` is any numbering that both sides share."""

    words: ids.Words
    topic: Ints
    keys: ids.Words

    def __len__(self) -> int:
        return len(self.topic)

    @classmethod
    def of(cls, docs: ids.Ids, topics: Ints, sizes: Ints, hashes: ids.Words | None = None) -> "Rows":
        """`topics` come one after the other, with so many documents each; `hashes` are those of `docs`."""
        words = ids.words(docs)
        # A topic's part of the hash is worked out once, not once for each of its documents.
        keys = np.repeat(ids.hashed([topics.view(np.uint64)]), sizes)
        keys ^= ids.hashed(list(words.T)) if hashes is None else hashes
        return cls(words=words, topic=np.repeat(topics, sizes), keys=keys)

    def take(self, rows: Ints | slice) -> "Rows":
        return Rows(words=self.words[rows], topic=self.topic[rows], keys=self.keys[rows])


@dataclass(frozen=True, eq=False, kw_only=True)
class Lookup:
    rows: Rows
    owner: NDArray[np.integer]
    """By slot: the row that wrote there last, or anything where none did."""
    shift: np.uint64
    crowd: Ints
    """The rows that share a slot with another, by hash."""

    @classmethod
    def of(cls, rows: Rows) -> "Lookup":
        bits = _SLOT_BITS + max(0, len(rows).bit_length() - 15)
        shift = np.uint64(64 - bits)
        slots = (rows.keys >> shift).view(np.int64)
        number: NDArray[np.integer] = np.arange(len(rows), dtype=np.uint16 if len(rows) <= 1 << 16 else np.uint32)
        owner = np.empty(1 << bits, dtype=number.dtype)
        owner[slots] = number
        winner = owner[slots]
        crowded = winner != number
        crowded[winner[crowded]] = True
        crowd = np.flatnonzero(crowded)
        return cls(rows=rows, owner=owner, shift=shift, crowd=crowd[np.argsort(rows.keys[crowd])])

    def find(self, wanted: Rows) -> Ints:
        """The row that is each wanted pair, or -1."""
        if not len(self.rows):
            return np.full(len(wanted), -1)
        slots = (wanted.keys >> self.shift).view(np.int64)
        # An unused slot may hold any number; the bytes tell that it is not the pair.
        row = np.minimum(self.owner[slots].astype(np.int64), len(self.rows) - 1)
        row[~same(self.rows, row, wanted, np.arange(len(wanted)))] = -1
        return self._among_crowd(wanted, row) if len(self.crowd) else row

    def _among_crowd(self, wanted: Rows, row: Ints) -> Ints:
        keys = self.rows.keys[self.crowd]
        open_pairs = np.flatnonzero(row < 0)
        place = np.searchsorted(keys, wanted.keys[open_pairs])
        while len(open_pairs):
            alike = keys[np.minimum(place, len(keys) - 1)] == wanted.keys[open_pairs]
            alike &= place < len(keys)
            open_pairs, place = open_pairs[alike], place[alike]
            found = same(self.rows, self.crowd[place], wanted, open_pairs)
            row[open_pairs[found]] = self.crowd[place[found]]
            open_pairs, place = open_pairs[~found], place[~found] + 1
        return row

    def repeated(self) -> list[Ints]:
        """Groups of rows that are the same pair, in ascending order; nearly always none."""
        keys = self.rows.keys[self.crowd]
        alike = keys[1:] == keys[:-1]
        if not alike.any():
            return []
        touched = np.concatenate([[False], alike]) | np.concatenate([alike, [False]])
        return _groups(self.rows, self.crowd[touched])


def same(left: Rows, a: Ints, right: Rows, b: Ints) -> Bools:
    """Whether pair a[i] of `left` is pair b[i] of `right`, byte by byte."""
    alike = left.topic[a] == right.topic[b]
    for word in range(max(left.words.shape[1], right.words.shape[1])):
        alike &= _word(left, a, word) == _word(right, b, word)
    return np.asarray(alike)


def _word(rows: Rows, places: Ints, word: int) -> ids.Words:
    if word < rows.words.shape[1]:
        return np.asarray(rows.words[places, word])
    return np.zeros(len(places), dtype=np.uint64)


def _groups(rows: Rows, places: Ints) -> list[Ints]:
    part = rows.take(places)
    order = np.lexsort((places, part.topic, *part.words.T))
    alike = same(part, order[1:], part, order[:-1])
    groups = np.split(places[order], np.flatnonzero(~alike) + 1)
    return [group for group in groups if len(group) > 1]


def spans(starts: Ints, stops: Ints) -> Ints:
    """start, start + 1, …, stop - 1 for each pair, one after the other."""
    sizes = stops - starts
    before = np.cumsum(sizes) - sizes
    rows: Ints = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
    return rows
