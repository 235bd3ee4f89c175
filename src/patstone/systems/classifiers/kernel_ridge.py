"""Kernel ridge regression on labels of -1 and 1, with an intercept, that grows by a few units at a time.

The kernel of all units is computed once. With A = K[T, T] + λI = L·Lᵀ only V = L⁻¹·K[T, :] is kept: rows that join T
find their part of the factor in columns of V, so that a step costs |new| × |T| × n and nothing is solved twice
(it agrees with a direct solve to rounding). λ is not applied to the intercept.
"""

import numpy as np
from numpy.typing import NDArray

from patstone.systems.classifiers.learner import Floats, Ints


class KernelRidge:
    def __init__(self, kernel: Floats, *, ridge: float = 1.0, capacity: int = 512) -> None:
        self._kernel, self._ridge = kernel, ridge
        self._factor = np.empty((capacity, len(kernel)))
        self._known = 0
        self._targets, self._ones = np.zeros(len(kernel)), np.zeros(len(kernel))
        """Vᵀ·L⁻¹·y and Vᵀ·L⁻¹·1: what the targets, and an intercept, would give every unit."""
        self._pull, self._mass = 0.0, 0.0
        """1ᵀ·A⁻¹·y and 1ᵀ·A⁻¹·1."""
        self._solved = np.empty((2, capacity))

    def learn(self, rows: Ints, positive: NDArray[np.bool_]) -> None:
        start, end = self._known, self._known + len(rows)
        self._reserve(end)
        told = np.stack([np.where(positive, 1.0, -1.0), np.ones(len(rows))])
        shared = self._factor[:start, rows]
        pivot = self._kernel[np.ix_(rows, rows)] + self._ridge * np.eye(len(rows)) - shared.T @ shared
        inverse = np.linalg.inv(np.linalg.cholesky(pivot))
        fresh = inverse @ (self._kernel[rows] - shared.T @ self._factor[:start])
        solved = (told - self._solved[:, :start] @ shared) @ inverse.T
        self._factor[start:end], self._solved[:, start:end], self._known = fresh, solved, end
        self._targets += solved[0] @ fresh
        self._ones += solved[1] @ fresh
        self._pull += float(solved[0] @ solved[1])
        self._mass += float(solved[1] @ solved[1])

    def margins(self) -> Floats:
        intercept = self._pull / self._mass
        return self._targets + intercept * (1.0 - self._ones)

    def _reserve(self, size: int) -> None:
        if size > len(self._factor):
            more = np.empty((max(size, 2 * len(self._factor)), self._factor.shape[1]))
            solved = np.empty((2, len(more)))
            more[: self._known], solved[:, : self._known] = self._factor[: self._known], self._solved[:, : self._known]
            self._factor, self._solved = more, solved
