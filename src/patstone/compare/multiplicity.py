"""Many pairs, one error rate: Holm's correction and groups of systems that were not told apart.

The family is all pairs that were tested under one measure. Measures are different questions about the same runs, so
they do not share a family; who looks for the measure that makes a difference significant has to correct for that.
"""

import numpy as np

from patstone.gold.qrels import Floats, Ints
from patstone.measures.ranked import Bools


def holm(p: Floats) -> Floats:
    """Step-down p-values along the first axis, each column a family; NaN is no test and is left out."""
    order = np.argsort(p, axis=0)
    tests = (~np.isnan(p)).sum(axis=0)
    remaining = tests - np.arange(len(p)).reshape(-1, *[1] * (p.ndim - 1))
    stepped = np.maximum.accumulate(np.take_along_axis(p, order, axis=0) * remaining, axis=0)
    adjusted = np.empty(p.shape)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), axis=0)
    return adjusted


def groups(apart: Bools, ranking: Ints) -> tuple[tuple[int, ...], ...]:
    """Group numbers of each system: two systems share a group exactly when `apart` does not tell them apart.

    A compact letter display with numbers, which never run out. Each group is as large as it can be; group 1 has the
    best system of `ranking` (indices, best first). At most one group for each pair is made: listing every maximal set
    could take for ever.
    """
    alike = ~(apart | apart.T)[np.ix_(ranking, ranking)]
    np.fill_diagonal(alike, True)
    shared = np.zeros(alike.shape, dtype=np.bool_)
    found: list[Ints] = []
    for best, worst in _widest_first(alike):
        if not shared[best, worst]:
            members = _grow(alike, best, worst)
            shared[np.ix_(members, members)] = True
            found.append(members)
    found.sort(key=lambda members: tuple(members.tolist()))
    numbers: list[list[int]] = [[] for _ in ranking]
    for number, members in enumerate(found, start=1):
        for place in members.tolist():
            numbers[ranking[place]].append(number)
    return tuple(tuple(of_system) for of_system in numbers)


def _widest_first(alike: Bools) -> list[tuple[int, int]]:
    """Pairs that are not told apart (a system is never told apart from itself), each with its widest span first."""
    return [
        (best, int(worst)) for best in range(len(alike)) for worst in best + np.flatnonzero(alike[best, best:])[::-1]
    ]


def _grow(alike: Bools, best: int, worst: int) -> Ints:
    """Add every system that is like all members so far: those ranked between the two first."""
    members = [best, worst]
    fits = alike[best] & alike[worst]
    for place in (*range(best + 1, worst), *range(best), *range(worst + 1, len(alike))):
        if fits[place]:
            members.append(place)
            fits = fits & alike[place]
    return np.unique(members)
