"""All that a reviewer may learn, and nothing else: every query here is bound to one reviewer.

Blindness is kept here and not in the pages: there is no query in this module that reads another's events, counts
them, or tells whether a family has other reviewers. Lists are fixed when the project is made, so that not even their
length moves with what others do.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from patstone.review import schema
from patstone.review.database import Database
from patstone.review.store import scope
from patstone.review.verdicts import NotYours


@dataclass(frozen=True, kw_only=True)
class Place:
    """A family in a reviewer's list."""

    family: str
    verdict: str | None
    skipped: bool


@dataclass(frozen=True)
class Desk:
    """What one reviewer has before them."""

    database: Database
    reviewer: int
    seat: int

    def queue(self) -> list[Place]:
        """The reviewer's own list, in its own order."""
        mine, last = schema.assignments, self._last()
        query = (
            sa.select(mine.c.family, last.c.after, last.c.action)
            .outerjoin_from(mine, last, last.c.family == mine.c.family)
            .where(mine.c.seat == self.seat)
            .order_by(mine.c.position)
        )
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        return [
            Place(family=row.family, verdict=row.after, skipped=row.action == "skip" and row.after is None)
            for row in rows
        ]

    def _last(self) -> sa.Subquery:
        """The reviewer's own last event on each family."""
        events = schema.events
        mine = sa.select(sa.func.max(events.c.id)).where(events.c.reviewer == self.reviewer).group_by(events.c.family)
        return sa.select(events.c.family, events.c.after, events.c.action).where(events.c.id.in_(mine)).subquery()

    def family(self, name: str) -> dict[str, Any]:
        """What there is to read of a family on the list."""
        families, mine = schema.families, schema.assignments
        query = (
            sa.select(families.c.said)
            .join(mine, mine.c.family == families.c.id)
            .where(mine.c.seat == self.seat, families.c.id == name)
        )
        with self.database.read() as connection:
            said = connection.execute(query).scalar()
        if said is None:
            raise NotYours("This family is not on your list.")
        found: dict[str, Any] = json.loads(said)
        return found

    def history(self, name: str) -> Sequence[schema.Row]:
        """What the reviewer has said of a family, the last first."""
        events = schema.events
        query = (
            sa.select(events.c.at, events.c.action, events.c.before, events.c.after, events.c.note, events.c.scope)
            .where(events.c.reviewer == self.reviewer, events.c.family == name)
            .order_by(events.c.id.desc())
        )
        with self.database.read() as connection:
            return connection.execute(query).all()

    def scope(self) -> schema.Row:
        with self.database.read() as connection:
            return scope(connection)
