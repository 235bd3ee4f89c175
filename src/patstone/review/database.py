"""The one way to a project's database: short transactions, written one after the other.

Under SQLite a plain BEGIN takes its lock only at the first write, and two that have read by then can't both have it:
one is refused and its verdict lost. So a writer begins with BEGIN IMMEDIATE, waits for its turn, and the log is synced
before a commit is acknowledged.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from patstone.errors import DataError, MissingExtra, UsageError

try:
    import sqlalchemy as sa
    from sqlalchemy.engine import make_url
except ImportError as error:
    raise MissingExtra("review", "Blind review") from error

BUSY_SECONDS = 30


@dataclass(frozen=True)
class Database:
    engine: sa.Engine
    turn: Lock
    """Threads of one server queue here: waiting in SQLite itself is a poll, and unfair."""

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        if not self.is_sqlite:
            with self.engine.begin() as connection:
                yield connection
            return
        with self.turn, self.engine.connect() as connection:
            writing = connection.execution_options(immediate=True)
            with writing.begin():
                yield writing

    def close(self) -> None:
        self.engine.dispose()


def sqlite_url(path: Path) -> str:
    return f"sqlite:///{path.resolve()}"


def open_database(url: str) -> Database:
    try:
        target = make_url(url)
    except sa.exc.ArgumentError as error:
        raise UsageError("A database is named like postgresql://user:password@host/name or sqlite:///file.") from error
    if target.get_backend_name() == "sqlite":
        engine = sa.create_engine(target, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
    elif target.get_backend_name() == "postgresql":
        # The driver in pure Python: nothing to compile, and a licence that lets it ship.
        engine = sa.create_engine(target.set(drivername="postgresql+pg8000"), pool_size=20, max_overflow=40)
    else:
        raise UsageError(f"A project is kept in SQLite or PostgreSQL. Got {target.get_backend_name()!r}.")
    return Database(engine, Lock())


def _prepare_sqlite(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own connection
    # The driver's own transactions are off: it would begin them late.
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _begin_sqlite(connection: sa.Connection) -> None:
    immediate = connection.get_execution_options().get("immediate")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def upgrade(database: Database) -> None:
    """Bring the tables to this version's form; a new database gets them all."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    with database.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def plain_errors(where: str) -> Iterator[None]:
    """What a database server says when it can't be reached, as one line."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        reason = str(error.orig).partition("\n")[0]
        raise DataError(f"The database refused: {reason}.", path=where) from error
