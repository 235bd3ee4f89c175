"""Comparisons whose answer is known: a claim set as gold, and two degrees of one kind of degradation as candidates."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from patstone.gold.degrading.degrading import SHARES, as_text, degrade, kinds
from patstone.gold.degrading.edits import changed
from patstone.patents.claims import ClaimSet


@dataclass(frozen=True, kw_only=True)
class Known:
    """One comparison; `label` is 1 where A is the better one, -1 where B is."""

    name: str
    gold: str
    a: str
    b: str
    criterion: str
    kind: str
    severities: tuple[int, int]
    """Of A and B; 0 is the gold itself."""
    label: int


def comparisons(
    sets: Iterable[tuple[str, ClaimSet]],
    *,
    kind: Sequence[str] = (),
    severities: Sequence[int] = tuple(SHARES),
    seed: int = 0,
    identical: bool = False,
) -> Iterator[Known]:
    """Pair the degrees of each kind; with `identical` the undegraded claims are a degree too."""
    rng = Random(seed)
    for name, claims in sets:
        gold = as_text(changed(claims, ()))
        for each in kind or kinds():
            degrees = {severity: degrade(claims, each, severity=severity, seed=seed) for severity in severities}
            texts = {0: gold} if identical else {}
            # A degree that changes no more than a lower one is no other degree.
            counts: set[int] = set()
            for severity, made in sorted(degrees.items()):
                if made.changes and len(made.changes) not in counts:
                    counts.add(len(made.changes))
                    texts[severity] = made.text
            for low, high in combinations(texts, 2):
                one, other = (low, high) if rng.random() < 0.5 else (high, low)
                yield Known(
                    name=f"{name} {each} {one}:{other}",
                    gold=gold,
                    a=texts[one],
                    b=texts[other],
                    criterion=degrees[high].criterion,
                    kind=each,
                    severities=(one, other),
                    label=1 if one < other else -1,
                )
