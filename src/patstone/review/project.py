"""A review project on disk: a folder with its settings, its secret and, unless a server keeps it, its database.

`project.toml` names the database, which may hold a password, and `secret` signs the cookies; both are readable by
their owner only. Everything else, settings included, is in the database, so that copying it moves the project.
"""

import os
import secrets
import tomllib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path

from patstone.errors import DataError, UsageError
from patstone.files.streams import atomic
from patstone.review.candidates import Candidate
from patstone.review.database import Database, open_database, plain_errors, sqlite_url, upgrade

CONFIG, SECRET, FILE = "project.toml", "secret", "review.db"


@dataclass(frozen=True, kw_only=True)
class Settings:
    title: str
    reviewers: int = 2
    """How many seats there are."""
    reviews: int = 2
    """How many reviewers judge a family that is judged more than once."""
    overlap: float = 1.0
    """The share of families that are judged more than once."""
    show_codes: bool = False
    """Class codes and applicants are shown; a standard that was made with them can't test a system that uses them."""
    highlight: str = ""
    """Words to mark in the texts, separated by commas."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.reviews <= self.reviewers <= 1000:
            raise UsageError(
                "reviews must be at least 1 and at most the number of reviewers (1000 at most)."
                f" Got {self.reviews} reviews and {self.reviewers} reviewers."
            )
        if not 0 <= self.overlap <= 1:
            raise UsageError(f"overlap must be a share in [0, 1]. Got {self.overlap} instead.")


@dataclass(frozen=True)
class Project:
    folder: Path
    url: str
    secret: bytes
    database: Database

    @property
    def settings(self) -> Settings:
        from patstone.review.store import settings

        return settings(self.database)


def create(
    folder: Path, *, settings: Settings, candidates: Sequence[Candidate], scope: str, url: str | None = None
) -> Project:
    """Make a project that people can be invited to; nothing is left behind where it can't be made."""
    if (folder / CONFIG).exists():
        raise UsageError(f"There is a project in {folder} already; name another folder.")
    from patstone.review import store

    folder.mkdir(parents=True, exist_ok=True)
    place = url or sqlite_url(folder / FILE)
    database = open_database(place)
    with plain_errors(str(folder)):
        upgrade(database)
        if store.is_used(database):
            raise DataError("This database holds a review already.", path=folder)
        store.fill(database, settings, candidates, scope)
    if not url:
        (folder / FILE).chmod(0o600)
    secret = secrets.token_bytes(32)
    keep(folder / SECRET, secret.hex())
    point_to(folder, place if url else None)
    return Project(folder, place, secret, database)


def open_project(folder: Path) -> Project:
    try:
        config = tomllib.loads((folder / CONFIG).read_text(encoding="utf-8"))
        secret = bytes.fromhex((folder / SECRET).read_text(encoding="ascii").strip())
    except FileNotFoundError as error:
        raise UsageError(f"There is no review in {folder}; `patstone review init` makes one.") from error
    except ValueError as error:
        raise DataError(f"The project's settings can't be read: {error}.", path=folder / CONFIG) from error
    url = config.get("database") or sqlite_url(folder / FILE)
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).is_file():
        raise DataError("The project's database is gone.", path=folder / FILE)
    database = open_database(url)
    with plain_errors(str(folder)):
        upgrade(database)
    return Project(folder, url, secret, database)


def point_to(folder: Path, url: str | None) -> None:
    """Say where the project's database is; None is the file in the folder."""
    from json import dumps

    # A TOML basic string is written like JSON's.
    keep(folder / CONFIG, f"database = {dumps(url)}\n" if url else "# The database is review.db, beside this file.\n")


def keep(path: Path, words: str) -> None:
    with atomic(path) as temporary:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(words)


def copy(project: Project, url: str) -> dict[str, int]:
    """Copy everything to another, empty database, check that it is all there, and use that one from now on."""
    from patstone.review import store

    # What stands before the @ may be a password.
    shown = url.rpartition("@")[2]
    with closing(open_database(url)) as target, plain_errors(shown):
        upgrade(target)
        if store.is_used(target):
            raise DataError("The database to copy to must be empty.", path=shown)
        copied = store.copy(project.database, target)
    inside = url == sqlite_url(project.folder / FILE)
    point_to(project.folder, None if inside else url)
    return copied


def stored(settings: Settings) -> dict[str, str]:
    from json import dumps

    return {field.name: dumps(getattr(settings, field.name)) for field in fields(settings)}
