"""Every event once, in its turn; undo goes back act by act."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from patstone.errors import UsageError
from patstone.review import people, schema
from patstone.review.project import Project
from patstone.review.reviewing import Desk
from patstone.review.verdicts import Action, NotYours, Said, record
from visitors import PASSWORD


@pytest.fixture
def desk(project: Project) -> Desk:
    token = people.invite(project.database, "reviewer")
    person = people.join(project.database, token, name="Ann", password=PASSWORD)
    assert person.seat is not None
    return Desk(project.database, person.id, person.seat)


def say(
    desk: Desk, family: str, verdict: str | None = "positive", *, request: str = "", action: Action = "verdict"
) -> object:
    said = Said(
        request=request or f"{family}-{verdict}-{action}", action=action, family=family, verdict=verdict, scope=1
    )
    return record(desk.database, desk.reviewer, said).verdict


def verdicts(desk: Desk) -> dict[str, str | None]:
    return {place.family: place.verdict for place in desk.queue() if place.verdict}


def events(project: Project) -> int:
    with project.database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(schema.events)).scalar_one()


def test_a_verdict_stands_until_another_is_given(desk: Desk) -> None:
    say(desk, "F1")
    say(desk, "F2", "unsure")
    say(desk, "F1", "negative")
    assert verdicts(desk) == {"F1": "negative", "F2": "unsure"}
    assert [(one.before, one.after) for one in desk.history("F1")] == [("positive", "negative"), (None, "positive")]


def test_the_same_request_counts_once_and_is_answered_alike(project: Project, desk: Desk) -> None:
    first = say(desk, "F1", request="12345678")
    again = say(desk, "F1", request="12345678")
    assert (first, again, events(project)) == ("positive", "positive", 1)


def test_skipping_postpones_and_takes_a_verdict_back(desk: Desk) -> None:
    say(desk, "F1")
    say(desk, "F1", None, action="skip")
    assert verdicts(desk) == {}
    assert [place.family for place in desk.queue() if place.skipped] == ["F1"]


def test_undo_goes_back_act_by_act(project: Project, desk: Desk) -> None:
    say(desk, "F1")
    say(desk, "F2", "negative")
    say(desk, "F1", "negative")
    undone = [say(desk, "", None, action="undo", request=f"undo-it-{number}") for number in range(3)]
    assert undone == ["positive", None, None]
    assert verdicts(desk) == {}
    with pytest.raises(UsageError, match="nothing to undo"):
        say(desk, "", None, action="undo", request="one-too-many")
    assert events(project) == 6  # nothing is ever taken out


def test_after_an_undo_new_acts_can_be_undone_too(desk: Desk) -> None:
    say(desk, "F1")
    say(desk, "", None, action="undo", request="undo-first")
    say(desk, "F2")
    say(desk, "", None, action="undo", request="undo-second")
    assert verdicts(desk) == {}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"verdict": "maybe"}, "A verdict is one of"),
        ({"action": "erase"}, "An action is one of"),
        ({"request": "short"}, "A request has an id"),
        ({"note": "x" * 2001}, "at most 2000 letters"),
    ],
)
def test_wrong_events_are_refused(project: Project, desk: Desk, said: dict[str, str], message: str) -> None:
    words = {"request": "12345678", "action": "verdict", "family": "F1", "verdict": "positive", "scope": 1} | said
    with pytest.raises(UsageError, match=message):
        record(desk.database, desk.reviewer, Said(**words))  # type: ignore[arg-type]
    assert events(project) == 0


def test_a_family_that_is_not_there_is_like_one_of_another(desk: Desk) -> None:
    with pytest.raises(NotYours, match="not on your list"):
        say(desk, "F99")


def test_twelve_writers_lose_nothing(project: Project, desk: Desk) -> None:
    sent = [(f"F{number % 6}", f"request-{number:04}") for number in range(240)]
    with ThreadPoolExecutor(12) as writers:
        answers = list(writers.map(lambda one: say(desk, one[0], request=one[1]), sent + sent))
    assert len(answers) == 480
    assert events(project) == 240
