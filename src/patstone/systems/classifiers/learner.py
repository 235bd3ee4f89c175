"""What simulated training asks of a classifier: learn from some units, learn more, and score every unit.

A margin above 0 means positive; its size is the classifier's confidence (log-odds where there are probabilities), so
that the highest log-loss of a true label is its lowest signed margin, and nothing ties at a clipped probability.
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


class Learner(Protocol):
    def learn(self, rows: Ints, positive: NDArray[np.bool_]) -> None:
        """Take these units, with their labels, into what has been learned so far."""

    def margins(self) -> Floats:
        """The margin of every unit of the gold standard."""


Start: TypeAlias = Callable[[], Learner]
"""A fresh learner that knows the units' texts and no label."""
