"""How sure a classifier's numbers are, and whether two classifiers really differ, paired by unit.

Intervals: Wilson's for shares (precision, recall, specificity, accuracy), percentiles of a bootstrap over units for
the rest. A bootstrap of counts draws the cells of the confusion matrix, which is the same as drawing units. Tests:
McNemar's, exact, for accuracy; a randomisation test that swaps the two answers of a unit for other counts; for AUC
and AP the share of the paired bootstrap beyond 0. Holm corrects over the pairs of a measure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb
from statistics import NormalDist
from typing import Literal

import numpy as np

from patstone.compare.checks import require_count, require_fraction
from patstone.compare.multiplicity import holm
from patstone.compare.resampling import bootstrap_weights
from patstone.errors import UsageError, shorten
from patstone.gold.labels import GoldStandard
from patstone.gold.qrels import Floats
from patstone.measures.binary import BINARY, Counts, Levels
from patstone.measures.classified import Classified
from patstone.measures.ranked import Bools

Method = Literal["wilson", "bootstrap", "none"]
SHARES = ("precision", "recall", "specificity", "accuracy")
_RANKING = "scores"


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How intervals and tests draw."""

    confidence: float = 0.95
    resamples: int = 2000
    permutations: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        require_fraction("score", "confidence", self.confidence)
        require_count("score", "resamples", self.resamples)
        require_count("score", "permutations", self.permutations)
        require_count("score", "seed", self.seed, low=0)


@dataclass(frozen=True, kw_only=True)
class Value:
    measure: str
    value: float
    low: float
    high: float
    method: Method
    units: int


@dataclass(frozen=True, kw_only=True)
class Paired:
    """`a` minus `b` under one measure, over the units that count for both."""

    a: str
    b: str
    measure: str
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    test: Literal["mcnemar", "randomisation", "bootstrap"]
    wins: int
    """Units that `a` has right and `b` wrong."""
    ties: int
    losses: int
    units: int


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelScores:
    """Classifiers held against one gold standard of labels."""

    systems: tuple[Classified, ...]
    measures: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]
    """A row for each classifier, a value for each measure."""
    sampling: Sampling

    @property
    def gold(self) -> GoldStandard:
        return self.systems[0].gold

    def value(self, system: str, measure: str) -> Value:
        names = [one.system for one in self.systems]
        return self.values[names.index(system)][self.measures.index(measure)]

    def compare(self, baseline: str | None = None) -> list[Paired]:
        """All pairs, or all against a baseline, under every measure."""
        return compare_classifiers(self.systems, self.measures, self.sampling, baseline=baseline)


def score_classifiers(
    several: Sequence[Classified], measures: Sequence[str] = (), sampling: Sampling | None = None
) -> LabelScores:
    """Measures in any case; without any, all that the answers allow."""
    how = sampling or Sampling()
    if not several:
        raise UsageError("Name at least one file of predictions to score.")
    chosen = tuple(dict.fromkeys(map(named, measures))) or default_measures(several)
    lacking = [one.system for one in several if one.scores is None]
    for measure in chosen:
        if measures and ranks(measure) and lacking:
            raise UsageError(f"{measure} needs scores, and {lacking[0]} has labels only.")
    rows = tuple(tuple(values(one, chosen, how)) for one in several)
    return LabelScores(systems=tuple(several), measures=chosen, values=rows, sampling=how)


def default_measures(several: Sequence[Classified]) -> tuple[str, ...]:
    """All measures; those of scores where any classifier has them."""
    scored = any(one.scores is not None for one in several)
    return tuple(name for name in BINARY if scored or not ranks(name))


def named(measure: str) -> str:
    """A measure of classifiers by its name, whatever its case."""
    found = {name.casefold(): name for name in BINARY}.get(measure.casefold())
    if found is None:
        raise UsageError(f"Labels are scored by {', '.join(BINARY)}. Got {shorten(repr(measure))}.")
    return found


def ranks(measure: str) -> bool:
    """Whether a measure needs scores."""
    return _RANKING in BINARY[measure].needs


def values(
    one: Classified, measures: Sequence[str], sampling: Sampling | None = None, *, among: Bools | None = None
) -> list[Value]:
    """Each measure with its interval; NaN where it is undefined, or needs scores that are not there."""
    how = sampling or Sampling()
    rows = one.counted if among is None else one.counted & among
    drawn = _Draws(one, rows, how)
    return [_value(drawn, measure) for measure in measures]


class _Draws:
    """One set of units, resampled once for all measures that need it."""

    def __init__(self, one: Classified, rows: Bools, how: Sampling) -> None:
        self.how, self.size = how, int(rows.sum())
        self.positive, self.said = one.gold.positive[rows], one.said[rows]
        self.scores = None if one.scores is None else one.scores[rows]
        self.counts = Counts.of(self.said, self.positive)

    @cached_property
    def resampled(self) -> Counts:
        return resampled(self.counts, self.how)

    @cached_property
    def levels(self) -> Levels | None:
        return None if self.scores is None else Levels.of(self.scores, self.positive)

    def observed(self, measure: str) -> float:
        kernel = BINARY[measure].kernel
        if not ranks(measure):
            return float(kernel(self.counts))
        return float("nan") if self.levels is None else float(kernel(self.levels)[0])

    def drawn(self, measure: str) -> Floats:
        kernel = BINARY[measure].kernel
        if not ranks(measure):
            return kernel(self.resampled)
        if self.scores is None or not self.size:
            return np.full(1, np.nan)
        weights = bootstrap_weights(self.size, self.how.resamples, self.how.seed)
        return np.concatenate([kernel(Levels.of(self.scores, self.positive, each)) for _, each in weights])


def _value(drawn: _Draws, measure: str) -> Value:
    value = drawn.observed(measure)
    if np.isnan(value):
        return Value(measure=measure, value=value, low=value, high=value, method="none", units=drawn.size)
    method: Method = "wilson" if measure in SHARES else "bootstrap"
    if method == "wilson":
        low, high = wilson(*_share(drawn.counts, measure), confidence=drawn.how.confidence)
    else:
        low, high = percentiles(drawn.drawn(measure), drawn.how.confidence)
    return Value(measure=measure, value=value, low=low, high=high, method=method, units=drawn.size)


def _share(counts: Counts, measure: str) -> tuple[float, float]:
    """Hits and trials of a share."""
    tp, fp, fn, tn = (float(cell) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    return {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "specificity": (tn, tn + fp),
        "accuracy": (tp + tn, tp + fp + fn + tn),
    }[measure]


def wilson(hits: float, trials: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share; without a trial everything is possible."""
    if not trials:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, spread = hits / trials, z * z / trials
    middle = share + spread / 2
    reach = z * (share * (1 - share) / trials + spread / (4 * trials)) ** 0.5
    low, high = (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)
    # At 0 and 1 the formula meets the bound up to rounding.
    return 0.0 if hits == 0 else max(low, 0.0), 1.0 if hits == trials else min(high, 1.0)


def percentiles(drawn: Floats, confidence: float) -> tuple[float, float]:
    """Ends of the middle of what was drawn; draws that leave a measure undefined don't count."""
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def resampled(counts: Counts, how: Sampling) -> Counts:
    cells = np.array([counts.tp, counts.fp, counts.fn, counts.tn], dtype=np.float64)
    size = int(cells.sum())
    if not size:
        return Counts(tp=np.zeros(1), fp=np.zeros(1), fn=np.zeros(1), tn=np.zeros(1))
    drawn = np.random.default_rng(how.seed).multinomial(size, cells / size, size=how.resamples).astype(np.float64).T
    return Counts(tp=drawn[0], fp=drawn[1], fn=drawn[2], tn=drawn[3])


def compare_classifiers(
    several: Sequence[Classified],
    measures: Sequence[str],
    sampling: Sampling | None = None,
    *,
    baseline: str | None = None,
) -> list[Paired]:
    """All pairs, or all against a baseline, under every measure that both have."""
    how, names = sampling or Sampling(), [one.system for one in several]
    if len(several) < 2:
        raise UsageError(f"compare needs at least two classifiers. Got {len(several)}.")
    if baseline is not None and baseline not in names:
        raise UsageError(f"The 'baseline' option must be one of {', '.join(names)}. Got {baseline!r} instead.")
    pairs = [(a, b) for a, b in combinations(several, 2) if baseline is None]
    pairs += [(a, b) for b in several if b.system == baseline for a in several if a is not b]
    rows = [[_Pair(a, b, how).tested(measure) for a, b in pairs] for measure in measures]
    return [row for column in rows for row in _adjusted(column)]


def _adjusted(rows: Sequence[Paired]) -> list[Paired]:
    adjusted = holm(np.array([row.p for row in rows])).tolist()
    return [replace(row, p_adjusted=p) for row, p in zip(rows, adjusted, strict=True)]


class _Pair:
    """Two classifiers on the units that count for both."""

    def __init__(self, a: Classified, b: Classified, how: Sampling) -> None:
        self.a, self.b, self.how = a, b, how
        self.rows = a.counted & b.counted
        self.positive = a.gold.positive[self.rows]
        self.said = np.stack([a.said[self.rows], b.said[self.rows]])
        self.right = self.said == self.positive

    def tested(self, measure: str) -> Paired:
        if ranks(measure):
            observed, drawn = self._by_scores(measure)
            p, test = _beyond(drawn), "bootstrap"
        else:
            kernel = BINARY[measure].kernel
            both = kernel(Counts.of(self.said, self.positive))
            observed, drawn = float(both[0] - both[1]), self._by_cells(measure)
            p = mcnemar(*self._apart()) if measure == "accuracy" else self._swapped(measure, observed)
            test = "mcnemar" if measure == "accuracy" else "randomisation"
        low, high = percentiles(drawn, self.how.confidence)
        wins, losses = self._apart()
        known = not np.isnan(observed)
        return Paired(
            a=self.a.system, b=self.b.system, measure=measure, difference=observed, low=low, high=high,
            p=p if known else float("nan"), p_adjusted=float("nan"), test=test,  # type: ignore[arg-type]
            wins=wins, ties=int(self.rows.sum()) - wins - losses, losses=losses, units=int(self.rows.sum()),
        )  # fmt: skip

    def _apart(self) -> tuple[int, int]:
        """Units that only the first, and that only the second has right."""
        first, second = self.right
        return int((first & ~second).sum()), int((second & ~first).sum())

    def _cells(self) -> Floats:
        """How many units there are by label and both answers: eight cells."""
        code = self.positive * 4 + self.said[0] * 2 + self.said[1]
        return np.bincount(code, minlength=8).astype(np.float64)

    def _by_cells(self, measure: str) -> Floats:
        cells, size = self._cells(), int(self.rows.sum())
        if not size:
            return np.full(1, np.nan)
        drawn = np.random.default_rng(self.how.seed).multinomial(size, cells / size, size=self.how.resamples)
        first, second = _both(drawn.astype(np.float64).T)
        kernel = BINARY[measure].kernel
        return np.asarray(kernel(first) - kernel(second), dtype=np.float64)

    def _swapped(self, measure: str, observed: float) -> float:
        """Where the two differ, either may have said either: how often chance parts them at least as far."""
        cells = np.repeat(self._cells()[:, None], self.how.permutations, axis=1)
        rng = np.random.default_rng(self.how.seed)
        for one, other in ((1, 2), (5, 6)):
            apart = int(cells[one, 0] + cells[other, 0])
            cells[one] = rng.binomial(apart, 0.5, size=self.how.permutations)
            cells[other] = apart - cells[one]
        first, second = _both(cells)
        kernel = BINARY[measure].kernel
        gaps = np.abs(kernel(first) - kernel(second))
        extreme = np.count_nonzero(gaps >= abs(observed) - 1e-12)
        return float((extreme + 1) / (self.how.permutations + 1))

    def _by_scores(self, measure: str) -> tuple[float, Floats]:
        a, b, kernel = self.a.scores, self.b.scores, BINARY[measure].kernel
        if a is None or b is None or not self.rows.any():
            return float("nan"), np.full(1, np.nan)
        sides = [a[self.rows], b[self.rows]]
        observed = [float(kernel(Levels.of(side, self.positive))[0]) for side in sides]
        drawn = []
        for _, weights in bootstrap_weights(len(self.positive), self.how.resamples, self.how.seed):
            first, second = (kernel(Levels.of(side, self.positive, weights)) for side in sides)
            drawn.append(first - second)
        return observed[0] - observed[1], np.concatenate(drawn)


def _both(cells: Floats) -> tuple[Counts, Counts]:
    """The confusion matrices of both from the eight joint cells, whose number is 4·label + 2·first + second."""
    at = cells.__getitem__
    first = Counts(tp=at(6) + at(7), fn=at(4) + at(5), fp=at(2) + at(3), tn=at(0) + at(1))
    second = Counts(tp=at(5) + at(7), fn=at(4) + at(6), fp=at(1) + at(3), tn=at(0) + at(2))
    return first, second


def mcnemar(wins: int, losses: int) -> float:
    """Exact two-sided p: how likely coins would part this unevenly, or more, where the two differ."""
    apart, fewer = wins + losses, min(wins, losses)
    # Whole numbers stay exact however many units differ.
    tail = sum(comb(apart, k) for k in range(fewer + 1))
    return float(min(1.0, 2 * tail / 2**apart))


def _beyond(drawn: Floats) -> float:
    known = drawn[~np.isnan(drawn)]
    tail = min(np.count_nonzero(known <= 0), np.count_nonzero(known >= 0))
    return min(1.0, 2 * (tail + 1) / (len(known) + 1))
