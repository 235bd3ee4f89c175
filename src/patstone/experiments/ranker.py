"""A linear ranker with non-negative weights, trained by the margin loss of paper 4 towards a prior.

For a pair with label y the loss is max(0, m - y·(s_A - s_B)), for two equals max(0, |s_A - s_B| - n). The weights are
pulled towards a prior, so that few and narrow data move them little. There is nothing random in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from patstone.gold.qrels import Floats, Ints


@dataclass(frozen=True, kw_only=True)
class Training:
    margin: float = 0.02
    """m; scores are in [0, 1], and degrees of one degradation lie close together."""
    tolerance: float = 0.01
    """n"""
    pull: float = 0.1
    """How strongly the prior holds."""
    steps: int = 800
    rate: float = 2.0


def train(
    differences: Floats,
    labels: Floats,
    prior: Floats,
    groups: Sequence[Ints],
    how: Training = Training(),
) -> Floats:
    """Weights for features whose differences (A - B) are the rows, by projected gradient steps.

    Each group of features keeps the sum that its prior has: within it the data decide, between groups we do.
    """
    weights = prior.copy()
    for step in range(how.steps):
        gap = differences @ weights
        decided = labels != 0
        # Each side of a kink has its slope; at the kink the flat one is taken.
        slope = np.where(decided, -labels * (labels * gap < how.margin), np.sign(gap) * (np.abs(gap) > how.tolerance))
        gradient = differences.T @ slope / max(len(labels), 1) + how.pull * (weights - prior)
        moved = weights - how.rate / np.sqrt(1 + step) * gradient
        for group in groups:
            weights[group] = onto_simplex(moved[group], float(prior[group].sum()))
    return weights


def onto_simplex(weights: Floats, total: float = 1.0) -> Floats:
    """The nearest weights that are non-negative and have this sum (Duchi et al. 2008)."""
    ordered = np.sort(weights)[::-1]
    sums = np.cumsum(ordered) - total
    last = int(np.flatnonzero(ordered - sums / np.arange(1, len(weights) + 1) > 0)[-1])
    found: Floats = np.maximum(weights - sums[last] / (last + 1), 0.0)
    return found
