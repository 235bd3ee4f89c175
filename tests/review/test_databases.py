"""Nothing is lost: a server killed among its writers, both databases, and a move from one to the other."""

import json
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
import sqlalchemy as sa

from patstone.errors import DataError, UsageError
from patstone.review import people, schema
from patstone.review.database import open_database, sqlite_url
from patstone.review.project import Project, Settings, copy, create, open_project
from patstone.review.sessions import COOKIE, Sessions
from patstone.review.verdicts import Said, record
from review_server import Served, postgres, postgres_programs, serve
from visitors import PASSWORD, SCOPE, families

WRITERS = 12


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server on this machine: apt-get install postgresql")
    with postgres(programs) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Project]:
    url = emptied(request.getfixturevalue("postgres_url")) if request.param == "postgresql" else None
    settings = Settings(title="Grippers", reviewers=WRITERS, reviews=WRITERS)
    made = create(tmp_path / "project", settings=settings, candidates=families(40), scope=SCOPE, url=url)
    yield made
    made.database.close()


def emptied(url: str) -> str:
    database = open_database(url)
    with database.engine.begin() as connection:
        connection.execute(sa.text("drop schema public cascade; create schema public"))
    database.close()
    return url


def reviewers(project: Project, count: int) -> list[people.Person]:
    database = project.database
    return [
        people.join(database, people.invite(database, "reviewer"), name=f"R{number}", password=PASSWORD)
        for number in range(count)
    ]


def rows(project: Project, table: sa.Table) -> list[sa.Row[tuple[object, ...]]]:
    with project.database.read() as connection:
        return list(connection.execute(sa.select(table).order_by(*table.primary_key)).all())


def test_a_killed_server_has_every_verdict_that_it_acknowledged(project: Project) -> None:
    crowd = reviewers(project, WRITERS)
    served = serve(project.folder)
    enough, acknowledged = Event(), []

    def write(person: people.Person) -> None:
        for number in range(1000):
            request = f"{person.key}-{number}"
            if not send(project, served, person, request, f"F{number % 40}"):
                return
            acknowledged.append(request)
            if len(acknowledged) > 150:
                enough.set()

    with ThreadPoolExecutor(WRITERS) as writers:
        done = [writers.submit(write, person) for person in crowd]
        while not enough.wait(0.1):
            assert not all(one.done() for one in done), "the server acknowledges nothing"
        served.kill()
        for one in done:
            one.result()
    again = open_project(project.folder)
    stored = [row.request for row in rows(again, schema.events)]
    again.database.close()
    assert set(acknowledged) <= set(stored)
    assert len(stored) == len(set(stored))


def send(project: Project, served: Served, person: people.Person, request: str, family: str) -> bool:
    """Whether the server acknowledged it."""
    sessions = Sessions(project.secret, project.database)
    cookie = sessions.begin(person)
    session = sessions.read(cookie)
    assert session is not None
    event = {"request": request, "action": "verdict", "family": family, "verdict": "positive", "scope": 1}
    headers = {"cookie": f"{COOKIE}={cookie}", "x-form-token": sessions.token(session)}
    asked = urllib.request.Request(f"{served.url}/api/events", json.dumps(event).encode(), headers)  # noqa: S310
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except OSError:
        return False


def test_a_request_sent_twice_at_once_counts_once(project: Project) -> None:
    (person,) = reviewers(project, 1)
    said = Said(request="the-same-one", action="verdict", family="F1", verdict="positive", scope=1)
    with ThreadPoolExecutor(8) as senders:
        answers = list(senders.map(lambda _: record(project.database, person.id, said).verdict, range(16)))
    assert answers == ["positive"] * 16
    assert len(rows(project, schema.events)) == 1


def test_a_project_moves_there_and_back_without_a_change(tmp_path: Path, postgres_url: str) -> None:
    settings = Settings(title="Grippers – «зажим»", reviewers=2)
    project = create(tmp_path / "project", settings=settings, candidates=families(), scope=SCOPE)
    (person,) = reviewers(project, 1)
    for number, family in enumerate(("F1", "F2")):
        said = Said(request=f"request-{number}", action="verdict", family=family, verdict="unsure", note="ü", scope=1)
        record(project.database, person.id, said)
    record(project.database, person.id, Said(request="the-undo", action="undo", scope=1))
    original = {table.name: rows(project, table) for table in schema.TABLES}
    copied = copy(project, emptied(postgres_url))
    assert copied == {name: len(found) for name, found in original.items()}
    there = open_project(project.folder)
    assert there.url == postgres_url
    assert {table.name: rows(there, table) for table in schema.TABLES} == original
    # New rows are numbered after the old ones.
    record(
        there.database,
        person.id,
        Said(request="after-the-move", action="verdict", family="F3", verdict="negative", scope=1),
    )
    moved = {table.name: rows(there, table) for table in schema.TABLES}
    copy(there, sqlite_url(tmp_path / "back.db"))
    back = open_project(project.folder)
    assert {table.name: rows(back, table) for table in schema.TABLES} == moved
    for each in (project, there, back):
        each.database.close()


def test_a_database_that_holds_a_review_is_not_overwritten(tmp_path: Path) -> None:
    settings = Settings(title="Grippers")
    one = create(tmp_path / "one", settings=settings, candidates=families(), scope=SCOPE)
    two = create(tmp_path / "two", settings=settings, candidates=families(), scope=SCOPE)
    with pytest.raises(DataError, match="must be empty"):
        copy(one, two.url)
    with pytest.raises(UsageError, match="There is a project"):
        create(tmp_path / "one", settings=settings, candidates=families(), scope=SCOPE)
    for each in (one, two):
        each.database.close()


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    settings = Settings(title="Grippers")
    nowhere = "postgresql://nobody@127.0.0.1:1/none"
    with pytest.raises(DataError, match="The database refused"):
        create(tmp_path / "one", settings=settings, candidates=families(), scope=SCOPE, url=nowhere)
