"""A claim set made ready to be checked: each claim with its text folded, its words, and the claims it goes back to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from patstone.patents.claims.checks.lexicon import Lexicon, lexicon
from patstone.patents.claims.checks.terms import Known, Term, strangers
from patstone.patents.claims.graph import Finding, Graph
from patstone.patents.claims.languages import fold
from patstone.patents.claims.resolving import ClaimSet, ResolvedClaim


@dataclass(frozen=True)
class Subject:
    claims: ClaimSet

    @cached_property
    def texts(self) -> list[str]:
        return [claim.claim.text for claim in self.claims]

    @cached_property
    def folded(self) -> list[str]:
        return [fold(text) for text in self.texts]

    @cached_property
    def lexicons(self) -> list[Lexicon | None]:
        return [lexicon(claim.references.language) for claim in self.claims]

    @cached_property
    def graph(self) -> Graph:
        return Graph(tuple(claim.number for claim in self.claims), tuple(claim.depends_on for claim in self.claims))

    @cached_property
    def ancestors(self) -> list[tuple[int, ...]]:
        """The places of all claims that each goes back to, in a cycle itself not among them."""
        # The places of a set are the bits of one number, as in the graph: sets of thousands join in one step.
        found = [0] * len(self.texts)
        before: list[int] = []
        while found != before:
            before = found.copy() if self.graph.any_forward else found
            for child, parents in enumerate(self.graph.parents):
                for parent in parents:
                    found[child] |= found[parent] | 1 << parent
        return [_places(bits, own) for own, bits in enumerate(found)]

    @cached_property
    def findings(self) -> Mapping[str, Sequence[Finding]]:
        """What the graph found, by its rule."""
        grouped: dict[str, list[Finding]] = {}
        for found in self.claims.findings:
            grouped.setdefault(found.rule, []).append(found)
        return grouped

    def place_of(self, number: int) -> int:
        """The last place of a number, 0 where it is none: findings know claims by their numbers."""
        return self._by_number.get(number, 0)

    @cached_property
    def _by_number(self) -> dict[int, int]:
        return {claim.number: place for place, claim in enumerate(self.claims)}

    @cached_property
    def terms(self) -> list[list[Term]]:
        """The terms of each claim that nothing introduced."""
        known = [Known() for _ in self.texts]
        found: list[list[Term]] = [[] for _ in self.texts]
        forward = [any(parent > child for parent in parents) for child, parents in enumerate(self.graph.parents)]
        # A claim is read when those it goes back to have been: those that refer forward last.
        for place in sorted(range(len(self.texts)), key=forward.__getitem__):
            words = self.lexicons[place]
            if words is not None:
                above = [known[each] for each in self.ancestors[place]]
                claim = self.claims.claims[place]
                terms = list(strangers(claim, self.texts[place], self.folded[place], words, above, known[place]))
                # Where a circle or a missing claim cuts it off nobody knows what was said before.
                found[place] = terms if claim.depth is not None else []
        return found

    def __iter__(self) -> "zip[tuple[int, ResolvedClaim]]":
        return zip(range(len(self.texts)), self.claims, strict=True)


def _places(bits: int, own: int) -> tuple[int, ...]:
    found = []
    bits &= ~(1 << own)
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)
