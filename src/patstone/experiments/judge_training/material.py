"""Comparisons made ready for training: candidates as rows, comparisons as pairs of rows, and golds parted in three.

Golds that share a candidate stay together, since a model that has met a candidate may remember how it fared. The first
part is learned from; the second says when to stop and which constants to take; the third is only ever reported.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from patstone.errors import UsageError
from patstone.gold.preferences import Bools, Preferences
from patstone.gold.qrels import Floats, Ints
from patstone.systems.judges.judge import texts_of, unique_pairs

Part = Literal["train", "validation", "test"]
PARTS: tuple[Part, ...] = ("train", "validation", "test")
FEWEST = 5
"""Groups of golds with which a split in three still means something."""
_LARGEST = 0.5
"""A group with more of the comparisons than this would leave nothing to part."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Material:
    preferences: Preferences
    criteria: tuple[str, ...]
    golds: Sequence[str]
    """The gold's text, for each different (gold, candidate)."""
    candidates: Sequence[str]
    a: Ints
    """For each comparison: which of the candidates is A."""
    b: Ints
    labels: Floats
    part: Ints
    """For each comparison: which of PARTS it is in."""
    notes: tuple[str, ...] = ()

    def rows(self, part: Part) -> Bools:
        return np.asarray(self.part == PARTS.index(part), dtype=np.bool_)

    @property
    def trained(self) -> Ints:
        """The candidates that training sees."""
        rows = self.rows("train")
        return np.unique(np.concatenate([self.a[rows], self.b[rows]]))


def prepare(
    preferences: Preferences, criteria: Sequence[str] = (), *, validation: float = 0.2, seed: int = 0
) -> Material:
    """`validation` is the share of golds for the second part, and as many again for the third."""
    wanted = tuple(criteria) or preferences.criteria
    unknown = [name for name in wanted if name not in preferences.criteria]
    if unknown or not wanted:
        there = ", ".join(preferences.criteria) or "none"
        raise UsageError(f"The data have no labels for {', '.join(unknown) or 'any criterion'}; there are: {there}.")
    if not 0 < validation < 0.5:
        raise UsageError(f"--validation must be a number in (0, 0.5). Got {validation} instead.")
    if (preferences.gold < 0).any():
        raise UsageError("Training needs a gold for every comparison.")
    pairs, a, b = unique_pairs(preferences)
    golds, candidates = texts_of(preferences, pairs)
    groups, notes = grouped(preferences)
    return Material(
        preferences=preferences,
        criteria=wanted,
        golds=golds,
        candidates=candidates,
        a=a,
        b=b,
        labels=preferences.labels[:, [preferences.criteria.index(name) for name in wanted]],
        part=parted(groups, validation, seed),
        notes=notes,
    )


def grouped(preferences: Preferences) -> tuple[Ints, tuple[str, ...]]:
    """A group for each comparison: golds joined by shared candidates, or plain golds where that joins too many."""
    joined = _joined(preferences)
    if np.bincount(joined).max() <= _LARGEST * len(joined) or len(np.unique(preferences.groups)) == 1:
        return joined, ()
    note = "candidates recur under so many golds that the split keeps only golds apart: validation may be too kind"
    return preferences.groups, (note,)


def _joined(preferences: Preferences) -> Ints:
    """Connected texts: repeatedly every comparison takes the smallest mark of its three texts."""
    _, text = np.unique(preferences.keys, return_inverse=True)
    sides = np.stack([text[column] for column in (preferences.gold, preferences.a, preferences.b)], axis=1)
    mark = np.arange(int(text.max()) + 1)
    while True:
        least = mark[sides].min(axis=1)
        fresh = mark.copy()
        for side in sides.T:
            np.minimum.at(fresh, side, least)
        if (fresh == mark).all():
            return np.unique(least, return_inverse=True)[1].astype(np.int64)
        mark = fresh


def parted(groups: Ints, validation: float, seed: int) -> Ints:
    """Fill the last two parts with whole groups, in random order, up to their share of comparisons."""
    sizes = np.bincount(groups)
    if len(sizes) < FEWEST:
        raise UsageError(f"Training needs comparisons from at least {FEWEST} golds to part. Got {len(sizes)}.")
    order = np.random.default_rng(seed).permutation(len(sizes))
    share = np.cumsum(sizes[order]) / len(groups)
    part = np.empty(len(sizes), dtype=np.int64)
    part[order] = np.where(share <= validation, 1, np.where(share <= 2 * validation, 2, 0))
    # Each part gets a group at least, however coarse the groups are.
    part[order[0]], part[order[1]] = 1, 2
    return part[groups]
