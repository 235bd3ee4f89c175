"""Scores of confusion matrices, against scikit-learn, and their averages over runs."""

import numpy as np
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from patstone.experiments.curves import curve, filled, measured

# Table 6 of paper 1, |T| = 300 and 350: tp, fp, fn, tn, then precision, recall, F1 and accuracy as printed.
PRINTED = [
    ([275.6, 12.1, 12.8, 828.5], [0.958, 0.956, 0.957, 0.978]),
    ([255.0, 10.7, 10.7, 802.7], [0.960, 0.960, 0.960, 0.980]),
]


def test_table_6_follows_from_its_counts() -> None:
    for counts, printed in PRINTED:
        assert [round(float(value), 3) for value in measured(np.array(counts)).values()] == printed


def test_measures_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    true, said = rng.random(300) < 0.3, rng.random(300) < 0.4
    counts = np.array([(true & said).sum(), (~true & said).sum(), (true & ~said).sum(), (~true & ~said).sum()])
    expected = [score(true, said) for score in (precision_score, recall_score, f1_score, accuracy_score)]
    assert np.allclose(list(measured(counts).values()), expected)


def test_the_mean_matrix_is_scored_and_the_runs_vary() -> None:
    counts = np.array([[[1, 1, 0, 8]], [[3, 0, 1, 6]]])
    found = curve(counts)
    assert found.counts.tolist() == [[2.0, 0.5, 0.5, 7.0]]
    assert found.values["F1"].tolist() == [0.8]
    # The F1 of the runs are 2/3 and 6/7: their mean is not 0.8, and their variance is half their squared difference.
    assert np.allclose(found.variances["F1"], (6 / 7 - 2 / 3) ** 2 / 2)


def test_nothing_by_nothing_counts_as_zero_and_is_counted() -> None:
    counts = np.array([[[0, 0, 2, 8]], [[0, 0, 0, 10]]])
    found = curve(counts)
    assert found.values["precision"].tolist() == [0.0]
    assert found.undefined == 4  # precision twice; recall and F1 where nothing is positive
    assert filled(measured(counts))["recall"].tolist() == [[0.0], [0.0]]


def test_one_run_has_no_variance() -> None:
    assert np.isnan(curve(np.array([[[1, 1, 1, 1]]])).variances["F1"]).all()
