"""Who may come in: people with a role, passwords kept as argon2 digests, and links that let in once."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Literal, get_args

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from patstone.errors import UsageError
from patstone.review import schema
from patstone.review.database import Database
from patstone.review.store import now

Role = Literal["coordinator", "reviewer", "reader"]
ROLES: tuple[Role, ...] = get_args(Role)
SHORTEST_PASSWORD = 10
INVITATION_DAYS = 14
_hasher = PasswordHasher()
# A name that nobody has takes as long to refuse as a wrong password.
_NOBODY = _hasher.hash(secrets.token_hex())


@dataclass(frozen=True, kw_only=True)
class Person:
    id: int
    key: str
    login: str
    name: str
    role: Role
    seat: int | None
    epoch: int


def _person(row: schema.Row | None) -> Person | None:
    if row is None or not row.active:
        return None
    return Person(id=row.id, key=row.key, login=row.login, name=row.name, role=row.role, seat=row.seat, epoch=row.epoch)


def person(database: Database, key: str) -> Person | None:
    with database.read() as connection:
        return _person(connection.execute(sa.select(schema.people).where(schema.people.c.key == key)).first())


def known_by(database: Database, name: str, password: str) -> Person | None:
    """The person with this name and password."""
    with database.read() as connection:
        rows = connection.execute(sa.select(schema.people).where(schema.people.c.login == name.strip())).all()
    fitting = [row for row in rows if _fits(row.password, password)]
    if not rows:
        _fits(_NOBODY, password)
    return _person(fitting[0]) if fitting else None


def _fits(digest: str, password: str) -> bool:
    try:
        return _hasher.verify(digest, password)
    except VerificationError:
        return False


def invite(database: Database, role: str, *, name: str = "") -> str:
    """Make a one-time invitation; the token is shown once and kept only as a digest."""
    if role not in ROLES:
        raise UsageError(f"A role is one of {', '.join(ROLES)}. Got {role!r} instead.")
    token = secrets.token_urlsafe(24)
    expires = (datetime.now(UTC) + timedelta(days=INVITATION_DAYS)).isoformat(timespec="milliseconds")
    row = {"digest": _digest(token), "role": role, "name": name.strip(), "expires": expires}
    with database.write() as connection:
        connection.execute(sa.insert(schema.invitations).values(row))
    return token


def invitation(database: Database, token: str) -> schema.Row | None:
    """An invitation that can still be used."""
    with database.read() as connection:
        return _open(connection, token)


def _open(connection: sa.Connection, token: str) -> schema.Row | None:
    invitations = schema.invitations
    query = sa.select(invitations).where(
        invitations.c.digest == _digest(token), invitations.c.used.is_(None), invitations.c.expires > now()
    )
    return connection.execute(query).first()


def join(database: Database, token: str, *, name: str, password: str) -> Person:
    """Use an invitation: the person exists from now on, and a reviewer has a seat."""
    name = name.strip()
    if not 1 <= len(name) <= 80 or not name.isprintable():
        raise UsageError("A name has 1 to 80 letters.")
    if not SHORTEST_PASSWORD <= len(password) <= 1000:
        raise UsageError(f"A password has at least {SHORTEST_PASSWORD} letters.")
    digest = _hasher.hash(password)
    with database.write() as connection:
        row = _use(connection, token)
        values = {
            "key": secrets.token_urlsafe(12),
            "login": name,
            "name": _free_name(connection, name),
            "role": row.role,
            "password": digest,
            "seat": _free_seat(connection) if row.role == "reviewer" else None,
        }
        number = connection.execute(sa.insert(schema.people).values(values).returning(schema.people.c.id)).scalar_one()
        joined = _person(connection.execute(sa.select(schema.people).where(schema.people.c.id == number)).first())
    # Whoever has just joined is active.
    assert joined is not None
    return joined


def _use(connection: sa.Connection, token: str) -> schema.Row:
    row = _open(connection, token)
    invitations = schema.invitations
    marked = sa.update(invitations).where(invitations.c.digest == _digest(token), invitations.c.used.is_(None))
    # Who marks it has it: of two at once, one finds nothing to mark.
    if row is None or not connection.execute(marked.values(used=now())).rowcount:
        raise UsageError("This invitation has been used or is too old; ask for another.")
    return row


def _free_name(connection: sa.Connection, name: str) -> str:
    """Say nothing of a namesake: that a colleague reviews too is not for a reviewer to learn."""
    taken = set(connection.execute(sa.select(schema.people.c.name)).scalars())
    return next(free for number in count(1) if (free := name if number == 1 else f"{name} ({number})") not in taken)


def _free_seat(connection: sa.Connection) -> int:
    seats = set(connection.execute(sa.select(schema.assignments.c.seat).distinct()).scalars())
    taken = connection.execute(sa.select(schema.people.c.seat).where(schema.people.c.seat.is_not(None))).scalars()
    free = seats - set(taken)
    if not free:
        raise UsageError("All seats of this review are taken; a coordinator can free one.")
    seat: int = min(free)
    return seat


def everyone(database: Database) -> list[Person]:
    with database.read() as connection:
        rows = connection.execute(sa.select(schema.people).order_by(schema.people.c.id)).all()
    return [found for row in rows if (found := _person(row))]


def sign_out_everywhere(database: Database, number: int) -> None:
    people = schema.people
    with database.write() as connection:
        connection.execute(sa.update(people).where(people.c.id == number).values(epoch=people.c.epoch + 1))


def dismiss(database: Database, number: int) -> None:
    """Close a person's account. What they said stays; the rest of a reviewer's list is free for a successor."""
    people = schema.people
    with database.write() as connection:
        seat = connection.execute(sa.select(people.c.seat).where(people.c.id == number)).scalar()
        judged = sa.select(schema.current.c.family).where(
            schema.current.c.reviewer == number, schema.current.c.after.is_not(None)
        )
        mine = schema.assignments
        # Who comes next gets what is left to do, and nothing is judged twice for one seat.
        connection.execute(sa.delete(mine).where(mine.c.seat == seat, mine.c.family.in_(judged)))
        connection.execute(
            sa.update(people).where(people.c.id == number).values(active=False, seat=None, epoch=people.c.epoch + 1)
        )


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
