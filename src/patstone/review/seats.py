"""Who judges what: seats are filled by people later, so that nobody's pace shows in anybody's list.

A share of the families, drawn by the seed, is judged by several seats and the rest by one; loads are as equal as can
be. Each seat has an order of its own, so that what is judged when tired differs from seat to seat.
"""

from collections.abc import Sequence

import numpy as np

Assignment = tuple[int, str, int]
"""Seat, family, position in the seat's order."""


def assign(families: Sequence[str], *, seats: int, reviews: int, overlap: float, seed: int) -> list[Assignment]:
    generator = np.random.default_rng([seed, 1])
    shared = np.zeros(len(families), dtype=np.bool_)
    shared[generator.permutation(len(families))[: round(overlap * len(families))]] = True
    load = np.zeros(seats)
    mine: list[list[str]] = [[] for _ in range(seats)]
    for place in generator.permutation(len(families)).tolist():
        # The least loaded seats; among equals a draw, so that every pair of reviewers meets.
        chosen = np.argsort(load + generator.random(seats) / 2)[: reviews if shared[place] else 1]
        load[chosen] += 1
        for seat in chosen.tolist():
            mine[seat].append(families[place])
    return [
        (seat, listed[place], position)
        for seat, listed in enumerate(mine)
        for position, place in enumerate(np.random.default_rng([seed, 2, seat]).permutation(len(listed)).tolist())
    ]
