"""How far to trust a judge of claims: its agreement with experts, and everything that could fake that agreement.

For each judge and criterion: tau-b and rho between score differences and labels, over every comparison and its mirror
image (tau-b changes when A and B change places), accuracy on decided pairs, three-way accuracy with a tie band.
Continuous differences and ternary predictions are never put side by side: labels tie, so only the latter can reach 1.
Intervals draw golds, not pairs. Controls that read no claims run beside the judges and show what a score is worth.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isnan
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from patstone.compare.clustered import associations, percentiles, resamples, share, two_sided
from patstone.compare.multiplicity import holm
from patstone.errors import UsageError
from patstone.experiments.controls import controls
from patstone.gold.preferences import Preferences
from patstone.gold.qrels import Floats, Ints
from patstone.systems.judges.judge import Marks

Bools = NDArray[np.bool_]
Subset = Literal["all", "not-identical"]
Statistic = Literal["tau_b", "rho", "accuracy", "accuracy3"]
Kind = Literal["continuous", "ternary"]
CONTROL = "control:"
FOLDS = 5
_BANDS = 40
"""How many widths of the tie band are tried: quantiles of the differences' sizes."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    judge: str
    criterion: str
    subset: Subset
    statistic: Statistic
    predictions: Kind
    value: float
    ci: tuple[float, float]
    pairs: int
    golds: int


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """Two judges' tau-b (continuous) on the same comparisons."""

    criterion: str
    subset: Subset
    a: str
    b: str
    difference: float
    ci: tuple[float, float]
    p: float
    p_adjusted: float
    smallest: float
    """The difference that such data would show with a power of 0.8."""


@dataclass(frozen=True, kw_only=True)
class MetaEvaluation:
    agreements: tuple[Agreement, ...]
    contrasts: tuple[Contrast, ...]
    ceilings: Mapping[str, float]
    """By criterion: the largest tau-b that continuous differences can have with these labels."""
    bands: Mapping[str, float]
    """By judge and criterion: the mean of the tie bands that were used."""
    warnings: tuple[str, ...]

    def value(
        self,
        judge: str,
        criterion: str,
        statistic: Statistic = "tau_b",
        predictions: Kind = "continuous",
        subset: Subset = "all",
    ) -> float:
        wanted = (judge, criterion, statistic, predictions, subset)
        for row in self.agreements:
            if (row.judge, row.criterion, row.statistic, row.predictions, row.subset) == wanted:
                return row.value
        return float("nan")


@dataclass(frozen=True, eq=False, kw_only=True)
class _View:
    """The comparisons that one criterion labels, in one subset."""

    criterion: str
    subset: Subset
    rows: Ints
    labels: Floats
    clusters: Ints
    golds: int


@dataclass(frozen=True, kw_only=True)
class Settings:
    band: float | Literal["cross"] = "cross"
    """Differences up to this size count as ties; `cross` chooses it on the other golds."""
    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    seen: frozenset[int] = field(default=frozenset(), repr=False)
    """Keys of texts that the judges were trained on, where they don't tell themselves."""

    def __post_init__(self) -> None:
        if self.band != "cross" and not 0 <= self.band < float("inf"):
            raise UsageError(f"The tie band must be 'cross' or a number in [0, inf). Got {self.band!r} instead.")


def evaluate(
    preferences: Preferences, marks: Sequence[Marks], settings: Settings | None = None, *, text_blind: bool = True
) -> MetaEvaluation:
    """Hold every judge against every criterion that experts labelled."""
    asked = settings or Settings()
    if not preferences.criteria:
        raise UsageError("Nothing is labelled here: `patstone claims score` scores claims without labels.")
    agreements, contrasts = list[Agreement](), list[Contrast]()
    ceilings, bands = dict[str, float](), dict[str, float]()
    for place, criterion in enumerate(preferences.criteria):
        labels = preferences.labels[:, place]
        told = _differences(preferences, marks, criterion, labels, asked.seed if text_blind else None)
        for view in _views(preferences, criterion, labels):
            if view.subset == "all":
                ceilings[criterion] = ceiling(view.labels)
            taus = dict[str, tuple[float, Floats]]()
            for judge, difference in told.items():
                known = ~np.isnan(difference[view.rows])
                if known.any():
                    rows, taus[judge], band = _judged(judge, difference[view.rows], view, known, asked)
                    agreements += rows
                    bands[f"{judge} {criterion}"] = band
            contrasts += _contrasts(view, taus)
    found = MetaEvaluation(
        agreements=tuple(agreements), contrasts=tuple(contrasts), ceilings=ceilings, bands=bands, warnings=()
    )
    from patstone.experiments.warnings import warnings

    return replace(found, warnings=tuple(warnings(preferences, marks, found, asked.seen)))


def _differences(
    preferences: Preferences, marks: Sequence[Marks], criterion: str, labels: Floats, seed: int | None
) -> dict[str, Floats]:
    """Score of A less score of B by everyone who says something about the criterion, controls last."""
    told = [(each.judge, each.difference(criterion)) for each in marks]
    own = {} if seed is None else controls(preferences, labels, seed=seed)
    found = {judge: difference for judge, difference in told if difference is not None}
    return found | {f"{CONTROL}{name}": difference for name, difference in own.items()}


def _views(preferences: Preferences, criterion: str, labels: Floats) -> Iterator[_View]:
    told = ~np.isnan(labels)
    subsets: dict[Subset, Bools] = {"all": told}
    if preferences.identical[told].any():
        subsets["not-identical"] = told & ~preferences.identical
    for subset, kept in subsets.items():
        rows = np.flatnonzero(kept)
        if not len(rows):
            continue
        golds, clusters = np.unique(preferences.groups[rows], return_inverse=True)
        yield _View(
            criterion=criterion,
            subset=subset,
            rows=rows,
            labels=labels[rows],
            clusters=clusters.astype(np.int64),
            golds=len(golds),
        )


def _judged(
    judge: str, difference: Floats, view: _View, known: Bools, asked: Settings
) -> tuple[list[Agreement], tuple[float, Floats], float]:
    """All statistics of one judge on one view; comparisons that it says nothing about are left out."""
    x, y, clusters = difference[known], view.labels[known], view.clusters[known]
    bands = _bands(x, y, clusters, asked)
    ternary = np.where(np.abs(x) <= bands, 0.0, np.sign(x))
    predictions: dict[Kind, Floats] = {"continuous": x, "ternary": ternary}
    rows, drawn = [], {}
    for kind, predicted in predictions.items():
        values = statistics(predicted, y, np.ones((1, len(y))), kind)
        parts = [
            statistics(predicted, y, weights, kind) for weights in resamples(clusters, asked.resamples, asked.seed)
        ]
        drawn[kind] = {name: np.concatenate([part[name] for part in parts]) for name in values}
        rows += [
            Agreement(
                judge=judge,
                criterion=view.criterion,
                subset=view.subset,
                statistic=name,
                predictions=kind,
                value=float(value[0]),
                ci=percentiles(drawn[kind][name], asked.confidence),
                pairs=len(y),
                golds=len(np.unique(clusters)),
            )
            for name, value in values.items()
        ]
    tau = next(row.value for row in rows if row.statistic == "tau_b")
    return rows, (tau, drawn["continuous"]["tau_b"]), float(bands.mean())


def statistics(x: Floats, y: Floats, weights: Floats, kind: Kind) -> dict[Statistic, Floats]:
    """For each row of weights; three-way accuracy only where ties are predicted on purpose."""
    mirrored = associations(np.concatenate([x, -x]), np.concatenate([y, -y]), np.tile(weights, 2))
    # A tied prediction of a decided pair is a coin tossed: half.
    credit = np.where(x == 0, 0.5, np.sign(x) == y)
    found: dict[Statistic, Floats] = {
        "tau_b": mirrored.tau_b,
        "rho": mirrored.rho,
        "accuracy": share(credit, (y != 0).astype(np.float64), weights),
    }
    if kind == "ternary":
        found["accuracy3"] = share((x == y).astype(np.float64), np.ones(len(y)), weights)
    return found


def ceiling(labels: Floats) -> float:
    """The tau-b with mirror images of differences that all differ and never contradict a label."""
    both = np.concatenate([labels, -labels])
    _, count = np.unique(both, return_counts=True)
    untied = (len(both) ** 2 - (count**2).sum()) / 2
    return float(np.sqrt(untied / (len(both) * (len(both) - 1) / 2)))


def _bands(x: Floats, y: Floats, clusters: Ints, asked: Settings) -> Floats:
    """For each comparison the band that was chosen without its gold."""
    if asked.band != "cross":
        return np.full(len(x), float(asked.band))
    fold = folds(clusters, asked.seed)
    found = np.zeros(len(x))
    for each in range(FOLDS):
        held = fold == each
        if held.any() and not held.all():
            found[held] = best_band(x[~held], y[~held])
    return found


def folds(clusters: Ints, seed: int, count: int = FOLDS) -> Ints:
    """A fold for each item; items of one cluster share theirs."""
    size = int(clusters.max(initial=-1)) + 1
    return np.asarray(np.random.default_rng(seed).permutation(size) % count, dtype=np.int64)[clusters]


def best_band(x: Floats, y: Floats) -> float:
    """The width with the highest tau-b of ternary predictions; the narrowest of equals."""
    widths = np.unique(np.concatenate([[0.0], np.quantile(np.abs(x), np.linspace(0, 0.95, _BANDS))]))
    ones = np.ones((1, len(x)))
    found = [
        float(statistics(np.where(np.abs(x) <= width, 0.0, np.sign(x)), y, ones, "ternary")["tau_b"][0])
        for width in widths.tolist()
    ]
    return float(widths[int(np.argmax(np.nan_to_num(found, nan=-1.0)))])


def inflated(preferences: Preferences, marks: Marks, criterion: str) -> float:
    """The trap: tau-b of ternary predictions whose tie band was chosen on the very comparisons it is counted on."""
    labels = preferences.labels[:, preferences.criteria.index(criterion)]
    difference = marks.difference(criterion)
    assert difference is not None
    known = ~np.isnan(labels) & ~np.isnan(difference)
    x, y = difference[known], labels[known]
    ternary = np.where(np.abs(x) <= best_band(x, y), 0.0, np.sign(x))
    return float(statistics(ternary, y, np.ones((1, len(y))), "ternary")["tau_b"][0])


def _contrasts(view: _View, taus: Mapping[str, tuple[float, Floats]]) -> list[Contrast]:
    """All pairs of judges, controls left out; Holm's correction within the criterion and subset."""
    judges = [name for name, (value, _) in taus.items() if not name.startswith(CONTROL) and not isnan(value)]
    pairs = list(combinations(judges, 2))
    gaps = [taus[a][1] - taus[b][1] for a, b in pairs]
    p = np.array([two_sided(gap) for gap in gaps], dtype=np.float64)
    return [
        Contrast(
            criterion=view.criterion,
            subset=view.subset,
            a=a,
            b=b,
            difference=taus[a][0] - taus[b][0],
            ci=percentiles(gap),
            p=float(one),
            p_adjusted=float(adjusted),
            # Two-sided at 0.05 with a power of 0.8: 1.96 + 0.84 standard errors.
            smallest=2.8 * float(np.nanstd(gap)),
        )
        for (a, b), gap, one, adjusted in zip(pairs, gaps, p, holm(p), strict=True)
    ]
