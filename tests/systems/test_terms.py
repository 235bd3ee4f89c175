"""Classifiers of terms in a tree, on documents that a child could classify."""

import numpy as np
import pytest

from patstone.systems.classifiers.terms import Floats, Task, flat, nearest, top_down

PARENT = np.array([-1, 0, 0, -1, 3])


def task(*, documents: int = 40, seed: int = 0) -> tuple[Task, np.ndarray]:
    """Each document has one leaf, and words of it and of what is above it; also the leaves of those asked about."""
    rng = np.random.default_rng(seed)
    leaves = rng.choice([1, 2, 4], documents)
    words = rng.normal(size=(documents, 60)) * 0.3
    directions = np.linalg.qr(rng.normal(size=(60, 5)))[0].T
    for row, leaf in enumerate(leaves.tolist()):
        words[row] += 2 * directions[leaf] + directions[PARENT[leaf]]
    words /= np.linalg.norm(words, axis=1, keepdims=True)
    labels = np.zeros((documents, 5), dtype=np.bool_)
    labels[np.arange(documents), leaves] = True
    half = documents // 2
    known, asked = words[:half] @ words[:half].T, words[half:] @ words[:half].T
    return Task(known=known, asked=asked, labels=labels[:half], parent=PARENT), leaves[half:]


@pytest.mark.parametrize("classify", [flat, nearest, top_down])
def test_what_is_easy_is_right(classify: object) -> None:
    given, leaves = task()
    scores: Floats = classify(given)  # type: ignore[operator]
    assert scores.shape == (len(leaves), 5)
    assert (scores[:, [1, 2, 4]].argmax(axis=1) == np.searchsorted([1, 2, 4], leaves)).mean() > 0.9


def test_from_the_top_down_nothing_is_likelier_than_what_is_above_it() -> None:
    given, _ = task()
    scores = top_down(given)
    for term, above in enumerate(PARENT.tolist()):
        if above >= 0:
            assert (scores[:, term] <= scores[:, above]).all()


def test_flat_is_ridge_regression_on_each_term() -> None:
    given, _ = task()
    targets = np.where(given.labels[:, 1], 1.0, -1.0)
    inverse = np.linalg.inv(given.known + 0.5 * np.eye(len(given.known)))
    expected = given.asked @ inverse @ (targets - targets.mean()) + targets.mean()
    np.testing.assert_allclose(flat(given, ridge=0.5)[:, 1], expected, atol=1e-10)


def test_neighbours_vote_by_their_likeness() -> None:
    given = Task(
        known=np.eye(3),
        asked=np.array([[0.6, 0.2, 0.1]]),
        labels=np.array([[True, False], [False, True], [True, True]]),
        parent=np.array([-1, -1]),
    )
    np.testing.assert_allclose(nearest(given, k=2) + 1 / 3, [[0.75, 0.25]])
    # More neighbours than there are documents are all of them.
    np.testing.assert_allclose(nearest(given, k=9) + 1 / 3, [[0.7 / 0.9, 0.3 / 0.9]])


def test_a_branch_that_nobody_taught_is_unlikely() -> None:
    given, _ = task()
    given.labels[:, 4] = False
    assert (top_down(given)[:, 4] < -0.4).all()
