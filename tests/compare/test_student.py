"""Student's t against scipy."""

import numpy as np
import pytest
from scipy import stats

from patstone.compare.student import two_sided

T = np.concatenate([[0.0], np.geomspace(1e-8, 1e3, 120)])


@pytest.mark.parametrize("df", [2, 3, 5, 9, 10, 49, 98, 99, 100, 101, 999, 9_999, 100_000])
def test_agrees_with_scipy_far_into_the_tail(df: int) -> None:
    expected = 2 * stats.t.sf(T, df)
    inside = expected > 1e-290
    assert two_sided(T, np.full(len(T), float(df)))[inside] == pytest.approx(expected[inside], rel=1e-12)


def test_is_symmetric_and_never_zero() -> None:
    t = np.array([2.5, -2.5, 1e9, 1e200, np.inf, -np.inf])
    p = two_sided(t, np.full(6, 500.0))
    assert p[0] == p[1]
    assert (p[2:] == np.finfo(np.float64).tiny).all()


def test_says_nothing_where_nothing_is_known() -> None:
    assert np.isnan(two_sided(np.array([np.nan, 1.0]), np.array([3.0, 0.0]))).all()


def test_closed_forms() -> None:
    # One degree of freedom is Cauchy: 2/π · atan(1 / t), where scipy keeps nine digits; two: 1 - t / sqrt(2 + t²).
    assert two_sided(T[1:], np.ones(len(T) - 1)) == pytest.approx(2 / np.pi * np.arctan(1 / T[1:]), rel=1e-12)
    assert two_sided(np.array([1.0]), np.array([2.0]))[0] == pytest.approx(1 - 1 / np.sqrt(3), rel=1e-14)
