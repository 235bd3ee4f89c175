"""What a judge is: anything that scores candidate claims, against gold claims or, where it can, without them.

`score(gold_claims, candidate_claims)` gives a row for each candidate and a column for each of the judge's criteria,
higher being better. A judge that tells no criteria apart has one column, which stands for any. A judge may also
`explain` its scores by numbers, and one that sees two candidates at once has `compare`, which says both scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.gold.criteria import OVERALL
from patstone.gold.preferences import NOTHING, Preferences
from patstone.gold.qrels import Floats, Ints

Drivers: TypeAlias = Mapping[str, float]
"""What drove a score: numbers by name."""


class Judge(Protocol):
    @property
    def name(self) -> str:
        """What results call it."""

    @property
    def signature(self) -> str:
        """Everything that a score depends on beside the texts."""

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria that it tells apart; none where one score stands for any of them."""

    @property
    def needs_gold(self) -> bool:
        """Whether it can't judge a candidate on its own."""

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        """Candidates × max(1, criteria), NaN where it has nothing to say; an empty gold means that there is none."""


@runtime_checkable
class Explains(Protocol):
    def explain(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Sequence[Drivers]:
        """What drove each score."""


@runtime_checkable
class Compares(Protocol):
    def compare(self, gold_claims: Sequence[str], a: Sequence[str], b: Sequence[str]) -> "Compared":
        """Both scores of each comparison."""


@runtime_checkable
class Learned(Protocol):
    """A judge that knows what it was trained on."""

    @property
    def seen(self) -> frozenset[int]:
        """The keys (`patstone.gold.preferences.text_key`) of the golds and candidates it was trained on."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Compared:
    a: Floats
    b: Floats
    notes: tuple[str, ...] = ()
    counts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Marks:
    """What one judge says of all items."""

    judge: str
    signature: str
    criteria: tuple[str, ...]
    """What the columns stand for; (`overall`,) for a judge that tells none apart."""
    any_criterion: bool
    """Whether the one column stands for every criterion."""
    a: Floats
    b: Floats
    """NaN where an item has no second candidate."""
    drivers_a: Sequence[Drivers] = ()
    drivers_b: Sequence[Drivers] = ()
    notes: tuple[str, ...] = ()
    counts: Mapping[str, float] = field(default_factory=dict)
    seen: frozenset[int] = frozenset()

    def difference(self, criterion: str) -> Floats | None:
        """Score of A minus score of B; None where the judge has nothing to say of the criterion."""
        if criterion not in self.criteria and not self.any_criterion:
            return None
        column = 0 if self.any_criterion else self.criteria.index(criterion)
        return np.asarray(self.a[:, column] - self.b[:, column], dtype=np.float64)


def judged(judge: Judge, preferences: Preferences, *, explain: bool = False) -> Marks:
    """Let a judge score every candidate; a text that recurs under one gold is scored once."""
    if judge.needs_gold and (preferences.gold == NOTHING).any():
        row = int(np.flatnonzero(preferences.gold == NOTHING)[0])
        raise DataError(
            f"Judge {judge.name!r} needs a gold claim set, and this item has none.",
            path=preferences.name,
            line=int(preferences.lines[row]),
        )
    told = _compared(judge, preferences) if isinstance(judge, Compares) else _scored(judge, preferences)
    silent = [name for name, column in zip(judge.criteria, told.a.T, strict=False) if np.isnan(column).all()]
    notes = [f"{judge.name} has nothing to say about {', '.join(silent)} here"] if silent else []
    pairs, at_a, at_b = unique_pairs(preferences)
    drivers = list(judge.explain(*texts_of(preferences, pairs))) if explain and isinstance(judge, Explains) else []
    return Marks(
        judge=judge.name,
        signature=judge.signature,
        criteria=judge.criteria or (OVERALL,),
        any_criterion=not judge.criteria,
        a=told.a,
        b=told.b,
        drivers_a=[drivers[place] for place in at_a.tolist()] if drivers else (),
        drivers_b=[drivers[place] if place >= 0 else {} for place in at_b.tolist()] if drivers else (),
        notes=(*told.notes, *notes),
        counts=told.counts,
        seen=judge.seen if isinstance(judge, Learned) else frozenset(),
    )


def _scored(judge: Judge, preferences: Preferences) -> Compared:
    pairs, at_a, at_b = unique_pairs(preferences)
    scores = checked(judge, judge.score(*texts_of(preferences, pairs)), len(pairs))
    missing = np.full((1, scores.shape[1]), np.nan)
    return Compared(a=scores[at_a], b=np.concatenate([scores, missing])[at_b])


def _compared(judge: Compares, preferences: Preferences) -> Compared:
    """Judges that see both candidates get comparisons; what has no second candidate they score alone."""
    both = np.flatnonzero(preferences.b != NOTHING)
    if len(both) < len(preferences):
        return _scored(judge, preferences)  # type: ignore[arg-type]
    columns = (preferences.gold, preferences.a, preferences.b)
    return judge.compare(*([_text(preferences, place) for place in column.tolist()] for column in columns))


def unique_pairs(preferences: Preferences) -> tuple[Ints, Ints, Ints]:
    """The different (gold, candidate) pairs, and where each item's candidates are among them; -1 for no candidate."""
    both = preferences.b != NOTHING
    stacked = np.concatenate(
        [np.stack([preferences.gold, preferences.a], 1), np.stack([preferences.gold[both], preferences.b[both]], 1)]
    )
    # Sorted by gold: a judge that prepares a gold prepares it once.
    pairs, place = np.unique(stacked, axis=0, return_inverse=True)
    at_b = np.full(len(preferences), -1, dtype=np.int64)
    at_b[both] = place.reshape(-1)[len(preferences) :]
    return pairs, place.reshape(-1)[: len(preferences)].astype(np.int64), at_b


def texts_of(preferences: Preferences, pairs: Ints) -> tuple[list[str], list[str]]:
    golds, candidates = pairs.T.tolist()
    return [_text(preferences, place) for place in golds], [_text(preferences, place) for place in candidates]


def _text(preferences: Preferences, place: int) -> str:
    return preferences.texts[place] if place != NOTHING else ""


def checked(judge: Judge, scores: object, count: int) -> Floats:
    """A judge's answer as rows × columns of finite numbers."""
    try:
        found = np.asarray(scores, dtype=np.float64).reshape(count, -1)
    except (TypeError, ValueError):
        raise UsageError(f"Judge {judge.name!r} must give one number for each candidate and criterion.") from None
    if found.shape[1] != max(1, len(judge.criteria)):
        wanted = f"{count} × {max(1, len(judge.criteria))} numbers"
        raise UsageError(f"Judge {judge.name!r} must give {wanted}. Got {found.shape[0]} × {found.shape[1]}.")
    if np.isinf(found).any() or np.isnan(found).all():
        raise UsageError(f"Judge {judge.name!r} must give finite numbers, or NaN where it has nothing to say.")
    return found
