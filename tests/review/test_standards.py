"""Consensus, the most generous and the narrowest standard; agreement, audit and exports of a review."""

import csv
import io
from pathlib import Path

import pytest
from starlette.applications import Starlette

from patstone.errors import UsageError
from patstone.gold.labels import read_labels
from patstone.gold.reviews import VIEWS
from patstone.review import coordinating, exports, judged, people
from patstone.review.project import Project
from patstone.review.standards import standing
from visitors import PASSWORD, Visitor

SAID = {
    "F0": ("positive", "positive"),
    "F1": ("positive", "negative"),
    "F2": ("negative", "negative"),
    "F3": ("unsure", "positive"),
    "F4": ("unsure", "unsure"),
}


@pytest.fixture
def reviewed(project: Project, ann: Visitor, bob: Visitor) -> Project:
    for family, (mine, theirs) in SAID.items():
        ann.say(family, mine, note=f"about {family}")
        bob.say(family, theirs)
    return project


def settled(project: Project, view: str) -> dict[str, bool]:
    gold = standing(project.database, view).gold
    return dict(zip(gold.units, gold.positive.tolist(), strict=True))


def test_the_three_standards(reviewed: Project) -> None:
    assert settled(reviewed, "consensus") == {"F0": True, "F2": False, "F3": True}
    assert settled(reviewed, "generous") == {"F0": True, "F1": True, "F2": False, "F3": True}
    assert settled(reviewed, "narrow") == {"F0": True, "F1": False, "F2": False, "F3": True}
    counts = [(one.open, one.unjudged) for one in (standing(reviewed.database, view) for view in VIEWS)]
    assert counts == [(2, 1), (1, 1), (1, 1)]
    with pytest.raises(UsageError, match="A standard is one of"):
        standing(reviewed.database, "best")


def test_a_decision_settles_the_consensus_alone(reviewed: Project, carla: Visitor) -> None:
    assert [one.family for one in coordinating.disagreements(reviewed.database)] == ["F1", "F3", "F4"]
    for family, verdict in (("F1", "negative"), ("F4", "positive"), ("F4", "negative")):
        words = {"request": f"{family}-{verdict}", "family": family, "verdict": verdict, "reason": "because"}
        assert carla.post("/disagreements", **words) == 303
    assert settled(reviewed, "consensus") == {"F0": True, "F1": False, "F2": False, "F3": True, "F4": False}
    assert settled(reviewed, "generous")["F1"]
    assert [one.family for one in coordinating.disagreements(reviewed.database)] == ["F3", "F1", "F4"]
    assert carla.post("/disagreements", request="no-reason", family="F3", verdict="positive", reason=" ") == 400


def test_an_exported_standard_is_a_gold_standard(reviewed: Project, tmp_path: Path) -> None:
    for suffix in (".tsv", ".csv", ".xlsx", ".parquet"):
        path = tmp_path / f"consensus{suffix}"
        exports.write(exports.content(reviewed.database, "consensus"), path)
        gold = read_labels(path)
        assert dict(zip(gold.units, gold.positive.tolist(), strict=True)) == settled(reviewed, "consensus")
    assert gold.numbers == ("US1000B2", "US1002B2", "US1003B2")
    with pytest.raises(UsageError, match="There are these to export"):
        exports.content(reviewed.database, "everything")
    with pytest.raises(UsageError, match="An export is one of"):
        exports.write(exports.content(reviewed.database, "labels"), tmp_path / "labels.doc")


@pytest.mark.usefixtures("reviewed")
def test_labels_and_events_are_exported_with_notes(carla: Visitor) -> None:
    rows = list(csv.DictReader(io.StringIO(carla.client.get("/export/labels.csv").text)))
    assert {(row["family"], row["reviewer"]): row["label"] for row in rows} == {
        (family, name): verdict
        for family, said in SAID.items()
        for name, verdict in zip(("Ann", "Bob"), said, strict=True)
    }
    events = carla.client.get("/export/events.csv").text
    assert events.count("\n") == 11
    assert "about F4" in events


def test_agreement_follows_the_scope_note(reviewed: Project, ann: Visitor, bob: Visitor, carla: Visitor) -> None:
    (now,) = judged.agreement(reviewed.database)
    raw = next(row for row in now.rows if row[:2] == ("raw", "all"))
    # F0 and F2 alike, F1 not; the rest have doubts.
    assert raw[2] == pytest.approx(2 / 3)
    assert raw[4] == 3
    assert carla.post("/scope", words="Only what grips softly belongs.") == 303
    for visitor in (ann, bob):
        visitor.say("F1", "negative", scope=2)
    both = judged.agreement(reviewed.database)[1]
    assert [(row[0], row[2]) for row in both.rows if row[1] == "raw"] == [(1, 1.0), (2, 1.0)]
    page = carla.client.get("/agreement").text
    assert "Under each version of the scope note" in page


@pytest.mark.usefixtures("reviewed")
def test_too_few_are_not_audited(carla: Visitor) -> None:
    assert "2 positives and 1 negatives are settled" in carla.client.get("/audit").text


def test_who_leaves_makes_room_and_their_verdicts_stay(
    app: Starlette, reviewed: Project, ann: Visitor, carla: Visitor
) -> None:
    key = next(one.key for one in people.everyone(reviewed.database) if one.name == "Ann")
    assert carla.post("/people/dismiss", person=key) == 303
    assert ann.client.get("/review").status_code == 303
    assert settled(reviewed, "consensus") == {"F0": True, "F2": False, "F3": True}
    token = people.invite(reviewed.database, "reviewer")
    heir = people.join(reviewed.database, token, name="Dora", password=PASSWORD)
    from patstone.review.reviewing import Desk

    assert heir.seat is not None
    assert [place.family for place in Desk(reviewed.database, heir.id, heir.seat).queue()] == ["F5"]
    assert app.state.settings.reviewers == 2
    with pytest.raises(UsageError, match="All seats of this review are taken"):
        people.join(reviewed.database, people.invite(reviewed.database, "reviewer"), name="Eve", password=PASSWORD)
