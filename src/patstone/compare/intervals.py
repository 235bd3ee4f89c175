"""Bootstrap intervals of means: bias-corrected and accelerated (BCa; Efron 1987).

For a mean, and for a mean difference (pass the differences): the interval of every comparison. Topics are resampled;
NaN is a topic that does not count. Two rules where the formula says nothing: fewer than two topics tell nothing
about spread, so the interval is NaN; values that are all equal give an interval of width zero.
"""

from math import erfc, prod, sqrt
from statistics import NormalDist

import numpy as np

from patstone.compare.checks import require_count, require_fraction
from patstone.compare.resampling import blocks, bootstrap_weights, by_pattern
from patstone.gold.qrels import Floats

_quantile = np.vectorize(NormalDist().inv_cdf, otypes=[np.float64])
_probability = np.vectorize(lambda z: erfc(-z / sqrt(2)) / 2, otypes=[np.float64])


def bca(values: Floats, *, resamples: int = 2000, confidence: float = 0.95, seed: int = 0) -> tuple[Floats, Floats]:
    """Interval of the mean over the last axis; low and high have the shape of the axes before it."""
    require_count("bca", "resamples", resamples)
    require_count("bca", "seed", seed, low=0)
    require_fraction("bca", "confidence", confidence)
    values = np.asarray(values, dtype=np.float64)
    rows = values.reshape(prod(values.shape[:-1]), values.shape[-1])
    ends = np.full((2, len(rows)), np.nan)
    for index, present in by_pattern(rows):
        for part in blocks(len(index) if present.shape[1] > 1 else 0, resamples):
            ends[:, index[part]] = _complete(present[part], resamples, confidence, seed)
    low, high = ends.reshape(2, *values.shape[:-1])
    return low, high


def _complete(values: Floats, count: int, confidence: float, seed: int) -> Floats:
    """Rows without gaps: low and high ends."""
    mean = values.mean(axis=1)
    deviation = values - mean[:, None]
    # In units of the largest deviation neither tiny nor huge scores leave the range of a float.
    unit = np.where(np.ptp(values, axis=1) > 0, np.abs(deviation).max(axis=1), 1.0)
    deviation /= unit[:, None]
    means = np.empty((len(values), count))
    for part, weights in bootstrap_weights(values.shape[1], count, seed):
        means[:, part] = deviation @ weights.T
    means /= values.shape[1]
    means.sort(axis=1)
    ends = _ends(means, _bias(means, values.shape[1]), _acceleration(deviation), confidence)
    # No resample's mean leaves the values' range; the last bit of the sum may.
    low, high = values.min(axis=1), values.max(axis=1)
    return np.asarray(np.clip(mean + unit * ends, low, high), dtype=np.float64)


def _bias(means: Floats, topics: int) -> Floats:
    """z0: where the observed mean (0 by now) stands among the resampled; one equal to it counts half."""
    rounding = topics * np.finfo(np.float64).eps
    below = (means < -rounding).sum(axis=1) + (means <= rounding).sum(axis=1)
    count = 2 * means.shape[1]
    return np.asarray(_quantile(np.clip(below, 1, count - 1) / count), dtype=np.float64)


def _acceleration(deviation: Floats) -> Floats:
    """The jackknife's skewness in closed form: leaving topic i out moves the mean by -deviation_i / (n - 1)."""
    square = (deviation**2).sum(axis=1)
    cube = (deviation**3).sum(axis=1)
    flat = square == 0
    return np.asarray(np.where(flat, 0.0, cube / (6 * np.where(flat, 1.0, square) ** 1.5)), dtype=np.float64)


def _ends(means: Floats, bias: Floats, acceleration: Floats, confidence: float) -> Floats:
    tail = NormalDist().inv_cdf((1 + confidence) / 2)
    shifted = bias + np.array([[-tail], [tail]])
    # Beyond the pole every quantile is the last one.
    stretched = shifted / np.maximum(1 - acceleration * shifted, np.finfo(np.float64).tiny)
    place = _probability(bias + stretched) * (means.shape[1] - 1)
    left = place.astype(np.int64)
    right = np.minimum(left + 1, means.shape[1] - 1)
    rows = np.arange(len(means))
    return np.asarray(means[rows, left] + (place - left) * (means[rows, right] - means[rows, left]), dtype=np.float64)
