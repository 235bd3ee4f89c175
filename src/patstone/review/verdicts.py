"""Recording what a reviewer says: each event once, however often it is sent, and none without its turn.

An event is acknowledged after its commit. A request that is known already gets the answer that it got, so that a
browser may send again whatever it isn't sure of. Undo takes back the reviewer's last act that still stands.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import sqlalchemy as sa

from patstone.errors import UsageError
from patstone.review import schema
from patstone.review.database import Database
from patstone.review.store import now

Action = Literal["verdict", "skip", "undo"]
VERDICTS = ("positive", "negative", "unsure")
LONGEST_NOTE = 2_000
_events = schema.events


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a reviewer sends."""

    request: str
    action: Action
    family: str = ""
    """None for undo, which finds its own."""
    verdict: str | None = None
    note: str = ""
    scope: int = 0

    def check(self) -> "Said":
        if not 8 <= len(self.request) <= 64 or not self.request.isascii():
            raise UsageError("A request has an id of 8 to 64 letters.")
        if self.action not in get_args(Action):
            raise UsageError(f"An action is one of {', '.join(get_args(Action))}.")
        if self.action == "verdict" and self.verdict not in VERDICTS:
            raise UsageError(f"A verdict is one of {', '.join(VERDICTS)}.")
        if len(self.note) > LONGEST_NOTE:
            raise UsageError(f"A note has at most {LONGEST_NOTE} letters.")
        return self


@dataclass(frozen=True, kw_only=True)
class Saved:
    id: int
    family: str
    verdict: str | None
    """What stands now."""
    again: bool = False
    """The request had been saved before."""


class NotYours(UsageError):
    """The family isn't on the reviewer's list, or doesn't exist: which of both is not said."""


def record(database: Database, reviewer: int, said: Said) -> Saved:
    said.check()
    try:
        return _record(database, reviewer, said)
    except sa.exc.IntegrityError:
        # The same request came twice at once under a server that let both begin; the other one has been saved.
        with database.read() as connection:
            known = _known(connection, reviewer, said.request)
        if known is None:
            raise
        return known


def _record(database: Database, reviewer: int, said: Said) -> Saved:
    with database.write() as connection:
        seat = _turn(connection, reviewer)
        known = _known(connection, reviewer, said.request)
        if known is not None:
            return known
        if said.action == "undo":
            return _undo(connection, reviewer, said)
        _check_mine(connection, seat, said.family)
        before = standing(connection, reviewer, said.family)
        after = said.verdict if said.action == "verdict" else None
        return _append(connection, reviewer, said, family=said.family, before=before, after=after)


def _turn(connection: sa.Connection, reviewer: int) -> int | None:
    """One act of a reviewer at a time: the row of the person is the lock (under SQLite the database is)."""
    row = sa.select(schema.people.c.seat).where(schema.people.c.id == reviewer).with_for_update()
    seat: int | None = connection.execute(row).scalar_one()
    return seat


def _known(connection: sa.Connection, reviewer: int, request: str) -> Saved | None:
    row = connection.execute(sa.select(_events).where(_events.c.request == request)).first()
    if row is None:
        return None
    if row.reviewer != reviewer:
        raise UsageError("A request has an id of its own.")
    return Saved(id=row.id, family=row.family, verdict=row.after, again=True)


def _check_mine(connection: sa.Connection, seat: int | None, family: str) -> None:
    mine = schema.assignments
    found = sa.select(mine.c.family).where(mine.c.seat == seat, mine.c.family == family)
    if connection.execute(found).first() is None:
        raise NotYours("This family is not on your list.")


def standing(connection: sa.Connection, reviewer: int, family: str) -> str | None:
    mine = (_events.c.reviewer == reviewer) & (_events.c.family == family)
    last = sa.select(_events.c.after).where(mine).order_by(_events.c.id.desc()).limit(1)
    verdict: str | None = connection.execute(last).scalar()
    return verdict


def _undo(connection: sa.Connection, reviewer: int, said: Said) -> Saved:
    undone = sa.select(_events.c.undoes).where(_events.c.undoes.is_not(None), _events.c.reviewer == reviewer)
    acts = sa.select(_events).where(
        _events.c.reviewer == reviewer, _events.c.action != "undo", _events.c.id.not_in(undone)
    )
    last = connection.execute(acts.order_by(_events.c.id.desc()).limit(1)).first()
    if last is None:
        raise UsageError("There is nothing to undo.")
    return _append(connection, reviewer, said, family=last.family, before=last.after, after=last.before, undoes=last.id)


def _append(
    connection: sa.Connection,
    reviewer: int,
    said: Said,
    *,
    family: str,
    before: str | None,
    after: str | None,
    undoes: int | None = None,
) -> Saved:
    row = {
        "request": said.request,
        "reviewer": reviewer,
        "family": family,
        "at": now(),
        "action": said.action,
        "before": before,
        "after": after,
        "note": said.note.strip(),
        "scope": said.scope,
        "undoes": undoes,
    }
    written = connection.execute(sa.insert(_events).values(row).returning(_events.c.id)).scalar_one()
    return Saved(id=written, family=family, verdict=after)
