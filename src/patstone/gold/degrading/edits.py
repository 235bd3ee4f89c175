"""Changes to a claim set as values: edits of texts, claims taken out, claims added; and what they come to together.

All places are those of the claims before any change. References follow when claims are renumbered.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from patstone.patents.claims import ClaimSet, ResolvedClaim
from patstone.patents.publication import Claim

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """Characters of a claim's text replaced by others."""

    place: int
    """Which claim of the set, from 0."""
    start: int
    end: int
    after: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One fault put into a claim set: what is done together or not at all."""

    claim: int
    """The number of the claim that it is about."""
    edits: tuple[Edit, ...] = ()
    dropped: int | None = None
    """The place of a claim that is taken out."""
    copied: int | None = None
    """The place of a claim that is written again at the end."""
    moved: tuple[int, int] | None = None
    """The places of two claims that change over, numbers and all."""


def changed(claims: ClaimSet, changes: Sequence[Change]) -> tuple[Claim, ...]:
    """The claims with the changes made, numbered from 1 in their order."""
    order = [place for place in range(len(claims)) if place not in {change.dropped for change in changes}]
    for change in changes:
        if change.moved is not None:
            one, other = (order.index(place) for place in change.moved)
            order[one], order[other] = order[other], order[one]
    numbers = {claims.claims[place].number: number for number, place in enumerate(order, start=1)}
    edits: dict[int, list[Edit]] = {}
    for edit in (edit for change in changes for edit in change.edits):
        edits.setdefault(edit.place, []).append(edit)
    texts = [
        _edited(
            claims.claims[place].claim.text, [*_renumbered(claims.claims[place], place, numbers), *edits.get(place, ())]
        )
        for place in order
    ]
    copies = [order.index(change.copied) for change in changes if change.copied in order]
    texts += [texts[place] for place in copies]
    language = claims.claims[0].references.language if len(claims) else ""
    return tuple(Claim(number=number, text=text, language=language) for number, text in enumerate(texts, start=1))


def _renumbered(claim: ResolvedClaim, place: int, numbers: Mapping[int, int]) -> Iterable[Edit]:
    for mention in claim.references.mentions:
        for found in _NUMBER.finditer(claim.claim.text, mention.start, mention.end):
            new = numbers.get(int(found.group()))
            if new is not None and str(new) != found.group():
                yield Edit(place=place, start=found.start(), end=found.end(), after=str(new))


def _edited(text: str, edits: Iterable[Edit]) -> str:
    """Made from the end, so that places stay what they are; later edits win over those they overlap."""
    taken = len(text) + 1
    for edit in sorted(edits, key=lambda each: (each.start, each.end), reverse=True):
        if edit.end <= taken:
            text = text[: edit.start] + edit.after + text[edit.end :]
            taken = edit.start
    return text


def recorded(claims: ClaimSet, change: Change) -> dict[str, object]:
    """A change in words that a file can hold."""
    found: dict[str, object] = {"claim": change.claim}
    if change.edits:
        found["edits"] = [
            {
                "claim": claims.claims[edit.place].number,
                "start": edit.start,
                "end": edit.end,
                "before": claims.claims[edit.place].claim.text[edit.start : edit.end],
                "after": edit.after,
            }
            for edit in change.edits
        ]
    if change.moved is not None:
        found["exchanged_with"] = claims.claims[change.moved[1]].number
    return found | {key: True for key in ("dropped", "copied") if getattr(change, key) is not None}
