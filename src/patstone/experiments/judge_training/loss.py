"""The margin loss on comparisons, its slope, and what the scores look like beside it.

For y ≠ 0: max(0, m - y·(s_A - s_B)); for y = 0: max(0, |s_A - s_B| - n). A label that is missing (NaN) costs nothing.
Each criterion's loss is the mean over its labels, so that a criterion with few labels counts as much as any.
"""

from dataclasses import dataclass

import numpy as np

from patstone.gold.qrels import Floats


@dataclass(frozen=True, kw_only=True)
class Margins:
    margin: float
    """m: how far apart a better and a worse candidate should be."""
    tolerance: float
    """n: how far apart equal candidates may be."""


def loss(gap: Floats, labels: Floats, margins: Margins) -> Floats:
    """For each criterion (column)."""
    told = ~np.isnan(labels)
    y = np.where(told, labels, 0.0)
    costs = np.where(y != 0, np.maximum(0, margins.margin - y * gap), np.maximum(0, np.abs(gap) - margins.tolerance))
    return np.asarray((costs * told).sum(axis=0) / np.maximum(told.sum(axis=0), 1), dtype=np.float64)


def slope(gap: Floats, labels: Floats, margins: Margins) -> Floats:
    """The derivative of each criterion's loss by each gap; at a kink, that of the flat side."""
    told = ~np.isnan(labels)
    y = np.where(told, labels, 0.0)
    decided = np.where(margins.margin - y * gap > 0, -y, 0.0)
    equal = np.where(np.abs(gap) > margins.tolerance, np.sign(gap), 0.0)
    return np.asarray(np.where(y != 0, decided, equal) * told / np.maximum(told.sum(axis=0), 1), dtype=np.float64)


def constant_loss(labels: Floats, margins: Margins) -> Floats:
    """What a judge that scores everything alike would pay: m times the share of decided labels."""
    told = np.maximum((~np.isnan(labels)).sum(axis=0), 1)
    return np.asarray(margins.margin * (np.abs(np.nan_to_num(labels)) > 0).sum(axis=0) / told, dtype=np.float64)
