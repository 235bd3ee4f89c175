"""The growing factor against a direct solve of the same equations."""

import numpy as np
import pytest

from patstone.systems.classifiers.kernel_ridge import KernelRidge
from patstone.systems.classifiers.learner import Floats, Ints


def directly(kernel: Floats, rows: Ints, targets: Floats, ridge: float) -> Floats:
    """(K + λI) w + b·1 = y with 1ᵀw = 0, solved as one system."""
    size = len(rows)
    system = np.zeros((size + 1, size + 1))
    system[:size, :size] = kernel[np.ix_(rows, rows)] + ridge * np.eye(size)
    system[size, :size] = system[:size, size] = 1.0
    solved = np.linalg.solve(system, np.append(targets, 0.0))
    found: Floats = kernel[:, rows] @ solved[:size] + solved[size]
    return found


@pytest.mark.parametrize("ridge", [0.1, 1.0, 10.0])
def test_it_agrees_with_a_direct_solve_at_every_step(ridge: float) -> None:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(60, 7))
    kernel, positive = points @ points.T, points[:, 0] > 0
    order = rng.permutation(60)
    learner = KernelRidge(kernel, ridge=ridge, capacity=8)
    for start, end in [(0, 6), (6, 9), (9, 10), (10, 40)]:
        learner.learn(order[start:end], positive[order[start:end]])
        expected = directly(kernel, order[:end], np.where(positive[order[:end]], 1.0, -1.0), ridge)
        assert np.abs(learner.margins() - expected).max() < 1e-11
