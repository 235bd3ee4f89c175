"""How close two gold standards are, by the words of their positives' titles."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import log, sqrt

from patstone.gold.labels import GoldStandard

_WORD = re.compile(r"\b\w\w+\b")


def nearest(golds: Sequence[GoldStandard]) -> tuple[float, tuple[int, int]]:
    """The highest cosine of any two gold standards, and which two."""
    told = [_words(gold) for gold in golds]
    return max((cosine(told[a], told[b]), (a, b)) for a, b in combinations(range(len(golds)), 2))


def _words(gold: GoldStandard) -> Counter[str]:
    """In how many positive units each word stands, less what it has among negatives: what the topic is about."""
    sides = [Counter[str](), Counter[str]()]
    for text, positive in zip(gold.texts, gold.positive.tolist(), strict=True):
        sides[positive].update(set(_WORD.findall(text)))
    yes = max(1, int(gold.positive.sum()))
    no = max(1, len(gold) - yes)
    return Counter({w: n for w, n in sides[True].items() if n / yes > sides[False][w] / no})


def cosine(one: Counter[str], other: Counter[str]) -> float:
    """Of log counts, so that one word does not decide."""
    dot = sum(log(1 + count) * log(1 + other[word]) for word, count in one.items() if word in other)
    norms = [sqrt(sum(log(1 + count) ** 2 for count in side.values())) for side in (one, other)]
    return dot / (norms[0] * norms[1]) if all(norms) else 0.0
