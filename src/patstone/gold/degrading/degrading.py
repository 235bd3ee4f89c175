"""Degrade a claim set: choose changes by the seed, keep those that leave the other criteria alone, record them.

The changes of a severity are the first of one sequence that the seed orders, so that a higher severity has all that a
lower one has. Before a change is taken the linter looks at it: what it finds of another criterion must not grow.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from random import Random

from patstone.errors import UsageError
from patstone.gold.degrading.edits import Change, changed, recorded
from patstone.gold.degrading.kinds import KINDS
from patstone.patents.claims import Claim, ClaimSet, resolve, split
from patstone.patents.claims.checks import check

SHARES: Mapping[int, float] = {1: 0.1, 2: 0.25, 3: 0.45, 4: 0.7}
"""By severity: how many of the changes that could be made are made, as a share; one at least."""
_OWN = {"clarity": ("C3", "C4"), "consistency": ("C102",), "linkage": ("C101", "C2"), "completeness": (), "overall": ()}
"""The rules that speak of each criterion."""


@dataclass(frozen=True, kw_only=True)
class Degraded:
    criterion: str
    kind: str
    severity: int
    seed: int
    claims: tuple[Claim, ...]
    changes: tuple[Change, ...]
    wanted: int
    """The changes that the severity asks for; fewer are made where more would touch another criterion."""
    before: ClaimSet

    @property
    def text(self) -> str:
        return as_text(self.claims)

    @property
    def records(self) -> list[dict[str, object]]:
        return [recorded(self.before, change) for change in self.changes]


def kinds(criteria: Sequence[str] = ()) -> list[str]:
    """The kinds of degradation, of these criteria or of all."""
    known = {criterion for criterion, _ in KINDS.values()}
    for name in criteria:
        if name not in known:
            raise UsageError(f"The criterion must be one of {', '.join(sorted(known))}. Got {name!r} instead.")
    return [kind for kind, (criterion, _) in KINDS.items() if not criteria or criterion in criteria]


def degrade(claims: str | Sequence[Claim] | ClaimSet, kind: str, *, severity: int = 2, seed: int = 0) -> Degraded:
    """Make claims worse by one kind; `severity` is 1 to 4. The same call gives the same claims."""
    if kind not in KINDS:
        raise UsageError(f"The kind must be one of {', '.join(KINDS)}. Got {kind!r} instead.")
    if severity not in SHARES:
        raise UsageError(f"The severity must be an int in [1, {max(SHARES)}]. Got {severity!r} instead.")
    whole = claims if isinstance(claims, ClaimSet) else resolve(split(claims) if isinstance(claims, str) else claims)
    criterion, find = KINDS[kind]
    rng = Random(f"{seed} {kind}")
    possible = list(find(whole, rng))
    rng.shuffle(possible)
    wanted = max(1, ceil(SHARES[severity] * len(possible))) if possible else 0
    made = tuple(_harmless(whole, possible, criterion, wanted))
    return Degraded(
        criterion=criterion,
        kind=kind,
        severity=severity,
        seed=seed,
        claims=changed(whole, made),
        changes=made,
        wanted=wanted,
        before=whole,
    )


def _harmless(claims: ClaimSet, possible: Sequence[Change], criterion: str, wanted: int) -> Iterator[Change]:
    """The first changes that only their own criterion's rules notice."""
    others = tuple(code for name, codes in _OWN.items() if name != criterion for code in codes)
    allowed = _counted(changed(claims, ()), others)
    made: list[Change] = []
    for change in possible:
        if len(made) == wanted:
            return
        tried = changed(claims, [*made, change])
        if _counted(tried, others) <= allowed:
            made.append(change)
            yield change


@lru_cache(maxsize=1 << 10)
def _counted(claims: tuple[Claim, ...], codes: tuple[str, ...]) -> Counter[str]:
    return Counter(found.code for found in check(claims, select=codes).diagnostics)


def as_text(claims: Sequence[Claim]) -> str:
    return "\n".join(f"{claim.number}. {claim.text}" for claim in claims)
