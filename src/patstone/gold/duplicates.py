"""Titles that several families share, exactly or nearly: what a classifier can know from its training set by heart.

Nearly means that four in five of the runs of four letters are shared (Jaccard). Candidates come from MinHash: 64
hashes in 16 bands, so that a pair of similarity 0.8 is missed once in ten thousand times; a band that more than fifty
texts share is compared in its order only, each with the fifty after it, so that time stays bounded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from patstone.gold.labels import GoldStandard

ALIKE = 0.8
_LETTERS, _HASHES, _BANDS, _CROWD = 4, 64, 16, 50
_NO_TITLE = {"", "null"}


@dataclass(frozen=True, kw_only=True)
class Duplicates:
    exact: tuple[tuple[int, ...], ...]
    """Groups of units that share a title letter for letter, case and spaces aside."""
    near: tuple[tuple[int, int], ...]
    """Pairs of units with nearly the same titles that share none exactly."""
    torn_exact: int
    """Groups that hold positives and negatives."""
    torn_near: int
    """Pairs of a positive and a negative."""

    @property
    def units(self) -> int:
        """How many units share a title exactly with another."""
        return len({unit for group in self.exact for unit in group})


def duplicates(gold: GoldStandard) -> Duplicates:
    titles: dict[str, dict[int, None]] = {}
    for unit, text in enumerate(gold.texts):
        for title in text.split("\n"):
            if title not in _NO_TITLE:
                titles.setdefault(title, {})[unit] = None
    exact = tuple(tuple(units) for units in titles.values() if len(units) > 1)
    same = {pair for group in exact for pair in _within(group)}
    pairs = {(min(a, b), max(a, b)) for a, b in _alike(gold.texts) if (min(a, b), max(a, b)) not in same}
    label = gold.positive.tolist()
    return Duplicates(
        exact=exact,
        near=tuple(sorted(pairs)),
        torn_exact=sum(len({label[unit] for unit in group}) > 1 for group in exact),
        torn_near=sum(label[a] != label[b] for a, b in pairs),
    )


def _within(group: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs of a group; of a crowd only neighbours, which keeps a title of ten thousand families cheap."""
    if len(group) <= _CROWD:
        yield from combinations(sorted(group), 2)
    else:
        yield from ((a, b) for place, a in enumerate(group) for b in group[place + 1 : place + _CROWD])


def _alike(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    runs = [_runs(text) for text in texts]
    told = [unit for unit, own in enumerate(runs) if own]
    if not told:
        return
    signs = np.stack([_signature(runs[unit]) for unit in told])
    seen: set[tuple[int, int]] = set()
    width = _HASHES // _BANDS
    for band in range(_BANDS):
        buckets: dict[bytes, list[int]] = {}
        for unit, sign in zip(told, signs[:, band * width : (band + 1) * width], strict=True):
            buckets.setdefault(sign.tobytes(), []).append(unit)
        for bucket in buckets.values():
            for pair in _within(bucket):
                if pair not in seen:
                    seen.add(pair)
                    first, second = runs[pair[0]], runs[pair[1]]
                    if len(first & second) >= ALIKE * len(first | second):
                        yield pair


def _runs(text: str) -> set[int]:
    """Runs of four letters of a text, hashed; a shorter text is one run."""
    if text in _NO_TITLE:
        return set()
    starts = range(max(1, len(text) - _LETTERS + 1))
    return {crc32(text[start : start + _LETTERS].encode()) for start in starts}


def _signature(runs: set[int]) -> NDArray[np.uint64]:
    values = np.fromiter(runs, dtype=np.uint64, count=len(runs))
    # Multiply-shift with odd factors: universal enough for candidates, which are verified anyway.
    mixed = values[:, None] * _FACTORS + _SHIFTS
    found: NDArray[np.uint64] = (mixed >> np.uint64(16)).min(axis=0)
    return found


_RNG = np.random.default_rng(2020)
_FACTORS = _RNG.integers(1 << 63, size=_HASHES, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_SHIFTS = _RNG.integers(1 << 63, size=_HASHES, dtype=np.uint64)
