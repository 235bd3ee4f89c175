"""The margin loss by hand, its slope by differences, and the loss of a judge that scores everything alike."""

import numpy as np
import pytest

from patstone.experiments.judge_training.loss import Margins, constant_loss, loss, slope

HALF = Margins(margin=0.2, tolerance=0.05)


@pytest.mark.parametrize(
    ("gap", "label", "cost"),
    [
        (0.3, 1, 0.0),
        (0.1, 1, 0.1),
        (-0.1, 1, 0.3),
        (-0.3, -1, 0.0),
        (0.04, 0, 0.0),
        (-0.15, 0, 0.1),
        (0.5, np.nan, 0.0),
    ],
)
def test_by_hand(gap: float, label: float, cost: float) -> None:
    assert loss(np.array([[gap]]), np.array([[label]]), HALF).tolist() == [pytest.approx(cost)]


def test_the_slope_is_the_derivative() -> None:
    rng = np.random.default_rng(0)
    gap, labels = rng.uniform(-1, 1, (40, 3)), rng.choice([-1, 0, 1, np.nan], (40, 3))
    steep = slope(gap, labels, HALF)
    for row, column in ((0, 0), (5, 1), (17, 2), (33, 0)):
        moved = gap.copy()
        moved[row, column] += 1e-7
        change = (loss(moved, labels, HALF) - loss(gap, labels, HALF))[column] / 1e-7
        assert steep[row, column] == pytest.approx(change, abs=1e-5)


def test_a_constant_pays_the_margin_for_every_decided_label() -> None:
    labels = np.array([[1.0], [-1.0], [0.0], [1.0]])
    assert constant_loss(labels, HALF).tolist() == [pytest.approx(0.15)]
    assert loss(np.zeros((4, 1)), labels, HALF).tolist() == [pytest.approx(0.15)]
