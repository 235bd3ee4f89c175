"""What a classifier of titles reads: words and letters weighted by TF-IDF, and how alike any two units are.

Features carry no labels, so fitting them on all titles leaks nothing; they are made once for a gold standard and
shared by every run. Letters are what ties German compounds, Chinese and Japanese, which have no spaces, and
misspellings together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from patstone.errors import DataError, MissingExtra
from patstone.systems.classifiers.learner import Floats

WORD = r"(?u)\b\w+\b"
LETTERS = (2, 5)
"""Lengths of the runs of letters within words, of which a space on either side is one."""
COMPANY = 2.0
"""What a likeness by the company that two units keep weighs beside a direct one."""


@dataclass(frozen=True, eq=False)
class Texts:
    texts: tuple[str, ...]
    """One for each unit; several titles of a family stand on lines of their own."""
    traits: Callable[[], Floats] | None = None
    """Likeness in what is known beside the titles, for the models that ask for it."""

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def words(self) -> Any:  # noqa: ANN401 - scipy's sparse matrix
        """Single words and pairs of neighbours."""
        # One letter is a word: "I" in a sum formula, 量 in a Japanese title.
        return self._weighted(ngram_range=(1, 2), token_pattern=WORD)

    @cached_property
    def letters(self) -> Any:  # noqa: ANN401
        return self._weighted(analyzer="char_wb", ngram_range=LETTERS)

    @cached_property
    def features(self) -> Any:  # noqa: ANN401
        """Words and letters side by side."""
        from scipy.sparse import csr_matrix, hstack

        return csr_matrix(hstack([self.words, self.letters]))

    @cached_property
    def kernel(self) -> Floats:
        """Likeness in words and letters, and in what a unit is like: 2 with itself.

        Two titles in different languages, or in different words, share no feature and yet resemble the same third
        ones, such as a family that has titles in both languages. That is the company they keep.
        """
        direct = (self._likeness(self.words) + self._likeness(self.letters)) / 2
        return (direct + COMPANY * cosines(direct @ direct)) * 2 / (1 + COMPANY)

    def _weighted(self, **options: Any) -> Any:  # noqa: ANN401
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
        except ImportError as error:
            raise MissingExtra("train", "Training a classifier") from error
        # Letters are folded already where a gold standard hands them over, and a caller's own need it.
        made = TfidfVectorizer(sublinear_tf=True, lowercase=True, **options)
        if not any(map(str.strip, self.texts)):
            raise DataError("A classifier needs titles to read, and this gold standard has none.")
        try:
            return made.fit_transform(self.texts)
        except ValueError as error:
            raise DataError("The titles hold no words that a classifier could read.") from error

    @staticmethod
    def _likeness(features: Any) -> Floats:  # noqa: ANN401
        found: Floats = (features @ features.T).toarray()
        return found


def cosines(kernel: Floats) -> Floats:
    """The same likeness with every unit at length 1; one without features is like nothing."""
    length = np.sqrt(np.diag(kernel))
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    found: Floats = kernel * scale[:, None] * scale[None, :]
    return found


def encoded(encoder: Any, texts: Sequence[str]) -> Floats:  # noqa: ANN401 - whatever has `encode`
    """Likeness of the vectors that a sentence encoder gives: the cosine of their angle."""
    vectors = np.asarray(encoder.encode(list(texts)), dtype=np.float64)
    if vectors.shape[:1] != (len(texts),) or vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise DataError("An encoder gives one vector of finite numbers for each text.", value=vectors.shape)
    return cosines(vectors @ vectors.T)
