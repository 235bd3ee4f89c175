"""What a meta-evaluation has to say against itself: sentences for standard error and for `warnings` in the JSON."""

from collections.abc import Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from patstone.gold.preferences import Preferences
from patstone.systems.judges.judge import Marks

if TYPE_CHECKING:
    from patstone.experiments.judging import Agreement, MetaEvaluation

FEW_GOLDS = 30
NOTABLE = 0.1
"""A control's tau-b below this is not worth a sentence."""


def warnings(
    preferences: Preferences, marks: Sequence[Marks], found: "MetaEvaluation", seen: frozenset[int]
) -> Iterator[str]:
    yield from _identical(preferences, found)
    yield from _leaks(found)
    yield from _length(found)
    yield from _shared(preferences, marks, seen)
    yield from _few(preferences, found)
    for criterion, ceiling in found.ceilings.items():
        if ceiling < 0.995:
            yield (
                f"{criterion}: labels tie, so that tau_b of continuous differences is at most {ceiling:.3f}; "
                f"don't hold it against tau_b of ternary predictions"
            )


def _control(found: "MetaEvaluation", name: str) -> "Iterator[Agreement]":
    """The control's tau-b by criterion, where its interval leaves 0 out."""
    for row in found.agreements:
        if row.judge == f"control:{name}" and (row.statistic, row.predictions) == ("tau_b", "continuous"):
            low, high = row.ci
            if row.subset == "all" and abs(row.value) >= NOTABLE and not low <= 0 <= high:
                yield row


def _identical(preferences: Preferences, found: "MetaEvaluation") -> Iterator[str]:
    count = int(preferences.identical.sum())
    if count:
        yield f"{count} of {len(preferences)} comparisons have the gold itself as a candidate: read not-identical too"
    for row in _control(found, "identical"):
        yield (
            f"{row.criterion}: to ask whether a candidate is the gold, and nothing else, has tau_b {row.value:.3f}; "
            "identical candidates decide much of what judges get in all"
        )


def _leaks(found: "MetaEvaluation") -> Iterator[str]:
    for row in _control(found, "text-blind-random-folds"):
        yield (
            f"{row.criterion}: a model that knows only which candidate is which, and no text, has tau_b "
            f"{row.value:.3f} under random folds: part training from test by gold, or the score is memory"
        )


def _length(found: "MetaEvaluation") -> Iterator[str]:
    for row in _control(found, "length"):
        yield f"{row.criterion}: length alone has tau_b {row.value:+.3f}"


def _shared(preferences: Preferences, marks: Sequence[Marks], seen: frozenset[int]) -> Iterator[str]:
    keys = preferences.keys
    golds = {int(key) for key in keys[np.unique(preferences.gold[preferences.gold >= 0])]}
    candidates = {int(key) for key in keys[np.unique(np.concatenate([preferences.a, preferences.b]))]}
    for name, known in [(f"judge {each.judge}", each.seen) for each in marks] + [("--trained-on", seen)]:
        if known and (shared := [len(known & golds), len(known & candidates)]) != [0, 0]:
            yield (
                f"{name} was trained on {shared[0]} of these {len(golds)} golds and {shared[1]} of these "
                f"{len(candidates)} candidates: its numbers here say nothing about new claims"
            )


def _few(preferences: Preferences, found: "MetaEvaluation") -> Iterator[str]:
    golds = preferences.counts["golds"]
    if golds < FEW_GOLDS:
        yield f"{len(preferences)} comparisons come from {golds} golds only: that is the sample size that counts"
    for criterion in found.ceilings:
        values = {
            row.judge: row.value
            for row in found.agreements
            if (row.criterion, row.subset, row.statistic, row.predictions) == (criterion, "all", "tau_b", "continuous")
            and not row.judge.startswith("control:")
            and not isnan(row.value)
        }
        best, *others = sorted(values, key=lambda name: -values[name]) or [""]
        for row in found.contrasts:
            second = {row.a, row.b} == {best, *others[:1]}
            if second and (row.criterion, row.subset) == (criterion, "all") and row.p_adjusted >= 0.05:
                yield (
                    f"{criterion}: {best} leads {others[0]} by {abs(row.difference):.3f}, which these data can't tell "
                    f"from luck; they would show a difference of about {row.smallest:.3f}"
                )
