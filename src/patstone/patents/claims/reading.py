"""A claim set from whatever a program has at hand: a text, a list of texts, or claims."""

from collections.abc import Sequence

from patstone.patents.claims.resolving import ClaimSet, CrossCategory, resolve
from patstone.patents.claims.splitting import split
from patstone.patents.publication import Claim


def read_claims(
    claims: str | Sequence[str | Claim], *, language: str = "", cross_category: CrossCategory = "dependent"
) -> ClaimSet:
    """Split a text at its numbers, or take each text of a list as a claim from 1 on, and settle the set."""
    if isinstance(claims, str):
        return resolve(split(claims, language), cross_category=cross_category)
    numbered = [
        Claim(number=number, text=one, language=language) if isinstance(one, str) else one
        for number, one in enumerate(claims, start=1)
    ]
    return resolve(numbered, cross_category=cross_category)
