"""BCa intervals against scipy on the same resamples, and where the formula says nothing."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from patstone.compare import resampling
from patstone.compare.intervals import bca
from patstone.compare.resampling import bootstrap_weights
from patstone.errors import UsageError
from patstone.gold.qrels import Floats


def by_scipy(values: Floats, resamples: int, confidence: float, seed: int) -> tuple[float, float]:
    """Take scipy's BCa of our resamples: it lets an earlier result stand for new draws."""
    means = np.concatenate(
        [weights @ values / len(values) for _, weights in bootstrap_weights(len(values), resamples, seed)]
    )
    earlier: Any = SimpleNamespace(bootstrap_distribution=means)
    found = stats.bootstrap(
        (values,), np.mean, n_resamples=0, bootstrap_result=earlier, confidence_level=confidence, method="BCa"
    )
    return found.confidence_interval.low, found.confidence_interval.high


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("topics", [3, 17, 200])
def test_agrees_with_scipy_on_the_same_resamples(topics: int, confidence: float) -> None:
    rng = np.random.default_rng(topics)
    for values in (rng.normal(0.3, 0.2, topics), rng.exponential(5, topics), rng.beta(0.2, 3, topics)):
        low, high = bca(values, resamples=1500, confidence=confidence, seed=7)
        assert (float(low), float(high)) == pytest.approx(by_scipy(values, 1500, confidence, 7), rel=1e-11, abs=1e-13)


def test_ties_between_resampled_and_observed_means_count_half() -> None:
    # Sums of 0 and 1 are exact in scipy too, so its tie rule is seen.
    values = np.array([0, 1, 1, 0, 1, 0, 0, 0, 0, 1], dtype=np.float64)
    assert tuple(map(float, bca(values, seed=3))) == pytest.approx(by_scipy(values, 2000, 0.95, 3), abs=1e-12)


def test_a_topic_left_out_is_as_if_it_never_was() -> None:
    rng = np.random.default_rng(1)
    values = rng.random((3, 4, 30))
    values[0, 1, 5:9] = np.nan
    values[2, :, 0] = np.nan
    low, high = bca(values, resamples=400)
    assert low.shape == high.shape == (3, 4)
    for place in np.ndindex(3, 4):
        alone = bca(values[place][~np.isnan(values[place])], resamples=400)
        assert (low[place], high[place]) == pytest.approx(tuple(map(float, alone)), rel=1e-12)


def test_degenerate_rows() -> None:
    gap = np.nan
    low, high = bca(np.array([[gap] * 3, [0.4, gap, gap], [0.3, 0.3, 0.3], [0.0, 0.0, gap]]))
    assert np.isnan([low[:2], high[:2]]).all()
    assert low[2:] == pytest.approx([0.3, 0.0], abs=1e-15)
    assert high[2:] == pytest.approx([0.3, 0.0], abs=1e-15)
    assert np.isnan(bca(np.empty((2, 0)))).all()
    assert bca(np.empty((0, 5)))[0].shape == (0,)


def test_the_block_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(2).random((9, 50))
    whole = bca(values, resamples=300)
    drawn = np.concatenate([weights for _, weights in bootstrap_weights(50, 300, 0)])
    monkeypatch.setattr(resampling, "BLOCK", 700)
    assert (np.concatenate([weights for _, weights in bootstrap_weights(50, 300, 0)]) == drawn).all()
    np.testing.assert_allclose(bca(values, resamples=300), whole, rtol=1e-13)


def test_same_seed_same_bytes_another_seed_others() -> None:
    values = np.random.default_rng(3).random((5, 60))
    ends = np.array(bca(values, seed=1))
    assert ends.tobytes() == np.array(bca(values, seed=1)).tobytes()
    assert (ends != np.array(bca(values, seed=2))).all()


@pytest.mark.parametrize("factor", [1e-250, 1e-9, 1e9, 1e250])
def test_scale_is_free(factor: float) -> None:
    values = np.random.default_rng(4).exponential(1, 40)
    np.testing.assert_allclose(np.array(bca(values * factor)) / factor, bca(values), rtol=1e-11)


def test_covers_the_mean_as_often_as_it_says() -> None:
    samples = np.random.default_rng(5).normal(0.5, 0.2, (1500, 60))
    low, high = bca(samples, resamples=1000)
    share = ((low <= 0.5) & (high >= 0.5)).mean()
    # Three standard errors below what 95 % allows for the small-sample bias, three above it.
    assert 0.925 < share < 0.967


def test_no_end_leaves_the_range_of_the_values() -> None:
    """The last bit of a sum put the low end of these at 0.09999999999999998 and 0.19999999999999998."""
    low, high = bca(np.array([[0.1, 0.3, 0.7], [0.2, 0.2, 0.7]]), resamples=200)
    assert low.tolist() == [0.1, 0.2]
    assert (high <= 0.7).all()


@pytest.mark.parametrize("wrong", [{"confidence": 1.0}, {"confidence": 0}, {"resamples": 0}, {"seed": -1}])
def test_options_out_of_range(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=f"The {next(iter(wrong))!r} option of bca must be"):
        bca(np.ones(3), **wrong)
