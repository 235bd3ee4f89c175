"""How sharp are measures: which of them tells most pairs of systems apart, and which rank systems alike.

Discriminative power (Sakai, SIGIR 2006) is the share of pairs of systems with p below alpha, by the paired bootstrap
test, pair by pair and uncorrected as Sakai defines it, or by the randomised Tukey HSD, which corrects for all pairs.
Agreement correlates the systems' means under two measures: Kendall's tau-b, and AP correlation averaged over both
directions, as neither measure is the truth. Means that agree to twelve digits are tied.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias, get_args

import numpy as np

from patstone.compare.bootstrap import bootstrap_test
from patstone.compare.checks import require_choice, require_comparable, require_count, require_fraction
from patstone.compare.correlation import kendall_tau_b, tau_ap
from patstone.compare.paired import all_pairs, differences, mean_of
from patstone.compare.randomisation import shared_topics, tukey
from patstone.compare.resampling import blocks
from patstone.gold.qrels import Floats
from patstone.measures.measure import Measure
from patstone.measures.scores import Scores

Test: TypeAlias = Literal["bootstrap", "tukey"]


@dataclass(frozen=True, kw_only=True)
class Power:
    measure: Measure
    power: float
    """told_apart / pairs."""
    pairs: int
    """Pairs that could be tested: those with two topics in common."""
    told_apart: int
    smallest_difference: float
    """The smallest difference of means that was significant; NaN when none was."""
    required_difference: float
    """The difference that any pair needs: with the bootstrap Sakai's estimate, the largest over all pairs; with
    Tukey the quantile 1 - alpha of the largest difference by chance."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    first: Measure
    second: Measure
    tau: float
    tau_ap: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Discrimination:
    rows: tuple[Power, ...]
    agreement: tuple[Agreement, ...]
    test: Test
    resamples: int
    alpha: float
    seed: int
    systems: tuple[str, ...]
    measures: tuple[Measure, ...]


def discriminate(
    scores: Scores, *, test: Test = "bootstrap", resamples: int = 1000, alpha: float = 0.05, seed: int = 0
) -> Discrimination:
    """Measure the measures; with Tukey `resamples` is the number of permutations."""
    require_choice("discriminate", "test", test, get_args(Test))
    require_count("discriminate", "resamples", resamples)
    require_count("discriminate", "seed", seed, low=0)
    require_fraction("discriminate", "alpha", alpha)
    require_comparable("discriminate", scores)
    tested = _by_bootstrap if test == "bootstrap" else _by_tukey
    difference, p, required = tested(scores.values, resamples, alpha, seed)
    return Discrimination(
        rows=tuple(
            _power(measure, np.abs(difference[:, m]), p[:, m], float(required[m]), alpha)
            for m, measure in enumerate(scores.measures)
        ),
        agreement=_agreement(scores),
        test=test,
        resamples=resamples,
        alpha=alpha,
        seed=seed,
        systems=scores.systems,
        measures=scores.measures,
    )


def _by_bootstrap(values: Floats, resamples: int, alpha: float, seed: int) -> tuple[Floats, Floats, Floats]:
    """Mean differences and p, pairs × measures, and the required difference of each measure."""
    left, right = all_pairs(len(values))
    found = np.empty((3, len(left), values.shape[1]))
    for part in blocks(len(left), values[0].size // 2):
        gap = differences(values, left[part], right[part])
        rows = gap.reshape(-1, gap.shape[-1])
        p, required = bootstrap_test(rows, resamples=resamples, alpha=alpha, seed=seed)
        found[:, part] = np.stack([mean_of(gap), p.reshape(gap.shape[:2]), required.reshape(gap.shape[:2])])
    return found[0], found[1], np.fmax.reduce(found[2], axis=0)


def _by_tukey(values: Floats, resamples: int, alpha: float, seed: int) -> tuple[Floats, Floats, Floats]:
    values = shared_topics(values)
    left, right = all_pairs(len(values))
    difference = np.empty((len(left), values.shape[1]))
    for part in blocks(len(left), values[0].size // 2):
        difference[part] = mean_of(differences(values, left[part], right[part]))
    p, ranges = tukey(values, difference, permutations=resamples, seed=seed)
    return difference, p, np.quantile(ranges, 1 - alpha, axis=1)


def _power(measure: Measure, difference: Floats, p: Floats, required: float, alpha: float) -> Power:
    pairs = int(np.count_nonzero(~np.isnan(p)))
    significant = difference[p < alpha]
    return Power(
        measure=measure,
        power=len(significant) / pairs if pairs else float("nan"),
        pairs=pairs,
        told_apart=len(significant),
        smallest_difference=float(significant.min()) if len(significant) else float("nan"),
        required_difference=required,
    )


def _agreement(scores: Scores) -> tuple[Agreement, ...]:
    means = [_ranking(scores.means[:, m], measure) for m, measure in enumerate(scores.measures)]
    return tuple(
        Agreement(
            first=scores.measures[i],
            second=scores.measures[j],
            tau=kendall_tau_b(means[i], means[j]),
            tau_ap=(tau_ap(means[i], means[j]) + tau_ap(means[j], means[i])) / 2,
        )
        for i, j in combinations(range(len(means)), 2)
    )


def _ranking(means: Floats, measure: Measure) -> Floats:
    """Means with the better systems larger, and without what the order of a sum leaves behind."""
    direction = 1 if measure.card.higher_is_better else -1
    return direction * np.array([float(f"{mean:.12g}") for mean in means.tolist()])
