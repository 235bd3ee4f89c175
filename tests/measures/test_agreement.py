"""Agreement beyond chance: published and hand-worked values, statsmodels as the oracle, gaps by brute force."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from patstone.measures.agreement import STATISTICS, Labelled, cohen, specific

Answers = NDArray[np.int8]


def labels(*columns: str) -> Answers:
    """A text for each reviewer: 1, 0, or a dot for a gap."""
    told = [["01".find(letter) for letter in column] for column in columns]
    return np.array(told, dtype=np.int8).T


def value(name: str, answers: Answers) -> float:
    return float(STATISTICS[name](Labelled.once(answers))[0])


# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example A: binary data, two observers: 0.095.
MEG_AND_OWEN = labels("0100000010", "1110010000")
# Ten units, eight both positive, two in dispute: agreement .8, yet kappa is below 0 since almost all is positive.
PARADOX = labels("1111111110", "1111111101")


@pytest.mark.parametrize(
    ("name", "answers", "expected"),
    [
        ("alpha", MEG_AND_OWEN, 1 - (8 / 20) / (2 * 14 * 6 / (20 * 19))),
        ("raw", MEG_AND_OWEN, 6 / 10),
        ("raw", PARADOX, 8 / 10),
        ("cohen", PARADOX, (0.8 - 0.82) / (1 - 0.82)),
        ("fleiss", PARADOX, (0.8 - 0.82) / (1 - 0.82)),
        ("AC1", PARADOX, (0.8 - 2 * 0.9 * 0.1) / (1 - 2 * 0.9 * 0.1)),
        # Units of three, two and one labels: pairs agree 1/3, 1 and not at all; shares 2/3, 0 and 1.
        ("raw", labels("10.", "101", "0.."), (1 / 3 + 1) / 2),
        ("AC1", labels("10.", "101", "0.."), (2 / 3 - 2 * (5 / 9) * (4 / 9)) / (1 - 2 * (5 / 9) * (4 / 9))),
    ],
)
def test_hand_worked(name: str, answers: Answers, expected: float) -> None:
    assert value(name, answers) == pytest.approx(expected, rel=1e-12)


def test_the_published_alpha() -> None:
    assert round(value("alpha", MEG_AND_OWEN), 3) == 0.095


def test_specific_agreement_tells_the_classes_apart() -> None:
    once = Labelled.once(PARADOX)
    assert float(specific(once, True)[0]) == pytest.approx(16 / 18)
    assert float(specific(once, False)[0]) == 0.0


@pytest.mark.parametrize("seed", range(20))
def test_statsmodels_agrees_where_nothing_is_missing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    answers = (rng.random((25, 3)) < rng.random((25, 1))).astype(np.int8)
    counts = np.stack([(answers == 0).sum(axis=1), (answers == 1).sum(axis=1)], axis=1)
    assert value("fleiss", answers) == pytest.approx(fleiss_kappa(counts), rel=1e-9)
    kappas = []
    for a, b in combinations(range(3), 2):
        table = np.histogram2d(answers[:, a], answers[:, b], bins=2, range=[[0, 1], [0, 1]])[0]
        kappas.append(cohens_kappa(table).kappa)
        assert float(cohen(Labelled.once(answers), a, b)[0]) == pytest.approx(kappas[-1], rel=1e-9)
    assert value("cohen", answers) == pytest.approx(np.mean(kappas), rel=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_alpha_with_gaps_is_one_less_observed_over_expected_disagreement(seed: int) -> None:
    """By the definition, pair by pair: disagreement within units, and among all pairable labels."""
    rng = np.random.default_rng(seed)
    answers = rng.integers(-1, 2, (12, 4)).astype(np.int8)
    units = [[a for a in row if a >= 0] for row in answers.tolist()]
    units = [unit for unit in units if len(unit) > 1]
    every = [label for unit in units for label in unit]
    observed = sum(2 * sum(a != b for a, b in combinations(unit, 2)) / (len(unit) - 1) for unit in units) / len(every)
    expected = 2 * sum(a != b for a, b in combinations(every, 2)) / (len(every) * (len(every) - 1))
    assert value("alpha", answers) == pytest.approx(1 - observed / expected, rel=1e-12)


@pytest.mark.parametrize("name", ["cohen", "fleiss", "alpha"])
def test_one_label_alone_leaves_chance_undefined(name: str) -> None:
    assert np.isnan(value(name, labels("111", "111")))
    assert value("AC1", labels("111", "111")) == 1.0


@pytest.mark.parametrize("name", STATISTICS)
def test_weights_are_repetitions(name: str) -> None:
    rng = np.random.default_rng(3)
    answers = rng.integers(-1, 2, (15, 3)).astype(np.int8)
    weights = rng.integers(0, 3, 15)
    repeated = Labelled.once(np.repeat(answers, weights, axis=0))
    weighed = Labelled(answers, weights[None, :].astype(np.float64))
    assert STATISTICS[name](weighed) == pytest.approx(STATISTICS[name](repeated), rel=1e-12)
