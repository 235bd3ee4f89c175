"""Scores made from bare numbers."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike

from patstone.measures.measure import Measure
from patstone.measures.scores import Scores

MakeScores = Callable[[ArrayLike], Scores]


@pytest.fixture
def make_scores() -> MakeScores:
    """Make scores of systems × topics (one measure) or systems × measures × topics."""

    def make(values: ArrayLike) -> Scores:
        table = np.asarray(values, dtype=np.float64)
        table = table[:, None, :] if table.ndim == 2 else table
        return Scores(
            systems=tuple(f"s{number}" for number in range(table.shape[0])),
            measures=tuple(Measure("P", cutoff=number + 1) for number in range(table.shape[1])),
            topics=tuple(f"t{number}" for number in range(table.shape[2])),
            values=table,
        )

    return make
