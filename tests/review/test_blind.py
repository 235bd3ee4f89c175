"""What a reviewer's browser is told doesn't change with what others do: not by a byte, but for the time."""

import re

import pytest
from starlette.applications import Starlette

from patstone.review.routes import ADDRESSES
from visitors import Visitor, enter


def everything(visitor: Visitor) -> dict[str, str]:
    """Every answer that a reviewer can get: each address, right and wrong, with headers."""
    asked: dict[str, tuple[str, str, dict[str, object]]] = {}
    for address in ADDRESSES:
        path = address.path.replace("{token}", "nonsense").replace("{name}", "labels.csv")
        asked[f"{address.method} {path}"] = (address.method, path, {})
    for name in ("F0", "F5", "nobody's"):
        asked[f"family {name}"] = ("GET", f"/api/family?name={name}", {})
        event = {"request": "again-and-again", "action": "undo", "family": name, "scope": 1}
        asked[f"undo {name}"] = ("POST", "/api/events", {"json": event, "headers": {"x-form-token": visitor.token}})
    del asked["POST /sign-out"]
    answers = {}
    for label, (method, path, words) in asked.items():
        answer = visitor.client.request(method, path, **words)  # type: ignore[arg-type]
        headers = {name: value for name, value in answer.headers.items() if name != "date"}
        answers[label] = f"{answer.status_code} {headers} {answer.text}"
    return answers


def test_nothing_a_reviewer_is_told_depends_on_the_others(app: Starlette, ann: Visitor) -> None:
    before = everything(ann)
    bob, carla = enter(app, "reviewer", "Bob"), enter(app, "coordinator", "Carla")
    for number in range(6):
        assert bob.say(f"F{number}", "negative", note="Bob's reason")["status"] == 200
    assert carla.post("/disagreements", request="decided-1", family="F1", verdict="negative", reason="Carla's") == 303
    assert everything(ann) == before


def test_no_answer_names_another_or_what_they_said(ann: Visitor, bob: Visitor) -> None:
    bob.say("F1", "unsure", note="Bob's reason")
    for label, answer in everything(ann).items():
        assert "Bob" not in answer, label
        assert not re.search(r"reviewer\s*[:=]", answer), label


def test_a_saved_event_doesnt_tell_how_many_there_are(ann: Visitor, bob: Visitor) -> None:
    bob.say("F1")
    assert set(ann.say("F2")) == {"family", "verdict", "status"}


@pytest.mark.usefixtures("ann")
def test_a_namesake_is_not_given_away(app: Starlette, carla: Visitor) -> None:
    other = enter_as(app, "Ann")
    assert "Sign out Ann<" in other.client.get("/review").text
    assert "Ann (2)" in carla.client.get("/progress").text


def enter_as(app: Starlette, name: str) -> Visitor:
    from starlette.testclient import TestClient

    from patstone.review import people

    client = TestClient(app, follow_redirects=False)
    token = people.invite(app.state.project.database, "reviewer")
    client.post(f"/join/{token}", data={"name": name, "password": "another password"})
    return Visitor(client, "reviewer")


def test_orders_differ_and_are_stable(ann: Visitor, bob: Visitor) -> None:
    mine, theirs = ([place["family"] for place in one.queue()] for one in (ann, bob))
    assert sorted(map(str, mine)) == sorted(map(str, theirs))
    assert mine != theirs
    ann.say("F3")
    assert [place["family"] for place in ann.queue()] == mine


def test_codes_and_applicants_are_hidden(ann: Visitor) -> None:
    page = ann.client.get("/api/family?name=F1").json()["page"]
    assert "US1001B2" in page
    assert "B25J" not in page
    assert "ACME" not in page
