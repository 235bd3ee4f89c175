"""The answer in words: which systems are really different from the best one, or from the baseline, and by how much.

"Really" means told apart by the comparison's test at its level after correction; without a comparison nothing is
called real.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from patstone.compare.paired import differences
from patstone.compare.significance import Comparison
from patstone.gold.qrels import Floats
from patstone.measures.measure import Measure
from patstone.measures.scores import Scores
from patstone.report.cells import printable

_NAMED = 4
"""So many systems are listed by name."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What one measure says; `reference` is the baseline, or the best system without one."""

    measure: Measure
    ranking: tuple[str, ...]
    """Best first; without systems for which no topic counts."""
    value: float
    """The mean of the best system."""
    reference: str
    tested: bool
    baseline: bool
    better: tuple[str, ...]
    worse: tuple[str, ...]
    alike: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Duel:
    """Two systems, topic by topic: `a` minus `b`."""

    a: str
    b: str
    measure: Measure
    topics: tuple[str, ...]
    differences: Floats
    sign: int
    """-1 where lower is better."""

    @property
    def counts(self) -> tuple[int, int, int]:
        """Topics where `a` is better, where both are equal, where `a` is worse."""
        gain = self.sign * self.differences
        return int((gain > 0).sum()), int((gain == 0).sum()), int((gain < 0).sum())


def direction(measure: Measure) -> int:
    return 1 if measure.card.higher_is_better else -1


def ranked_systems(scores: Scores, place: int) -> list[int]:
    """Indices of the systems that have a mean, best first."""
    means = scores.means[:, place]
    order = np.argsort(-direction(scores.measures[place]) * means, kind="stable")
    return [int(system) for system in order if not np.isnan(means[system])]


def finding(scores: Scores, place: int, comparison: Comparison | None) -> Finding | None:
    """What the measure at `place` says; None when no topic counts for any system."""
    order = ranked_systems(scores, place)
    if not order:
        return None
    measure = scores.measures[place]
    baseline = comparison.baseline if comparison is not None else None
    reference = order[0] if baseline is None else scores.systems.index(baseline)
    apart = _told_apart(comparison, measure, scores.systems[reference])
    rank = {system: position for position, system in enumerate(order)}
    others = [system for system in order if system != reference]
    names = scores.systems
    return Finding(
        measure=measure,
        ranking=tuple(names[system] for system in order),
        reference=names[reference],
        value=float(scores.means[order[0], place]),
        tested=comparison is not None,
        baseline=baseline is not None,
        better=tuple(names[s] for s in others if names[s] in apart and rank[s] < rank[reference]),
        worse=tuple(names[s] for s in others if names[s] in apart and rank[s] > rank[reference]),
        alike=tuple(names[s] for s in others if names[s] not in apart),
    )


def _told_apart(comparison: Comparison | None, measure: Measure, reference: str) -> set[str]:
    if comparison is None:
        return set()
    level = round(1 - comparison.confidence, 12)
    rows = [row for row in comparison.rows if row.measure == measure and row.p_adjusted < level]
    return {row.b if row.a == reference else row.a for row in rows if reference in (row.a, row.b)}


def duel(scores: Scores, place: int, comparison: Comparison | None) -> Duel | None:
    """The best system against the second, or against the baseline; None when they share no topic or there is nobody."""
    order = ranked_systems(scores, place)
    if len(order) < 2:
        return None
    a, b = order[:2]
    if comparison is not None and comparison.baseline is not None:
        b = scores.systems.index(comparison.baseline)
        a = next(system for system in order if system != b)
    gap = differences(scores.values[:, place : place + 1], np.array([a]), np.array([b]))[0, 0]
    if np.isnan(gap).all():
        return None
    names, measure = scores.systems, scores.measures[place]
    return Duel(a=names[a], b=names[b], measure=measure, topics=scores.topics, differences=gap, sign=direction(measure))


def sentence(found: Finding) -> str:
    measure, reference = str(found.measure), printable(found.reference)
    extreme = "highest" if found.measure.card.higher_is_better else "lowest"
    if found.baseline:
        return f"Measured by {measure}, {_against_baseline(found)}."
    if len(found.ranking) == 1:
        return f"{reference} scores {found.value:.4f} in {measure}."
    opening = f"{reference} has the {extreme} {measure}, {found.value:.4f}"
    if not found.tested:
        return f"{opening}; whether it is really different from the others was not tested."
    return f"{opening}, {_against_others(found)}."


def _against_others(found: Finding) -> str:
    if not found.worse:
        others = "the other system" if len(found.alike) == 1 else f"any of the other {len(found.alike)} systems"
        return f"but it can't be told apart from {others}"
    if not found.alike:
        count = len(found.worse)
        return "and it is really better than " + (listed(found.worse) if count == 1 else f"all {count} other systems")
    total = len(found.worse) + len(found.alike)
    return (
        f"and it is really better than {len(found.worse)} of the other {total} systems; "
        f"it can't be told apart from {listed(found.alike)}"
    )


def _against_baseline(found: Finding) -> str:
    reference = printable(found.reference)
    parts = [
        (found.better, f"really better than the baseline {reference}"),
        (found.worse, f"really worse than {reference if found.better else f'the baseline {reference}'}"),
    ]
    said = [f"{listed(names)} {'is' if len(names) == 1 else 'are'} {words}" for names, words in parts if names]
    if found.alike:
        said.append(f"{listed(found.alike)} can't be told apart from {'it' if said else f'the baseline {reference}'}")
    return "; ".join(said)


def listed(names: Sequence[str]) -> str:
    shown = [printable(name) for name in names]
    if len(shown) > _NAMED:
        shown = [*shown[: _NAMED - 1], f"{len(shown) - _NAMED + 1} more"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
