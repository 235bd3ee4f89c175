"""Correlations against scipy and against their definitions."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, permutations, product
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy import stats

from patstone.compare import resampling
from patstone.compare.correlation import kendall_tau_b, spearman, tau_ap
from patstone.errors import UsageError

Correlation: TypeAlias = Callable[[ArrayLike, ArrayLike], float]
ALL = [kendall_tau_b, tau_ap, spearman]
PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=40)


def varied(pairs: list[tuple[int, int]]) -> bool:
    return len({x for x, _ in pairs}) > 1 and len({y for _, y in pairs}) > 1


@given(PAIRS.filter(varied))
def test_tau_b_and_rho_agree_with_scipy(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    assert kendall_tau_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


def tau_ap_by_definition(x: tuple[int, ...], y: tuple[int, ...]) -> Fraction:
    """Mean over all orders of ties on both sides."""
    items = range(len(x))
    by_x = [order for order in permutations(items) if all(x[a] >= x[b] for a, b in pairwise(order))]
    by_y = [order for order in permutations(items) if all(y[a] >= y[b] for a, b in pairwise(order))]
    total = Fraction(0)
    for estimate, truth in product(by_x, by_y):
        place = {item: rank for rank, item in enumerate(truth)}
        right = [
            Fraction(sum(place[above] < place[item] for above in estimate[:rank]), rank)
            for rank, item in enumerate(estimate)
            if rank
        ]
        total += Fraction(2, len(x) - 1) * sum(right) - 1
    return total / (len(by_x) * len(by_y))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=5).filter(varied))
def test_tau_ap_is_the_mean_over_all_orders_of_ties(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    assert tau_ap(x, y) == pytest.approx(float(tau_ap_by_definition(x, y)), abs=1e-12)


@pytest.mark.parametrize("correlation", ALL)
def test_bounds_and_undefined_cases(correlation: Correlation) -> None:
    up, down = list(range(20)), list(range(20))[::-1]
    assert correlation(up, up) == pytest.approx(1, abs=1e-15)
    assert correlation(up, down) == pytest.approx(-1, abs=1e-15)
    for nothing in ([], [1.0], [2.0, 2.0, 2.0]):
        assert np.isnan(correlation(nothing, list(range(len(nothing)))))
        assert np.isnan(correlation(list(range(len(nothing))), nothing))


@pytest.mark.parametrize("correlation", ALL)
def test_bad_lists_are_refused(correlation: Correlation) -> None:
    with pytest.raises(UsageError, match="equal length"):
        correlation([1, 2], [1, 2, 3])
    with pytest.raises(UsageError, match="leave the item out"):
        correlation([1.0, float("nan")], [1.0, 2.0])


def test_long_lists_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 300, 3000)
    y = x + rng.integers(0, 200, 3000)
    assert kendall_tau_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    whole = tau_ap(x, y)
    monkeypatch.setattr(resampling, "BLOCK", 5000)
    assert tau_ap(x, y) == whole
