"""Every address with every role and with none; forged, stale and oversized requests."""

import pytest
from httpx2 import Response
from starlette.applications import Starlette
from starlette.testclient import TestClient

from patstone.review import people
from patstone.review.app import HEADERS, LARGEST_BODY
from patstone.review.people import ROLES, Role
from patstone.review.routes import ADDRESSES, ANYONE, Address
from visitors import PASSWORD, Visitor, enter


@pytest.mark.parametrize("role", [*ROLES, ""])
def test_every_address_lets_in_whom_it_should(app: Starlette, role: str) -> None:
    visitor = enter(app, role, "Someone")
    # Who has signed out is nobody, so that comes last.
    for address in sorted(ADDRESSES, key=lambda address: address.path == "/sign-out"):
        told = walk(visitor, address)
        if address.roles is ANYONE or role in address.roles:
            assert told.status_code in {200, 303, 400, 403 if address.path == "/sign-in" else 400, 404}, address
            assert "not for you" not in told.text
        elif role:
            assert (told.status_code, told.text) == (403, "This page is not for you."), address
        elif address.path.startswith("/api/"):
            assert told.status_code == 401, address
        else:
            assert (told.status_code, told.headers["location"]) == (303, "/sign-in"), address


def walk(visitor: Visitor, address: Address) -> Response:
    path = address.path.replace("{token}", "nonsense").replace("{name}", "labels.csv")
    headers = {"x-form-token": visitor.token} if visitor.role else {}
    return visitor.client.request(address.method, path, headers=headers)


@pytest.mark.parametrize("role", ROLES)
def test_what_changes_something_needs_the_token(app: Starlette, role: Role) -> None:
    visitor = enter(app, role, "Someone")
    for address in ADDRESSES:
        if address.method == "POST" and role in address.roles:
            answer = visitor.client.post(address.path, data={"token": "0" * 64})
            assert (answer.status_code, answer.text) == (403, "This form is too old; load the page again."), address


def test_a_form_of_another_site_is_refused_even_where_nobody_is_signed_in(app: Starlette) -> None:
    answer = TestClient(app).post("/sign-in", data={"name": "x"}, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert "another site" in answer.text


def test_another_host_name_is_refused(app: Starlette) -> None:
    assert TestClient(app, base_url="http://evil.example").get("/sign-in").status_code == 400


@pytest.mark.parametrize(
    "path", ["/", "/nowhere", "/assets/review.css", "/assets/../app.py", "/assets/%2e%2e/app.py", "/sign-in"]
)
def test_every_answer_has_the_headers(app: Starlette, path: str) -> None:
    answer = TestClient(app, follow_redirects=False).get(path)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "import" not in answer.text


def test_the_cookie_is_closed_to_scripts_and_other_sites(app: Starlette) -> None:
    token = people.invite(app.state.project.database, "reader")
    answer = TestClient(app, follow_redirects=False).post(f"/join/{token}", data={"name": "R", "password": PASSWORD})
    assert {"httponly", "samesite=strict"} <= {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}
    assert PASSWORD not in str(people.everyone(app.state.project.database))


def test_an_invitation_works_once(app: Starlette) -> None:
    token = people.invite(app.state.project.database, "reviewer", name="Ann")
    client = TestClient(app, follow_redirects=False)
    assert 'value="Ann"' in client.get(f"/join/{token}").text
    assert client.post(f"/join/{token}", data={"name": "Ann", "password": "short"}).status_code == 400
    assert client.post(f"/join/{token}", data={"name": "Ann", "password": PASSWORD}).status_code == 303
    assert client.get(f"/join/{token}").status_code == 404
    assert client.post(f"/join/{token}", data={"name": "Eve", "password": PASSWORD}).status_code == 404


def test_guessing_is_slowed_down(app: Starlette, ann: Visitor) -> None:
    client = TestClient(app, follow_redirects=False)
    tries = [client.post("/sign-in", data={"name": "Ann", "password": f"guess {n}"}).status_code for n in range(7)]
    assert tries == [403] * 5 + [429] * 2
    assert client.post("/sign-in", data={"name": "Ann", "password": PASSWORD}).status_code == 429
    assert ann.client.get("/review").status_code == 200


def test_signing_in_and_out(app: Starlette, ann: Visitor) -> None:
    client = TestClient(app, follow_redirects=False)
    assert client.post("/sign-in", data={"name": " Ann ", "password": PASSWORD}).headers["location"] == "/"
    assert client.get("/review").status_code == 200
    assert Visitor(client).post("/sign-out") == 303
    # Signing out ends every session of the person.
    assert ann.client.get("/review").status_code == 303


def test_a_forged_cookie_is_nobody(app: Starlette, ann: Visitor) -> None:
    genuine = ann.client.cookies["patstone_review"]
    for forged in (genuine[:-2] + "xx", "x", "9" * 600, genuine.replace(".0.", ".1.", 1)):
        client = TestClient(app, follow_redirects=False, cookies={"patstone_review": forged})
        assert client.get("/review").status_code == 303


def test_too_much_at_once_is_refused(ann: Visitor) -> None:
    answer = ann.client.post("/api/events", content=b"x" * (LARGEST_BODY + 1), headers={"x-form-token": ann.token})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"request": 1}', b"\xff", b'{"request":"12345678","action":[],"scope":1}']
)
def test_nonsense_is_refused_in_one_sentence(ann: Visitor, body: bytes) -> None:
    answer = ann.client.post("/api/events", content=body, headers={"x-form-token": ann.token})
    assert answer.status_code == 400
    assert set(answer.json()) == {"error"}


def test_hostile_texts_are_only_texts(carla: Visitor, ann: Visitor, bob: Visitor) -> None:
    hostile = "<script>alert(1)</script>\"'{{7*7}}"
    ann.say("F1", "positive", note=hostile)
    bob.say("F1", "negative")
    page = carla.client.get("/disagreements").text
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert carla.post("/scope", words=hostile) == 303
    assert "<script>alert" not in ann.client.get("/review").text
    assert carla.client.get("/export/labels.csv").status_code == 200
