"""What a trained judge sees of a candidate: likeness to the gold and structure, as one row of numbers in [0, 1].

No feature needs an extra, so that a trained judge runs wherever patstone does. Their order is part of a saved model.
"""

from collections.abc import Sequence

import numpy as np

from patstone.gold.qrels import Floats
from patstone.systems.judges import structural
from patstone.systems.judges.overlap import OVERLAPS

_PARTS = {
    "ROUGE-1": ("score", "precision", "recall"),
    "ROUGE-2": ("score",),
    "ROUGE-L": ("score", "precision", "recall"),
    "TER": ("score",),
    "edit": ("score",),
    "token-F1": ("score",),
}
NAMES = (
    *(f"{name} {part}" for name, parts in _PARTS.items() for part in parts),
    *structural.AGAINST,
    *structural.ALONE,
)


def vectors(gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
    """Candidates × features."""
    rows = [_row(gold, text) for gold, text in zip(gold_claims, candidate_claims, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(NAMES))


def _row(gold: str, text: str) -> list[float]:
    likeness = {name: OVERLAPS[name].similarity(gold, text) for name in _PARTS}
    # An unbounded TER would outweigh everything for one very long candidate.
    found = [max(likeness[name][part], -1.0) for name, parts in _PARTS.items() for part in parts]
    built = structural.features(gold, text)
    return [*found, *(built[name] for name in NAMES[len(found) :])]
