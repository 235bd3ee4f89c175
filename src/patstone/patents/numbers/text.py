"""From a text to what its shape is taken from: capitals, ASCII digits, plain hyphens, no look-alikes; and the shape.

Whatever folding changes here looked the same to whoever typed it: full-width digits, Cyrillic letters that look Latin,
the many hyphens and spaces of Unicode, and the words of Japanese and Chinese gazettes, which become Latin ones.
"""

import re
import unicodedata
from functools import cache, lru_cache

from patstone.patents.numbers.offices import spellings
from patstone.patents.numbers.pattern import DIGIT

LONGEST = 80
"""No number is longer with all its words around it."""

_LATIN = str.maketrans("АВЕКМНОРСТУХЅІЈ‐‑‒–—―−／，．；＿", "ABEKMHOPCTYXSIJ-------/,.;_")
_SPOT = re.compile(rf"(?<=[A-Z]){DIGIT}(?!{DIGIT})")
_SHAPES = str.maketrans("0123456789", DIGIT * 10)


def clean(text: str) -> str:
    """Fold a text; empty where it is longer than any number can be."""
    if len(text) > LONGEST:
        return ""
    folded = (text if text.isascii() else _folded(text)).strip().upper()
    # The sign of any digit in a shape must not come from the text itself.
    return folded.replace(DIGIT, " ") if DIGIT in folded else folded


def shape_of(cleaned: str) -> str:
    """The text with # for each digit: what all numbers written in one way share."""
    return cleaned.translate(_SHAPES)


def spotted(shape: str, cleaned: str) -> str:
    """The shape with the digits of what may be kinds as they are."""
    for place in spots(shape):
        shape = shape[:place] + cleaned[place] + shape[place + 1 :]
    return shape


@lru_cache(maxsize=1 << 14)
def spots(shape: str) -> tuple[int, ...]:
    """Where single digits stand after a letter: they may belong to a kind, so that their value is part of the shape."""
    return tuple(found.start() for found in _SPOT.finditer(shape))


def _folded(text: str) -> str:
    # NFKC turns full-width forms into plain ones and odd spaces into spaces.
    plain = unicodedata.normalize("NFKC", text).upper().translate(_LATIN)
    return _gazette_words().sub(lambda found: spellings()[found[0]], plain)


@cache
def _gazette_words() -> "re.Pattern[str]":
    # The longest first, since one word may begin with another.
    return re.compile("|".join(sorted(map(re.escape, spellings()), key=len, reverse=True)))
