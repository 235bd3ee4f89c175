"""A class scheme as arrays: which terms there are, and at which places of the tree they stand.

Places are numbered in the order of the printed scheme, so that everything below a place follows it at once, and
place 0 is the root. In a tree each term has one place; where a term has several parents it has a place for each
chain that leads to it. Depths count edges from the root.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from patstone.errors import UsageError, shorten
from patstone.files import ids
from patstone.files.index import Index

Ints: TypeAlias = NDArray[np.int32]
Long: TypeAlias = NDArray[np.int64]
Kind: TypeAlias = Literal["cpc", "ipc", "f-term", "other"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Titles:
    """Many texts in one block of bytes, cut out when they are asked for."""

    text: NDArray[np.uint8]
    starts: Long
    ends: Long

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Titles":
        raw = [text.encode() for text in texts]
        ends = np.cumsum([len(each) for each in raw], dtype=np.int64)
        starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        return cls(text=np.frombuffer(b"".join(raw), dtype=np.uint8), starts=starts, ends=ends)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, number: int) -> str:
        return self.text[self.starts[number] : self.ends[number]].tobytes().decode()


@dataclass(frozen=True, eq=False, kw_only=True)
class Scheme:
    name: str
    kind: Kind
    symbols: ids.Ids
    """By term; the root's is empty where it has no name."""
    titles: Titles
    """By term."""
    parent: Ints
    """By place; the root's is -1."""
    depth: Ints
    """By place."""
    term: Ints
    """By place: the term that stands there."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know about the reading."""

    def __len__(self) -> int:
        """How many terms have a name."""
        return len(self.symbols) - int(self.symbols[0] == b"")

    @property
    def is_tree(self) -> bool:
        return len(self.parent) == len(self.symbols)

    @property
    def height(self) -> int:
        """The length of the longest chain."""
        return int(self.depth.max())

    @cached_property
    def children(self) -> Ints:
        """By place: how many places hang directly below it."""
        return np.bincount(self.parent[1:], minlength=len(self.parent)).astype(np.int32)

    @cached_property
    def size(self) -> Ints:
        """By place: how many places its branch has, itself included."""
        size = np.ones(len(self.parent), dtype=np.int64)
        for level in reversed(self.levels[1:]):
            size += np.bincount(self.parent[level], weights=size[level], minlength=len(size)).astype(np.int64)
        return size.astype(np.int32)

    @cached_property
    def levels(self) -> list[Long]:
        """The places of each depth, the root's first."""
        order = np.argsort(self.depth, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.depth))[:-1])

    @cached_property
    def places(self) -> tuple[Long, Long]:
        """By term: the places where it stands are order[starts[term]:starts[term + 1]]; starts and order."""
        counts = np.bincount(self.term, minlength=len(self.symbols))
        return np.concatenate([[0], np.cumsum(counts)]), np.argsort(self.term, kind="stable")

    def places_of(self, term: int) -> list[int]:
        starts, order = self.places
        found: list[int] = order[starts[term] : starts[term + 1]].tolist()
        return found

    def below(self, place: int) -> list[int]:
        """The places directly below, in the order of the scheme."""
        branch = self.parent[place + 1 : place + self.size[place]]
        found: list[int] = (np.flatnonzero(branch == place) + place + 1).tolist()
        return found

    def chain(self, place: int) -> list[int]:
        """The places from the root to this one."""
        found = [place]
        while self.parent[found[-1]] >= 0:
            found.append(int(self.parent[found[-1]]))
        return found[::-1]

    def symbol(self, term: int) -> str:
        """The term's name; the scheme's own for a root without one."""
        return ids.texts(self.symbols[[term]])[0] or self.name

    @cached_property
    def _index(self) -> Index:
        return Index.of(self.symbols)

    def find(self, symbols: ids.Ids) -> Long:
        """The term of each symbol as the scheme writes it, or -1."""
        return self._index.find(symbols)

    def terms(self, symbols: Sequence[str]) -> Long:
        """The term of each symbol, in any of the usual ways to write it; an unknown one is an error."""
        from patstone.patents.schemes.spelling import spelled

        found = self.find(ids.pack(spelled(symbols, self.kind)))
        if (found < 0).any():
            raise self._unknown(symbols[int(np.argmin(found))])
        return found

    def _unknown(self, symbol: str) -> UsageError:
        from difflib import get_close_matches

        initial = symbol.strip()[:1].upper().encode()
        alike = ids.texts(self.symbols[np.char.startswith(self.symbols, initial)]) if initial else []
        near = get_close_matches(symbol, alike[:100_000], n=3) if len(symbol) <= 40 else []
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        return UsageError(f"{self.name} has no term {shorten(repr(symbol))}.{hint}")

    @cached_property
    def _lowest(self) -> tuple[NDArray[np.int8], Ints]:
        """The row for each length of a stretch; and in row k for each place: the lowest parent of 2^k from it on."""
        count = len(self.parent)
        rows = [self.parent]
        while (step := 1 << (len(rows) - 1)) * 2 <= count:
            above = rows[-1].copy()
            np.minimum(above[:-step], above[step:], out=above[:-step])
            rows.append(above)
        lengths = np.frexp(np.arange(count + 1))[1].astype(np.int8) - np.int8(1)
        return lengths, np.concatenate(rows)

    def common_ancestor(self, a: Long, b: Long) -> Long:
        """The deepest place whose branch holds both, for each pair of places.

        Between two places of one branch, in the order of the scheme, stands a child of their common ancestor, and
        nothing that hangs higher: so it is the lowest parent of that stretch.
        """
        lengths, lowest = self._lowest
        first, last = np.minimum(a, b), np.maximum(a, b)
        row = lengths.take(last - first)
        # An empty stretch has no row: the pair is one place.
        same = row < 0
        offset = np.maximum(row, 0).astype(np.int64)
        base = offset * len(self.parent) + 1
        right = base + last - (np.int64(1) << offset)
        left = np.minimum(base + first, len(lowest) - 1)
        found = np.minimum(lowest.take(left), lowest.take(right)).astype(np.int64)
        return np.where(same, first, found)
