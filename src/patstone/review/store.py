"""What a project keeps besides verdicts: settings, families, versions of the scope note; and moving all of it."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from patstone.errors import DataError
from patstone.review import schema
from patstone.review.candidates import Candidate
from patstone.review.database import Database
from patstone.review.project import Settings, stored
from patstone.review.seats import assign

_ROWS = 5_000
"""Rows that are written at once: a driver's statement holds only so many values."""


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def settings(database: Database) -> Settings:
    with database.read() as connection:
        rows = connection.execute(sa.select(schema.settings)).all()
    return Settings(**{row.name: json.loads(row.value) for row in rows})


def is_used(database: Database) -> bool:
    with database.read() as connection:
        return connection.execute(sa.select(schema.settings.c.name).limit(1)).first() is not None


def fill(database: Database, project: Settings, candidates: Sequence[Candidate], scope: str) -> None:
    if not candidates:
        raise DataError("A review needs families to judge.")
    if not scope.strip():
        raise DataError("A review needs a scope note: reviewers without criteria judge each by their own.")
    names = [candidate.id for candidate in candidates]
    seats = assign(names, seats=project.reviewers, reviews=project.reviews, overlap=project.overlap, seed=project.seed)
    with database.write() as connection:
        _insert(connection, schema.settings, [{"name": n, "value": v} for n, v in stored(project).items()])
        _insert(
            connection,
            schema.families,
            [
                {"id": one.id, "place": place, "said": json.dumps(one.said, ensure_ascii=False)}
                for place, one in enumerate(candidates)
            ],
        )
        _insert(
            connection,
            schema.assignments,
            [{"seat": seat, "family": family, "position": position} for seat, family, position in seats],
        )
        add_scope(connection, scope, author="project")


def lists(database: Database) -> dict[int, int]:
    """How many families each seat has."""
    mine = schema.assignments
    with database.read() as connection:
        counted = connection.execute(sa.select(mine.c.seat, sa.func.count()).group_by(mine.c.seat)).all()
    return {row[0]: row[1] for row in counted}


def _insert(connection: sa.Connection, table: sa.Table, rows: Sequence[dict[str, object]]) -> None:
    for start in range(0, len(rows), _ROWS):
        connection.execute(sa.insert(table), list(rows[start : start + _ROWS]))


def add_scope(connection: sa.Connection, words: str, *, author: str) -> int:
    """Add a version of the scope note; earlier ones stay, and verdicts point to the one they were made under."""
    version = latest_version(connection) + 1
    connection.execute(
        sa.insert(schema.scope_notes).values(version=version, words=words.strip(), author=author, at=now())
    )
    return version


def latest_version(connection: sa.Connection) -> int:
    return connection.execute(sa.select(sa.func.max(schema.scope_notes.c.version))).scalar() or 0


def scope(connection: sa.Connection) -> schema.Row:
    notes = schema.scope_notes
    return connection.execute(sa.select(notes).order_by(notes.c.version.desc()).limit(1)).one()


def scope_history(connection: sa.Connection) -> Sequence[schema.Row]:
    return connection.execute(sa.select(schema.scope_notes).order_by(schema.scope_notes.c.version.desc())).all()


def copy(source: Database, target: Database) -> dict[str, int]:
    """Copy every row, in one transaction; then compare both sides, table by table, row by row."""
    copied = {}
    with source.read() as reading, target.write() as writing:
        for table in schema.TABLES:
            rows = [dict(row._mapping) for row in _rows(reading, table)]
            _insert(writing, table, rows)
            if [tuple(row) for row in _rows(writing, table)] != [tuple(row.values()) for row in rows]:
                raise DataError("The copy differs from the original; nothing was changed.", value=table.name)
            copied[table.name] = len(rows)
        if not target.is_sqlite:
            _continue_numbering(writing)
    return copied


def _rows(connection: sa.Connection, table: sa.Table) -> Sequence[schema.Row]:
    # By the primary key as bytes: servers differ in how they sort letters.
    rows = connection.execute(sa.select(table)).all()
    keys = [column.name for column in table.primary_key]
    return sorted(rows, key=lambda row: tuple((str(type(v)), v) for v in (row._mapping[key] for key in keys)))


def _continue_numbering(connection: sa.Connection) -> None:
    """PostgreSQL counts apart from the rows, and would give numbers that are taken."""
    for table in (schema.people, schema.events, schema.decisions):
        last = connection.execute(sa.select(sa.func.max(table.c.id))).scalar()
        if last:
            connection.execute(
                sa.text("select setval(pg_get_serial_sequence(:table, 'id'), :last)"),
                {"table": table.name, "last": last},
            )
