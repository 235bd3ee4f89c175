"""Randomisation tests: the differences that chance alone would make.

`sign_flip`: under the null hypothesis the two systems of a pair may change places on any topic, so each topic's
difference keeps or changes its sign at random. `tukey`: the randomised Tukey HSD (Carterette 2012): the labels
of all systems are shuffled within each topic, and the largest difference of any two means is what a pair must beat,
which controls the chance of any false alarm among all pairs.

p = (c + 1) / (trials + 1) with c the trials at least as extreme as what was observed, so p is never 0. "At least"
allows for the rounding of a sum: a trial that equals the observation counts, whatever the order of addition.
"""

from collections.abc import Iterator

import numpy as np

from patstone.compare.resampling import blocks, shuffles, signs
from patstone.gold.qrels import Floats, Ints

_EPS = np.finfo(np.float64).eps


def sign_flip(columns: Floats, left: Ints, right: Ints, *, permutations: int, seed: int) -> Floats:
    """Two-sided p of each pair: row `left` of `columns` against row `right`, topic by topic, 0 where none counts.

    Flipping differences is linear, so one product of signs and columns serves every pair: (X - Y)·s = X·s - Y·s.
    """
    topics = columns.shape[1]
    total, size = columns.sum(axis=1), np.abs(columns).sum(axis=1)
    # The error bound of a sum of n terms: trials this close to the observation are the observation.
    least = np.abs(total[left] - total[right]) - topics * _EPS * (size[left] + size[right])
    count = np.zeros(len(left), dtype=np.int64)
    for _, flips in signs(topics, permutations, seed):
        flipped = columns @ flips.T
        for part in blocks(len(left), len(flips)):
            trials = np.abs(flipped[left[part]] - flipped[right[part]])
            count[part] += np.count_nonzero(trials >= least[part, None], axis=1)
    return np.asarray((count + 1) / (permutations + 1), dtype=np.float64)


def sign_flip_pairs(values: Floats, left: Ints, right: Ints, *, permutations: int, seed: int) -> Floats:
    """`sign_flip` for pairs of systems (systems × topics), each over the topics both have; NaN where there is none."""
    present = ~np.isnan(values)
    shared = present[left] & present[right]
    _, first, pattern = np.unique(np.packbits(shared, axis=1), axis=0, return_index=True, return_inverse=True)
    # A system is one column for each set of topics on which it meets others: one in all, when nothing is missing.
    keys = pattern.reshape(-1) * len(values) + np.stack([left, right])
    columns, place = np.unique(keys, return_inverse=True)
    at = shared[first][columns // len(values)]
    one, other = place.reshape(2, -1)
    filled = np.where(at, values[columns % len(values)], 0.0)
    p = sign_flip(filled, one, other, permutations=permutations, seed=seed)
    return np.where(shared.any(axis=1), p, np.nan)


def shared_topics(values: Floats) -> Floats:
    """Leave out, measure by measure, each topic that any system lacks."""
    return np.where(np.isnan(values).any(axis=0), np.nan, values)


def tukey(values: Floats, differences: Floats, *, permutations: int, seed: int) -> tuple[Floats, Floats]:
    """The p of each difference (pairs × measures), and each measure's largest differences by chance, ascending.

    The values (systems × measures × topics) are those of `shared_topics`; a measure without topics has NaN.
    """
    p = np.full(differences.shape, np.nan)
    ranges = np.full((values.shape[1], permutations), np.nan)
    for measures, topics in _alike(values):
        complete = values[:, measures][:, :, topics].swapaxes(0, 1)
        ranges[measures] = _ranges(complete, permutations, seed)
        rounding = len(topics) * _EPS * np.abs(complete).max(axis=(1, 2))
        least = np.abs(differences[:, measures]) - rounding
        for m, measure in enumerate(measures):
            count = permutations - np.searchsorted(ranges[measure], least[:, m])
            p[:, measure] = (count + 1) / (permutations + 1)
    return p, ranges


def _alike(values: Floats) -> Iterator[tuple[Ints, Ints]]:
    """Measures that count the same topics, so that one set of shuffles serves them; none without topics."""
    counted = ~np.isnan(values[0])
    patterns, group = np.unique(counted, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        if pattern.any():
            yield np.flatnonzero(group.reshape(-1) == number), np.flatnonzero(pattern)


def _ranges(values: Floats, permutations: int, seed: int) -> Floats:
    """Measures × trials, from measures × systems × topics."""
    measures, systems, topics = values.shape
    cells = [np.ascontiguousarray(measure.T).reshape(-1) for measure in values]
    ranges = np.empty((measures, permutations))
    for part, labels in shuffles(systems, topics, permutations, seed):
        place = labels + (np.arange(topics) * systems)[:, None]
        for m in range(measures):
            ranges[m, part] = np.ptp(cells[m].take(place).sum(axis=1), axis=1) / topics
    return np.sort(ranges, axis=1)
