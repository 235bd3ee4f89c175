"""Student's t without a statistics library: two-sided p-values by the incomplete beta function.

p = I_x(df / 2, 1 / 2) with x = df / (df + t²), by its continued fraction (Abramowitz & Stegun 26.5.8), which keeps
its relative precision far out in the tail. A p that underflows is the smallest normal float, never 0; so is that of
an infinite t. NaN stays NaN.
"""

from math import lgamma, log, pi

import numpy as np

from patstone.gold.qrels import Floats

_EPS = np.finfo(np.float64).eps
_TERMS = 10_000
"""A bound that is not met: the fraction takes some sqrt(df) terms."""
_STIRLING = (-1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144)


def two_sided(t: Floats, df: Floats) -> Floats:
    """Probability of a |t| at least as large, with `df` degrees of freedom; NaN for less than one."""
    t, df = np.broadcast_arrays(np.asarray(t, dtype=np.float64), np.asarray(df, dtype=np.float64))
    p = np.full(t.shape, np.nan)
    known = ~np.isnan(t) & (df >= 1)
    # The square of a larger t overflows; its p has long underflowed.
    square = np.minimum(np.abs(t[known]), 1e150) ** 2
    p[known] = np.clip(_tails(square, df[known]), np.finfo(np.float64).tiny, 1.0)
    return p


def _tails(square: Floats, df: Floats) -> Floats:
    a, half = df / 2, np.full(len(df), 0.5)
    x, y = df / (df + square), square / (df + square)
    front = np.exp(-a * np.log1p(square / df) - _log_beta(a)) * np.sqrt(y)
    p = np.empty(len(df))
    # Each side of the mode has the fraction that converges there.
    far = x < (a + 1) / (a + 2.5)
    p[far] = front[far] / a[far] * _fraction(x[far], a[far], half[far])
    p[~far] = 1 - 2 * front[~far] * _fraction(y[~far], half[~far], a[~far])
    return p


def _log_beta(a: Floats) -> Floats:
    """The logarithm of B(a, 1/2); for large a by the series of Γ(a + 1/2) / Γ(a), whose logarithms would cancel."""
    return np.array([_log_beta_small(v) if v < 50 else _log_beta_large(v) for v in a.tolist()], dtype=np.float64)


def _log_beta_small(a: float) -> float:
    return lgamma(a) + log(pi) / 2 - lgamma(a + 0.5)


def _log_beta_large(a: float) -> float:
    series = 1 + sum(term / a**power for power, term in enumerate(_STIRLING, start=1))
    return log(pi / a) / 2 - log(series)


def _fraction(x: Floats, a: Floats, b: Floats) -> Floats:
    """Evaluate the continued fraction by Lentz's method."""
    above = np.ones(len(x))
    below = 1 / (1 - (a + b) * x / (a + 1))
    value = below.copy()
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            below = 1 / (1 + term * below)
            above = 1 + term / above
            value *= above * below
        if (np.abs(above * below - 1) < 4 * _EPS).all():
            break
    return value
