"""Agreement of two orders of the same items: Kendall's tau-b, AP correlation, Spearman's rho.

All are NaN where there is nothing to agree about: fewer than two items, or values that are all equal on one side.
A NaN among the values is an error: leaving an item out is the caller's choice to make and to count.
"""

import numpy as np
from numpy.typing import ArrayLike

from patstone.compare.resampling import blocks
from patstone.errors import UsageError
from patstone.gold.qrels import Floats, Ints


def kendall_tau_b(first: ArrayLike, second: ArrayLike) -> float:
    """(C - D) / sqrt((pairs not tied in first) · (pairs not tied in second)); symmetric."""
    x, y = _checked(first, second)
    untied = (_untied(x), _untied(y))
    if not all(untied):
        return float("nan")
    balance = 0
    for part in blocks(len(x), len(x)):
        above = x[part, None] > x
        balance += int(np.count_nonzero(above & (y[part, None] > y)))
        balance -= int(np.count_nonzero(above & (y[part, None] < y)))
    return float(balance / np.sqrt(float(untied[0]) * float(untied[1])))


def tau_ap(estimate: ArrayLike, truth: ArrayLike) -> float:
    """AP correlation (Yilmaz, Aslam & Robertson 2008): errors near the top of `estimate` cost most; not symmetric.

    2 / (n - 1) · sum over ranks i > 1 of C(i) / (i - 1), minus 1, with C(i) the items above rank i that are above it
    in truth too. Larger values rank higher. Ties are the mean over all orders of tied items, on either side: a tie
    in truth counts half for a pair, and every item of a tied block is as likely at each of the block's ranks.
    """
    x, y = _checked(estimate, truth)
    if not _untied(x) or not _untied(y):
        return float("nan")
    _, block, size = np.unique(-x, return_inverse=True, return_counts=True)
    right = np.bincount(block, weights=_rightly_above(x, y)) / size
    start = np.cumsum(size) - size
    rank = np.arange(len(x))
    at = np.repeat(np.arange(len(size)), size)
    # Above rank i stand all items of earlier blocks, and some of its own, half of which are rightly there.
    share = (right[at] + (rank - start[at]) / 2)[1:] / rank[1:]
    return float(2 * share.mean() - 1)


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Pearson's correlation of ranks; tied values share their mean rank."""
    x, y = _checked(first, second)
    if not _untied(x) or not _untied(y):
        return float("nan")
    a, b = (_ranks(values) - (len(x) + 1) / 2 for values in (x, y))
    return float(np.clip((a @ b) / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


def _checked(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise UsageError(f"A correlation needs two lists of equal length. Got shapes {x.shape} and {y.shape}.")
    if np.isnan(x).any() or np.isnan(y).any():
        raise UsageError("A correlation can't rank NaN: leave the item out of both lists.")
    return x, y


def _untied(values: Floats) -> int:
    """Pairs whose values differ."""
    _, size = np.unique(values, return_counts=True)
    return (len(values) * (len(values) - 1) - int((size * (size - 1)).sum())) // 2


def _rightly_above(x: Floats, y: Floats) -> Floats:
    """For each item: those that x ranks above it and y does too; a tie in y counts half."""
    count = np.empty(len(x))
    for part in blocks(len(x), len(x)):
        above = x[part, None] < x
        count[part] = np.count_nonzero(above & (y[part, None] < y), axis=1)
        count[part] += np.count_nonzero(above & (y[part, None] == y), axis=1) / 2
    return count


def _ranks(values: Floats) -> Floats:
    _, block, size = np.unique(values, return_inverse=True, return_counts=True)
    last: Ints = np.cumsum(size)
    return np.asarray((last - (size - 1) / 2)[block], dtype=np.float64)
