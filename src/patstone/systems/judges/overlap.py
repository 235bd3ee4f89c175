"""Likeness of words and edits, of our own and without extras: ROUGE, token F1, edit similarity, TER without shifts.

ROUGE is the F1 of rouge-score without stemming. Edit similarity is 1 - distance / length of the longer text, in
characters, white space folded. TER without shifts is the word edit distance over the gold's length; its score is
1 - TER, which can be negative. Its rank correlation with full TER is 0.99, at a thousandth of the time.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from patstone.gold.preferences import folded
from patstone.gold.qrels import Floats
from patstone.systems.judges.judge import Drivers
from patstone.systems.judges.strings import Pattern
from patstone.systems.judges.tokens import ngrams, rouge, spaced, words

Similarity = Callable[[str, str], dict[str, float]]
"""Of gold and candidate: `score`, and the numbers that it is made of."""


@dataclass(frozen=True)
class Overlap:
    """A judge that is one similarity of texts."""

    name: str
    signature: str
    similarity: Similarity
    criteria: tuple[str, ...] = ()
    needs_gold: bool = True

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        return np.array([drivers["score"] for drivers in self._all(gold_claims, candidate_claims)], dtype=np.float64)

    def explain(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> list[Drivers]:
        found = self._all(gold_claims, candidate_claims)
        return [{name: value for name, value in each.items() if name != "score"} for each in found]

    def _all(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> list[dict[str, float]]:
        return [self.similarity(gold, text) for gold, text in zip(gold_claims, candidate_claims, strict=True)]


def harmonic(shared: int, gold: int, candidate: int) -> dict[str, float]:
    """Precision, recall and their harmonic mean; nothing in common is 0, also where a side is empty."""
    precision, recall = shared / max(candidate, 1), shared / max(gold, 1)
    score = 2 * precision * recall / (precision + recall) if shared else 0.0
    return {"score": score, "precision": precision, "recall": recall, "shared": shared}


def rouge_n(gold: str, candidate: str, *, size: int) -> dict[str, float]:
    one, other = _counted(gold, size), _counted(candidate, size)
    return harmonic((one & other).total(), one.total(), other.total())


def rouge_l(gold: str, candidate: str) -> dict[str, float]:
    tokens = rouge(candidate)
    pattern = _pattern(rouge(gold))
    return harmonic(pattern.common(tokens), pattern.length, len(tokens))


def token_f1(gold: str, candidate: str) -> dict[str, float]:
    one, other = Counter(words(gold)), Counter(words(candidate))
    return harmonic((one & other).total(), one.total(), other.total())


# Two judges ask for it, and it takes longer than all else that they do.
@lru_cache(maxsize=1 << 13)
def edit_similarity(gold: str, candidate: str) -> dict[str, float]:
    pattern, text = _pattern(folded(gold)), folded(candidate)
    distance = pattern.distance(text)
    return {
        "score": 1 - distance / max(pattern.length, len(text), 1),
        "edits": distance,
        "gold_characters": pattern.length,
        "characters": len(text),
    }


def shiftless_ter(gold: str, candidate: str) -> dict[str, float]:
    pattern, tokens = _pattern(spaced(gold)), spaced(candidate)
    edits = pattern.distance(tokens)
    # An empty gold would divide by 0; every word of the candidate is then an edit too many.
    return {"score": 1 - edits / max(pattern.length, 1), "edits": edits, "gold_words": pattern.length}


@lru_cache(maxsize=256)
def _pattern(sequence: Sequence[Hashable]) -> Pattern:
    return Pattern.of(sequence)


@lru_cache(maxsize=1 << 14)
def _counted(text: str, size: int) -> Counter[tuple[str, ...]]:
    return Counter(ngrams(rouge(text), size))


_ROUGE = "tok:a-z0-9|stem:no|F1"
OVERLAPS: Mapping[str, Overlap] = {
    judge.name: judge
    for judge in (
        Overlap("ROUGE-1", f"ROUGE-1|{_ROUGE}", partial(rouge_n, size=1)),
        Overlap("ROUGE-2", f"ROUGE-2|{_ROUGE}", partial(rouge_n, size=2)),
        Overlap("ROUGE-L", f"ROUGE-L|{_ROUGE}", rouge_l),
        Overlap("TER", "1-TER|tok:spaces|case:lc|shifts:no", shiftless_ter),
        Overlap("edit", "edit|characters|by:longer", edit_similarity),
        Overlap("token-F1", "token-F1|tok:words|case:lc", token_f1),
    )
}
