"""Sakai's paired bootstrap test against a plain loop, and its false alarms under the null."""

import numpy as np
import pytest
from scipy import stats

from patstone.compare.bootstrap import bootstrap_test
from patstone.compare.resampling import bootstrap_weights
from patstone.gold.qrels import Floats


def plain(gaps: Floats, resamples: int, alpha: float, seed: int) -> tuple[float, float]:
    """Resample by repeating topics, studentise, sort."""
    size = len(gaps)
    shifted = gaps - gaps.mean()
    observed = abs(gaps.mean() / (gaps.std(ddof=1) / np.sqrt(size)))
    trials = []
    for _, block in bootstrap_weights(size, resamples, seed):
        for weights in block.astype(np.int64):
            drawn = np.repeat(shifted, weights)
            trials.append((abs(drawn.mean() / (drawn.std(ddof=1) / np.sqrt(size))), abs(drawn.mean())))
    extreme = sum(t >= observed for t, _ in trials)
    trials.sort(reverse=True)
    return (extreme + 1) / (resamples + 1), trials[int(alpha * resamples) - 1][1]


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_a_plain_loop(seed: int) -> None:
    gaps = np.random.default_rng(seed).normal(0.04, 0.1, 35)
    p, required = bootstrap_test(gaps[None], resamples=1000, alpha=0.05, seed=seed)
    assert (p[0], required[0]) == pytest.approx(plain(gaps, 1000, 0.05, seed), rel=1e-10)


def test_rows_may_lack_topics() -> None:
    gaps = np.random.default_rng(0).normal(0.04, 0.1, (5, 30))
    gaps[1:3, 4], gaps[4, :29] = np.nan, np.nan
    p, required = bootstrap_test(gaps, resamples=200, alpha=0.05, seed=0)
    assert np.isnan([p[4], required[4]]).all()
    for row in range(4):
        alone = gaps[row][~np.isnan(gaps[row])][None]
        found = bootstrap_test(alone, resamples=200, alpha=0.05, seed=0)
        assert (p[row], required[row]) == pytest.approx((found[0][0], found[1][0]), rel=1e-12)


def test_degenerate_rows() -> None:
    gaps = np.array([[0.0] * 20, [0.1] * 20, [0.0] * 19 + [1.0]])
    p, _ = bootstrap_test(gaps, resamples=1000, alpha=0.05, seed=0)
    assert p[0] == 1.0
    assert p[1] == 1 / 1001
    # Resamples without the one topic that differs have an infinite t: a lone topic convinces nobody.
    assert p[2] > 0.3


def test_below_alpha_exactly_when_sakais_share_is() -> None:
    counts = np.arange(1001)
    for alpha in (0.01, 0.05, 0.1):
        assert (((counts + 1) / 1001 < alpha) == (counts / 1000 < alpha)).all()


def test_false_alarms_under_the_null() -> None:
    gaps = np.random.default_rng(3).normal(0, 0.2, (1500, 50))
    p, _ = bootstrap_test(gaps, resamples=1000, alpha=0.05, seed=4)
    low, high = stats.binom.interval(0.999, 1500, 0.05)
    assert low <= np.count_nonzero(p <= 0.05) <= high
