"""Paper 2's costs: by hand, against equation (1) written out plainly, and by the properties that the paper asks for."""

import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.errors import UsageError
from patstone.measures.hierarchy import COSTS, Hierarchy, cost_called, judge, matrix, similarity
from patstone.patents.schemes.graph import Edges, unfolded
from patstone.patents.schemes.scheme import Scheme

GOLDEN: dict[str, Any] = tomllib.loads((Path(__file__).parents[1] / "golden/hierarchy/costs.toml").read_text())
EXAMPLES = {f"{number}-{each['cost']}": each for number, each in enumerate(GOLDEN["example"], start=1)}


def scheme_of(pairs: list[tuple[str, str]]) -> Scheme:
    children, parents = zip(*pairs, strict=True)
    edges = Edges(path="t", children=children, parents=parents, lines=range(2, len(pairs) + 2), titles={})
    return unfolded(edges, "t", "other")


def golden(name: str) -> Hierarchy:
    written = [pair.partition(":") for pair in GOLDEN["schemes"][name]["pairs"].split()]
    return Hierarchy.of(scheme_of([(child, parent) for child, _, parent in written]))


def exact(expression: str) -> float:
    return float(eval(expression, {"__builtins__": {}}))  # noqa: S307 - our own file


@pytest.mark.parametrize("name", GOLDEN["schemes"])
def test_the_statistics_of_a_scheme(name: str) -> None:
    hierarchy = golden(name)
    assert hierarchy.mean_chain == pytest.approx(exact(GOLDEN["schemes"][name]["mean_chain"]), rel=1e-14)
    assert hierarchy.mean_branching == pytest.approx(exact(GOLDEN["schemes"][name]["mean_branching"]), rel=1e-14)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_values_worked_out_by_hand(example: dict[str, str]) -> None:
    hierarchy = golden(example["scheme"])
    a, b = hierarchy.scheme.terms([example["a"], example["b"]])
    [found] = judge(hierarchy, example["cost"], [a], [b])
    assert (found.a, found.b) == (example["a"], example["b"])
    assert found.value == pytest.approx(exact(example["value"]), rel=1e-14)
    assert found.distance == pytest.approx(exact(example["distance"]), rel=1e-14)
    assert similarity(hierarchy, example["cost"], [a], [b])[0] == found.value


def test_every_cost_has_an_example() -> None:
    assert {example["cost"] for example in EXAMPLES.values()} == set(COSTS)


@st.composite
def trees(draw: st.DrawFn) -> list[tuple[str, str]]:
    size = draw(st.integers(2, 14))
    return [(str(node), str(draw(st.integers(0, node - 1)))) for node in range(1, size)]


@st.composite
def graphs(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Every term has a parent before it, some have several."""
    tree = draw(trees())
    size = len(tree) + 1
    more = [(str(draw(st.integers(1, size - 1))), draw(st.integers(0, size))) for _ in range(draw(st.integers(0, 4)))]
    return list(dict.fromkeys(tree + [(child, str(parent)) for child, parent in more if parent < int(child)]))


def every_pair(scheme: Scheme) -> tuple[np.ndarray, np.ndarray]:
    count = len(scheme.symbols)
    return np.repeat(np.arange(count), count), np.tile(np.arange(count), count)


class Plain:
    """Equation (1) in exact fractions, from the definition: chains are listed and averaged one by one."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self.below: dict[str, list[str]] = {}
        for child, parent in pairs:
            self.below.setdefault(parent, []).append(child)
        self.chains = list(self._down(("0",)))
        self.branching = Fraction(sum(map(len, self.below.values())), len(self.below))

    def _down(self, path: tuple[str, ...]) -> list[tuple[str, ...]]:
        children = self.below.get(path[-1], [])
        return [chain for child in children for chain in self._down((*path, child))] if children else [path]

    def mean(self, term: str = "0") -> Fraction:
        lengths = [len(chain) - 1 for chain in self.chains if term in chain]
        return Fraction(sum(lengths), len(lengths))

    def paths(self, term: str) -> set[tuple[str, ...]]:
        return {chain[: chain.index(term) + 1] for chain in self.chains if term in chain}

    def bdm(self, key: str, response: str) -> Fraction:
        return max(self._bdm(one, other) for one in self.paths(key) for other in self.paths(response))

    def _bdm(self, key: tuple[str, ...], response: tuple[str, ...]) -> Fraction:
        shared = 0
        while key[: shared + 1] == response[: shared + 1] and shared < min(len(key), len(response)):
            shared += 1
        if key == response:
            return Fraction(1)
        between = [key[shared - 1], *key[shared:-1], *response[shared:-1]]
        br = Fraction(sum(len(self.below[term]) for term in between), len(between)) / self.branching
        near = br * (shared - 1) / self.mean()
        far = (len(key) - shared) / self.mean(key[-1]) + (len(response) - shared) / self.mean(response[-1])
        return near / (near + far)


@given(pairs=graphs())
def test_bdm_is_equation_one(pairs: list[tuple[str, str]]) -> None:
    scheme, plain = scheme_of(pairs), Plain(pairs)
    keys, responses = every_pair(scheme)
    values = similarity(Hierarchy.of(scheme), "bdm", keys, responses)
    expected = [
        plain.bdm(scheme.symbol(key), scheme.symbol(response)) for key, response in zip(keys, responses, strict=True)
    ]
    assert values == pytest.approx([float(value) for value in expected], rel=1e-12)


@pytest.mark.parametrize("name", COSTS)
@given(pairs=graphs())
def test_similarities_and_distances(name: str, pairs: list[tuple[str, str]]) -> None:
    hierarchy = Hierarchy.of(scheme_of(pairs))
    keys, responses = every_pair(hierarchy.scheme)
    values = similarity(hierarchy, name, keys, responses)
    assert ((values >= 0) & (values <= 1)).all()
    assert (values[keys == responses] == 1).all()
    every = judge(hierarchy, name, keys, responses)
    assert [one.value for one in every] == values.tolist()
    assert all(one.distance >= 0 for one in every)
    if cost_called(name).symmetric:
        assert (values[keys != responses] < 1).all()
        size = len(hierarchy.scheme.symbols)
        square = values.reshape(size, size)
        assert square == pytest.approx(square.T, rel=1e-14)


@given(pairs=trees())
def test_bdm_is_nothing_where_only_the_root_is_shared(pairs: list[tuple[str, str]]) -> None:
    scheme = scheme_of(pairs)
    keys, responses = every_pair(scheme)
    apart = (scheme.common_ancestor(keys, responses) == 0) & (keys != responses)
    assert (similarity(Hierarchy.of(scheme), "bdm", keys[apart], responses[apart]) == 0).all()


@given(pairs=trees())
def test_learning_accuracy_forgives_every_ancestor(pairs: list[tuple[str, str]]) -> None:
    scheme = scheme_of(pairs)
    keys, responses = every_pair(scheme)
    ancestors = scheme.common_ancestor(keys, responses) == responses
    values = similarity(Hierarchy.of(scheme), "learning-accuracy", keys, responses)
    assert (values[ancestors] == 1).all()
    assert (values[~ancestors] < 1).all()


@given(pairs=trees(), more=st.integers(1, 5))
def test_an_unrelated_branch_matters_only_through_the_two_means(pairs: list[tuple[str, str]], more: int) -> None:
    """The paper's fourth requirement: what is elsewhere enters as n0 and the mean branching, and is divided out.

    The chains and children of the two terms are their own; path and learning accuracy don't even see the means.
    """
    scheme = scheme_of(pairs)
    wider = scheme_of([*pairs, ("new", "0"), *((f"new{number}", "new") for number in range(more))])
    before, after = Hierarchy.of(scheme), Hierarchy.of(wider)
    keys, responses = every_pair(scheme)
    # Through the root its own, new, children are seen.
    kept = scheme.common_ancestor(keys, responses) != 0
    keys, responses = keys[kept], responses[kept]
    there = [wider.terms([scheme.symbol(term) for term in terms]) for terms in (keys, responses)]
    alike = replace(after, mean_chain=before.mean_chain, mean_branching=before.mean_branching)
    assert similarity(alike, "bdm", *there) == pytest.approx(similarity(before, "bdm", keys, responses), rel=1e-14)
    for name in ("path", "learning-accuracy", "binary"):
        assert (similarity(after, name, *there) == similarity(before, name, keys, responses)).all()


def test_denser_branches_are_closer() -> None:
    """The paper's third requirement: more children around two terms, more credit."""
    thin = [("v", "0"), ("w", "0"), ("a", "v"), ("b", "v"), ("x", "w"), ("y", "w"), ("z", "w"), ("q", "w")]
    hierarchy = Hierarchy.of(scheme_of(thin))
    sparse, dense = (similarity(hierarchy, "bdm", *([t] for t in hierarchy.scheme.terms(p)))[0] for p in ("ab", "xy"))
    assert sparse < dense


def test_a_matrix_has_keys_down_and_responses_across() -> None:
    hierarchy = golden("tree")
    terms = hierarchy.scheme.terms(["A", "A11", "B"])
    values = matrix(hierarchy, "learning-accuracy", terms)
    assert values.tolist() == [[1, 1 / 5, 0], [1, 1, 0], [0, 0, 1]]


def test_many_pairs_are_as_few() -> None:
    """Pairs go in chunks; none may be lost or mixed up between them."""
    hierarchy = golden("several")
    rng = np.random.default_rng(7)
    keys, responses = rng.integers(0, 6, (2, 100_001))
    table = matrix(hierarchy, "bdm", np.arange(6))
    assert (similarity(hierarchy, "bdm", keys, responses) == table[keys, responses]).all()


def test_a_cost_is_called_by_its_name() -> None:
    assert cost_called("learning_accuracy").name == cost_called("Learning-Accuracy").name == "learning-accuracy"
    with pytest.raises(UsageError, match="A cost is one of bdm, path, ancestor, learning-accuracy, binary"):
        cost_called("dbm")
