"""Pairs of systems, topic by topic: what a comparison says about a pair before any test.

Only topics for which both systems have a value count; a topic that one of them lacks is left out, and `left_out`
counts it, so a system gains nothing by leaving hard topics out. Values that agree to twelve digits are equal: what
differs there is the order of a sum. The effect is Cohen's d for pairs, mean / standard deviation of the differences:
0 where all differences are 0, infinite where all are the same otherwise, NaN for fewer than two topics.
"""

from dataclasses import dataclass, fields

import numpy as np

from patstone.compare.intervals import bca
from patstone.compare.resampling import blocks
from patstone.gold.qrels import Floats, Ints

_AGREEMENT = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs:
    """All arrays but `left` and `right`, which index systems, are pairs × measures."""

    left: Ints
    right: Ints
    difference: Floats
    """Mean of left minus right; NaN where the two share no topic."""
    low: Floats
    high: Floats
    effect: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    topics: Ints


def all_pairs(systems: int, baseline: int | None = None) -> tuple[Ints, Ints]:
    """Indices of both sides: every pair in the order of the systems, or each system against the baseline."""
    if baseline is None:
        left, right = np.triu_indices(systems, 1)
        return left, right
    others = np.delete(np.arange(systems), baseline)
    return others, np.full(len(others), baseline)


def differences(values: Floats, left: Ints, right: Ints) -> Floats:
    """Pairs × measures × topics; NaN where either side is."""
    one, other = values[left], values[right]
    gap = one - other
    gap[np.abs(gap) <= _AGREEMENT * np.maximum(np.abs(one), np.abs(other))] = 0.0
    return gap


def mean_of(gap: Floats) -> Floats:
    """Means over the topics that count; NaN where none does."""
    present = ~np.isnan(gap)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(present, gap, 0.0).sum(axis=-1) / present.sum(axis=-1), dtype=np.float64)


def pair_up(
    values: Floats, left: Ints, right: Ints, directions: Ints, *, resamples: int, confidence: float, seed: int
) -> Pairs:
    """Summarise pairs in blocks of bounded memory; `directions` is -1 for a measure where less is better."""
    parts = []
    for part in blocks(len(left), values[0].size // 2):
        one, other = left[part], right[part]
        gap = differences(values, one, other)
        low, high = bca(gap, resamples=resamples, confidence=confidence, seed=seed)
        parts.append(_summary(values, one, other, gap, directions, low, high))
    return Pairs(
        **{field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Pairs)}
    )


def left_out(values: Floats, pairs: Pairs) -> Ints:
    """How many topics a pair was not compared on although one of the two has a value; pairs × measures."""
    known = ~np.isnan(values)
    either = [
        (known[pairs.left[part]] | known[pairs.right[part]]).sum(axis=2)
        for part in blocks(len(pairs.left), values[0].size)
    ]
    return np.concatenate(either) - pairs.topics


def _summary(
    values: Floats, left: Ints, right: Ints, gap: Floats, directions: Ints, low: Floats, high: Floats
) -> Pairs:
    topics = (~np.isnan(gap)).sum(axis=2)
    difference = mean_of(gap)
    better = gap * directions[:, None]
    wins, losses = (better > 0).sum(axis=2), (better < 0).sum(axis=2)
    largest = np.nanmax(np.abs(values), axis=(0, 2), initial=0.0)
    return Pairs(
        left=left,
        right=right,
        difference=difference,
        low=low,
        high=high,
        effect=_effect(gap, difference, topics, largest),
        wins=wins,
        ties=topics - wins - losses,
        losses=losses,
        topics=topics,
    )


def _effect(gap: Floats, difference: Floats, topics: Ints, largest: Floats) -> Floats:
    centred = gap - difference[..., None]
    with np.errstate(invalid="ignore", divide="ignore"):
        deviation = np.sqrt(np.nansum(centred**2, axis=2) / (topics - 1))
        # A constant difference leaves only the rounding of its subtractions.
        deviation[deviation <= _AGREEMENT * largest] = 0.0
        effect = difference / deviation
    effect[(difference == 0) & (topics > 1)] = 0.0
    effect[topics < 2] = np.nan
    return np.asarray(effect, dtype=np.float64)
