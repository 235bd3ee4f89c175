"""Multinomial naive Bayes on the words of texts: the plain classifier that a gold standard should be hard for.

It needs numpy only and counts as scikit-learn's CountVectorizer with MultinomialNB does: words of two letters or more,
one added to every count. Words that no training text has say nothing.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from patstone.systems.classifiers.learner import Floats, Ints

_WORD = re.compile(r"\b\w\w+\b")


class Words:
    """Texts as numbered words: what every training set is drawn from."""

    def __init__(self, texts: Sequence[str | Iterable[str]]) -> None:
        known: dict[str, int] = {}
        told = [_WORD.findall(text.casefold()) if isinstance(text, str) else list(text) for text in texts]
        self.word = np.array([known.setdefault(word, len(known)) for words in told for word in words], dtype=np.int64)
        self.owner = np.repeat(np.arange(len(told)), [len(words) for words in told])
        self.names = tuple(known)
        self.size = len(told)

    def has(self, fewest: int = 1) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
        """Texts × words, with the words that at least so many texts have."""
        pairs = np.unique(np.stack([self.owner, self.word]), axis=1)
        kept = np.flatnonzero(np.bincount(pairs[1], minlength=len(self.names)) >= fewest)
        place = np.full(len(self.names), -1)
        place[kept] = np.arange(len(kept))
        matrix = np.zeros((self.size, len(kept)), dtype=np.bool_)
        among = place[pairs[1]] >= 0
        matrix[pairs[0][among], place[pairs[1][among]]] = True
        return matrix, tuple(self.names[word] for word in kept.tolist())


class NaiveBayes:
    """A `Learner`: learns from some texts, learns more, and scores every text by its log-odds."""

    def __init__(self, words: Words, *, added: float = 1.0) -> None:
        self._words, self._added = words, added
        self._counts = np.zeros((2, len(words.names)))
        self._texts = np.zeros(2)

    def learn(self, rows: Ints, positive: NDArray[np.bool_]) -> None:
        for side in (0, 1):
            members = np.zeros(self._words.size, dtype=np.bool_)
            members[rows[positive == side]] = True
            told = self._words.word[members[self._words.owner]]
            self._counts[side] += np.bincount(told, minlength=len(self._words.names))
            self._texts[side] += np.count_nonzero(positive == side)

    def margins(self) -> Floats:
        seen = self._counts.sum(axis=0) > 0
        smoothed = self._counts + self._added
        # The vocabulary is that of the training texts, as with a vectoriser fitted on them.
        total = self._counts.sum(axis=1) + self._added * seen.sum()
        told = np.where(seen, np.log(smoothed[1] / total[1]) - np.log(smoothed[0] / total[0]), 0.0)
        prior = float(np.log(self._texts[1]) - np.log(self._texts[0]))
        each = np.bincount(self._words.owner, weights=told[self._words.word], minlength=self._words.size)
        return np.asarray(each + prior, dtype=np.float64)
