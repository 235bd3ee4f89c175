"""Predictors of experts' preferences that read no claims, or next to nothing of them.

`length` prefers the longer candidate, `identical` the one that is the gold. The text-blind models know only which
candidate a text is, and predict by how it fared in other comparisons: in all others but a random tenth, or in those of
other golds. Where the first does well and the second can't say anything, a random split leaks.
"""

from collections import defaultdict

import numpy as np

from patstone.gold.preferences import NOTHING, Preferences
from patstone.gold.qrels import Floats, Ints

FOLDS = 10
REPEATS = 5


def controls(preferences: Preferences, labels: Floats, *, seed: int) -> dict[str, Floats]:
    """By name: a difference for each comparison, above 0 where A is predicted."""
    return {
        "length": length(preferences),
        "identical": identical(preferences),
        "text-blind-random-folds": text_blind(preferences, labels, by_gold=False, seed=seed),
        "text-blind-gold-folds": text_blind(preferences, labels, by_gold=True, seed=seed),
    }


def length(preferences: Preferences) -> Floats:
    words = np.array([len(text.split()) for text in preferences.texts], dtype=np.float64)
    return np.asarray(words[preferences.a] - words[preferences.b], dtype=np.float64)


def identical(preferences: Preferences) -> Floats:
    known = preferences.gold != NOTHING
    gold = preferences.keys[preferences.gold]
    a, b = (known & (preferences.keys[side] == gold) for side in (preferences.a, preferences.b))
    return np.asarray(a.astype(np.float64) - b.astype(np.float64), dtype=np.float64)


def text_blind(preferences: Preferences, labels: Floats, *, by_gold: bool, seed: int) -> Floats:
    """Mean of several ways to part the comparisons."""
    rng = np.random.default_rng(seed)
    groups = preferences.groups if by_gold else np.arange(len(preferences))
    size = int(groups.max(initial=-1)) + 1
    parts = [rng.permutation(size)[groups] % FOLDS for _ in range(REPEATS)]
    return np.asarray(np.mean([_fared(preferences, labels, fold) for fold in parts], axis=0), dtype=np.float64)


def _fared(preferences: Preferences, labels: Floats, fold: Ints) -> Floats:
    """How A fared in the other folds, less how B did; a candidate that is new there counts 0."""
    _, identity = np.unique(preferences.keys, return_inverse=True)
    a, b = identity[preferences.a], identity[preferences.b]
    told = ~np.isnan(labels)
    found = np.zeros(len(labels))
    for each in np.unique(fold).tolist():
        won, met = defaultdict[int, float](float), defaultdict[int, int](int)
        rows = np.flatnonzero((fold != each) & told)
        for one, other, label in zip(a[rows].tolist(), b[rows].tolist(), labels[rows].tolist(), strict=True):
            won[one] += label
            won[other] -= label
            met[one] += 1
            met[other] += 1
        for row in np.flatnonzero(fold == each).tolist():
            # One meeting more than there were: who met once and won is less sure than who won often.
            one, other = (won[who] / (met[who] + 1) for who in (int(a[row]), int(b[row])))
            found[row] = one - other
    return found
