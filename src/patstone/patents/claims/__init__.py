"""Claims: a claim set's text into claims, which claims a claim names, and what each claim is.

`split` cuts a text at its numbers, `references` finds the claims that a claim's words name, and `resolve` settles a
whole set: parents (mark-up before words), kind, category, transition, elements, and what is wrong with the graph.
All offsets are characters of the claim's own text. Six languages; their words are tables in `words/`.
"""

from patstone.patents.claims.anatomy import Anatomy, Element, Transition
from patstone.patents.claims.graph import Finding
from patstone.patents.claims.mentions import Mention, References, references
from patstone.patents.claims.reading import read_claims
from patstone.patents.claims.resolving import ClaimSet, ResolvedClaim, resolve
from patstone.patents.claims.splitting import split
from patstone.patents.publication import Claim

__all__ = [
    "Anatomy",
    "Claim",
    "ClaimSet",
    "Element",
    "Finding",
    "Mention",
    "References",
    "ResolvedClaim",
    "Transition",
    "read_claims",
    "references",
    "resolve",
    "split",
]
