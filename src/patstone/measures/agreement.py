"""How far reviewers agree beyond chance, when not all of them label everything.

Every statistic is a ratio of sums over units, so a bootstrap is one product of weights and per-unit terms. Units with
fewer than two labels say nothing of agreement; they still tell how often each label is given (Fleiss, AC1). A
statistic whose expected agreement is 1, because one label alone was ever given, is undefined (NaN).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from patstone.gold.qrels import Floats
from patstone.gold.reviews import GAP, NO, YES, Answers


def _over(numerator: Floats, denominator: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(denominator != 0, numerator / denominator, np.nan)
    return found


@dataclass(frozen=True, eq=False)
class Labelled:
    """Labels of units by reviewers, and weights: sets × units, one row of ones without a bootstrap."""

    answers: Answers
    weights: Floats

    @classmethod
    def once(cls, answers: Answers) -> "Labelled":
        return cls(answers, np.ones((1, len(answers))))

    @cached_property
    def yes(self) -> Floats:
        return np.asarray((self.answers == YES).sum(axis=1), dtype=np.float64)

    @cached_property
    def no(self) -> Floats:
        return np.asarray((self.answers == NO).sum(axis=1), dtype=np.float64)

    @property
    def given(self) -> Floats:
        return self.yes + self.no

    def total(self, values: Floats) -> Floats:
        """Add up a value of each unit, for each set."""
        return np.asarray(self.weights @ values, dtype=np.float64)

    @cached_property
    def pairs(self) -> Floats:
        """Of the pairs of labels that a unit has, the share that agree; 0 where there is none."""
        pairs = self.given * (self.given - 1)
        alike = self.yes * (self.yes - 1) + self.no * (self.no - 1)
        return np.divide(alike, pairs, out=np.zeros(len(pairs)), where=pairs > 0)

    @cached_property
    def share(self) -> Floats:
        """The mean over labelled units of the share of their labels that are positive."""
        some = self.given > 0
        each = np.divide(self.yes, self.given, out=np.zeros(len(some)), where=some)
        return _over(self.total(each), self.total(some.astype(np.float64)))


def raw(labelled: Labelled) -> Floats:
    """Share of the pairs of labels that agree, unit by unit."""
    return _over(labelled.total(labelled.pairs), labelled.total((labelled.given >= 2).astype(np.float64)))


def _corrected(observed: Floats, expected: Floats) -> Floats:
    return _over(observed - expected, 1 - expected)


def fleiss(labelled: Labelled) -> Floats:
    """Fleiss 1971, with Gwet's (2014) terms for units of unequally many labels."""
    share = labelled.share
    return _corrected(raw(labelled), share**2 + (1 - share) ** 2)


def gwet(labelled: Labelled) -> Floats:
    """AC1, Gwet 2008: chance as if reviewers guessed where they are unsure; steady when one class is rare."""
    share = labelled.share
    return _corrected(raw(labelled), 2 * share * (1 - share))


def krippendorff(labelled: Labelled) -> Floats:
    """Alpha for nominal labels, Krippendorff 2011: from the coincidences of pairable labels."""
    several = labelled.given >= 2
    yes, no = labelled.total(labelled.yes * several), labelled.total(labelled.no * several)
    alike = labelled.total(labelled.pairs * labelled.given)
    size = yes + no
    expected = _over(yes * (yes - 1) + no * (no - 1), size * (size - 1))
    return _corrected(_over(alike, size), expected)


def cohen(labelled: Labelled, first: int, second: int) -> Floats:
    """Kappa of two reviewers over the units that both label, Cohen 1960."""
    a, b = labelled.answers[:, first], labelled.answers[:, second]
    both = ((a != GAP) & (b != GAP)).astype(np.float64)
    size = labelled.total(both)
    alike = _over(labelled.total(both * (a == b)), size)
    yes_a, yes_b = (_over(labelled.total(both * (side == YES)), size) for side in (a, b))
    return _corrected(alike, yes_a * yes_b + (1 - yes_a) * (1 - yes_b))


def cohen_mean(labelled: Labelled) -> Floats:
    """Mean of Cohen's kappa over the pairs of reviewers for whom it is defined (Light 1971)."""
    pairs = combinations(range(labelled.answers.shape[1]), 2)
    found = np.stack([cohen(labelled, *pair) for pair in pairs])
    known = ~np.isnan(found)
    return _over(np.where(known, found, 0.0).sum(axis=0), known.sum(axis=0))


def specific(labelled: Labelled, positive: bool) -> Floats:
    """When one reviewer gives this label, how often another gives it too (specific agreement, Cicchetti, Feinstein)."""
    several = labelled.given >= 2
    own = (labelled.yes if positive else labelled.no) * several
    others = np.maximum(labelled.given - 1, 1)
    return _over(labelled.total(own * (own - 1) / others), labelled.total(own))


STATISTICS: Mapping[str, Callable[[Labelled], Floats]] = {
    "raw": raw,
    "cohen": cohen_mean,
    "fleiss": fleiss,
    "alpha": krippendorff,
    "AC1": gwet,
}
