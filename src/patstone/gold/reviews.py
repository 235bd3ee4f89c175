"""Reviewers' labels, with gaps: who said what about which family or publication.

A table has a row for each label (family or publication, reviewer, label) or a row for each unit and a column for each
reviewer. An empty cell is a gap. A word of doubt is a gap that is counted; a reviewer who labels a unit twice is an
error, for either label would be a silent choice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.files.header import Wanted
from patstone.files.tables import Table, header_of, read_table
from patstone.gold.labels import LABEL_COLUMNS, Bools, GoldStandard, label_of

GAP, NO, YES = -1, 0, 1
Answers = NDArray[np.int8]
View = Literal["consensus", "generous", "narrow"]
VIEWS: tuple[View, ...] = ("consensus", "generous", "narrow")
_UNIT = Wanted(
    name="unit",
    synonyms=tuple(
        name
        for column in LABEL_COLUMNS
        if column.name in ("family", "document")
        for name in (column.name, *column.synonyms)
    ),
)
REVIEW_COLUMNS = (
    _UNIT,
    Wanted(name="reviewer", synonyms=("annotator", "rater", "judge", "expert", "user", "coder")),
    Wanted(
        name="label",
        synonyms=("class", "answer", "verdict", "judgment", "judgement", "decision"),
        kind="text",
        blank=True,
    ),
)
_DOUBT = frozenset(("unsure", "?", "unknown", "unclear", "maybe", "unsicher", "n/a", "na", "skip", "не уверен"))


@dataclass(frozen=True, eq=False, kw_only=True)
class Reviews:
    units: tuple[str, ...]
    reviewers: tuple[str, ...]
    answers: Answers
    """Units × reviewers: YES, NO or GAP."""
    doubts: int = 0
    """Words of doubt, which count as gaps."""
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.units)

    def labels(self, view: View) -> tuple[Bools, Bools]:
        """For each unit whether it is positive, and whether this view has a label for it at all.

        consensus: what more reviewers say, none where they tie; generous: positive where anyone says so; narrow:
        positive where nobody who answered denies it.
        """
        yes, no = (self.answers == YES).sum(axis=1), (self.answers == NO).sum(axis=1)
        known = yes + no > 0
        if view == "consensus":
            return yes > no, known & (yes != no)
        if view not in VIEWS:
            raise UsageError(f"A view of reviews is one of {', '.join(VIEWS)}. Got {view!r}.")
        return (yes > 0 if view == "generous" else known & (no == 0)), known


def read_reviews(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
) -> Reviews:
    """Read labels in long layout where there is a column of reviewers, else with a column for each reviewer."""
    header = [name.casefold().strip() for name in header_of(path, format=format)]
    known = {"reviewer", *REVIEW_COLUMNS[1].synonyms}
    if known & set(header) or "reviewer" in (columns or {}):
        table = read_table(path, REVIEW_COLUMNS, columns=columns, format=format)
        rows = zip(
            ids.texts(table.columns["unit"]), ids.texts(table.columns["reviewer"]), table.columns["label"], strict=True
        )
        return _collected(table, [(row, unit, who, label) for row, (unit, who, label) in enumerate(rows)])
    table = read_table(path, [_UNIT], columns=columns, format=format, rest=True)
    return _collected(table, list(_spread(table)))


def _spread(table: Table) -> Iterator[tuple[int, str, str, str]]:
    names = [name for name in table.columns if name != "unit"]
    if not names:
        raise DataError("Reviews need a column of reviewers, or one for each reviewer.", path=table.path, line=1)
    for row, unit in enumerate(ids.texts(table.columns["unit"])):
        for who in names:
            yield row, unit, who, str(table.columns[who][row])


def _collected(table: Table, told: Sequence[tuple[int, str, str, str]]) -> Reviews:
    units = {unit: place for place, unit in enumerate(dict.fromkeys(unit for _, unit, _, _ in told))}
    reviewers = {who: place for place, who in enumerate(dict.fromkeys(who for _, _, who, _ in told))}
    answers = np.full((len(units), len(reviewers)), GAP, dtype=np.int8)
    seen: dict[tuple[int, int], int] = {}
    doubts = 0
    for row, unit, who, word in told:
        cell = units[unit], reviewers[who]
        if cell in seen:
            rule = f"Reviewer {who!r} labels {unit!r} on line {table.lines[seen[cell]]} too; keep one of the two."
            raise table.refuse(rule, row)
        seen[cell] = row
        doubts += (doubt := word.strip().casefold() in _DOUBT)
        if word.strip() and not doubt:
            answers[cell] = YES if label_of(table, row, word) else NO
    return Reviews(units=tuple(units), reviewers=tuple(reviewers), answers=answers, doubts=doubts, notes=table.notes)


def placed(reviews: Reviews, gold: GoldStandard) -> NDArray[np.int64]:
    """For each reviewed unit its place in the gold standard, by the family's or a publication's name; -1 for none."""
    known = dict(zip(gold.numbers, gold.of.tolist(), strict=True))
    known |= {unit: place for place, unit in enumerate(gold.units)}
    places = np.array([known.get(unit, -1) for unit in reviews.units], dtype=np.int64)
    found = places[places >= 0]
    if len(np.unique(found)) < len(found):
        twice = reviews.units[int(np.flatnonzero(places == np.bincount(found).argmax())[1])]
        raise DataError(f"Reviews name one {gold.unit} in two ways; name it once.", value=twice)
    return places
