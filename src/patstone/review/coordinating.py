"""What a coordinator sees: who is how far, where reviewers differ, and what became of it.

Never imported by what a reviewer's pages use: `patstone.review.reviewing` has its own queries.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

import numpy as np
import sqlalchemy as sa

from patstone.errors import UsageError
from patstone.gold.reviews import GAP, NO, YES, Reviews
from patstone.review import schema
from patstone.review.database import Database
from patstone.review.store import latest_version, lists, now

_PACE_EVENTS = 50
_LONGEST_PAUSE = 600.0
"""Seconds between two verdicts after which a reviewer counts as away."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    reviewer: str
    active: bool
    total: int
    done: int
    positive: int
    negative: int
    unsure: int
    seconds: float | None
    """From one verdict to the next, the median of the last fifty; None before there are two."""

    @property
    def left(self) -> float | None:
        """Hours of work that are left at this pace."""
        return None if self.seconds is None else (self.total - self.done) * self.seconds / 3600


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    family: str
    said: dict[str, Any]
    verdicts: tuple[tuple[str, str, str, int], ...]
    """Reviewer, verdict, note, version of the scope note."""
    decided: str | None
    reason: str


def progress(database: Database) -> list[Progress]:
    people, current = schema.people, schema.current
    seats = lists(database)
    with database.read() as connection:
        reviewers = connection.execute(sa.select(people).where(people.c.role == "reviewer").order_by(people.c.id)).all()
        counted = connection.execute(
            sa.select(current.c.reviewer, current.c.after, sa.func.count().label("n"))
            .where(current.c.after.is_not(None))
            .group_by(current.c.reviewer, current.c.after)
        ).all()
        paces = {row.id: _pace(connection, row.id) for row in reviewers}
    verdicts = {(row.reviewer, row.after): int(row.n) for row in counted}
    return [_progress(row, seats.get(row.seat, 0), verdicts, paces[row.id]) for row in reviewers]


def _progress(row: schema.Row, total: int, verdicts: dict[tuple[int, str], int], pace: float | None) -> Progress:
    found = {verdict: verdicts.get((row.id, verdict), 0) for verdict in ("positive", "negative", "unsure")}
    done = sum(found.values())
    # Who has left has done what they did, and has nothing left to do.
    return Progress(
        reviewer=row.name, active=row.active, total=total if row.active else done, done=done, seconds=pace, **found
    )


def _pace(connection: sa.Connection, reviewer: int) -> float | None:
    from statistics import median

    events = schema.events
    last = sa.select(events.c.at).where(events.c.reviewer == reviewer, events.c.action == "verdict")
    times = connection.execute(last.order_by(events.c.id.desc()).limit(_PACE_EVENTS)).scalars().all()
    moments = [datetime.fromisoformat(at) for at in reversed(times)]
    pauses = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
    worked = [pause for pause in pauses if pause <= _LONGEST_PAUSE]
    return median(worked) if worked else None


def verdicts(database: Database, *, version: int | None = None) -> Sequence[schema.Row]:
    """The verdicts that stand; with `version`, those made under that version of the scope note."""
    current, people, families = schema.current, schema.people, schema.families
    query = (
        sa.select(current.c.family, people.c.name, current.c.after, current.c.note, current.c.scope)
        .join(people, people.c.id == current.c.reviewer)
        .join(families, families.c.id == current.c.family)
        .where(current.c.after.is_not(None))
        .order_by(families.c.place, people.c.name)
    )
    query = query if version is None else query.where(current.c.scope == version)
    with database.read() as connection:
        return connection.execute(query).all()


def reviews(database: Database, *, version: int | None = None) -> Reviews:
    """Verdicts as reviews of all families, with gaps where nobody judged or somebody was unsure."""
    rows = verdicts(database, version=version)
    units = {family: place for place, family in enumerate(said(database))}
    names = {name: place for place, name in enumerate(sorted({row.name for row in rows}))}
    answers = np.full((len(units), len(names)), GAP, dtype=np.int8)
    for row in rows:
        if row.after != "unsure":
            answers[units[row.family], names[row.name]] = YES if row.after == "positive" else NO
    doubts = sum(row.after == "unsure" for row in rows)
    return Reviews(units=tuple(units), reviewers=tuple(names), answers=answers, doubts=doubts)


def looked_at(database: Database) -> set[str]:
    """Families on which a verdict stands, be it a doubt."""
    return {row.family for row in verdicts(database)}


def disagreements(database: Database) -> list[Disagreement]:
    """Families whose reviewers don't all say the same, or are unsure; the undecided ones first."""
    known = said(database)
    with database.read() as connection:
        decided = decisions(connection)
    by_family: dict[str, list[schema.Row]] = {}
    for row in verdicts(database):
        by_family.setdefault(row.family, []).append(row)
    found = [
        _disagreement(rows, known[family], decided.get(family))
        for family, rows in by_family.items()
        if {row.after for row in rows} not in ({"positive"}, {"negative"})
    ]
    return sorted(found, key=lambda one: one.decided is not None)


def _disagreement(rows: Sequence[schema.Row], known: dict[str, Any], decided: schema.Row | None) -> Disagreement:
    return Disagreement(
        family=rows[0].family,
        said=known,
        verdicts=tuple((row.name, row.after, row.note, row.scope) for row in rows),
        decided=None if decided is None else decided.verdict,
        reason="" if decided is None else decided.reason,
    )


def said(database: Database) -> dict[str, dict[str, Any]]:
    """What is known of each family, in order."""
    families = schema.families
    with database.read() as connection:
        rows = connection.execute(sa.select(families.c.id, families.c.said).order_by(families.c.place)).all()
    return {row.id: json.loads(row.said) for row in rows}


def events(database: Database) -> Sequence[schema.Row]:
    found, people = schema.events, schema.people
    query = sa.select(found, people.c.name).join(people, people.c.id == found.c.reviewer).order_by(found.c.id)
    with database.read() as connection:
        return connection.execute(query).all()


def decisions(connection: sa.Connection) -> dict[str, schema.Row]:
    """The last decision on each family."""
    rows = connection.execute(sa.select(schema.decisions).order_by(schema.decisions.c.id)).all()
    return {row.family: row for row in rows}


def decide(database: Database, coordinator: int, *, request: str, family: str, verdict: str, reason: str) -> None:
    """Adjudicate; a decision is appended too, and the last one counts."""
    if verdict not in ("positive", "negative"):
        raise UsageError("A decision is positive or negative.")
    if not reason.strip():
        raise UsageError("A decision needs its reason: it is what the next reader will ask for.")
    row = {"coordinator": coordinator, "family": family, "verdict": verdict, "reason": reason.strip(), "at": now()}
    with database.write() as connection:
        done = sa.select(schema.decisions.c.id).where(schema.decisions.c.request == request)
        if connection.execute(done).first():
            return
        if not connection.execute(sa.select(schema.families.c.id).where(schema.families.c.id == family)).first():
            raise UsageError("There is no such family.")
        version = latest_version(connection)
        connection.execute(sa.insert(schema.decisions).values(request=request, scope=version, **row))
