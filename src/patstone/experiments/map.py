"""Figure 1 of paper 1: where the units of a gold standard lie, drawn on a plane by UMAP from their titles.

Titles become fifty numbers a unit (TF-IDF of words and letters, then a truncated singular value decomposition); UMAP
lays all units out at once, and as many of each class as are asked for are shown. A map shows neighbours, not
distances: it suggests where a class is scattered, and proves nothing.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError, MissingExtra, UsageError
from patstone.gold.labels import GoldStandard
from patstone.systems.classifiers.learner import Floats, Ints
from patstone.systems.classifiers.text import Texts

DIMENSIONS = 50


@dataclass(frozen=True, eq=False, kw_only=True)
class Map:
    shown: Ints
    """Units, positives first."""
    places: Floats
    """Two numbers for each unit shown."""
    without: int
    """Units left out because they have nothing to be placed by."""


def drawn(
    gold: GoldStandard,
    *,
    each: int = 100,
    neighbours: int = 5,
    min_dist: float = 0.5,
    seed: int = 0,
) -> Map:
    """Lay out the whole gold standard, and choose `each` units of either class to show; the paper's constants."""
    if each < 1 or neighbours < 2 or not 0 <= min_dist <= 1:
        raise UsageError("A map shows at least 1 unit of each class, has 2 neighbours or more, and min_dist in [0, 1].")
    features = Texts(gold.texts).features
    known = np.flatnonzero(np.asarray(abs(features).sum(axis=1)).ravel() > 0)
    if len(known) <= neighbours:
        raise DataError(f"A map with {neighbours} neighbours needs more units that can be placed.", value=len(known))
    places = _laid_out(_reduced(features[known], seed), neighbours, min_dist, seed)
    rng = np.random.default_rng(seed)
    chosen = [np.sort(rng.permutation(np.flatnonzero(gold.positive[known] == label))[:each]) for label in (True, False)]
    rows = np.concatenate(chosen)
    return Map(shown=known[rows], places=places[rows], without=len(gold) - len(known))


def _reduced(features: Any, seed: int) -> Floats:  # noqa: ANN401
    try:
        from sklearn.decomposition import TruncatedSVD
    except ImportError as error:
        raise MissingExtra("map", "A map") from error
    dimensions = min(DIMENSIONS, min(features.shape) - 1)
    found: Floats = TruncatedSVD(max(dimensions, 1), random_state=seed).fit_transform(features)
    return found


def _laid_out(vectors: Floats, neighbours: int, min_dist: float, seed: int) -> NDArray[np.float64]:
    try:
        from umap import UMAP
    except ImportError as error:
        raise MissingExtra("map", "A map") from error
    # One job and a seed, or the same call gives another map each time.
    layout = UMAP(n_neighbors=neighbours, min_dist=min_dist, metric="euclidean", random_state=seed, n_jobs=1)
    return np.asarray(layout.fit_transform(vectors), dtype=np.float64)
