"""The pairs of equation (5): those that a plain greedy choice makes, for every prefix, with many equal values."""

import numpy as np
import pytest

from patstone.gold.qrels import Floats, Ints
from patstone.measures.matching import Lists, credit_upto


def plainly(near: Floats, hit: Ints, code: Ints) -> float:
    """All pairs by similarity, the true term's code, the assigned one's; each term in one pair."""
    true = set(range(near.shape[1])) - set(hit.tolist())
    rows = {row for row in range(len(hit)) if hit[row] < 0}
    pairs = sorted((-near[row, term], term, code[row], row) for row in rows for term in true if near[row, term] > 0)
    total = float((hit >= 0).sum())
    for value, term, _, row in pairs:
        if term in true and row in rows:
            true.remove(term)
            rows.remove(row)
            total -= value
    return total


@pytest.mark.parametrize("seed", range(60))
def test_every_prefix_of_every_list(seed: int) -> None:
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 6))
    sizes = np.sort(rng.integers(1, 12, rng.integers(1, 5)))[::-1]
    starts = np.cumsum(sizes) - sizes
    # Few different values, so that ties are everywhere.
    near = rng.choice([0.0, 0.25, 0.5, 0.5, 0.75], (sizes.sum(), width))
    hit = np.full(len(near), -1)
    for start, size in zip(starts, sizes, strict=True):
        for term in range(width):
            if rng.random() < 0.4 and hit[row := start + rng.integers(size)] < 0:
                hit[row], near[row] = term, 0.5
    code = rng.permutation(len(near))
    found = credit_upto(Lists(starts=starts, sizes=sizes, near=near.copy(), hit=hit, code=code))
    for start, size in zip(starts, sizes, strict=True):
        for end in range(start + 1, start + size + 1):
            part = slice(start, end)
            assert found[end - 1] == pytest.approx(plainly(near[part], hit[part], code[part]), abs=1e-12)


def test_nothing_is_matched_with_what_equals_nothing() -> None:
    lists = Lists(
        starts=np.array([0]), sizes=np.array([2]), near=np.zeros((2, 1)), hit=np.array([-1, -1]), code=np.arange(2)
    )
    assert credit_upto(lists).tolist() == [0.0, 0.0]
