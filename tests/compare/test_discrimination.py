"""Discriminative power and agreement of measures."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from compare.conftest import MakeScores
from patstone.compare.bootstrap import bootstrap_test
from patstone.compare.correlation import tau_ap
from patstone.compare.discrimination import Test, discriminate
from patstone.compare.significance import compare
from patstone.errors import DataError, UsageError
from patstone.gold.qrels import Floats

TESTS: tuple[Test, ...] = ("bootstrap", "tukey")


@pytest.fixture
def values() -> Floats:
    """Eight systems; the first measure is sharp, the second blunt, the third blind."""
    rng = np.random.default_rng(0)
    quality = np.linspace(0, 0.2, 8)[:, None]
    table = [quality + rng.normal(0.4, noise, (8, 60)) for noise in (0.05, 0.2)]
    return np.stack([*table, np.full((8, 60), 0.25)], axis=1)


@pytest.mark.parametrize("test", TESTS)
def test_sharper_measures_have_more_power(test: Test, values: Floats, make_scores: MakeScores) -> None:
    sharp, blunt, blind = discriminate(make_scores(values), test=test).rows
    assert sharp.power > blunt.power > blind.power == 0
    assert sharp.smallest_difference < blunt.smallest_difference
    assert np.isnan(blind.smallest_difference)
    assert {row.pairs for row in (sharp, blunt, blind)} == {28}
    assert sharp.power == sharp.told_apart / 28


def test_power_counts_pairs_told_apart(values: Floats, make_scores: MakeScores) -> None:
    row = discriminate(make_scores(values), seed=2).rows[0]
    pairs = [(a, b) for a in range(8) for b in range(a + 1, 8)]
    gaps = np.array([values[a, 0] - values[b, 0] for a, b in pairs])
    p, required = bootstrap_test(gaps, resamples=1000, alpha=0.05, seed=2)
    significant = np.abs(gaps.mean(axis=1))[p < 0.05]
    assert row.told_apart == len(significant)
    assert row.smallest_difference == pytest.approx(significant.min(), rel=1e-12)
    assert row.required_difference == pytest.approx(required.max(), rel=1e-12)


def test_tukey_is_the_one_of_compare(values: Floats, make_scores: MakeScores) -> None:
    scores = make_scores(values)
    power = discriminate(scores, test="tukey", resamples=400, seed=1).rows
    compared = compare(scores, test="tukey", permutations=400, resamples=10, seed=1).rows
    for row in power:
        mine = [other for other in compared if other.measure == row.measure]
        apart = [abs(other.difference) for other in mine if other.p < 0.05]
        assert row.told_apart == len(apart)
        assert all(difference >= row.required_difference * (1 - 1e-9) for difference in apart)


def test_agreement_between_all_measures(values: Floats, make_scores: MakeScores) -> None:
    scores = make_scores(values)
    found = discriminate(scores, resamples=50).agreement
    assert [(row.first.cutoff, row.second.cutoff) for row in found] == [(1, 2), (1, 3), (2, 3)]
    one, other, _ = scores.means.T
    assert found[0].tau == pytest.approx(stats.kendalltau(one, other).statistic)
    assert found[0].tau_ap == pytest.approx((tau_ap(one, other) + tau_ap(other, one)) / 2)
    # A measure that gives all systems one value ranks nothing.
    assert np.isnan([found[1].tau, found[1].tau_ap]).all()


def test_equal_means_are_ties_whatever_the_order_of_topics(make_scores: MakeScores) -> None:
    topics = np.random.default_rng(1).random(50)
    same = np.stack([topics, topics[::-1], np.sort(topics), topics / 2])
    values = np.stack([same, np.arange(4.0)[:, None] + np.zeros(50)], axis=1)
    (row,) = discriminate(make_scores(values), resamples=20).agreement
    # Three systems tie under the first measure: of the three pairs it orders, all are the wrong way.
    assert row.tau == pytest.approx(-3 / np.sqrt(3 * 6))


@pytest.mark.parametrize("test", TESTS)
def test_same_seed_same_result(test: Test, values: Floats, make_scores: MakeScores) -> None:
    scores = make_scores(values)
    assert repr(discriminate(scores, test=test, seed=5)) == repr(discriminate(scores, test=test, seed=5))


@pytest.mark.parametrize("test", TESTS)
def test_sixty_systems_of_equal_worth(test: Test, make_scores: MakeScores) -> None:
    values = np.random.default_rng(2).normal(0.5, 0.1, (60, 40))
    (row,) = discriminate(make_scores(values), test=test, resamples=400).rows
    assert row.pairs == 1770
    # The bootstrap tests pair by pair at 5 %; Tukey allows one false alarm in twenty such collections.
    assert row.power < (0.10 if test == "bootstrap" else 0.002)


def test_pairs_that_share_no_topics_are_not_counted(make_scores: MakeScores) -> None:
    rng = np.random.default_rng(3)
    gap = np.full(20, np.nan)
    one, other = np.concatenate([rng.random(20), gap]), np.concatenate([gap, rng.random(20)])
    (row,) = discriminate(make_scores([one, other, rng.random(40)]), resamples=50).rows
    assert row.pairs == 2


def test_a_system_without_topics_is_an_error(values: Floats, make_scores: MakeScores) -> None:
    values[2, 1] = np.nan
    with pytest.raises(DataError, match="'s2' has none for P@2"):
        discriminate(make_scores(values))


@pytest.mark.parametrize("wrong", [{"test": "t"}, {"resamples": 0}, {"alpha": 0}, {"alpha": 5}, {"seed": -1}])
def test_options_out_of_range(wrong: dict[str, Any], make_scores: MakeScores) -> None:
    with pytest.raises(UsageError, match=f"The {next(iter(wrong))!r} option of discriminate must be"):
        discriminate(make_scores(np.ones((2, 3))), **wrong)
