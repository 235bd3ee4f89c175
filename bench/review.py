"""Fifty reviewers at one verdict a second, on each database: how soon one is acknowledged, and whether it is there.

Each reviewer is a thread with a connection of its own to a real server. Afterwards the database is read: what was
acknowledged and is missing, or is there twice, is counted. Run: PYTHONPATH=tests python -m bench.review
"""

import argparse
import http.client
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import numpy as np
from bench import pages

from patstone.review import people
from patstone.review.coordinating import events
from patstone.review.project import Project, Settings, create
from patstone.review.sessions import COOKIE, Sessions
from review_server import postgres, postgres_programs, serving
from visitors import PASSWORD, SCOPE, families

GOAL = 0.2


@dataclass(frozen=True, kw_only=True)
class Outcome:
    seconds: list[float]
    lost: int
    twice: int


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.review", description=__doc__)
    parser.add_argument("--reviewers", type=int, default=50)
    parser.add_argument("--verdicts", type=int, default=60, help="of each reviewer, one a second")
    options = parser.parse_args(arguments)
    found = {"SQLite": measured(None, options.reviewers, options.verdicts)}
    programs = postgres_programs()
    if programs is not None:
        with postgres(programs) as url:
            found["PostgreSQL"] = measured(url, options.reviewers, options.verdicts)
    pages.replace("Blind review: verdicts acknowledged under load", page(found, options.reviewers))
    print(page(found, options.reviewers))


def page(found: dict[str, Outcome], reviewers: int) -> str:
    rows = [
        [name, f"{len(one.seconds):,}", *(f"{np.quantile(one.seconds, q) * 1000:.0f}" for q in (0.5, 0.99)),
         f"{max(one.seconds) * 1000:.0f}", str(one.lost), str(one.twice)]
        for name, one in found.items()
    ]  # fmt: skip
    said = [
        f"- {name}: 99 % within {np.quantile(one.seconds, 0.99) * 1000:.0f} ms; the goal is {GOAL * 1000:.0f}: "
        + ("reached" if np.quantile(one.seconds, 0.99) < GOAL and not one.lost + one.twice else "MISSED")
        for name, one in found.items()
    ]
    columns = ["database", "verdicts", "median ms", "p99 ms", "slowest ms", "lost", "twice"]
    about = f"{reviewers} reviewers at one verdict a second, clients and server on one machine."
    return "\n\n".join([pages.machine(), about, pages.table(columns, rows), "\n".join(said)])


def measured(url: str | None, reviewers: int, verdicts: int) -> Outcome:
    with project(url, reviewers, verdicts) as made, serving(made.folder) as served:
        crowd = [
            people.join(made.database, people.invite(made.database, "reviewer"), name=f"R{number}", password=PASSWORD)
            for number in range(reviewers)
        ]
        with ThreadPoolExecutor(reviewers) as threads:
            sent = list(threads.map(lambda person: judge(made, served.url, person, verdicts), crowd))
        stored = Counter(row.request for row in events(made.database))
    acknowledged = {request for each in sent for request in each}
    return Outcome(
        seconds=[seconds for each in sent for seconds in each.values()],
        lost=len(acknowledged - set(stored)),
        twice=sum(count > 1 for count in stored.values()),
    )


@contextmanager
def project(url: str | None, reviewers: int, verdicts: int) -> Iterator[Project]:
    with TemporaryDirectory() as folder:
        settings = Settings(title="Load", reviewers=reviewers, reviews=reviewers)
        made = create(Path(folder) / "p", settings=settings, candidates=families(verdicts), scope=SCOPE, url=url)
        yield made
        made.database.close()


def judge(made: Project, url: str, person: people.Person, verdicts: int) -> dict[str, float]:
    """Send a verdict each second; give how long each took to be acknowledged."""
    sessions = Sessions(made.secret, made.database)
    cookie = sessions.begin(person)
    session = sessions.read(cookie)
    assert session is not None
    headers = {"cookie": f"{COOKIE}={cookie}", "x-form-token": sessions.token(session)}
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    took = {}
    begin = time.monotonic() + person.id / 50
    for number in range(verdicts):
        time.sleep(max(0.0, begin + number - time.monotonic()))
        request = f"{person.key}-{number}"
        event = {"request": request, "action": "verdict", "family": f"F{number}", "verdict": "positive", "scope": 1}
        start = time.monotonic()
        line.request("POST", "/api/events", json.dumps(event), headers)
        answer = line.getresponse()
        answer.read()
        if answer.status == 200:
            took[request] = time.monotonic() - start
    line.close()
    return took


if __name__ == "__main__":
    main()
