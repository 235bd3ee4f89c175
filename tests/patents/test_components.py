"""Connected components, checked against scipy's, however the links are cut into chunks."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from patstone.patents.components import components

Ints = NDArray[np.int32]


def cut(ends: Ints, others: Ints, size: int) -> list[tuple[Ints, Ints]]:
    return [(ends[start : start + size], others[start : start + size]) for start in range(0, len(ends), size)]


def least(nodes: int, ends: Ints, others: Ints) -> list[int]:
    """The smallest node of each component, by scipy."""
    graph = coo_array((np.ones(len(ends)), (ends, others)), shape=(nodes, nodes))
    _, labels = connected_components(graph, directed=False)
    first: dict[int, int] = {}
    return [first.setdefault(label, node) for node, label in enumerate(labels.tolist())]


@given(st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=60), st.integers(1, 20))
def test_as_scipy_has_it(links: list[tuple[int, int]], size: int) -> None:
    ends, others = (np.array(side, dtype=np.int32) for side in (zip(*links, strict=True) if links else ([], [])))
    assert components(30, cut(ends, others, size)).tolist() == least(30, ends, others)


@pytest.mark.parametrize("order", ["forward", "backward", "shuffled"])
def test_a_long_chain_is_one(order: str) -> None:
    nodes = np.arange(20_000, dtype=np.int32)
    if order == "shuffled":
        np.random.default_rng(1).shuffle(nodes)
    chain = np.array(list(pairwise(nodes[:: -1 if order == "backward" else 1])), dtype=np.int32)
    assert components(20_000, cut(chain[:, 0], chain[:, 1], 777)).any() == 0


def test_nothing_hangs_together_without_links() -> None:
    assert components(3, []).tolist() == [0, 1, 2]
    assert components(0, []).tolist() == []
