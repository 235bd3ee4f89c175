"""C501 and C502: which elements of a gold claim set the claims lack, and which of theirs the gold does not have.

An element is found where most of its telling words stand together in one element, preamble or claim of the other set;
words that many elements of both sets have tell little. Order and numbers of claims do not matter: an element that moved
into a dependent claim is not lost.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from patstone.patents.claims.checks.lexicon import Lexicon, Stems, lexicon
from patstone.patents.claims.languages import fold
from patstone.patents.claims.resolving import ClaimSet

FOUND = 0.6
"""The share of an element's words, by weight, from which it counts as found."""
# A number tells when it measures something; else it may be a reference sign.
_WORD = re.compile(r"[^\W\d_][^\W_]+(?:-[^\W_]+)*|\d+[.,]\d+|\d+(?=\s?(?:%|°|[a-zµ]{1,3}(?!\w)))")
_PLAIN = Stems("en")


@dataclass(frozen=True, slots=True)
class Piece:
    """An element, or what has none: a whole claim behind its preamble."""

    place: int
    start: int
    end: int
    text: str
    stems: frozenset[str]


def pieces(claims: ClaimSet) -> list[Piece]:
    """The elements of a claim set, and the preambles of its independent claims."""
    return [piece for piece in _pieces(claims) if piece.stems]


def _pieces(claims: ClaimSet) -> Iterator[Piece]:
    for place, claim in enumerate(claims):
        words = lexicon(claim.references.language)
        text = claim.claim.text
        spans = [(element.start, element.end) for element in claim.elements]
        if claim.kind == "independent" or not spans:
            spans.insert(0, claim.anatomy.preamble)
        for start, end in spans:
            if end > start:
                yield Piece(place, start, end, text[start:end], telling(text[start:end], words))


def whole_claims(claims: ClaimSet) -> list[Piece]:
    """Each claim as one piece: where to look for what another claim set parts elsewhere."""
    texts = [claim.claim.text for claim in claims]
    known = [lexicon(claim.references.language) for claim in claims]
    return [
        Piece(place, 0, len(text), text, telling(text, words))
        for place, (text, words) in enumerate(zip(texts, known, strict=True))
    ]


def telling(text: str, words: Lexicon | None) -> frozenset[str]:
    """The stems of the words that name something."""
    stems, passed = (_PLAIN, frozenset[str]()) if words is None else (words.stems, _passed(words))
    return frozenset(stems[word] for word in _WORD.findall(fold(text)) if word not in passed)


_PASSED: dict[str, frozenset[str]] = {}


def _passed(words: Lexicon) -> frozenset[str]:
    if words.code not in _PASSED:
        _PASSED[words.code] = words.stop | words.definite | words.indefinite | words.ignored | {"claim", "claims"}
    return _PASSED[words.code]


def lost(of: Sequence[Piece], among: Sequence[Piece]) -> Iterator[tuple[Piece, float]]:
    """The pieces of one set that the other does not have, each with the share of it that was found."""
    counts = Counter(stem for piece in (*of, *among) for stem in piece.stems)
    total = len(of) + len(among)
    weight = {stem: log(1 + total / count) for stem, count in counts.items()}
    for piece in of:
        share = _coverage(piece.stems, among, weight)
        if share < FOUND:
            yield piece, share


def _coverage(stems: frozenset[str], among: Sequence[Piece], weight: dict[str, float]) -> float:
    """The largest share of the words, by weight, that one piece of the other set has."""
    whole = sum(weight[stem] for stem in stems)
    best = max((sum(weight[stem] for stem in stems & piece.stems) for piece in among), default=0.0)
    return best / whole
