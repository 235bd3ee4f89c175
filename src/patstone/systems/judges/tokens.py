"""Ways to cut claims into tokens, each text once: claims recur as golds and as candidates of many comparisons."""

import re
from collections.abc import Sequence
from functools import lru_cache

Tokens = tuple[str, ...]

_WORD = re.compile(r"\w+|[^\w\s]")
_NOT_ROUGE = re.compile(r"[^a-z0-9]+")
_KEPT = 1 << 14
"""Texts remembered by each tokenizer; 2,456 candidates and their golds fit."""


@lru_cache(maxsize=_KEPT)
def words(text: str) -> Tokens:
    """Words and punctuation marks in lower case, of any script."""
    return tuple(_WORD.findall(text.lower()))


@lru_cache(maxsize=_KEPT)
def spaced(text: str) -> Tokens:
    """What white space parts, in lower case: TER's own tokens."""
    return tuple(text.lower().split())


@lru_cache(maxsize=_KEPT)
def rouge(text: str) -> Tokens:
    """ROUGE's tokens: runs of a-z and 0-9, nothing else; letters of other scripts part words."""
    return tuple(_NOT_ROUGE.sub(" ", text.lower()).split())


def ngrams(tokens: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return list(zip(*(tokens[start:] for start in range(size)), strict=False))
