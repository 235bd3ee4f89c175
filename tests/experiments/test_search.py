"""Hyperparameters are looked for in the first training set, and nowhere else."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from patstone.experiments.plan import Search
from patstone.experiments.search import errors, tuned
from patstone.systems.classifiers.learner import Floats, Ints

POSITIVE = np.arange(60) % 2 == 0
FIRST = np.arange(20)


class Tempered:
    """Errs on more units the further its parameter is from 3, by the logarithm."""

    asked: list[float] = []  # noqa: RUF012 - shared on purpose: the test looks at what was tried

    def __init__(self, *, heat: float = 100.0) -> None:
        self.heat, self.known = heat, np.array([], dtype=np.int64)
        Tempered.asked.append(heat)

    def learn(self, rows: Ints, positive: NDArray[np.bool_]) -> None:
        assert set(rows.tolist()) <= set(FIRST.tolist()), "a unit outside the first training set was looked at"
        assert (positive == POSITIVE[rows]).all()

    def margins(self) -> Floats:
        wrong = np.arange(60) % 10 < min(9, abs(np.log(self.heat / 3)) * 4)
        return np.where(wrong != POSITIVE, 1.0, -1.0)


def found_by(search: Search, trials: int = 30, seed: int = 0, **ranges: Any) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    asked = ranges or {"heat": (0.01, 1000.0)}
    return tuned(Tempered, asked, FIRST, POSITIVE, search=search, trials=trials, rng=rng)


@pytest.mark.parametrize("search", ["random", "directed"])
def test_it_finds_what_errs_least_on_the_first_set(search: Search) -> None:
    Tempered.asked.clear()
    found = found_by(search)
    folds = np.array_split(FIRST, 5)
    assert errors(Tempered, found, folds, POSITIVE) < errors(Tempered, {}, folds, POSITIVE)
    assert min(Tempered.asked) >= 0.01
    assert max(Tempered.asked) <= 1000


def test_a_directed_search_stays_near_the_best() -> None:
    spread = {}
    for search in ("random", "directed"):
        Tempered.asked.clear()
        found_by(search, trials=60)
        spread[search] = np.std(np.log(Tempered.asked[-50:]))
    assert spread["directed"] < spread["random"] / 2


def test_the_defaults_win_ties_and_what_has_no_parameters_is_left_alone() -> None:
    assert found_by("random", heat=(99.0, 101.0)) == {}
    assert tuned(Tempered, {}, FIRST, POSITIVE, search="random", trials=5, rng=np.random.default_rng(0)) == {}


def test_one_seed_one_answer() -> None:
    assert found_by("directed", seed=4) == found_by("directed", seed=4) != found_by("directed", seed=5)
