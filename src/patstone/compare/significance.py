"""Differences between systems: tests, corrected p-values, intervals, effects and groups.

Tests are two-sided and paired by topic: sign-flip randomisation (the default), Student's t, or the randomised Tukey
HSD, which looks only at topics that all systems have. Holm corrects over all pairs of a measure; Tukey's p needs no
correction. Two systems are told apart when the corrected p is below 1 - confidence. The seed decides every draw.

A randomisation p is never below 1 / (flips + 1), and Holm multiplies the smallest by the number of pairs: with 10,000
flips no pair of 33 systems could ever be told apart. Unless told otherwise, more are tossed where pairs need them,
up to a million.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Literal, TypeAlias, get_args

import numpy as np

from patstone.compare.checks import require_choice, require_comparable, require_count, require_fraction
from patstone.compare.multiplicity import groups, holm
from patstone.compare.paired import Pairs, all_pairs, left_out, pair_up
from patstone.compare.randomisation import shared_topics, sign_flip_pairs, tukey
from patstone.compare.student import two_sided
from patstone.gold.qrels import Floats, Ints
from patstone.measures.measure import Measure
from patstone.measures.ranked import Bools
from patstone.measures.scores import Scores

Test: TypeAlias = Literal["randomisation", "t", "tukey"]
_FEWEST, _MOST = 10_000, 1_000_000
_ROOM = 4


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One pair under one measure: `a` minus `b`, over the `topics` that both have."""

    a: str
    b: str
    measure: Measure
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    effect: float
    wins: int
    """Topics where `a` is better."""
    ties: int
    losses: int
    topics: int
    unpaired: int
    """Topics that one of the two has a value for, left out because the other (with Tukey: any system) has none."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    rows: tuple[Difference, ...]
    """Measure by measure, pairs in the order of the systems; against a baseline, `b` is the baseline."""
    groups: Mapping[Measure, tuple[tuple[int, ...], ...]]
    """Each system's group numbers: who shares one is not told apart. Empty where a baseline left pairs untested."""
    test: Test
    permutations: int
    resamples: int
    confidence: float
    seed: int
    systems: tuple[str, ...]
    measures: tuple[Measure, ...]
    baseline: str | None = None

    @property
    def least_adjusted(self) -> float:
        """No adjusted p can be below this: at 1 - confidence or above it, nothing can be told apart."""
        if self.test == "t":
            return 0.0
        pairs = 1 if self.test == "tukey" else len(self.rows) // max(1, len(self.measures))
        return min(1.0, pairs / (self.permutations + 1))


def compare(
    scores: Scores,
    *,
    test: Test = "randomisation",
    permutations: int | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
    baseline: str | None = None,
) -> Comparison:
    """Compare all pairs of systems, or all with `baseline`, under every measure.

    `permutations` is 10,000 by default, or as many as Holm's correction needs for the number of pairs.
    """
    _check(scores, test, permutations, resamples, confidence, seed)
    left, right = all_pairs(len(scores.systems), _index(scores, baseline))
    permutations = permutations or _enough(len(left) if test == "randomisation" else 1, confidence)
    values = shared_topics(scores.values) if test == "tukey" else scores.values
    directions = np.array([1 if measure.card.higher_is_better else -1 for measure in scores.measures])
    pairs = pair_up(values, left, right, directions, resamples=resamples, confidence=confidence, seed=seed)
    p = _TESTS[test](values, pairs, permutations, seed)
    adjusted = p if test == "tukey" else holm(p)
    apart = adjusted < round(1 - confidence, 12)
    return Comparison(
        rows=tuple(_rows(scores, pairs, p, adjusted)),
        groups=_groups(scores, pairs, apart, directions),
        test=test,
        permutations=permutations,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        systems=scores.systems,
        measures=scores.measures,
        baseline=baseline,
    )


def _check(scores: Scores, test: str, permutations: int | None, resamples: int, confidence: float, seed: int) -> None:
    require_choice("compare", "test", test, get_args(Test))
    if permutations is not None:
        require_count("compare", "permutations", permutations)
    require_count("compare", "resamples", resamples)
    require_count("compare", "seed", seed, low=0)
    require_fraction("compare", "confidence", confidence)
    require_comparable("compare", scores)


def _index(scores: Scores, baseline: str | None) -> int | None:
    if baseline is None:
        return None
    require_choice("compare", "baseline", baseline, scores.systems)
    return scores.systems.index(baseline)


def _enough(pairs: int, confidence: float) -> int:
    """So many that the strictest step of Holm still leaves room for a few trials as extreme as the observation."""
    return min(max(_FEWEST, ceil(round(_ROOM * pairs / (1 - confidence), 6))), _MOST)


def _paired_t(_values: Floats, pairs: Pairs, _permutations: int, _seed: int) -> Floats:
    topics = pairs.topics.astype(np.float64)
    return two_sided(pairs.effect * topics**0.5, topics - 1)


def _sign_flips(values: Floats, pairs: Pairs, permutations: int, seed: int) -> Floats:
    columns = [
        sign_flip_pairs(values[:, m], pairs.left, pairs.right, permutations=permutations, seed=seed)
        for m in range(values.shape[1])
    ]
    return np.column_stack(columns)


def _tukey(values: Floats, pairs: Pairs, permutations: int, seed: int) -> Floats:
    return tukey(values, pairs.difference, permutations=permutations, seed=seed)[0]


_TESTS: Mapping[Test, Callable[[Floats, Pairs, int, int], Floats]] = {
    "randomisation": _sign_flips,
    "t": _paired_t,
    "tukey": _tukey,
}


def _rows(scores: Scores, pairs: Pairs, p: Floats, adjusted: Floats) -> Iterator[Difference]:
    names = scores.systems
    sides = [(names[a], names[b]) for a, b in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)]
    columns = {
        name: getattr(pairs, name).T.tolist()
        for name in ("difference", "low", "high", "effect", "wins", "ties", "losses", "topics")
    }
    columns["unpaired"] = left_out(scores.values, pairs).T.tolist()
    columns |= {"p": p.T.tolist(), "p_adjusted": adjusted.T.tolist()}
    for m, measure in enumerate(scores.measures):
        for k, (a, b) in enumerate(sides):
            yield Difference(a=a, b=b, measure=measure, **{name: column[m][k] for name, column in columns.items()})


def _groups(scores: Scores, pairs: Pairs, apart: Bools, directions: Ints) -> dict[Measure, tuple[tuple[int, ...], ...]]:
    """Empty where a baseline left pairs untested: who shares a group would be a guess."""
    systems = len(scores.systems)
    if len(pairs.left) < systems * (systems - 1) // 2:
        return dict.fromkeys(scores.measures, ((),) * systems)
    found = {}
    for m, measure in enumerate(scores.measures):
        matrix = np.zeros((systems, systems), dtype=np.bool_)
        matrix[pairs.left, pairs.right] = apart[:, m]
        found[measure] = groups(matrix, np.argsort(-directions[m] * scores.means[:, m], kind="stable"))
    return found
