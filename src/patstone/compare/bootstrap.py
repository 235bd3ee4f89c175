"""The paired bootstrap test of Sakai (SIGIR 2006) of a mean difference of 0.

Differences are shifted to mean 0, the null hypothesis, and resampled; each resample's studentised mean,
t = mean / (deviation / sqrt(n)), is held against the observed t, two-sided. p = (c + 1) / (resamples + 1), never 0;
with 1000 resamples it is below 0.05 exactly when Sakai's c / 1000 is. A resample of equal values has an infinite t
unless its mean is 0. Fewer than two topics have no p (NaN).
"""

import numpy as np

from patstone.compare.resampling import blocks, bootstrap_weights, by_pattern
from patstone.gold.qrels import Floats

_EPS = np.finfo(np.float64).eps


def bootstrap_test(gaps: Floats, *, resamples: int, alpha: float, seed: int) -> tuple[Floats, Floats]:
    """For rows of differences (NaN left out): p, and the difference of means that would have had p = alpha."""
    found = np.full((2, len(gaps)), np.nan)
    for index, present in by_pattern(gaps):
        for part in blocks(len(index) if present.shape[1] > 1 else 0, resamples):
            found[:, index[part]] = _complete(present[part], resamples, alpha, seed)
    return found[0], found[1]


def _complete(gaps: Floats, count: int, alpha: float, seed: int) -> Floats:
    mean = gaps.mean(axis=1)
    shifted = gaps - mean[:, None]
    varied = np.ptp(gaps, axis=1) > 0
    unit = np.where(varied, np.abs(shifted).max(axis=1), 1.0)
    shifted = np.where(varied[:, None], shifted / unit[:, None], 0.0)
    means, t = _resampled(shifted, count, seed)
    observed = _studentised(np.abs(mean) / unit, (shifted**2).mean(axis=1))
    extreme = np.count_nonzero(t >= observed[:, None] * (1 - gaps.shape[1] * _EPS), axis=1)
    return np.stack([(extreme + 1) / (count + 1), unit * _at(alpha, means, t)])


def _resampled(shifted: Floats, count: int, seed: int) -> tuple[Floats, Floats]:
    """|Means| and |t| of each row's resamples; what rounding leaves of a zero is a zero."""
    topics = shifted.shape[1]
    rounding = topics * _EPS
    means, t = np.empty((2, len(shifted), count))
    squares = shifted**2
    for part, weights in bootstrap_weights(topics, count, seed):
        mean = np.abs(shifted @ weights.T) / topics
        mean[mean <= rounding] = 0.0
        square = squares @ weights.T / topics
        variance = square - mean**2
        variance[variance <= rounding * square] = 0.0
        means[:, part], t[:, part] = mean, _studentised(mean, variance)
    return means, t


def _studentised(mean: Floats, variance: Floats) -> Floats:
    """|t| up to the factor sqrt(n), which the observed and the resampled share; 0 / 0 is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(mean > 0, mean / np.sqrt(variance), 0.0)


def _at(alpha: float, means: Floats, t: Floats) -> Floats:
    """The |mean| of the resample with the (alpha · count)-th largest |t|: Sakai's estimate of the difference needed."""
    place = t.shape[1] - max(1, int(alpha * t.shape[1]))
    index = np.argpartition(t, place, axis=1)[:, place]
    return np.asarray(means[np.arange(len(t)), index], dtype=np.float64)
