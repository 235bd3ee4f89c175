"""Weighted agreement equals scipy's on repeated items, and intervals over clusters are as wide as they should be."""

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from patstone.compare.clustered import associations, percentiles, resamples, share, two_sided


@pytest.mark.parametrize("seed", range(5))
def test_weights_are_repetitions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(-6, 7, 70).astype(float), rng.integers(-1, 2, 70).astype(float)
    weights = rng.integers(0, 4, (3, 70)).astype(float)
    found = associations(x, y, weights)
    for row, weight in enumerate(weights):
        again = np.repeat(np.arange(70), weight.astype(int))
        assert found.tau_b[row] == pytest.approx(kendalltau(x[again], y[again])[0], abs=1e-12)
        assert found.rho[row] == pytest.approx(spearmanr(x[again], y[again])[0], abs=1e-12)


@pytest.mark.parametrize(("x", "y"), [([1.0, 1, 1], [1.0, 0, -1]), ([1.0, 2, 3], [0.0, 0, 0])])
def test_nothing_to_agree_about(x: list[float], y: list[float]) -> None:
    found = associations(np.array(x), np.array(y), np.ones((1, 3)))
    assert np.isnan(found.tau_b).all()
    assert np.isnan(found.rho).all()


def test_clusters_are_drawn_whole_and_by_seed() -> None:
    clusters = np.array([0, 0, 1, 2, 2, 2])
    drawn = np.concatenate(list(resamples(clusters, 50, 7)))
    assert drawn.shape == (50, 6)
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert (drawn[:, [0, 2, 3]].sum(axis=1) == 3).all()
    assert (drawn == np.concatenate(list(resamples(clusters, 50, 7)))).all()


def test_intervals_over_clusters_are_wider_than_over_items() -> None:
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(20), 10)
    # Whole clusters are right or wrong.
    right = rng.integers(0, 2, 20)[clusters].astype(float)
    widths = []
    for groups in (clusters, np.arange(200)):
        values = np.concatenate([share(right, np.ones(200), weights) for weights in resamples(groups, 500, 1)])
        low, high = percentiles(values)
        widths.append(high - low)
    assert widths[0] > 2 * widths[1]


def test_p_is_never_zero_and_at_most_one() -> None:
    assert two_sided(np.full(99, 0.5)) == pytest.approx(0.02)
    assert two_sided(np.array([-1.0, 0.0, 1.0])) == 1.0
    assert np.isnan(two_sided(np.array([np.nan])))
    assert np.isnan(percentiles(np.array([np.nan, 1.0]))).all()
