"""Claims of sources that keep them together in one running text, or print their numbers within their texts."""

import re
from collections.abc import Sequence
from dataclasses import replace

from patstone.patents import claims
from patstone.patents.publication import Claim
from patstone.patents.readers.fields import clean

_OWN_NUMBER = re.compile(r"\s*(\d{1,4})\s*[.)]{1,2}\s*(?=[^\W\d])")


def split_claims(text: str, language: str) -> tuple[Claim, ...]:
    """Split at the numbers that begin claims, white space folded."""
    found = (replace(claim, text=clean(claim.text)) for claim in claims.split(text, language))
    return tuple(claim for claim in found if claim.text)


def claims_of(texts: Sequence[str], language: str) -> tuple[Claim, ...]:
    """Take each text as a claim, unless the numbers printed in them say otherwise."""
    split = split_claims("\n".join(texts), language)
    # Numbers that agree with the list are the claims' own; else they count steps, and the list's order is the truth.
    if len(texts) < 2 or len(split) == len(texts):
        return split
    bodies = [clean(without_number(text, place)) for place, text in enumerate(texts, start=1)]
    kept = filter(None, bodies)
    return tuple(Claim(number=place, text=body, language=language) for place, body in enumerate(kept, start=1))


def without_number(text: str, number: int) -> str:
    """Take off a claim's own number where it is printed before the text."""
    found = _OWN_NUMBER.match(text)
    # A claim that begins `2. embodiment` keeps the 2 if it is claim 7.
    return text[found.end() :] if found and int(found[1]) == number else text
