"""Agreement of predictions with labels, and what a bootstrap over clusters makes of it.

Items of one cluster (comparisons of one gold) are drawn together: their errors are not independent, and an interval
that treats them so is too narrow. A resample is a row of weights, and each statistic is computed for many rows at once
from sums of weights, which is exact. The same rows serve every predictor, so that differences are paired.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from patstone.compare.resampling import blocks, bootstrap_weights
from patstone.gold.qrels import Floats, Ints


@dataclass(frozen=True, eq=False, kw_only=True)
class Associations:
    """Rows of weights: tau-b and Spearman's rho of each; NaN where either side has no two values."""

    tau_b: Floats
    rho: Floats


def resamples(clusters: Ints, count: int, seed: int) -> Iterator[Floats]:
    """Blocks of rows: how often each resample holds each item."""
    size = int(clusters.max(initial=-1)) + 1
    for _, weights in bootstrap_weights(size, count, seed):
        for part in blocks(len(weights), len(clusters)):
            yield weights[part][:, clusters]


def associations(x: Floats, y: Floats, weights: Floats) -> Associations:
    """Of x with y, where y has few different values; `weights` are rows × items."""
    order = np.argsort(x, kind="stable")
    starts = np.flatnonzero(np.diff(x[order], prepend=np.nan) != 0)
    sorted_weights = weights[:, order]
    classes, label = np.unique(y[order], return_inverse=True)
    # Rows × (values of x), for each value of y: all that is needed, since items of equal x and y are alike.
    cells = np.stack(
        [np.add.reduceat(sorted_weights * (label == each), starts, axis=1) for each in range(len(classes))]
    )
    total = sorted_weights.sum(axis=1)
    return Associations(tau_b=_tau_b(cells, total), rho=_rho(cells, total))


def _tau_b(cells: Floats, total: Floats) -> Floats:
    below = np.cumsum(cells, axis=2) - cells
    balance = np.zeros(len(total))
    for low in range(len(cells)):
        for high in range(low + 1, len(cells)):
            balance += (cells[high] * below[low] - cells[low] * below[high]).sum(axis=1)
    untied_x = (total**2 - (cells.sum(axis=0) ** 2).sum(axis=1)) / 2
    untied_y = (total**2 - (cells.sum(axis=2) ** 2).sum(axis=0)) / 2
    return _ratio(balance, np.sqrt(untied_x * untied_y))


def _rho(cells: Floats, total: Floats) -> Floats:
    ranks_x = _ranks(cells.sum(axis=0)) - (total[:, None] + 1) / 2
    ranks_y = _ranks(cells.sum(axis=2).T) - (total[:, None] + 1) / 2
    shared = np.einsum("crx,rx,rc->r", cells, ranks_x, ranks_y)
    spread_x = (cells.sum(axis=0) * ranks_x**2).sum(axis=1)
    spread_y = (cells.sum(axis=2).T * ranks_y**2).sum(axis=1)
    return _ratio(shared, np.sqrt(spread_x * spread_y))


def _ranks(weights: Floats) -> Floats:
    """The mean rank of each value, given how many items have it."""
    return np.asarray(np.cumsum(weights, axis=1) - (weights - 1) / 2, dtype=np.float64)


def share(credit: Floats, counted: Floats, weights: Floats) -> Floats:
    """Weighted mean of the credit over the items that count."""
    return _ratio(weights @ (credit * counted), weights @ counted)


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, above / below, np.nan)


def percentiles(values: Floats, confidence: float = 0.95) -> tuple[float, float]:
    """The interval between two quantiles; resamples in which nothing is defined are left out."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def two_sided(differences: Floats) -> float:
    """How often resampled differences lie on the other side of 0, doubled: never 0, at most 1."""
    known = differences[~np.isnan(differences)]
    if not len(known):
        return float("nan")
    other = min(int((known <= 0).sum()), int((known >= 0).sum()))
    return min(1.0, 2 * (other + 1) / (len(known) + 1))
