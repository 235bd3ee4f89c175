"""Run the rules over a claim set, and over a claim set beside its gold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from patstone.patents.claims.checks.elements import Piece, lost, pieces, whole_claims
from patstone.patents.claims.checks.finders import FINDERS, Fault
from patstone.patents.claims.checks.lexicon import LANGUAGES
from patstone.patents.claims.checks.rules import Diagnostic, chosen, rules
from patstone.patents.claims.checks.subject import Subject
from patstone.patents.claims.resolving import ClaimSet, resolve
from patstone.patents.publication import Claim

_SHOWN = 60


@dataclass(frozen=True, kw_only=True)
class Checked:
    claims: ClaimSet
    diagnostics: tuple[Diagnostic, ...]
    """By claim, and within a claim by place."""
    unread: int
    """Claims in languages whose words the rules do not know: only what needs no words was checked there."""


def check(
    claims: Sequence[Claim] | ClaimSet,
    *,
    gold: Sequence[Claim] | ClaimSet | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> Checked:
    """Check a claim set by all rules, or by those selected and not ignored; the rules on elements need a gold."""
    codes = chosen(select, ignore)
    subject = Subject(_resolved(claims))
    found = [
        _diagnostic(subject, code, *fault) for code, find in FINDERS.items() if code in codes for fault in find(subject)
    ]
    if gold is not None:
        compared = _compared(subject, _resolved(gold))
        found += [_diagnostic(subject, code, *fault) for code, fault in compared if code in codes]
    return Checked(
        claims=subject.claims,
        diagnostics=tuple(sorted(found, key=lambda each: (each.place, each.start, each.code))),
        unread=sum(claim.references.language not in LANGUAGES for claim in subject.claims),
    )


def _resolved(claims: Sequence[Claim] | ClaimSet) -> ClaimSet:
    return claims if isinstance(claims, ClaimSet) else resolve(claims)


def _diagnostic(subject: Subject, code: str, place: int, start: int, end: int, message: str) -> Diagnostic:
    number = subject.claims.claims[place].number
    severity = rules()[code].severity
    return Diagnostic(claim=number, place=place, code=code, severity=severity, start=start, end=end, message=message)


def _compared(subject: Subject, gold: ClaimSet) -> Iterator[tuple[str, Fault]]:
    own, theirs = pieces(subject.claims), pieces(gold)
    if not subject.texts:
        return
    for piece, share in lost(theirs, [*own, *whole_claims(subject.claims)]):
        place = _counterpart(subject, gold, piece)
        # Something missing has no extent: it would stand where the claim ends.
        end = len(subject.texts[place].rstrip(" .\n"))
        number = gold.claims[piece.place].number
        yield "C501", (place, end, end, f"{_said(piece)} of the gold's claim {number} is missing ({share:.0%} found)")
    for piece, share in lost(own, [*theirs, *whole_claims(gold)]):
        yield "C502", (piece.place, piece.start, piece.end, f"{_said(piece)} is not in the gold ({share:.0%} found)")


def _counterpart(subject: Subject, gold: ClaimSet, piece: Piece) -> int:
    """The claim of the same number, else the first."""
    number = gold.claims[piece.place].number
    return next((place for place, claim in subject if claim.number == number), 0)


def _said(piece: Piece) -> str:
    words = " ".join(piece.text.split())
    return f"“{words if len(words) <= _SHOWN else words[: _SHOWN - 1].rstrip() + '…'}”"
