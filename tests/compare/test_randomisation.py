"""Randomisation tests against enumeration, scipy and statsmodels, and their false alarms under the null."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multicomp import pairwise_tukeyhsd

from patstone.compare import resampling
from patstone.compare.paired import all_pairs
from patstone.compare.randomisation import shared_topics, sign_flip, sign_flip_pairs, tukey
from patstone.compare.resampling import shuffles, signs
from patstone.gold.qrels import Floats, Ints

ONE, OTHER = np.array([0]), np.array([1])


def flip(a: Floats, b: Floats, permutations: int = 2000, seed: int = 0) -> float:
    return float(sign_flip(np.stack([a, b]), ONE, OTHER, permutations=permutations, seed=seed)[0])


def exact(gaps: Floats) -> float:
    """All 2^n sign patterns, on whole numbers."""
    sums = np.array(list(product([-1, 1], repeat=len(gaps)))) @ gaps.astype(np.int64)
    return float((np.abs(sums) >= abs(int(gaps.sum()))).mean())


@pytest.mark.parametrize("seed", range(6))
def test_sign_flips_near_the_exact_p(seed: int) -> None:
    a, b = np.random.default_rng(seed).integers(0, 8, (2, 11)).astype(np.float64)
    truth = exact(a - b)
    by_scipy = stats.permutation_test(
        (a, b), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples", n_resamples=2**11
    )
    assert truth == pytest.approx(by_scipy.pvalue)
    # Scores such as 0.1 · 3 make sums that differ in the last bit; p must not see it.
    for scale in (1.0, 0.1, 1e-7):
        assert flip(a * scale, b * scale, 40_000) == pytest.approx(truth, abs=4 * np.sqrt(truth / 40_000) + 1e-4)
        assert flip(a * scale, b * scale) == flip(a, b)


def test_p_counts_trials_as_defined() -> None:
    columns = np.random.default_rng(1).integers(0, 5, (4, 40)).astype(np.float64)
    left, right = all_pairs(4)
    found = sign_flip(columns, left, right, permutations=500, seed=9)
    flips = np.concatenate([block for _, block in signs(40, 500, 9)])
    gaps = columns[left] - columns[right]
    extreme = (np.abs(flips @ gaps.T) >= np.abs(gaps.sum(axis=1))).sum(axis=0)
    assert (found == (extreme + 1) / 501).all()


def test_p_is_never_zero_and_one_for_equal_systems() -> None:
    values = np.random.default_rng(2).random(300)
    assert flip(values + 1, values) == 1 / 2001
    assert flip(values, values) == 1.0
    # One topic that differs says nothing: either sign is as extreme.
    assert flip(np.where(np.arange(300) == 7, 0.9, values), values) == 1.0


@pytest.mark.parametrize("gap", [1e-9, 0.3])
def test_systems_far_from_zero_are_told_apart_by_small_differences(gap: float) -> None:
    base = 100 + np.random.default_rng(3).random(40)
    assert flip(base + gap, base) == 1 / 2001


def test_topics_that_one_side_lacks_are_left_out() -> None:
    rng = np.random.default_rng(4)
    values = rng.random((5, 60)) + np.arange(5)[:, None] * 0.05
    values[rng.random(values.shape) < 0.2] = np.nan
    values[4, :30], values[3, 30:] = np.nan, np.nan
    left, right = all_pairs(5)
    found = sign_flip_pairs(values, left, right, permutations=700, seed=5)
    for p, a, b in zip(found, left, right, strict=True):
        both = ~np.isnan(values[a] + values[b])
        alone = np.where(both, values[[a, b]], 0.0)
        expected = sign_flip(alone, ONE, OTHER, permutations=700, seed=5)[0] if both.any() else np.nan
        assert p == pytest.approx(expected, nan_ok=True)
    assert np.isnan(found[-1])


def test_the_block_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(5).random((4, 3, 45))
    left, right = all_pairs(4)

    def results() -> tuple[Floats, Floats, Floats, Ints]:
        flipped = sign_flip_pairs(values[:, 0], left, right, permutations=300, seed=1)
        differences = (values[left] - values[right]).mean(axis=2)
        drawn = np.concatenate([labels for _, labels in shuffles(4, 45, 90, 2)])
        return flipped, tukey(values, differences, permutations=90, seed=1)[0], signs_of(45), drawn

    def signs_of(size: int) -> Floats:
        return np.concatenate([block for _, block in signs(size, 77, 3)])

    whole = results()
    monkeypatch.setattr(resampling, "BLOCK", 500)
    for before, after in zip(whole, results(), strict=True):
        assert before.tobytes() == after.tobytes()


def test_draws_are_fair() -> None:
    tossed = np.concatenate([block for _, block in signs(33, 6000, 0)])
    assert set(np.unique(tossed)) == {-1.0, 1.0}
    assert np.abs(tossed.mean(axis=0)).max() < 4.5 / np.sqrt(6000)
    labels = np.concatenate([block for _, block in shuffles(3, 4, 6000, 0)])
    assert (np.sort(labels, axis=2) == np.arange(3)).all()
    orders = np.unique(labels.reshape(-1, 3), axis=0, return_counts=True)[1]
    assert stats.chisquare(orders).pvalue > 0.001


def test_false_alarms_of_sign_flips_under_the_null() -> None:
    trials = 1500
    columns = np.random.default_rng(6).beta(0.5, 1.5, (2 * trials, 30))
    pair = np.arange(trials)
    p = sign_flip(columns, pair, pair + trials, permutations=1999, seed=8)
    low, high = stats.binom.interval(0.999, trials, 0.05)
    assert low <= np.count_nonzero(p <= 0.05) <= high
    assert stats.kstest(p, "uniform").pvalue > 0.001


def test_false_alarms_of_tukey_among_all_pairs_under_the_null() -> None:
    systems, trials = 6, 600
    values = np.random.default_rng(7).beta(0.5, 1.5, (systems, trials, 25))
    left, right = all_pairs(systems)
    p, _ = tukey(values, (values[left] - values[right]).mean(axis=2), permutations=499, seed=1)
    low, high = stats.binom.interval(0.999, trials, 0.05)
    assert low <= np.count_nonzero((p <= 0.05).any(axis=0)) <= high


def test_tukey_of_two_systems_is_the_sign_flip_test() -> None:
    values = np.random.default_rng(8).random((2, 1, 30)) + np.array([0.12, 0])[:, None, None]
    gap = (values[:1] - values[1:]).mean(axis=2)
    p = tukey(values, gap, permutations=20_000, seed=0)[0][0, 0]
    assert p == pytest.approx(flip(values[0, 0], values[1, 0], 20_000), abs=0.01)


def test_tukey_near_statsmodels_where_topics_do_not_matter() -> None:
    # Without topic effects the blocked test and the classical one look at the same spread.
    values = np.random.default_rng(9).normal(0, 1, (4, 150)) + np.array([0, 0.1, 0.25, 0.4])[:, None]
    classical = pairwise_tukeyhsd(values.reshape(-1), np.repeat(np.arange(4), 150)).pvalues
    left, right = all_pairs(4)
    gaps = (values[left] - values[right]).mean(axis=1)[:, None]
    p, ranges = tukey(values[:, None], gaps, permutations=4000, seed=0)
    assert p[:, 0] == pytest.approx(classical, abs=0.04)
    assert ((p < 0.05)[:, 0] == (np.abs(gaps[:, 0]) > np.quantile(ranges[0], 0.95))).all()


def test_tukey_looks_only_at_topics_that_all_have() -> None:
    values = np.random.default_rng(10).random((3, 2, 20))
    values[1, 0, 4], values[:, 1] = np.nan, np.nan
    shared = shared_topics(values)
    assert np.isnan(shared[:, 0, 4]).all()
    left, right = all_pairs(3)
    rest = np.delete(values[:, :1], 4, axis=2)
    gaps = (rest[left] - rest[right]).mean(axis=2)
    p, ranges = tukey(shared, np.column_stack([gaps, gaps]), permutations=200, seed=0)
    assert (p[:, :1] == tukey(rest, gaps, permutations=200, seed=0)[0]).all()
    assert np.isnan(p[:, 1]).all()
    assert np.isnan(ranges[1]).all()
