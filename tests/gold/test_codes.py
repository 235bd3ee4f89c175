"""The best rule of k codes, by brute force; what codes cover is tried with their sources."""

from itertools import combinations

import numpy as np
import pytest

from patstone.gold.codes import best_rules


def f1(has: np.ndarray, positive: np.ndarray, chosen: tuple[int, ...]) -> float:
    said = has[:, list(chosen)].any(axis=1)
    tp = (said & positive).sum()
    return float(2 * tp / (said.sum() + positive.sum()))


@pytest.mark.parametrize("seed", range(15))
def test_the_best_rules_are_the_best_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    has, positive = rng.random((30, 8)) < 0.25, rng.random(30) < 0.4
    positive[0] = True
    rules = best_rules(has, positive, list("abcdefgh"), 3)
    for size, rule in enumerate(rules, start=1):
        assert rule.f1 == pytest.approx(max(f1(has, positive, chosen) for chosen in combinations(range(8), size)))
    # It stops where one more code helps nobody.
    if len(rules) < 3:
        beyond = combinations(range(8), len(rules) + 1)
        assert max(f1(has, positive, chosen) for chosen in beyond) <= rules[-1].f1 + 1e-12
