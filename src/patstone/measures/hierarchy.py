"""How far apart two terms of a class hierarchy are: paper 2's costs, for one pair or for millions.

A `Hierarchy` is a scheme with its statistics, computed once; costs are pure functions of it. Chains run from the root
to a leaf and are counted in edges. Every cost has a similarity in [0, 1], which is 1 for equal terms, and a distance
in its own unit. Where terms stand at several places, each cost takes the pair of places that is closest under it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from patstone.errors import UsageError
from patstone.patents.schemes.scheme import Long, Scheme

Floats: TypeAlias = NDArray[np.float64]
Terms: TypeAlias = Long | Sequence[int]

_CHUNK = 1 << 15
"""Pairs at a time, so that what lies between two steps stays in the processor's cache."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Hierarchy:
    scheme: Scheme
    mean_chain: float
    """n0: the mean length of all chains."""
    mean_branching: float
    """The mean number of children of the terms that have any."""
    chain: Floats
    """By place: the mean length of the chains through its term (n2, n3)."""
    children: Floats
    """By place: how many children its term has."""

    @classmethod
    def of(cls, scheme: Scheme) -> "Hierarchy":
        children = scheme.children
        # A term's children are the same at each of its places, and count once.
        inner = children[scheme.places[1][scheme.places[0][:-1]]]
        chain = _mean_chains(scheme)
        return cls(
            scheme=scheme,
            mean_chain=float(chain[0]),
            mean_branching=float(inner[inner > 0].mean()),
            chain=chain,
            children=children.astype(np.float64),
        )

    def similarity(self, cost: str, keys: Sequence[str], responses: Sequence[str]) -> Floats:
        """The similarity of terms, pair by pair, by their symbols in any of the usual spellings."""
        return similarity(self, cost, self.scheme.terms(keys), self.scheme.terms(responses))

    @cached_property
    def above(self) -> Floats:
        """By place: the children of all places above it, added up."""
        total = np.zeros(len(self.children))
        for level in self.scheme.levels[1:]:
            parent = self.scheme.parent[level]
            total[level] = total[parent] + self.children[parent]
        return total

    @cached_property
    def heights(self) -> Floats:
        """By place: the edges down to its deepest leaf."""
        depth = self.scheme.depth.astype(np.int64)
        deepest = depth.copy()
        for level in reversed(self.scheme.levels[1:]):
            np.maximum.at(deepest, self.scheme.parent[level], deepest[level])
        return (deepest - depth).astype(np.float64)

    @cached_property
    def depths(self) -> Floats:
        return self.scheme.depth.astype(np.float64)


def _mean_chains(scheme: Scheme) -> Floats:
    """By place: the mean length of the chains through its term, at whichever of the term's places."""
    leaf = scheme.children == 0
    counts = np.concatenate([[0], np.cumsum(leaf)])
    lengths = np.concatenate([[0], np.cumsum(np.where(leaf, scheme.depth, 0))])
    first, last = np.arange(len(leaf)), np.arange(len(leaf)) + scheme.size
    # The leaves of a branch stand together.
    count = np.bincount(scheme.term, weights=counts[last] - counts[first])
    length = np.bincount(scheme.term, weights=lengths[last] - lengths[first])
    return np.asarray((length / count)[scheme.term])


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs:
    """Pairs of places, the key first and then the response, with their most specific common ancestor (MSCA)."""

    key: Long
    response: Long
    common: Long

    @classmethod
    def of(cls, scheme: Scheme, key: Long, response: Long) -> "Pairs":
        return cls(key=key, response=response, common=scheme.common_ancestor(key, response))


def binary(hierarchy: Hierarchy, pairs: Pairs) -> Floats:  # noqa: ARG001 - a cost like the others
    return np.equal(pairs.key, pairs.response).astype(np.float64)


def path(hierarchy: Hierarchy, pairs: Pairs) -> Floats:
    return np.asarray(1 / (1 + edges(hierarchy, pairs)))


def edges(hierarchy: Hierarchy, pairs: Pairs) -> Floats:
    """The edges between the two, by way of their common ancestor."""
    depth = hierarchy.depths
    return np.asarray(depth.take(pairs.key) + depth.take(pairs.response) - 2 * depth.take(pairs.common))


def ancestor(hierarchy: Hierarchy, pairs: Pairs) -> Floats:
    return np.asarray(1 - height(hierarchy, pairs) / hierarchy.heights[0])


def height(hierarchy: Hierarchy, pairs: Pairs) -> Floats:
    """The height of the common ancestor; equal terms have nothing between them and are 0 apart."""
    return np.asarray(np.where(pairs.key == pairs.response, 0.0, hierarchy.heights.take(pairs.common)))


def learning_accuracy(hierarchy: Hierarchy, pairs: Pairs) -> Floats:
    """CP / (FP + DP), and 1 where the root is predicted: FP is the response's depth, DP its distance from the MSCA."""
    common, predicted = hierarchy.depths.take(pairs.common), hierarchy.depths.take(pairs.response)
    whole = 2 * predicted - common
    return np.divide(common, whole, out=np.ones(len(common)), where=predicted > 0)


def bdm(hierarchy: Hierarchy, pairs: Pairs) -> Floats:
    """Equation (1), multiplied by BR: (BR·CP/n0) / (BR·CP/n0 + DPK/n2 + DPR/n3)."""
    depth = hierarchy.depths
    cp = depth.take(pairs.common)
    dpk, dpr = depth.take(pairs.key) - cp, depth.take(pairs.response) - cp
    branches, nodes = _branches(hierarchy, pairs, dpk, dpr)
    near = branches / nodes * cp / (hierarchy.mean_branching * hierarchy.mean_chain)
    far = dpk / hierarchy.chain.take(pairs.key) + dpr / hierarchy.chain.take(pairs.response)
    # Equal terms have no distance, even at the root, where nothing else is left.
    return np.divide(near, near + far, out=np.ones(len(near)), where=far > 0)


def _branches(hierarchy: Hierarchy, pairs: Pairs, dpk: Floats, dpr: Floats) -> tuple[Floats, Floats]:
    """The children of the MSCA and of the places strictly between it and either term, and how many these are."""
    above = hierarchy.above
    twice = (dpk > 0) & (dpr > 0)
    children = above.take(pairs.key) + above.take(pairs.response) - 2 * above.take(pairs.common)
    children -= np.where(twice, hierarchy.children.take(pairs.common), 0.0)
    return children, np.maximum(dpk + dpr - twice, 1.0)


Function: TypeAlias = Callable[[Hierarchy, Pairs], Floats]


@dataclass(frozen=True, kw_only=True)
class Cost:
    name: str
    title: str
    similarity: Function
    """In [0, 1]: how much credit a response gets for a key."""
    distance: Function
    unit: str
    symmetric: bool = True


def _complement(similarity: Function) -> Function:
    return lambda hierarchy, pairs: 1 - similarity(hierarchy, pairs)


COSTS = {
    cost.name: cost
    for cost in (
        Cost(
            name="bdm",
            title="balanced distance metric (equation 1)",
            similarity=bdm,
            distance=_complement(bdm),
            unit="1 − BDM",
        ),
        Cost(name="path", title="shortest path", similarity=path, distance=edges, unit="edges"),
        Cost(
            name="ancestor",
            title="first common ancestor",
            similarity=ancestor,
            distance=height,
            unit="height of the ancestor",
        ),
        Cost(
            name="learning-accuracy",
            title="learning accuracy",
            similarity=learning_accuracy,
            distance=_complement(learning_accuracy),
            unit="1 − LA",
            symmetric=False,
        ),
        Cost(name="binary", title="equal or not", similarity=binary, distance=_complement(binary), unit="0 or 1"),
    )
}


def cost_called(name: str) -> Cost:
    found = COSTS.get(name.replace("_", "-").lower())
    if found is None:
        raise UsageError(f"A cost is one of {', '.join(COSTS)}. Got {name!r} instead.")
    return found


def similarity(hierarchy: Hierarchy, cost: str, key: Terms, response: Terms) -> Floats:
    """The similarity of terms, pair by pair; the terms' numbers are the scheme's."""
    keys, responses = np.asarray(key, dtype=np.int64), np.asarray(response, dtype=np.int64)
    found = np.empty(len(keys))
    function = cost_called(cost).similarity
    for start in range(0, len(keys), _CHUNK):
        part = slice(start, start + _CHUNK)
        found[part] = closest(hierarchy, function, keys[part], responses[part])[1]
    return found


def closest(hierarchy: Hierarchy, function: Function, key: Long, response: Long) -> tuple[Pairs, Floats]:
    """For each pair of terms the pair of places that is closest, and its similarity."""
    scheme = hierarchy.scheme
    if scheme.is_tree:
        pairs = Pairs.of(scheme, key, response)
        return pairs, function(hierarchy, pairs)
    every, sizes = _places_of_pairs(scheme, key, response)
    values = function(hierarchy, every)
    best = np.maximum.reduceat(values, np.cumsum(sizes) - sizes)
    hits = np.flatnonzero(values == np.repeat(best, sizes))
    first = hits[np.searchsorted(hits, np.cumsum(sizes) - sizes)]
    return Pairs(key=every.key[first], response=every.response[first], common=every.common[first]), best


def _places_of_pairs(scheme: Scheme, key: Long, response: Long) -> tuple[Pairs, Long]:
    """Every pair of places of each pair of terms, those of one pair together, and how many each pair has."""
    first, order = scheme.places
    counts = np.diff(first)
    sizes = counts[key] * counts[response]
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    width = np.repeat(counts[response], sizes)
    keys = order[np.repeat(first[key], sizes) + within // width]
    responses = order[np.repeat(first[response], sizes) + within % width]
    return Pairs.of(scheme, keys, responses), sizes


def matrix(hierarchy: Hierarchy, cost: str, terms: Long) -> Floats:
    """The similarities of all pairs of some terms: keys are rows, responses columns."""
    size = len(terms)
    return similarity(hierarchy, cost, np.repeat(terms, size), np.tile(terms, size)).reshape(size, size)


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What the costs of one pair are made of."""

    msca: str
    CP: int
    DPK: int
    DPR: int
    n0: float
    n2: float
    n3: float
    BR: float


@dataclass(frozen=True, kw_only=True)
class Judged:
    """One pair under one cost."""

    cost: str
    a: str
    """The key."""
    b: str
    """The response."""
    value: float
    """The similarity."""
    distance: float
    unit: str
    parts: Parts


def judge(hierarchy: Hierarchy, cost: str, key: Terms, response: Terms) -> list[Judged]:
    """Pairs of terms under one cost, with what it is made of at the closest places."""
    chosen, scheme = cost_called(cost), hierarchy.scheme
    keys, responses = np.asarray(key, dtype=np.int64), np.asarray(response, dtype=np.int64)
    pairs, values = closest(hierarchy, chosen.similarity, keys, responses)
    columns = zip(
        keys.tolist(),
        responses.tolist(),
        values.tolist(),
        chosen.distance(hierarchy, pairs).tolist(),
        _parts(hierarchy, pairs),
        strict=True,
    )
    return [
        Judged(
            cost=chosen.name,
            a=scheme.symbol(one),
            b=scheme.symbol(other),
            value=value,
            distance=distance,
            unit=chosen.unit,
            parts=parts,
        )
        for one, other, value, distance, parts in columns
    ]


def _parts(hierarchy: Hierarchy, pairs: Pairs) -> list[Parts]:
    scheme, depth = hierarchy.scheme, hierarchy.depths
    cp = depth[pairs.common]
    dpk, dpr = depth[pairs.key] - cp, depth[pairs.response] - cp
    branches, nodes = _branches(hierarchy, pairs, dpk, dpr)
    columns = zip(
        scheme.term[pairs.common].tolist(),
        cp.astype(int).tolist(),
        dpk.astype(int).tolist(),
        dpr.astype(int).tolist(),
        hierarchy.chain[pairs.key].tolist(),
        hierarchy.chain[pairs.response].tolist(),
        (branches / nodes / hierarchy.mean_branching).tolist(),
        strict=True,
    )
    return [
        Parts(msca=scheme.symbol(common), CP=cp, DPK=dpk, DPR=dpr, n0=hierarchy.mean_chain, n2=n2, n3=n3, BR=br)
        for common, cp, dpk, dpr, n2, n3, br in columns
    ]
