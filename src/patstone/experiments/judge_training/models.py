"""The two small models, fitted to the margin loss by gradients; early stopping keeps the state that validated best.

`linear` descends with Adam over all comparisons at once; sharing over criteria goes through a narrow layer in the
middle (its rank). `boosted` adds small regression trees, each fitted to the negative gradient of every candidate's
score; sharing over criteria means trees with one value for each. The same seed gives the same model.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from patstone.errors import MissingExtra
from patstone.experiments.judge_training.loss import Margins, slope
from patstone.gold.qrels import Floats, Ints
from patstone.systems.judges.learned import Boosted, Linear, Model, Tree, sigmoid

RANK = 3
"""Width of the layer that criteria share."""
_RATE, _DECAY = 0.03, 1e-3
_TREE_RATE, _DEPTH, _LEAF = 0.1, 2, 10
_EPS = 1e-8


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs:
    """Standardised rows of all candidates, and the comparisons to learn from."""

    rows: Floats
    a: Ints
    b: Ints
    labels: Floats


Stop = Callable[[Floats], float]
"""How well scores of all candidates validate, more being better; called once an epoch."""


def fit(kind: str, pairs: Pairs, margins: Margins, stop: Stop, *, epochs: int, patience: int, seed: int) -> Model:
    steps: Iterator[Model] = _boosted(pairs, margins, seed) if kind == "boosted" else _linear(pairs, margins, seed)
    best: Model | None = None
    top, since = -np.inf, 0
    for _, model in zip(range(epochs), steps, strict=False):
        value = stop(sigmoid(model.margins(pairs.rows)))
        if value > top + 1e-9:
            best, top, since = model, value, 0
        elif (since := since + 1) >= patience:
            break
    assert best is not None
    return best


def gradient(margin: Floats, pairs: Pairs, margins: Margins) -> Floats:
    """Of the loss by each candidate's margin."""
    scores = sigmoid(margin)
    steep = slope(scores[pairs.a] - scores[pairs.b], pairs.labels, margins)
    found = np.zeros_like(scores)
    np.add.at(found, pairs.a, steep)
    np.add.at(found, pairs.b, -steep)
    return found * scores * (1 - scores)


def _linear(pairs: Pairs, margins: Margins, seed: int) -> Iterator[Linear]:
    features, criteria = pairs.rows.shape[1], pairs.labels.shape[1]
    rng = np.random.default_rng(seed)
    rank = RANK if criteria > 1 else 1
    state = [
        rng.normal(scale=0.1, size=(features, rank)),
        np.ones((rank, criteria)) if rank == 1 else rng.normal(size=(rank, criteria)),
    ]
    moments = [np.zeros_like(part) for part in state], [np.zeros_like(part) for part in state]
    step = 0
    while True:
        step += 1
        model = Linear(weights=state[0] @ state[1], bias=np.zeros(criteria))
        steep = gradient(model.margins(pairs.rows), pairs, margins)
        hidden = pairs.rows.T @ steep
        slopes = [hidden @ state[1].T + _DECAY * state[0], state[0].T @ hidden + _DECAY * state[1]]
        # One criterion has nothing to share: its second layer stays 1.
        for place in range(2 if rank > 1 else 1):
            state[place] = _adam(state[place], slopes[place], moments[0][place], moments[1][place], step)
        yield Linear(weights=state[0] @ state[1], bias=np.zeros(criteria))


def _adam(value: Floats, steep: Floats, first: Floats, second: Floats, step: int) -> Floats:
    first *= 0.9
    first += 0.1 * steep
    second *= 0.999
    second += 0.001 * steep**2
    unbiased = first / (1 - 0.9**step), second / (1 - 0.999**step)
    return np.asarray(value - _RATE * unbiased[0] / (np.sqrt(unbiased[1]) + _EPS), dtype=np.float64)


def _boosted(pairs: Pairs, margins: Margins, seed: int) -> Iterator[Boosted]:
    try:
        from sklearn.tree import DecisionTreeRegressor
    except ImportError:
        raise MissingExtra("train", "Training a boosted judge") from None
    criteria = pairs.labels.shape[1]
    seen = np.unique(np.concatenate([pairs.a, pairs.b]))
    # Where nothing is scored apart yet, the loss of every pair has a slope, and trees can begin.
    margin, trees = np.zeros((len(pairs.rows), criteria)), list[Tree]()
    while True:
        steep = -gradient(margin, pairs, margins)[seen]
        # Gradients are as small as there are many comparisons; trees learn in units of their size.
        unit = np.maximum(np.abs(steep).mean(axis=0), _EPS)
        grown = DecisionTreeRegressor(max_depth=_DEPTH, min_samples_leaf=_LEAF, random_state=seed)
        grown.fit(pairs.rows[seen], steep / unit)
        trees.append(_tree(grown.tree_, criteria))
        margin = margin + trees[-1].at(pairs.rows)
        yield Boosted(trees=tuple(trees), criteria=criteria)


def _tree(grown: object, criteria: int) -> Tree:
    """scikit-learn's arrays, without scikit-learn."""
    at = {
        name: np.asarray(getattr(grown, name))
        for name in ("feature", "threshold", "children_left", "children_right", "value")
    }
    return Tree(
        feature=np.where(at["children_left"] < 0, -1, at["feature"]).astype(np.int64),
        threshold=at["threshold"].astype(np.float64),
        left=at["children_left"].astype(np.int64),
        right=at["children_right"].astype(np.int64),
        value=_TREE_RATE * at["value"].reshape(-1, criteria),
    )
