"""The tables of a review project, the same under SQLite and PostgreSQL.

What people decide is only ever appended: an event tells who, what, when, from what to what and under which version
of the scope note. The current verdict is a view of the last event, never a stored value that could disagree.
"""

from typing import Any, TypeAlias

import sqlalchemy as sa

Row: TypeAlias = sa.Row[*tuple[Any, ...]]
metadata = sa.MetaData()

settings = sa.Table(
    "settings",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
families = sa.Table(
    "families",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("place", sa.Integer, nullable=False, unique=True),
    # A JSON object, read and shown whole: no query looks into it.
    sa.Column("said", sa.Text, nullable=False),
)
scope_notes = sa.Table(
    "scope_notes",
    metadata,
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)
people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    # What a browser knows a person by: numbers would tell how many others there are.
    sa.Column("key", sa.Text, nullable=False, unique=True),
    # The name that was asked for, and the one that coordinators see: a second Ann is Ann (2) without knowing of it.
    sa.Column("login", sa.Text, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("password", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer, unique=True),
    # Raised to end every session that the person has open.
    sa.Column("epoch", sa.Integer, nullable=False, server_default="0"),
    sa.Column("active", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.CheckConstraint("role in ('coordinator', 'reviewer', 'reader')", name="known_role"),
)
invitations = sa.Table(
    "invitations",
    metadata,
    # Only a digest is kept: who reads the database can't join with it.
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("expires", sa.Text, nullable=False),
    sa.Column("used", sa.Text),
)
assignments = sa.Table(
    "assignments",
    metadata,
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("family", sa.Text, sa.ForeignKey("families.id"), primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
)
events = sa.Table(
    "events",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    # Chosen by the browser, so that a request sent again is known again.
    sa.Column("request", sa.Text, nullable=False, unique=True),
    sa.Column("reviewer", sa.Integer, sa.ForeignKey("people.id"), nullable=False),
    sa.Column("family", sa.Text, sa.ForeignKey("families.id"), nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("before", sa.Text),
    sa.Column("after", sa.Text),
    sa.Column("note", sa.Text, nullable=False, server_default=""),
    sa.Column("scope", sa.Integer, sa.ForeignKey("scope_notes.version"), nullable=False),
    sa.Column("undoes", sa.Integer, sa.ForeignKey("events.id"), unique=True),
    sa.Index("events_of_a_reviewer", "reviewer", "family", "id"),
    sa.CheckConstraint("action in ('verdict', 'skip', 'undo')", name="known_action"),
)
decisions = sa.Table(
    "decisions",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("request", sa.Text, nullable=False, unique=True),
    sa.Column("coordinator", sa.Integer, sa.ForeignKey("people.id"), nullable=False),
    sa.Column("family", sa.Text, sa.ForeignKey("families.id"), nullable=False, index=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("verdict", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("scope", sa.Integer, sa.ForeignKey("scope_notes.version"), nullable=False),
)

TABLES = (settings, families, scope_notes, people, invitations, assignments, events, decisions)
"""In an order in which each only points to those before it."""

last_event = sa.select(sa.func.max(events.c.id).label("id")).group_by(events.c.reviewer, events.c.family).subquery()
current = sa.select(events).join(last_event, events.c.id == last_event.c.id).subquery("current")
"""The last event of each reviewer on each family; its `after` is the verdict that stands, if any."""
