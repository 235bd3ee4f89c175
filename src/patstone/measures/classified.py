"""A classifier's answers held against a gold standard of labels: matched, folded, decided, and counted by name.

Answers find their unit by the publication's or family's name, else by the one number that both spellings mean.
Publications fold into their family: `max` (one positive publication is enough), `mean` (of scores, or of votes),
`min` (all must be positive). A score above the threshold is positive, one equal to it is not. Nothing is dropped
without a count.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import isfinite
from typing import Literal, get_args, get_type_hints

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.gold.labels import GoldStandard
from patstone.gold.qrels import Floats, Ints
from patstone.measures.binary import Counts
from patstone.measures.ranked import Bools
from patstone.systems.predictions import Predictions

Fold = Literal["max", "mean", "min"]
PROBABILITY, MARGIN, VOTES = 0.5, 0.0, 0.5


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What is settled before anything is counted."""

    threshold: float | None = None
    """A score above it is positive. Without one, labels decide where there are any; else 0.5, or 0 for scores of
    which some are negative, since these are margins."""
    fold: Fold = "max"
    missing: Literal["zero", "skip", "error"] = "zero"
    """A unit without an answer counts as called negative, is left out, or is an error."""
    duplicates: Literal["error", "first"] = "error"
    """A publication answered twice is an error, or its first answer counts."""

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for each in fields(self):
            allowed, value = get_args(hints[each.name]), getattr(self, each.name)
            if each.name != "threshold" and value not in allowed:
                choices = ", ".join(map(repr, allowed))
                raise UsageError(f"The {each.name!r} policy must be one of {choices}. Got {value!r} instead.")
        if self.threshold is not None and not isfinite(self.threshold):
            raise UsageError(f"The threshold must be a finite number. Got {self.threshold!r} instead.")


@dataclass(frozen=True, eq=False, kw_only=True)
class Classified:
    """One classifier's answer for each unit of the gold standard."""

    system: str
    gold: GoldStandard
    rules: Rules
    threshold: float | None
    """What decided; None where labels did."""
    answered: Bools
    said: Bools
    """False where nothing was answered."""
    scores: Floats | None
    """-inf where nothing was answered: with missing=zero such a unit stands last."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many units had no answer, answers no unit, and so on."""
    notes: tuple[str, ...] = ()

    @property
    def counted(self) -> Bools:
        """The units that count: with missing=skip those answered."""
        return self.answered if self.rules.missing == "skip" else np.ones(len(self.answered), dtype=np.bool_)

    def confusion(self, among: Bools | None = None) -> Counts:
        rows = self.counted if among is None else self.counted & among
        return Counts.of(self.said[rows], self.gold.positive[rows])


def classify(gold: GoldStandard, predictions: Predictions, rules: Rules | None = None) -> Classified:
    """Match, fold and decide."""
    settled = rules or Rules()
    places, by_number = _places(gold, predictions)
    rows = _once(predictions, places, settled)
    units = _units(gold, places[rows])
    answered = np.zeros(len(gold), dtype=np.bool_)
    answered[units] = True
    if not len(rows):
        rule = f"None of these answers is about a {gold.unit} of the gold standard; look at the column of ids."
        raise DataError(rule, path=predictions.path, value=predictions.ids[0] if predictions.ids else None)
    if settled.missing == "error" and not answered.all():
        name = gold.units[int(np.flatnonzero(~answered)[0])]
        raise DataError(f"Each {gold.unit} needs an answer; this one has none.", path=predictions.path, value=name)
    threshold, said = _decided(predictions, rows, units, len(gold), settled)
    return Classified(
        system=predictions.name,
        gold=gold,
        rules=settled,
        threshold=threshold,
        answered=answered,
        said=said & answered,
        scores=None if predictions.scores is None else _folded(predictions.scores[rows], units, len(gold), settled),
        counts={
            "answers": len(predictions.ids),
            "unknown": int((places < 0).sum()),
            "repeated": int((places != -1).sum()) - len(rows),
            "by_number": by_number,
            "missing": int((~answered).sum()),
        },
        notes=_notes(predictions, settled, threshold),
    )


def _places(gold: GoldStandard, predictions: Predictions) -> tuple[Ints, int]:
    """Where each answer belongs: a publication's place, or minus two and down for a unit; -1 for nowhere."""
    known = {unit: -2 - place for place, unit in enumerate(gold.units)}
    known |= {number: place for place, number in enumerate(gold.numbers)}
    places = np.array([known.get(name, -1) for name in predictions.ids], dtype=np.int64)
    lost = np.flatnonzero(places == -1)
    if not len(lost):
        return places, 0
    from patstone.patents.numbers import identify_all

    # Only what is not found as it stands is read as a number, for that takes longer.
    read = identify_all(gold.numbers, dates=gold.dates or None).canonical
    spelled = {number: place for place, number in enumerate(read.tolist()) if number}
    meant = identify_all([predictions.ids[row] for row in lost.tolist()]).canonical
    places[lost] = [spelled.get(number, -1) if number else -1 for number in meant.tolist()]
    return places, int((places[lost] >= 0).sum())


def _units(gold: GoldStandard, places: Ints) -> Ints:
    return np.where(places >= 0, gold.of[np.maximum(places, 0)], -2 - places) if len(gold.of) else -2 - places


def _once(predictions: Predictions, places: Ints, rules: Rules) -> Ints:
    """The rows that count: those with a place, each place's first."""
    known = np.flatnonzero(places != -1)
    _, first = np.unique(places[known], return_index=True)
    rows = known[np.sort(first)]
    if rules.duplicates == "error" and len(rows) < len(known):
        again = int(np.setdiff1d(known, rows)[0])
        raise predictions.refuse("A publication or family is answered once; duplicates=first keeps the first.", again)
    return rows


def _decided(predictions: Predictions, rows: Ints, units: Ints, size: int, rules: Rules) -> tuple[float | None, Bools]:
    labels, scores = predictions.labels, predictions.scores
    if labels is not None and (scores is None or rules.threshold is None):
        if rules.threshold is not None:
            raise UsageError(f"{predictions.name} has labels and no scores: leave --threshold out.")
        return None, _folded(labels[rows].astype(np.float64), units, size, rules) > VOTES
    assert scores is not None
    margins = bool((scores[rows] < 0).any())
    threshold = rules.threshold if rules.threshold is not None else MARGIN if margins else PROBABILITY
    return threshold, _folded(scores[rows], units, size, rules) > threshold


def _folded(values: Floats, units: Ints, size: int, rules: Rules) -> Floats:
    """One number a unit; -inf where there is none."""
    found = np.full(size, -np.inf)
    if rules.fold == "max":
        np.maximum.at(found, units, values)
    elif rules.fold == "min":
        lowest = np.full(size, np.inf)
        np.minimum.at(lowest, units, values)
        found = np.where(np.isposinf(lowest), -np.inf, lowest)
    else:
        count = np.bincount(units, minlength=size)
        total = np.bincount(units, weights=values, minlength=size)
        found[count > 0] = total[count > 0] / count[count > 0]
    return found


def _notes(predictions: Predictions, rules: Rules, threshold: float | None) -> tuple[str, ...]:
    if rules.threshold is not None:
        return predictions.notes
    both = predictions.labels is not None and predictions.scores is not None
    if threshold is None:
        told = "its labels decide, its scores only rank" if both else ""
    elif threshold == MARGIN:
        told = "some scores are negative, so they are taken for margins: above 0 is positive"
    else:
        told = f"a score above {threshold:g} is positive"
    return (*predictions.notes, *([f"{predictions.name}: {told}"] if told else []))
