"""Anyone's scikit-learn estimator as a learner: fitted anew on all of T at every step."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from patstone.errors import UsageError
from patstone.systems.classifiers.learner import Floats, Ints, Learner

_SMALLEST = 1e-300
"""A probability of 0 must not become an infinite margin."""


class Refitted:
    def __init__(self, estimator: Any, matrix: Any) -> None:  # noqa: ANN401 - an estimator, and what it reads
        self._estimator, self._matrix = estimator, matrix
        self._rows = np.array([], dtype=np.int64)
        self._positive = np.array([], dtype=np.bool_)

    def learn(self, rows: Ints, positive: NDArray[np.bool_]) -> None:
        self._rows, self._positive = np.append(self._rows, rows), np.append(self._positive, positive)

    def margins(self) -> Floats:
        self._estimator.fit(self._matrix[self._rows], self._positive.astype(np.int64))
        return margins_of(self._estimator, self._matrix)


def margins_of(estimator: Any, matrix: Any) -> Floats:  # noqa: ANN401
    """Log-odds, or whatever the estimator decides by."""
    if hasattr(estimator, "decision_function"):
        return np.asarray(estimator.decision_function(matrix), dtype=np.float64).ravel()
    # Naive Bayes knows its joint log-likelihoods: probabilities made of them tie at 0 and 1.
    joint = "predict_joint_log_proba" if hasattr(estimator, "predict_joint_log_proba") else "predict_proba"
    if not hasattr(estimator, joint):
        name = type(estimator).__name__
        raise UsageError(f"A classifier needs decision_function or predict_proba, and {name} has neither.")
    told = np.asarray(getattr(estimator, joint)(matrix), dtype=np.float64)
    told = np.log(np.maximum(told, _SMALLEST)) if joint == "predict_proba" else told
    found: Floats = told[:, 1] - told[:, 0]
    return found


class Ensemble:
    """The mean of several learners' margins, each measured in its own standard deviations."""

    def __init__(self, members: tuple[Learner, ...]) -> None:
        self._members = members

    def learn(self, rows: Ints, positive: NDArray[np.bool_]) -> None:
        for member in self._members:
            member.learn(rows, positive)

    def margins(self) -> Floats:
        # Dividing alone leaves every member's threshold at 0.
        said = [member.margins() for member in self._members]
        found: Floats = np.mean([each / (each.std() or 1.0) for each in said], axis=0)
        return found
