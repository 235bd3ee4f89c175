"""Agreement with intervals, by class, by reviewer and by pair; and what a gold standard is by each view of reviews.

Intervals are percentiles of a bootstrap over units. A unit that is resampled keeps all its labels, so reviewers who
saw the same units stay dependent as they are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from patstone.compare.classifiers import LabelScores, Sampling, percentiles
from patstone.compare.resampling import bootstrap_weights
from patstone.errors import DataError
from patstone.gold.labels import GoldStandard
from patstone.gold.qrels import Floats
from patstone.gold.reviews import GAP, VIEWS, Answers, Reviews, View, placed
from patstone.measures.agreement import STATISTICS, Labelled, cohen, raw, specific

ALL = "all"


@dataclass(frozen=True, kw_only=True)
class Agreed:
    """One statistic over all reviewers, of a class, of one reviewer, or of a pair."""

    statistic: str
    of: str
    value: float
    low: float
    high: float
    units: int
    """With two labels or more, which alone tell of agreement."""


def agreement(reviews: Reviews, sampling: Sampling | None = None) -> list[Agreed]:
    """All statistics; a reviewer's `raw` is against the others', and `alpha without` is the others' alone."""
    how = sampling or Sampling()
    if len(reviews.reviewers) < 2:
        raise DataError(f"Agreement needs at least two reviewers. Got {len(reviews.reviewers)}.")
    answers = reviews.answers
    if not ((answers != GAP).sum(axis=1) >= 2).any():
        raise DataError("Agreement needs units that two reviewers label; here is none.")
    found = [_agreed(answers, kernel, name, ALL, how) for name, kernel in STATISTICS.items()]
    for word, positive in (("positive", True), ("negative", False)):
        found.append(_agreed(answers, partial(specific, positive=positive), "specific", f"class {word}", how))
    return [*found, *_by_reviewer(reviews, how), *_by_pair(reviews, how)]


def _agreed(answers: Answers, kernel: Callable[[Labelled], Floats], name: str, of: str, how: Sampling) -> Agreed:
    units = int(((answers != GAP).sum(axis=1) >= 2).sum())
    value = float(kernel(Labelled.once(answers))[0])
    weights = bootstrap_weights(len(answers), how.resamples, how.seed)
    drawn = np.concatenate([kernel(Labelled(answers, each)) for _, each in weights])
    low, high = percentiles(drawn, how.confidence)
    return Agreed(statistic=name, of=of, value=value, low=low, high=high, units=units)


def _by_reviewer(reviews: Reviews, how: Sampling) -> Iterator[Agreed]:
    for place, name in enumerate(reviews.reviewers):
        if len(reviews.reviewers) > 2:
            others = np.delete(reviews.answers, place, axis=1)
            yield _agreed(others, STATISTICS["alpha"], "alpha without", name, how)
        yield _agreed(_against(reviews.answers, place), raw, "raw", name, how)


def _against(answers: Answers, place: int) -> Answers:
    """A reviewer's label against each other one's, each pair a unit of two labels."""
    others = [other for other in range(answers.shape[1]) if other != place]
    return np.concatenate([answers[:, [place, other]] for other in others])


def _by_pair(reviews: Reviews, how: Sampling) -> Iterator[Agreed]:
    for first, second in combinations(range(len(reviews.reviewers)), 2):
        pair = reviews.answers[:, [first, second]]
        of = f"{reviews.reviewers[first]} – {reviews.reviewers[second]}"
        yield _agreed(pair, lambda each: cohen(each, 0, 1), "cohen", of, how)


def viewed(reviews: Reviews, gold: GoldStandard, view: View) -> GoldStandard:
    """The gold standard as a view of the reviews has it: the reviewed units alone, each with the view's label."""
    places = placed(reviews, gold)
    positive, known = reviews.labels(view)
    kept = np.flatnonzero(known & (places >= 0))
    if not len(kept):
        raise DataError("The reviews name no unit of the gold standard.")
    order = kept[np.argsort(places[kept])]
    units = places[order]
    of = np.full(len(gold), -1)
    of[units] = np.arange(len(units))
    rows = np.flatnonzero(of[gold.of] >= 0).tolist()
    told = {name: getattr(gold, name) for name in ("numbers", "titles", "dates", "lines")}
    kept_rows: dict[str, Any] = {name: tuple(each[row] for row in rows) for name, each in told.items() if each}
    return replace(
        gold,
        name=f"{gold.name}-{view}",
        units=tuple(gold.units[unit] for unit in units.tolist()),
        positive=positive[order],
        of=of[gold.of[rows]],
        findings=(),
        **kept_rows,
    )


def lost(reviews: Reviews, gold: GoldStandard) -> dict[str, int]:
    """What no gold standard made of these reviews has."""
    strangers = int((placed(reviews, gold) < 0).sum())
    _, decided = reviews.labels("consensus")
    labelled = (reviews.answers != GAP).any(axis=1)
    return {
        "reviewed": len(reviews),
        "unknown": strangers,
        "ties": int((labelled & ~decided).sum()),
        "unlabelled": int((~labelled).sum()),
        "doubts": reviews.doubts,
        "gaps": int((reviews.answers == GAP).sum()),
    }


def disagreements(reviews: Reviews) -> Sequence[int]:
    """Places of the units on which reviewers differ."""
    yes, no = (reviews.answers == 1).any(axis=1), (reviews.answers == 0).any(axis=1)
    return np.flatnonzero(yes & no).tolist()


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement:
    """What reviewers' labels say: how far they agree, and the gold standard by each view."""

    statistics: tuple[Agreed, ...]
    views: Mapping[View, GoldStandard]
    changed: Mapping[View, int]
    """Units whose label differs from the gold standard's own."""
    counts: Mapping[str, int]
    scores: Mapping[View, LabelScores] = field(default_factory=dict)
    files: Mapping[View, Path] = field(default_factory=dict)
    """Where each view was written."""


def agree(reviews: Reviews, gold: GoldStandard, sampling: Sampling | None = None) -> Agreement:
    made = {view: viewed(reviews, gold, view) for view in VIEWS}
    own = dict(zip(gold.units, gold.positive.tolist(), strict=True))
    return Agreement(
        statistics=tuple(agreement(reviews, sampling)),
        views=made,
        changed={
            view: sum(own[unit] != label for unit, label in zip(each.units, each.positive.tolist(), strict=True))
            for view, each in made.items()
        },
        counts=lost(reviews, gold),
    )
