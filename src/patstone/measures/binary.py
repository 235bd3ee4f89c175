"""Measures of a binary classifier: from the four counts, or from scores, for one set or for thousands at once.

Kernels are vectorised over any leading axes, so that a bootstrap is one call. They stand in a registry of their own,
since a ranking's P, R and AP mean other things; `patstone measures` shows both. What is undefined is NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from patstone.gold.qrels import Floats
from patstone.measures.measure import Card
from patstone.measures.ranked import Bools, Kernel

SECTION = "Classifiers"
DEMSAR = "Paper 1, section 6 (Demšar 2006 for the choice)"


@dataclass(frozen=True, eq=False, kw_only=True)
class Counts:
    """The confusion matrix, each cell an array of any one shape."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    @classmethod
    def of(cls, said: Bools, positive: Bools) -> "Counts":
        """Count along the last axis."""
        cells = [said & positive, said & ~positive, ~said & positive, ~said & ~positive]
        tp, fp, fn, tn = (cell.sum(axis=-1).astype(np.float64) for cell in cells)
        return cls(tp=tp, fp=fp, fn=fn, tn=tn)

    @property
    def total(self) -> Floats:
        return self.tp + self.fp + self.fn + self.tn


@dataclass(frozen=True, eq=False, kw_only=True)
class Levels:
    """Scores as levels from the highest down: how many positives and negatives have each; sets × levels."""

    positives: Floats
    negatives: Floats

    @classmethod
    def of(cls, scores: Floats, positive: Bools, weights: Floats | None = None) -> "Levels":
        """Group equal scores; `weights` (sets × units) says how often each set has each unit, once without it."""
        order = np.argsort(-scores, kind="stable")
        starts = np.flatnonzero(np.diff(-scores[order], prepend=-np.inf) != 0) if len(order) else np.zeros(0, np.int64)
        held = (np.ones((1, len(scores))) if weights is None else weights)[:, order]
        yes = held * positive[order]
        return cls(
            positives=np.add.reduceat(yes, starts, axis=1) if len(starts) else yes,
            negatives=np.add.reduceat(held - yes, starts, axis=1) if len(starts) else held,
        )

    @cached_property
    def found(self) -> Floats:
        """Positives down to each level, itself included."""
        return np.asarray(np.cumsum(self.positives, axis=-1), dtype=np.float64)


def _over(numerator: Floats, denominator: Floats, otherwise: float = np.nan) -> Floats:
    numerator, denominator = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    found: Floats = np.divide(numerator, denominator, out=np.full(numerator.shape, otherwise), where=denominator != 0)
    return found


BINARY: dict[str, Card] = {}


def declare(**fields: Any) -> Callable[[Kernel], Kernel]:  # noqa: ANN401 - Card checks them
    """Register the decorated kernel under the card that the keywords describe."""

    def register(kernel: Kernel) -> Kernel:
        card = Card(kernel=kernel, **{"section": SECTION, "judges_relevance": False, **fields})
        BINARY[card.name] = card
        return kernel

    return register


@declare(
    name="precision",
    title="share of what was called positive that is positive",
    formula="tp / (tp + fp)",
    reference=f"{DEMSAR}, equation (1)",
    undefined="0 when nothing was called positive, as in Algorithm 1.",
)
def precision(counts: Counts) -> Floats:
    return _over(counts.tp, counts.tp + counts.fp, 0.0)


@declare(
    name="recall",
    title="share of the positives that was called positive",
    formula="tp / (tp + fn)",
    reference=f"{DEMSAR}, equation (2)",
    undefined="Undefined without positives.",
)
def recall(counts: Counts) -> Floats:
    return _over(counts.tp, counts.tp + counts.fn)


@declare(
    name="F1",
    title="harmonic mean of precision and recall",
    formula="2·tp / (2·tp + fp + fn)",
    reference=f"{DEMSAR}, equation (3)",
    undefined="0 when nothing was found; undefined when there are no positives and nothing was called positive.",
)
def f1(counts: Counts) -> Floats:
    return _over(2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn)


@declare(
    name="accuracy",
    title="share of all that was called what it is",
    formula="(tp + tn) / (tp + fp + fn + tn)",
    reference=f"{DEMSAR}, equation (4)",
    undefined="Undefined for nothing. Misleading where negatives are many: calling all negative is then accurate.",
)
def accuracy(counts: Counts) -> Floats:
    return _over(counts.tp + counts.tn, counts.total)


@declare(
    name="specificity",
    title="share of the negatives that was called negative",
    formula="tn / (tn + fp)",
    reference="Yerushalmy 1947",
    undefined="Undefined without negatives.",
)
def specificity(counts: Counts) -> Floats:
    return _over(counts.tn, counts.tn + counts.fp)


@declare(
    name="balanced_accuracy",
    title="mean of recall and specificity",
    formula="(tp / (tp + fn) + tn / (tn + fp)) / 2",
    reference="Brodersen, Ong, Stephan, Buhmann 2010",
    undefined="Undefined unless there are positives and negatives.",
)
def balanced_accuracy(counts: Counts) -> Floats:
    return (recall(counts) + specificity(counts)) / 2


@declare(
    name="MCC",
    title="Matthews correlation coefficient of answers and labels",
    formula="(tp·tn - fp·fn) / √((tp + fp)(tp + fn)(tn + fp)(tn + fn))",
    reference="Matthews 1975",
    undefined="0 when all answers, or all labels, are the same.",
    low=-1.0,
)
def mcc(counts: Counts) -> Floats:
    rows = (counts.tp + counts.fp) * (counts.tn + counts.fn)
    columns = (counts.tp + counts.fn) * (counts.tn + counts.fp)
    return _over(counts.tp * counts.tn - counts.fp * counts.fn, np.sqrt(rows) * np.sqrt(columns), 0.0)


@declare(
    name="AUC",
    title="chance that a positive has a higher score than a negative",
    formula="(pairs with the positive higher + half the pairs that tie) / (positives · negatives)",
    reference="Hanley, McNeil 1982",
    undefined="Undefined unless there are positives and negatives, and without scores.",
    needs=("scores",),
)
def auc(levels: Levels) -> Floats:
    above = levels.found - levels.positives / 2
    pairs = (levels.negatives * above).sum(axis=-1)
    return _over(pairs, levels.positives.sum(axis=-1) * levels.negatives.sum(axis=-1))


@declare(
    name="AP",
    title="mean over the positives of the precision at their scores",
    formula="Σ over levels of score, from the highest: (recall here - recall before) · precision here",
    reference="As scikit-learn's average_precision_score; equal scores are one level",
    undefined="Undefined without positives, and without scores.",
    needs=("scores",),
)
def average_precision(levels: Levels) -> Floats:
    said = np.cumsum(levels.positives + levels.negatives, axis=-1)
    gained = (levels.positives * _over(levels.found, said, 0.0)).sum(axis=-1)
    return _over(gained, levels.positives.sum(axis=-1))
