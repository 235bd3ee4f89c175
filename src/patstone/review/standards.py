"""From what reviewers said to gold standards: by consensus, by the most generous reading and by the narrowest.

A decision of the coordinator settles a family for the consensus. What nobody has judged, or what reviewers are split
on and nobody decided, is left out and counted, never guessed.
"""

from dataclasses import dataclass

import numpy as np

from patstone.errors import UsageError
from patstone.gold.labels import GoldStandard
from patstone.gold.reviews import GAP, VIEWS, View
from patstone.report.cells import Column, Table
from patstone.review import coordinating, store
from patstone.review.database import Database

PUBLISHED = ("Class", "DocDB Family ID", "Serial no.", "Title", "Publication date")


@dataclass(frozen=True, eq=False, kw_only=True)
class Standing:
    """A gold standard as far as it is settled."""

    gold: GoldStandard
    open: int
    """Families that somebody looked at and that are not settled."""
    unjudged: int

    @property
    def positive(self) -> int:
        return int(self.gold.positive.sum())

    @property
    def negative(self) -> int:
        return len(self.gold) - self.positive


def standing(database: Database, view: str) -> Standing:
    if view not in VIEWS:
        raise UsageError(f"A standard is one of {', '.join(VIEWS)}. Got {view!r} instead.")
    reviews, looked = coordinating.reviews(database), coordinating.looked_at(database)
    positive, known = reviews.labels(view)
    if view == "consensus":
        with database.read() as connection:
            decided = {family: row.verdict for family, row in coordinating.decisions(connection).items()}
        for place, family in enumerate(reviews.units):
            if family in decided:
                positive[place], known[place] = decided[family] == "positive", True
    touched = (reviews.answers != GAP).any(axis=1) | np.array([family in looked for family in reviews.units]) | known
    return Standing(
        gold=_gold(database, view, np.flatnonzero(known).tolist(), positive),
        open=int((touched & ~known).sum()),
        unjudged=int((~touched).sum()),
    )


def _gold(
    database: Database, view: View, kept: list[int], positive: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> GoldStandard:
    families = list(coordinating.said(database).items())
    members = [(unit, one) for unit, place in enumerate(kept) for one in families[place][1]["publications"]]
    with database.read() as connection:
        scope = store.scope(connection).words
    return GoldStandard(
        name=view,
        unit="family",
        units=tuple(families[place][0] for place in kept),
        positive=positive[kept],
        numbers=tuple(one["number"] for _, one in members),
        of=np.array([unit for unit, _ in members], dtype=np.int64),
        titles=tuple(one["title"] for _, one in members),
        dates=tuple(one["date"] for _, one in members),
        scope=scope,
    )


def published(database: Database, view: str) -> Table:
    """The layout in which gold standards are published: a row for each publication."""
    gold = standing(database, view).gold
    rows = tuple(
        ("positive" if gold.positive[unit] else "negative", gold.units[unit], number, title, date)
        for unit, number, title, date in zip(gold.of.tolist(), gold.numbers, gold.titles, gold.dates, strict=True)
    )
    return Table(title=view, columns=tuple(Column(key=name) for name in PUBLISHED), rows=rows)


def labels(database: Database) -> Table:
    """Every verdict that stands: a row for each family and reviewer who judged it."""
    keys = ("family", "reviewer", "label", "note", "scope")
    rows = tuple((row.family, row.name, row.after, row.note, row.scope) for row in coordinating.verdicts(database))
    return Table(title="labels", columns=tuple(Column(key=key) for key in keys), rows=rows)


def history(database: Database) -> Table:
    """Every event, as it was appended."""
    keys = ("at", "reviewer", "family", "action", "before", "after", "note", "scope")
    rows = tuple(
        (row.at, row.name, row.family, row.action, row.before, row.after, row.note, row.scope)
        for row in coordinating.events(database)
    )
    return Table(title="events", columns=tuple(Column(key=key) for key in keys), rows=rows)
