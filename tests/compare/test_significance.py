"""Comparisons of systems: numbers against scipy and statsmodels, and what must never be silent."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from compare.conftest import MakeScores
from patstone.compare.significance import Comparison, Difference, Test, compare
from patstone.errors import DataError, UsageError
from patstone.gold.qrels import Floats
from patstone.measures.measure import Measure

TESTS: tuple[Test, ...] = ("randomisation", "t", "tukey")


@pytest.fixture
def values() -> Floats:
    """Five systems, three measures, forty topics; some topics are hard for all."""
    rng = np.random.default_rng(0)
    topics = rng.beta(1, 2, (1, 3, 40))
    return np.clip(topics + rng.normal(0, 0.12, (5, 3, 40)) + np.linspace(0, 0.2, 5)[:, None, None], 0, 1)


def pair(found: Comparison, a: str, b: str) -> Difference:
    (row,) = (row for row in found.rows if (row.a, row.b, row.measure.cutoff) == (a, b, 1))
    return row


def test_rows_are_all_pairs_measure_by_measure(values: Floats, make_scores: MakeScores) -> None:
    found = compare(make_scores(values), permutations=99)
    assert len(found.rows) == 10 * 3
    assert [row.measure for row in found.rows[::10]] == list(found.measures)
    assert [(row.a, row.b) for row in found.rows[:5]] == [("s0", f"s{n}") for n in (1, 2, 3, 4)] + [("s1", "s2")]


def test_t_agrees_with_scipy_and_statsmodels(values: Floats, make_scores: MakeScores) -> None:
    found = compare(make_scores(values), test="t")
    for m in range(3):
        rows = found.rows[10 * m : 10 * m + 10]
        expected = [stats.ttest_rel(values[int(r.a[1]), m], values[int(r.b[1]), m]).pvalue for r in rows]
        assert [row.p for row in rows] == pytest.approx(expected, rel=1e-11)
        assert [row.p_adjusted for row in rows] == pytest.approx(multipletests(expected, method="holm")[1], rel=1e-11)


def test_randomisation_near_scipy(values: Floats, make_scores: MakeScores) -> None:
    row = pair(compare(make_scores(values)), "s1", "s2")
    expected = stats.permutation_test(
        (values[1, 0], values[2, 0]),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        n_resamples=10_000,
        rng=np.random.default_rng(5),
    ).pvalue
    assert row.p == pytest.approx(expected, abs=5 * np.sqrt(expected / 10_000))


def test_interval_near_scipy(values: Floats, make_scores: MakeScores) -> None:
    row = pair(compare(make_scores(values), resamples=20_000), "s1", "s4")
    gap = values[1, 0] - values[4, 0]
    expected = stats.bootstrap((gap,), np.mean, n_resamples=20_000, rng=np.random.default_rng(1)).confidence_interval
    assert (row.low, row.high) == pytest.approx((expected.low, expected.high), abs=0.05 * (row.high - row.low))
    assert row.low < row.difference < row.high
    assert row.difference == pytest.approx(gap.mean())


@pytest.mark.parametrize("test", TESTS)
def test_same_seed_same_result(test: Test, values: Floats, make_scores: MakeScores) -> None:
    scores = make_scores(values)
    first = compare(scores, test=test, permutations=200, seed=3)
    again = compare(scores, test=test, permutations=200, seed=3)
    assert (repr(first.rows), first.groups) == (repr(again.rows), again.groups)
    assert repr(first.rows) != repr(compare(scores, test=test, permutations=200, seed=4).rows)


@pytest.mark.parametrize("test", TESTS)
def test_order_of_systems_changes_signs_only(test: Test, values: Floats, make_scores: MakeScores) -> None:
    ahead = pair(compare(make_scores(values[:2]), test=test, permutations=500), "s0", "s1")
    behind = pair(compare(make_scores(values[1::-1]), test=test, permutations=500), "s0", "s1")
    assert ahead.p == pytest.approx(behind.p, rel=1e-12)
    assert (ahead.difference, ahead.effect) == pytest.approx((-behind.difference, -behind.effect))
    assert (ahead.wins, ahead.ties, ahead.losses) == (behind.losses, behind.ties, behind.wins)


@pytest.mark.parametrize("test", TESTS)
def test_p_is_never_zero(test: Test, make_scores: MakeScores) -> None:
    base = np.random.default_rng(1).random(400) / 100
    found = compare(make_scores([base, base + 0.9, base + 0.5]), test=test, permutations=300)
    assert all(0 < row.p <= row.p_adjusted <= 1 for row in found.rows)
    assert found.groups[found.measures[0]] in (((3,), (1,), (2,)), ((1,), (1,), (1,)))


def test_equal_systems(make_scores: MakeScores) -> None:
    # The same measurements, added in another order.
    base = np.array([0.1, 0.2, 0.7, 0.0])
    for test in TESTS:
        (row,) = compare(make_scores([base + 0.1 + 0.2, base + (0.1 + 0.2)]), test=test, permutations=50).rows
        assert (row.difference, row.effect, row.p, row.wins, row.ties) == (0, 0, 1, 0, 4)
        assert (row.low, row.high) == (0, 0)


def test_constant_difference_has_an_infinite_effect(make_scores: MakeScores) -> None:
    base = np.array([0.1, 0.2, 0.7, 0.05])
    (row,) = compare(make_scores([base + 0.1, base]), test="t").rows
    assert row.effect == np.inf
    assert 0 < row.p < 1e-300


def test_leaving_hard_topics_out_gains_nothing_and_is_counted(make_scores: MakeScores) -> None:
    honest = np.linspace(0, 1, 50)
    picky = np.where(honest < 0.5, np.nan, honest)
    for test in TESTS:
        scores = make_scores([honest, picky])
        assert scores.means[1, 0] > scores.means[0, 0] + 0.2
        (row,) = compare(scores, test=test, permutations=99).rows
        assert (row.difference, row.topics, row.unpaired, row.p) == (0, 25, 25, 1)
    zeros = np.where(honest < 0.5, 0.0, honest)
    (row,) = compare(make_scores([honest, zeros])).rows
    assert (row.topics, row.unpaired) == (50, 0)
    assert row.difference > 0
    assert row.p < 0.01


def test_tukey_counts_topics_that_all_have(values: Floats, make_scores: MakeScores) -> None:
    values[4, :, :10] = np.nan
    found = compare(make_scores(values), test="tukey", permutations=99)
    assert {row.topics for row in found.rows} == {30}


def test_a_system_without_topics_is_an_error_not_a_loser(values: Floats, make_scores: MakeScores) -> None:
    values[3, 1] = np.nan
    with pytest.raises(DataError, match=r"'s3' has none for P@2: leave the run or the measure out"):
        compare(make_scores(values))


def test_pairs_without_a_common_topic_are_not_told_apart(make_scores: MakeScores) -> None:
    gap = [np.nan] * 20
    rng = np.random.default_rng(2)
    ones, zeros, both = [1.0] * 20, [0.0] * 20, rng.random(40).tolist()
    for test in TESTS:
        found = compare(make_scores([ones + gap, gap + zeros, both]), test=test, permutations=2000)
        row = pair(found, "s0", "s1")
        assert np.isnan([row.difference, row.p, row.p_adjusted, row.low, row.high, row.effect]).all()
        assert (row.topics, row.wins, row.ties, row.losses) == (0, 0, 0, 0)
        groups = found.groups[row.measure]
        assert set(groups[0]) & set(groups[1])


def test_one_topic_is_no_evidence(make_scores: MakeScores) -> None:
    for test in TESTS:
        (row,) = compare(make_scores([[0.9], [0.1]]), test=test, permutations=999).rows
        assert np.isnan(row.p) if test == "t" else row.p == 1
        assert np.isnan([row.low, row.high, row.effect]).all()


def test_groups_follow_adjusted_p(values: Floats, make_scores: MakeScores) -> None:
    found = compare(make_scores(values))
    for row in found.rows:
        groups = found.groups[row.measure]
        shared = set(groups[int(row.a[1])]) & set(groups[int(row.b[1])])
        assert bool(shared) == (row.p_adjusted >= 0.05)
    assert len({row.p_adjusted < 0.05 for row in found.rows}) == 2


def test_against_a_baseline(values: Floats, make_scores: MakeScores) -> None:
    scores = make_scores(values)
    found = compare(scores, baseline="s2", permutations=500)
    everything = compare(scores, permutations=500)
    assert [(row.a, row.b) for row in found.rows[:4]] == [(f"s{n}", "s2") for n in (0, 1, 3, 4)]
    assert set(found.groups.values()) == {((),) * 5}
    for row in found.rows:
        if row.a < "s2":
            twin = next(r for r in everything.rows if (r.a, r.b, r.measure) == (row.a, row.b, row.measure))
            assert (row.p, row.difference) == (twin.p, twin.difference)
            assert row.p_adjusted <= twin.p_adjusted


def test_less_is_better_for_some_measures(
    values: Floats, make_scores: MakeScores, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = make_scores(values[:3, :1])
    ahead = compare(scores, permutations=200)
    card = replace(Measure("P", cutoff=1).card, higher_is_better=False)
    monkeypatch.setattr(Measure, "card", property(lambda _: card))
    turned = compare(scores, permutations=200)
    for row, other in zip(ahead.rows, turned.rows, strict=True):
        assert (row.wins, row.losses, row.p, row.difference) == (other.losses, other.wins, other.p, other.difference)
    (measure,) = scores.measures
    assert 1 in ahead.groups[measure][2]
    assert 1 in turned.groups[measure][0]


@pytest.mark.parametrize("test", TESTS)
def test_sixty_systems(test: Test, make_scores: MakeScores) -> None:
    rng = np.random.default_rng(3)
    values = rng.beta(1, 2, (1, 30)) + rng.normal(0, 0.05, (62, 30)) + np.linspace(0, 0.4, 62)[:, None]
    found = compare(make_scores(values), test=test, resamples=100)
    (groups,) = found.groups.values()
    assert all(groups)
    # The best and the worst are apart, though a family of 1,891 pairs makes Holm strict.
    assert not set(groups[0]) & set(groups[61])
    assert found.least_adjusted < 0.05


def test_flips_follow_the_family_unless_told(make_scores: MakeScores) -> None:
    values = np.random.default_rng(4).random((40, 6))
    assert compare(make_scores(values[:10]), resamples=9).permutations == 10_000
    assert compare(make_scores(values), resamples=9).permutations == 4 * 780 * 20
    assert compare(make_scores(values), resamples=9, test="tukey").permutations == 10_000
    told = compare(make_scores(values), resamples=9, permutations=10_000)
    assert told.permutations == 10_000
    assert told.least_adjusted == 780 / 10_001
    assert compare(make_scores(values), resamples=9, test="t").least_adjusted == 0
    assert compare(make_scores(values[:2]), resamples=9, confidence=1 - 1e-9).permutations == 1_000_000


def test_false_alarms_among_all_pairs_under_the_null(make_scores: MakeScores) -> None:
    alarms, trials = dict.fromkeys(TESTS, 0), 150
    rng = np.random.default_rng(5)
    values = rng.beta(1, 2, (4, trials, 25))
    scores = make_scores(values)
    for test in TESTS:
        found = compare(scores, test=test, permutations=999, resamples=10)
        adjusted = np.array([row.p_adjusted for row in found.rows]).reshape(trials, 6)
        alarms[test] = int(np.count_nonzero((adjusted < 0.05).any(axis=1)))
    # Holm is conservative for pairs that share systems, so only the upper bound binds.
    assert max(alarms.values()) <= stats.binom.ppf(0.999, trials, 0.05)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"test": "wilcoxon"}, "must be one of randomisation, t, tukey"),
        ({"permutations": 0}, r"'permutations' option of compare must be an int in \[1, inf\)"),
        ({"resamples": 1.5}, "'resamples' option"),
        ({"confidence": 95}, r"'confidence' option of compare must be a number in \(0, 1\)"),
        ({"seed": -3}, "'seed' option"),
        ({"baseline": "s9"}, "must be one of s0, s1"),
    ],
)
def test_options_out_of_range(wrong: dict[str, Any], message: str, make_scores: MakeScores) -> None:
    with pytest.raises(UsageError, match=message):
        compare(make_scores(np.ones((2, 3))), **wrong)


def test_one_run_is_no_comparison(make_scores: MakeScores) -> None:
    with pytest.raises(UsageError, match="at least two runs"):
        compare(make_scores(np.ones((1, 3))))
