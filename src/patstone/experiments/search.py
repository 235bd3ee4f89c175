"""Hyperparameters found in the first training set alone: neither H nor any unit outside T is ever looked at.

Each trial is judged by five-fold cross-validation on the first T, the labels that an operator has at that time.
`random` draws every trial anew; `directed` steps away from the best so far, in steps that shrink. The kind's own
defaults are the first trial and win ties, so that a search that finds nothing changes nothing.
"""

from collections.abc import Mapping

import numpy as np

from patstone.experiments.directed import Bools
from patstone.experiments.plan import Search
from patstone.systems.classifiers.learner import Ints
from patstone.systems.classifiers.models import Maker

FOLDS = 5
_FIRST_STEP, _LAST_STEP = 0.5, 0.05
"""Of a directed search, as shares of a parameter's range."""


def tuned(
    maker: Maker,
    ranges: Mapping[str, tuple[float, float]],
    first: Ints,
    positive: Bools,
    *,
    search: Search,
    trials: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """The parameters that err least in cross-validation on `first`; none where the defaults do."""
    folds = np.array_split(rng.permutation(first), FOLDS)
    best: dict[str, float] = {}
    fewest = errors(maker, best, folds, positive)
    ends = {name: (np.log(low), np.log(high)) for name, (low, high) in ranges.items()}
    for trial in range(trials if ranges else 0):
        step = _FIRST_STEP * (_LAST_STEP / _FIRST_STEP) ** (trial / max(trials - 1, 1))
        asked: dict[str, float] = {}
        for name, (low, high) in ends.items():
            place = rng.uniform(low, high)
            if search == "directed" and name in best:
                place = np.clip(np.log(best[name]) + rng.normal(0, step) * (high - low), low, high)
            asked[name] = float(np.exp(place))
        found = errors(maker, asked, folds, positive)
        if found < fewest:
            best, fewest = asked, found
    return best


def errors(maker: Maker, parameters: Mapping[str, float], folds: list[Ints], positive: Bools) -> int:
    """Wrong answers to the fold left out, over all folds."""
    wrong = 0
    for place, left in enumerate(folds):
        known = np.concatenate([fold for other, fold in enumerate(folds) if other != place])
        learner = maker(**parameters)
        learner.learn(known, positive[known])
        wrong += int(((learner.margins()[left] > 0) != positive[left]).sum())
    return wrong
