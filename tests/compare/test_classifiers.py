"""Intervals and paired tests of classifiers, held against statsmodels and scipy, and against coverage."""

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar as oracle_mcnemar
from statsmodels.stats.proportion import proportion_confint

from labelled import gold_of, said, scored
from patstone.compare.classifiers import (
    Sampling,
    compare_classifiers,
    mcnemar,
    score_classifiers,
    values,
    wilson,
)
from patstone.errors import UsageError
from patstone.measures.classified import Classified, classify

GOLD = "+" * 40 + "-" * 60
GOOD = "+" * 35 + "-" * 5 + "+" * 4 + "-" * 56
POOR = "+" * 20 + "-" * 20 + "+" * 20 + "-" * 40


def held(answers: str, name: str) -> Classified:
    return classify(gold_of(GOLD), said(answers, name=name))


@pytest.mark.parametrize(("hits", "trials"), [(0, 5), (5, 5), (1, 7), (35, 39), (1, 1000)])
def test_wilson_is_statsmodels(hits: int, trials: int) -> None:
    assert wilson(hits, trials) == pytest.approx(proportion_confint(hits, trials, method="wilson"), abs=1e-12)


def test_without_a_trial_everything_is_possible() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (3, 3), (1, 9), (40, 12), (700, 600)])
def test_mcnemar_is_exact(wins: int, losses: int) -> None:
    theirs = oracle_mcnemar([[5, wins], [losses, 5]], exact=True).pvalue
    assert mcnemar(wins, losses) == pytest.approx(theirs, rel=1e-9)
    if wins + losses:
        assert mcnemar(wins, losses) == pytest.approx(binomtest(wins, wins + losses).pvalue, rel=1e-9)


def test_a_share_has_wilson_and_the_rest_a_bootstrap() -> None:
    found = {each.measure: each for each in values(held(GOOD, "good"), ["precision", "recall", "F1", "MCC", "AUC"])}
    assert found["precision"].value == pytest.approx(35 / 39)
    assert (found["precision"].low, found["precision"].high) == pytest.approx(wilson(35, 39))
    assert (found["precision"].method, found["F1"].method, found["AUC"].method) == ("wilson", "bootstrap", "none")
    assert found["F1"].low < found["F1"].value < found["F1"].high
    assert np.isnan(found["AUC"].value)


def test_the_bootstrap_covers_f1_about_as_often_as_it_says() -> None:
    """F1 of a classifier whose true counts are known; 90 % intervals from 200 samples of 300 units."""
    rng, truth, covered = np.random.default_rng(5), 2 * 0.3 / (2 * 0.3 + 0.1 + 0.1), 0
    for trial in range(200):
        cells = rng.multinomial(300, [0.3, 0.1, 0.1, 0.5]).tolist()
        labels = "+" * cells[0] + "-" * cells[1] + "+" * cells[2] + "-" * cells[3]
        answers = "+" * (cells[0] + cells[1]) + "-" * (cells[2] + cells[3])
        one = classify(gold_of(labels), said(answers))
        found = values(one, ["F1"], Sampling(confidence=0.9, resamples=500, seed=trial))[0]
        covered += found.low <= truth <= found.high
    assert 0.84 <= covered / 200 <= 0.96


def test_two_classifiers_that_differ_are_told_apart_and_equal_ones_are_not() -> None:
    several = [held(GOOD, "good"), held(POOR, "poor"), held(GOOD, "again")]
    rows = compare_classifiers(several, ["F1", "accuracy"], Sampling(permutations=2000))
    by = {(row.measure, row.a, row.b): row for row in rows}
    apart, same = by["F1", "good", "poor"], by["F1", "good", "again"]
    assert apart.difference == pytest.approx(70 / 79 - 0.5)
    assert apart.low < apart.difference < apart.high
    assert (apart.wins, apart.losses, apart.ties, apart.units) == (31, 0, 69, 100)
    assert apart.p < 0.01
    assert apart.p_adjusted <= 3 * apart.p + 1e-12
    assert (same.difference, same.p, same.wins) == (0.0, 1.0, 0)
    assert (by["accuracy", "good", "poor"].test, apart.test) == ("mcnemar", "randomisation")
    assert by["accuracy", "good", "poor"].p == pytest.approx(mcnemar(31, 0))


def test_swapping_gives_the_exact_p_where_it_can_be_enumerated() -> None:
    """Five units on which only one is right: of 2^5 ways to swap, 2 are as extreme."""
    one, other = classify(gold_of("+" * 5 + "-" * 5), said("+" * 5 + "-" * 5, name="a")), None
    other = classify(gold_of("+" * 5 + "-" * 5), said("-" * 10, name="b"))
    row = compare_classifiers([one, other], ["recall"], Sampling(permutations=20_000))[0]
    assert row.p == pytest.approx(2 / 32, abs=0.006)


def test_scores_are_compared_by_a_paired_bootstrap() -> None:
    rng = np.random.default_rng(6)
    truth = np.array([letter == "+" for letter in GOLD])
    good, poor = truth + rng.normal(0, 0.4, 100), truth + rng.normal(0, 3, 100)
    several = [classify(gold_of(GOLD), scored(side.tolist(), name=n)) for side, n in ((good, "good"), (poor, "poor"))]
    row = compare_classifiers(several, ["AUC"], Sampling(resamples=500))[0]
    assert (row.test, row.p < 0.01, row.low > 0) == ("bootstrap", True, True)


def test_a_baseline_stands_on_the_right() -> None:
    rows = compare_classifiers([held(GOOD, "good"), held(POOR, "poor")], ["F1"], baseline="good")
    assert [(row.a, row.b) for row in rows] == [("poor", "good")]
    with pytest.raises(UsageError, match="must be one of good, poor"):
        compare_classifiers([held(GOOD, "good"), held(POOR, "poor")], ["F1"], baseline="x")


def test_measures_are_checked_before_anything_is_counted() -> None:
    one = held(GOOD, "good")
    assert "AUC" not in score_classifiers([one]).measures
    assert score_classifiers([one], ["f1"]).value("good", "F1").value == pytest.approx(70 / 79)
    with pytest.raises(UsageError, match="AUC needs scores, and good has labels only"):
        score_classifiers([one], ["AUC"])
    with pytest.raises(UsageError, match=r"Labels are scored by precision, recall.* Got 'nDCG@10'"):
        score_classifiers([one], ["nDCG@10"])


def test_the_same_seed_gives_the_same_numbers() -> None:
    first, second = (score_classifiers([held(GOOD, "a"), held(POOR, "b")], ["F1"]) for _ in range(2))
    assert first.values == second.values
    assert first.compare() == second.compare()
