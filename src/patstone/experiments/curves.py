"""Scores along a training: confusion matrices of many runs, averaged before the score is taken, and how runs vary.

Micro-averages, as in paper 1: the mean confusion matrix over runs, then precision, recall, F1 and accuracy of it; the
variance is the sample variance of the single runs' scores. A score of 0/0 counts as 0, as in Algorithm 1, and is
counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from patstone.systems.classifiers.learner import Floats, Ints

Counts: TypeAlias = Ints
"""tp, fp, fn, tn along the last axis."""
MEASURES = ("precision", "recall", "F1", "accuracy")


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """A value for each size of T."""

    counts: Floats
    """Means over runs of tp, fp, fn, tn."""
    values: Mapping[str, Floats]
    variances: Mapping[str, Floats]
    """NaN where there is one run."""
    undefined: int
    """Scores of single runs that were 0/0."""


def curve(counts: Counts) -> Curve:
    """Of runs × steps × 4."""
    means = counts.mean(axis=0)
    single = measured(counts)
    several = len(counts) > 1
    return Curve(
        counts=means,
        values=filled(measured(means)),
        variances={
            name: found.var(axis=0, ddof=1) if several else np.full(len(means), np.nan)
            for name, found in filled(single).items()
        },
        undefined=int(sum(np.isnan(found).sum() for found in single.values())),
    )


def measured(counts: Counts | Floats) -> dict[str, Floats]:
    """Each measure of each confusion matrix; NaN where it is 0/0."""
    tp, fp, fn, tn = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    return {
        "precision": _ratio(tp, tp + fp),
        "recall": _ratio(tp, tp + fn),
        "F1": _ratio(2 * tp, 2 * tp + fp + fn),
        "accuracy": _ratio(tp + tn, tp + fp + fn + tn),
    }


def filled(scores: Mapping[str, Floats]) -> dict[str, Floats]:
    return {name: np.nan_to_num(found, nan=0.0) for name, found in scores.items()}


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full_like(whole, np.nan), where=whole > 0)
