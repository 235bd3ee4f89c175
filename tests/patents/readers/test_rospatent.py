"""Rospatent's JSON and ST.96 clusters, and the free text of field (56)."""

import json

import pytest

from patent_layouts import layout, read, refused
from patstone.patents.publication import Citation
from patstone.patents.readers import rospatent, st96
from patstone.patents.readers.st96 import field_56


def test_a_document_of_the_platform() -> None:
    """Expected values are read off rospatent.json."""
    (found,) = read(rospatent.READER, layout("rospatent.json"))
    assert (found.number, found.raw, found.kind) == ("RU2550001C1", "RU2550001C1_20150520", "C1")
    assert (found.date, found.filed, found.priority_date) == ("2015-05-20", "2014-02-04", "2013-02-10")
    assert (found.application, found.priorities) == ("RU/2014103924", ("US61/938000",))
    assert (found.family, found.language) == ("54000001", "ru")
    assert [title.text for title in found.titles] == ["КРУЖКА С ДВУМЯ СТЕНКАМИ", "CUP WITH TWO WALLS"]
    assert [text.text for text in found.abstracts] == ["Кружка содержит стенки. 1 ил.", "A cup has walls."]
    assert found.description == "Изобретение относится к кружкам."
    assert [(claim.number, claim.text) for claim in found.claims] == [
        (1, "Кружка, содержащая две стенки."),
        (2, "Кружка по п. 1, отличающаяся тем, что она из стекла."),
    ]
    assert (found.ipc, found.cpc, found.applicants) == (("A47G19/22",), ("A47G19/2288",), ('ООО "Кружка" (RU)',))


def test_listed_and_raw_citations_are_united() -> None:
    """The list lacks the Chinese and the American document and the book, which the raw field names."""
    (found,) = read(rospatent.READER, layout("rospatent.json"))
    assert [citation.cited or citation.raw for citation in found.citations] == [
        "RU92844U1",
        "RU2376158C2",
        "CN103269927A",
        "Автор А.А. Теплота кружек. М.: Наука, 1980, с. 5",
        "US20050123456A1",
    ]
    assert {citation.cited_by for citation in found.citations} == {"unknown"}


@pytest.mark.parametrize(
    ("said", "citations"),
    [
        ("", []),
        ("RU 2376158 С2, 20.12.2009", [Citation(cited="RU2376158C2", raw="RU 2376158 C2", date="2009-12-20")]),
        (
            "RU 92844 U1, 10.04.2010, реферат, фиг. 1. SU 1234567 A1, 2001.10.27.",
            [
                Citation(cited="RU92844U1", raw="RU 92844 U1", passages="реферат, фиг", date="2010-04-10"),
                Citation(cited="SU1234567A1", raw="SU 1234567 A1", date="2001-10-27"),
            ],
        ),
        (
            "Иванов А.А. Кружки. М., 1980. WO 2006/001333 A1, 05.01.2006",
            [
                Citation(raw="Иванов А.А. Кружки. М., 1980", patent=False),
                Citation(cited="WO2006001333A1", raw="WO 2006/001333 A1", date="2006-01-05"),
            ],
        ),
        ("JP 2003-174892 A, 24.06.2003", [Citation(cited="JP2003174892A", raw="JP 2003-174892 A", date="2003-06-24")]),
        ("Нет", []),
    ],
)
def test_field_56(said: str, citations: list[Citation]) -> None:
    assert [*field_56(said)] == citations


def test_a_search_answer_holds_documents() -> None:
    answer = {"total": 1, "hits": [json.loads(layout("rospatent.json"))]}
    assert len(read(rospatent.READER, json.dumps(answer).encode())) == 1


def test_cleaned_texts_stand_in_for_marked_up_ones() -> None:
    document = json.loads(layout("rospatent.json"))
    document["claims_cleaned"] = {"ru": "1. Кружка. 2. Кружка по п. 1."}
    del document["claims"]
    (found,) = read(rospatent.READER, json.dumps(document).encode())
    assert [claim.text for claim in found.claims] == ["Кружка.", "Кружка по п. 1."]


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"ru": "<Claims><div>"}, "not well-formed"),
        ({"ru": ["1. Кружка"]}, "must be a text"),
        ("1. Кружка", "must be an object"),
        ({"ru": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'}, "entity"),
    ],
)
def test_broken_mark_up_refuses_its_document(claims: object, said: str) -> None:
    (found,) = refused(
        rospatent.READER, json.dumps({**json.loads(layout("rospatent.json")), "claims": claims}).encode()
    )
    # A document type is no element, so that the text would not count as mark-up.
    assert said in found.reason
    assert found.number == "RU2550001C1_20150520"


def test_a_cluster() -> None:
    """Expected values are read off st96.xml; the kind's С is Cyrillic there."""
    base, cited, analog_of_cited, analog = read(st96.READER, layout("st96.xml"))
    assert (base.number, base.date, base.application, base.filed) == (
        "RU2550001C1",
        "2015-05-20",
        "RU/2014103924",
        "2014-02-04",
    )
    assert [claim.text for claim in base.claims] == ["Кружка, содержащая две стенки.", "Кружка по п. 1."]
    assert (base.ipc, base.applicants, base.language) == (("A47G19/22",), ('ООО "Кружка"',), "ru")
    assert (base.description, base.abstracts[0].text) == ("Кружки греют.", "Кружка содержит стенки.")
    assert [citation.cited for citation in base.citations] == ["RU92844U1", "CN103269927A"]
    assert [one.number for one in (cited, analog_of_cited, analog)] == ["RU92844U1", "EA012345B1", "EP2900001A1"]
    assert base.family == analog.family == "EP2900001A1"
    assert (cited.family, analog_of_cited.family) == ("", "")


def test_a_broken_member_of_a_cluster_costs_only_itself() -> None:
    broken = layout("st96.xml").replace(b"0000012345", b"")
    assert len(read(st96.READER, broken)) == 3
    assert "office and a number" in refused(st96.READER, broken)[0].reason
