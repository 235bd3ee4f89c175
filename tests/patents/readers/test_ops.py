"""Answers of OPS, in XML and in JSON."""

import json

import pytest

from patent_layouts import everything, layout, read, refused
from patstone.errors import DataError
from patstone.patents.publication import Citation
from patstone.patents.readers.badgerfish import to_xml
from patstone.patents.readers.ops import READER


@pytest.mark.parametrize("name", ["ops-biblio.xml", "ops-biblio.json"])
def test_bibliographic_data(name: str) -> None:
    """Expected values are read off ops-biblio.xml."""
    (found,) = read(READER, layout(name))
    assert (found.number, found.date, found.family) == ("EP4900001A1", "2029-07-18", "90000001")
    assert (found.application, found.filed) == ("EP/28150001", "2028-01-11")
    assert (found.priorities, found.priority_date) == (("EP/28150001",), "2028-01-11")
    assert (found.ipc, found.cpc) == (("A47G19/22",), ("A47G19/2288",))
    assert found.applicants == ("TEKOPPEN AB",)
    assert [title.language for title in found.titles] == ["de", "en"]
    assert found.abstracts[0].text == "A cup has an inner wall and an outer wall."
    assert found.citations == (
        Citation(
            cited="WO2002054790A2",
            raw="WO 02054790 A2",
            cited_by="examiner",
            category="Y",
            phase="SEA",
            claims=(1, 2, 3, 5),
            passages="page 1, line 1; claims 1-2",
            date="2002-07-11",
        ),
        Citation(raw='AUTHOR A, "Cups", 1999', patent=False, cited_by="applicant"),
    )


def test_json_is_the_same_answer() -> None:
    assert everything(READER, layout("ops-biblio.xml"))[0] == everything(READER, layout("ops-biblio.json"))[0]


def test_a_document_that_ops_lacks_is_refused_by_its_number() -> None:
    (found,) = refused(READER, layout("ops-biblio.xml"))
    assert "not found" in found.reason
    assert "EP 9 A1" in found.reason


def test_a_family_answer_has_two_kinds_of_families() -> None:
    """The three members are one extended family, called after its first number, and two simple ones."""
    first, second, third = read(READER, layout("ops-family.xml"))
    assert [one.number for one in (first, second, third)] == ["EP4900001A1", "WO2029300001A1", "CA3900001A1"]
    assert [one.family for one in (first, second, third)] == ["90000001", "90000001", "90000777"]
    assert {one.extended for one in (first, second, third)} == {"CA3900001A1"}
    assert (first.application, first.priorities, first.priority_date) == (
        "EP/28150001",
        ("EP/28150001",),
        "2028-01-11",
    )
    assert third.titles[0].text == "SAUCER"


def test_claims() -> None:
    (found,) = read(READER, layout("ops-claims.xml"))
    assert (found.number, found.language) == ("EP4900001A1", "en")
    assert [(claim.number, claim.text, claim.language) for claim in found.claims] == [
        (1, "A cup comprising: an inner wall; and an outer wall.", "en"),
        (2, "The cup of claim 1, wherein the walls are of glass.", "en"),
        (3, "The cup of claim 1 or 2, with a handle.", "en"),
    ]


def test_an_error_is_told_in_its_words() -> None:
    (found,) = refused(READER, layout("ops-fault.xml"))
    assert found.reason.startswith("OPS answered with an error: SERVER.EntityNotFound, No results found")
    (found,) = refused(READER, json.dumps({"fault": {"code": {"$": "404"}, "message": "none"}}).encode())
    assert "404, none" in found.reason


@pytest.mark.parametrize("service", ["standardization", "register-search", "equivalents-inquiry"])
def test_an_answer_without_documents_is_named(service: str) -> None:
    answer = (
        f'<ops:world-patent-data xmlns:ops="http://ops.epo.org"><ops:meta/><ops:{service}/></ops:world-patent-data>'
    )
    assert service in refused(READER, answer.encode())[0].reason


def test_answers_may_stand_one_after_another() -> None:
    assert len(read(READER, layout("ops-biblio.xml") + b"\n" + layout("ops-family.xml"))) == 4


@pytest.mark.parametrize("wrong", [{}, {"a": 1, "b": 2}, {"a b": 1}, {"a": {"<": 1}}, {"@a": 1}])
def test_json_that_is_no_xml_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(DataError):
        to_xml(wrong)


def test_json_becomes_xml_safely() -> None:
    written = to_xml({"ops:a": {"@b": '"<&', "c": [{"$": "<x>&"}, None, 5], "@xmlns": {"ops": {"$": "u"}}}})
    assert written == b"<a b='\"&lt;&amp;'><c>&lt;x&gt;&amp;</c><c></c><c>5</c></a>"


def test_json_is_not_nested_without_end() -> None:
    deep: object = "x"
    for _ in range(200):
        deep = {"a": deep}
    assert "deep" in refused(READER, json.dumps({"ops:world-patent-data": deep}).encode())[0].reason
