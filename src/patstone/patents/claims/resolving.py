"""A whole claim set settled: parents, kinds, the dependency graph, and what is wrong with it.

Mark-up names the parents where a source has any; the claim's words do where it has none. Where both speak and differ,
mark-up wins and the difference is a finding. A set in which no claim is marked up counts as one without mark-up.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal

from patstone.patents.claims.anatomy import Anatomy, Category, Element, Transition, anatomy, is_cancelled
from patstone.patents.claims.graph import Finding, Graph, findings, listed, numbering
from patstone.patents.claims.languages import LANGUAGES, detect, fold, language
from patstone.patents.claims.mentions import References, references_in
from patstone.patents.publication import Claim

Kind = Literal["independent", "dependent", "cancelled"]
CrossCategory = Literal["dependent", "independent"]
_ACTIVITIES = ("method", "use")
_TELLING = 300
"""How much of a claim tells its language."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ResolvedClaim:
    claim: Claim
    kind: Kind
    depends_on: tuple[int, ...]
    """The numbers of all its parents, ascending."""
    references: References
    """What its words name, whatever its mark-up says."""
    anatomy: Anatomy
    cross_category: bool
    """Whether it is of another statutory category than a claim it refers to: `a system to perform the method of…`."""
    depth: int | None
    """Steps to the nearest independent claim: 0 for that itself; None where a cycle or a missing claim cuts it off."""
    roots: tuple[int, ...]
    """The independent claims that it goes back to; itself where it is one."""

    @property
    def number(self) -> int:
        return self.claim.number

    @property
    def category(self) -> Category:
        return self.anatomy.category

    @property
    def transition(self) -> Transition | None:
        return self.anatomy.transition

    @property
    def elements(self) -> tuple[Element, ...]:
        return self.anatomy.elements

    @property
    def preamble(self) -> str:
        start, end = self.anatomy.preamble
        return self.claim.text[start:end]


@dataclass(frozen=True, kw_only=True)
class ClaimSet:
    claims: tuple[ResolvedClaim, ...]
    """In the order given."""
    findings: tuple[Finding, ...]

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Claims by kind, references across categories, and findings by rule."""
        kinds = Counter[str](claim.kind for claim in self.claims)
        crossing = sum(claim.cross_category for claim in self.claims)
        rules = Counter[str](finding.rule for finding in self.findings)
        return {"claims": len(self.claims), **kinds, "cross_category": crossing, **rules}

    def __len__(self) -> int:
        return len(self.claims)

    def __iter__(self) -> Iterator[ResolvedClaim]:
        return iter(self.claims)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    claim: Claim
    named: References
    anatomy: Anatomy
    cancelled: bool


def resolve(claims: Sequence[Claim], *, cross_category: CrossCategory = "dependent") -> ClaimSet:
    """Settle a claim set; `cross_category` says what a claim is that refers to a claim of another category.

    `dependent` is US practice and that of claim mark-up: whatever a claim refers to is its parent. `independent` lets
    such a claim stand on its own; what it refers to is still in its `references`.
    """
    # A single short claim may tell nothing; the set's beginnings together nearly always do.
    told = detect("\n".join(claim.text[:_TELLING] for claim in claims[:5]))
    read = [_read(claim, told) for claim in claims]
    numbers = tuple(claim.number for claim in claims)
    # A source that marks up nothing at all says nothing, not that every claim stands alone.
    marked = any(claim.references for claim in claims)
    parents = tuple(_parents(each, {*numbers}, marked=marked) for each in read)
    crossing = _crossing(Graph(numbers, parents), read)
    if cross_category == "independent":
        parents = tuple(() if crosses else named for named, crosses in zip(parents, crossing, strict=True))
    graph = Graph(numbers, parents)
    found = chain(numbering(numbers), _texts(read, marked=marked), findings(graph))
    return ClaimSet(
        claims=tuple(_resolved(each, graph, place, crosses=crossing[place]) for place, each in enumerate(read)),
        findings=tuple(found),
    )


def _read(claim: Claim, told: str) -> _Read:
    code = claim.language.lower()[:2]
    spoken = language(code if code in LANGUAGES else told)
    folded = fold(claim.text)
    named = references_in(folded, claim.number, spoken)
    return _Read(
        claim=claim,
        named=named,
        anatomy=anatomy(claim.text, folded, named, spoken),
        cancelled=is_cancelled(folded),
    )


def _parents(read: _Read, known: set[int], *, marked: bool) -> tuple[int, ...]:
    # Mark-up was made with the whole document in hand; words are the fallback.
    if marked and read.claim.references is not None:
        return tuple(sorted({*read.claim.references}))
    if not read.named.preceding:
        return read.named.parents
    # `Any preceding claim` means those that there are; where there is none, they are missing.
    exact = {
        number
        for mention in read.named.mentions
        if not (mention.preceding or mention.condition)
        for number in mention.numbers
    }
    return tuple(number for number in read.named.parents if number in known or number in exact) or read.named.parents


def _crossing(graph: Graph, read: Sequence[_Read]) -> list[bool]:
    # Products, systems and media are one statutory class here: a medium that stores a system crosses nothing.
    classes = [each.anatomy.category if each.anatomy.category in _ACTIVITIES else "thing" for each in read]
    return [any(classes[parent] != classes[child] for parent in parents) for child, parents in enumerate(graph.parents)]


def _texts(read: Sequence[_Read], *, marked: bool) -> Iterator[Finding]:
    for each in read:
        number, by_markup, named = each.claim.number, each.claim.references, each.named
        if not each.claim.text.strip():
            yield Finding(rule="empty", claim=number, message="has no text")
        # Offices differ on whether a condition is a reference; neither counts as a difference.
        if not marked or by_markup is None or {*by_markup} in ({*named.parents}, {*named.parents, *named.conditions}):
            continue
        says = listed(named.parents) if named.parents else "none"
        marks = listed(sorted({*by_markup})) if by_markup else "none"
        message = f"is marked up as referring to {marks}, and its words name {says}"
        yield Finding(rule="markup-differs", claim=number, others=named.parents, message=message)


def _resolved(read: _Read, graph: Graph, place: int, *, crosses: bool) -> ResolvedClaim:
    # Cancelled before dependent: what is left of such a claim may still name others.
    kind: Kind = "cancelled" if read.cancelled else "dependent" if graph.named[place] else "independent"
    return ResolvedClaim(
        claim=read.claim,
        kind=kind,
        depends_on=graph.named[place],
        references=read.named,
        anatomy=read.anatomy,
        cross_category=crosses,
        depth=graph.depths[place],
        roots=graph.roots[place],
    )
