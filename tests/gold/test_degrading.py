"""Degradations: what each kind does, and what holds for all of them on claims of our own."""

import re
from itertools import pairwise

import pytest

from patstone.errors import UsageError
from patstone.gold.degrading import comparisons, degrade, kinds
from patstone.gold.degrading.kinds import KINDS
from patstone.patents.claims import resolve, split
from patstone.patents.claims.checks import check

ENGLISH = """\
1. A pump comprising: a housing having an inlet; a drive shaft mounted in the housing; \
a piston configured to move along the drive shaft; \
and a controller connected to the piston, wherein the controller stops the piston.
2. The pump of claim 1, wherein the housing comprises a lid; and a seal between the lid and the inlet.
3. The pump of claim 2, wherein the seal comprises rubber; and a metal ring.
4. The pump of claim 1, further comprising a sensor connected to the controller; \
and a cable from the sensor to the housing.
5. A method of pumping, comprising: filling a housing with a liquid; moving a piston in the housing; \
and closing a valve with the piston.
6. The method of claim 5, wherein the liquid comprises water; and the piston comprises steel."""
GERMAN = """\
1. Pumpe, umfassend: ein Gehäuse mit einem Einlass; eine Welle in dem Gehäuse; einen Kolben auf der Welle; und einen \
Sensor an dem Kolben.
2. Pumpe nach Anspruch 1, wobei das Gehäuse einen Deckel umfasst; und der Deckel eine Dichtung umfasst.
3. Pumpe nach Anspruch 1, wobei die Welle aus Stahl besteht; und der Sensor ein Kabel umfasst."""
OWN = {"clarity": ("C3", "C4"), "consistency": ("C102",), "linkage": ("C101", "C2"), "completeness": (), "overall": ()}


@pytest.mark.parametrize("text", [ENGLISH, GERMAN], ids=["en", "de"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_higher_severity_has_all_changes_of_a_lower_one(kind: str, text: str) -> None:
    made = [degrade(text, kind, severity=severity, seed=3) for severity in (1, 2, 3, 4)]
    for low, high in pairwise(made):
        assert high.changes[: len(low.changes)] == low.changes
        assert high.wanted >= low.wanted
    assert made[-1].changes, "there is nothing to try"
    assert made[-1].text != text


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_call_gives_the_same_claims_and_another_seed_others(kind: str) -> None:
    one = degrade(ENGLISH, kind, severity=2, seed=1)
    assert one == degrade(ENGLISH, kind, severity=2, seed=1)
    assert len({degrade(ENGLISH, kind, severity=2, seed=seed).text for seed in range(8)}) > 1


@pytest.mark.parametrize("text", [ENGLISH, GERMAN], ids=["en", "de"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_of_other_criteria_find_no_more_than_before(kind: str, text: str) -> None:
    criterion, _ = KINDS[kind]
    others = [code for name, codes in OWN.items() if name != criterion for code in codes]
    before = len(check(split(text), select=others).diagnostics)
    for severity in (1, 4):
        made = degrade(text, kind, severity=severity, seed=5)
        assert len(check(made.claims, select=others).diagnostics) <= before


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("drop-element", "C501"),
        ("drop-claim", "C501"),
        ("vague-words", "C401"),
        ("asides", "C402"),
        ("rename-term", "C102"),
        ("break-antecedent", "C101"),
        ("break-dependency", "C2"),
    ],
)
def test_the_rules_of_its_own_criterion_find_it(kind: str, code: str) -> None:
    found = [check(degrade(ENGLISH, kind, severity=4, seed=seed).claims, gold=split(ENGLISH)) for seed in range(3)]
    assert any(each.code.startswith(code) for one in found for each in one.diagnostics)


@pytest.mark.parametrize("kind", KINDS)
def test_edits_say_what_was_there(kind: str) -> None:
    made = degrade(ENGLISH, kind, severity=4)
    texts = {claim.number: claim.text for claim in split(ENGLISH)}
    assert len(made.records) == len(made.changes)
    for record in made.records:
        edits = record.get("edits", [])
        assert isinstance(edits, list)
        for edit in edits:
            assert texts[edit["claim"]][edit["start"] : edit["end"]] == edit["before"]
        assert edits or {"dropped", "copied", "exchanged_with"} & set(record)


def test_references_follow_when_a_claim_is_dropped() -> None:
    text = "1. A pump comprising a lid.\n2. The pump of claim 1, being red.\n3. The pump of claim 1, having a foot.\n"
    text += "4. The pump of claim 3, wherein the foot is flat."
    made = degrade(text, "drop-claim", severity=1, seed=1)
    (change,) = made.changes
    kept = [line for line in text.split("\n") if not line.startswith(f"{change.claim}.")]
    assert len(made.claims) == len(kept) == 3
    assert all(claim.depends_on in ((), (1,), (2,)) for claim in resolve(made.claims))
    assert not resolve(made.claims).findings


def test_completeness_drops_words_and_only_words() -> None:
    gold = set(re.findall(r"\w+", ENGLISH))
    for kind in kinds(["completeness"]):
        assert set(re.findall(r"\w+", degrade(ENGLISH, kind, severity=4).text)) <= gold


def test_comparisons_prefer_the_lower_severity() -> None:
    found = list(comparisons([("pump", resolve(split(ENGLISH)))], seed=2, identical=True))
    assert {one.kind for one in found} == set(KINDS)
    assert {one.label for one in found} == {1, -1}
    for one in found:
        better, worse = (one.a, one.b) if one.label == 1 else (one.b, one.a)
        low, high = sorted(one.severities)
        assert one.severities.index(low) == (0 if one.label == 1 else 1)
        assert better != worse
        assert (better == one.gold) == (low == 0)
        assert worse != one.gold
        assert high > low


def test_what_cannot_be_degraded_stays_as_it_is() -> None:
    made = degrade("1. A cup.", "drop-element", severity=4)
    assert (made.changes, made.wanted, made.text) == ((), 0, "1. A cup.")
    assert degrade([], "pad").claims == ()


def test_kinds_by_criterion_and_names_that_are_unknown() -> None:
    assert kinds(["clarity"]) == ["vague-words", "asides", "run-on"]
    for call, said in (
        (lambda: kinds(["beauty"]), "criterion must be one of"),
        (lambda: degrade(ENGLISH, "blur"), "kind must be one of"),
        (lambda: degrade(ENGLISH, "pad", severity=9), "severity must be an int in"),
    ):
        with pytest.raises(UsageError, match=said):
            call()
