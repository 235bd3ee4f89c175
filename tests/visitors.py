"""Browsers with a person in front of them, for the tests of blind review, and families for them to judge."""

import re
from dataclasses import dataclass
from uuid import uuid4

from starlette.applications import Starlette
from starlette.testclient import TestClient

from patstone.review import people
from patstone.review.candidates import Candidate, gather

PASSWORD = "a long password"  # noqa: S105 - of people who are made up
SCOPE = "Robots that grip by <suction> belong; others don't."


def families(count: int = 6) -> list[Candidate]:
    made = []
    for number in range(count):
        one = Candidate(f"F{number}")
        cells = {"title": f"Gripper number {number}", "date": "2015-01-02", "codes": "B25J 15/06", "applicants": "ACME"}
        gather(one, f"US{1000 + number}B2", cells)
        made.append(one)
    return made


@dataclass(frozen=True)
class Visitor:
    """A browser with a person in front of it, or nobody."""

    client: TestClient
    role: str = ""
    number: int = 0

    @property
    def token(self) -> str:
        found = re.search(r'name="token" value="(\w+)"', self.client.get("/", follow_redirects=True).text)
        return found[1] if found else ""

    def queue(self) -> list[dict[str, object]]:
        places: list[dict[str, object]] = self.client.get("/api/queue").json()["places"]
        return places

    def say(self, family: str, verdict: str = "positive", **words: object) -> dict[str, object]:
        event = {"request": uuid4().hex, "action": "verdict", "family": family, "verdict": verdict, "scope": 1}
        answer = self.client.post("/api/events", json=event | words, headers={"x-form-token": self.token})
        told: dict[str, object] = answer.json() | {"status": answer.status_code}
        return told

    def post(self, path: str, **form: str) -> int:
        answer = self.client.post(path, data={"token": self.token} | form)
        return int(answer.status_code)


def enter(app: Starlette, role: str, name: str) -> Visitor:
    client = TestClient(app, follow_redirects=False)
    if not role:
        return Visitor(client)
    database = app.state.project.database
    token = people.invite(database, role)
    assert client.post(f"/join/{token}", data={"name": name, "password": PASSWORD}).status_code == 303
    number = next(one.id for one in people.everyone(database) if one.name == name)
    return Visitor(client, role, number)
