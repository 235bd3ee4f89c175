"""Baselines for many classes in a tree: flat one-vs-rest, top-down through the tree, and nearest neighbours.

All three see documents only through a kernel (similarities of documents), so that any features will do. Each gives
every test document a score for every term; a score above 0 means that the term is assigned.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """Documents to learn from and documents to classify."""

    known: Floats
    """Training × training documents: similarities."""
    asked: Floats
    """Test × training documents: similarities."""
    labels: Bools
    """Training documents × terms."""
    parent: Ints
    """By term: the term above it, or -1; a parent comes before its children."""


def flat(task: Task, *, ridge: float = 1.0) -> Floats:
    """One linear classifier a term, against all other documents: ridge regression on labels of -1 and 1."""
    return _regressed(task.known, task.asked, task.labels, ridge)


def top_down(task: Task, *, ridge: float = 1.0, steepness: float = 3.0) -> Floats:
    """A linear classifier at each node, learned on documents of the branch above it; chances multiply downwards.

    A document belongs to a node when it has the term or one below it. So a term can't be more likely than those above
    it, and what is wrong tends to be near what is right.
    """
    branch = task.labels.copy()
    for term in range(len(task.parent) - 1, -1, -1):
        if task.parent[term] >= 0:
            branch[:, task.parent[term]] |= branch[:, term]
    chance = np.zeros((len(task.asked), len(task.parent)))
    above_all = np.ones(len(task.labels), dtype=np.bool_)
    for above in (-1, *np.unique(task.parent[task.parent >= 0]).tolist()):
        here = branch[:, above] if above >= 0 else above_all
        terms = np.flatnonzero(task.parent == above)
        # Without a document to learn from all terms below are equally unlikely.
        margins = np.full((len(task.asked), len(terms)), -1.0)
        if here.any():
            margins = _regressed(
                task.known[np.ix_(here, here)], task.asked[:, here], branch[np.ix_(here, terms)], ridge
            )
        chance[:, terms] = 1 / (1 + np.exp(-steepness * margins))
    for term in range(len(task.parent)):
        if task.parent[term] >= 0:
            chance[:, term] *= chance[:, task.parent[term]]
    return chance - 0.5


def nearest(task: Task, *, k: int = 10) -> Floats:
    """Votes of the k most similar documents, weighted by similarity; assigned with more than a third of the votes."""
    k = min(k, task.asked.shape[1])
    near = np.argpartition(-task.asked, k - 1, axis=1)[:, :k]
    weight = np.zeros_like(task.asked)
    np.put_along_axis(weight, near, np.take_along_axis(task.asked, near, axis=1), axis=1)
    weight /= np.maximum(weight.sum(axis=1, keepdims=True), 1e-12)
    return np.asarray(weight @ task.labels - 1 / 3)


def _regressed(known: Floats, asked: Floats, labels: Bools, ridge: float) -> Floats:
    targets = np.where(labels, 1.0, -1.0)
    mean = targets.mean(axis=0)
    weights = np.linalg.solve(known + ridge * np.eye(len(known)), targets - mean)
    return np.asarray(asked @ weights + mean)
