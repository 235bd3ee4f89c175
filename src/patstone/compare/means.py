"""Intervals of means, of the kind asked for: what `--ci` chooses."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from patstone.compare.intervals import bca
from patstone.compare.student import two_sided
from patstone.errors import UsageError
from patstone.gold.qrels import Floats

Kind = Literal["bca", "t", "none"]


def interval(values: Floats, kind: Kind, *, confidence: float = 0.95, seed: int = 0) -> tuple[Floats, Floats] | None:
    """Low and high ends of the mean over the last axis, NaN left out; None when no interval is wanted."""
    kinds: dict[str, Callable[[], tuple[Floats, Floats] | None]] = {
        "bca": lambda: bca(values, confidence=confidence, seed=seed),
        "t": lambda: student(values, confidence=confidence),
        "none": lambda: None,
    }
    if kind not in kinds:
        raise UsageError(f"The 'ci' parameter must be one of 'bca', 't', 'none'. Got {kind!r} instead.")
    return kinds[kind]()


def student(values: Floats, *, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """The mean ± t s / √n; NaN for fewer than two values, which tell nothing about spread."""
    counted = ~np.isnan(values)
    n = counted.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(counted, values, 0).sum(axis=-1) / n
        deviation = np.where(counted, values - mean[..., None], 0)
        error = np.sqrt((deviation**2).sum(axis=-1) / (n - 1.0) / n)
    reach = np.where(n > 1, quantile(1 - confidence, np.maximum(n - 1.0, 1.0)) * error, np.nan)
    return mean - reach, mean + reach


def quantile(p: float, df: Floats) -> Floats:
    """The t with this two-sided p, by halving its logarithm's bracket until floats end."""
    low, high = np.full(df.shape, -20.0), np.full(df.shape, 60.0)
    for _ in range(80):
        middle = (low + high) / 2
        beyond = two_sided(np.exp(middle), df) > p
        low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
    return np.asarray(np.exp(low), dtype=np.float64)
