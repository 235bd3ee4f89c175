"""METEOR (Banerjee & Lavie 2005) by NLTK: words matched exactly, by stem, and by WordNet's synonyms where it is there.

Without WordNet's data, which are a download of their own, the third stage is left out; the signature says which
stages a number had. Stems are remembered: claims say the same words again and again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from patstone.errors import MissingExtra
from patstone.gold.qrels import Floats
from patstone.systems.judges.tokens import words


@dataclass(frozen=True)
class _Stemmer:
    stem: Callable[[str], str]


class _NoWordNet:
    def synsets(self, word: str) -> tuple[()]:
        """No word has another meaning."""
        del word
        return ()


@dataclass(frozen=True, eq=False)
class Meteor:
    stemmer: _Stemmer
    wordnet: Any
    name: str = "METEOR"
    criteria: tuple[str, ...] = ()
    needs_gold: bool = True

    @classmethod
    def of(cls) -> "Meteor":
        try:
            from nltk.corpus import wordnet
            from nltk.stem.porter import PorterStemmer
        except ImportError:
            raise MissingExtra("claims", "Judge 'METEOR'") from None
        try:
            wordnet.ensure_loaded()
        except LookupError:
            wordnet = _NoWordNet()
        return cls(_Stemmer(cache(PorterStemmer().stem)), wordnet)

    @property
    def signature(self) -> str:
        from nltk import __version__

        stages = "exact,stem" if isinstance(self.wordnet, _NoWordNet) else "exact,stem,wordnet"
        return f"METEOR|tok:words|stages:{stages}|nltk:{__version__}"

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        from nltk.translate.meteor_score import single_meteor_score

        found = [
            single_meteor_score(words(gold), words(text), stemmer=self.stemmer, wordnet=self.wordnet)
            for gold, text in zip(gold_claims, candidate_claims, strict=True)
        ]
        return np.array(found, dtype=np.float64)
