"""Intervals of means by kind, against scipy where it has the same."""

import numpy as np
import pytest
from scipy import stats

from patstone.compare.intervals import bca
from patstone.compare.means import interval, quantile, student
from patstone.errors import UsageError


def test_student_is_scipys() -> None:
    values = np.random.default_rng(0).random((3, 2, 40))
    values[1, 0, 3] = np.nan
    low, high = student(values, confidence=0.9)
    for place in np.ndindex(3, 2):
        row = values[place][~np.isnan(values[place])]
        expected = stats.t.interval(0.9, len(row) - 1, row.mean(), stats.sem(row))
        assert (low[place], high[place]) == pytest.approx(expected, abs=1e-12)


def test_one_value_tells_nothing_about_spread() -> None:
    low, high = student(np.array([[1.0, np.nan], [1.0, 1.0], [np.nan, np.nan]]))
    np.testing.assert_array_equal(low, [np.nan, 1.0, np.nan])
    np.testing.assert_array_equal(high, [np.nan, 1.0, np.nan])


def test_quantiles_are_scipys() -> None:
    df = np.array([1.0, 2.0, 5.0, 100.0, 1e5])
    for p in (0.5, 0.05, 1e-6):
        np.testing.assert_allclose(quantile(p, df), stats.t.isf(p / 2, df), rtol=1e-12)


def test_the_other_kinds() -> None:
    values = np.random.default_rng(1).random((2, 30))
    assert interval(values, "none") is None
    np.testing.assert_array_equal(interval(values, "t"), student(values))
    np.testing.assert_array_equal(interval(values, "bca", seed=3), bca(values, seed=3))
    with pytest.raises(UsageError, match="one of 'bca', 't', 'none'"):
        interval(values, "z")  # type: ignore[arg-type]
