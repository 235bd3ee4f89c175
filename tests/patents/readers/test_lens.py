"""The Lens's answers and exports."""

import json

import pytest

from patent_layouts import layout, read, refused
from patstone.patents.publication import Citation
from patstone.patents.readers.lens import READER


def test_a_document() -> None:
    """Expected values are read off the first document of lens.json."""
    found = read(READER, layout("lens.json"))[0]
    assert (found.number, found.raw, found.date) == ("EP4900001A1", "EP 4900001 A1", "2029-07-18")
    assert (found.application, found.filed) == ("EP/28150001", "2028-01-11")
    assert (found.priorities, found.priority_date) == (("EP/28150001",), "2028-01-11")
    assert found.language == "en"
    assert [title.text for title in found.titles] == ["BECHER", "CUP"]
    assert [claim.text for claim in found.claims] == ["A cup comprising two walls.", "The cup of claim 1."]
    assert (found.ipc, found.cpc, found.applicants) == (("A47G19/22",), ("A47G19/2288",), ("TEKOPPEN AB",))


def test_a_family_is_called_after_its_first_member() -> None:
    first, second = read(READER, layout("lens.json"))
    assert first.family == "011-111-111-111-111"
    assert first.extended == "001-111-111-111-111"
    assert (second.family, second.extended) == ("", "")


def test_citations() -> None:
    assert read(READER, layout("lens.json"))[0].citations == (
        Citation(
            cited="WO2006075254A2",
            raw="WO 2006075254 A2",
            cited_by="examiner",
            phase="SEA",
            category="XY",
            date="2006-07-20",
        ),
        Citation(raw="AUTHOR A: Cups, 1999", patent=False, cited_by="applicant", phase="APP"),
        Citation(cited="DE10049363A1", raw="DE 10049363 A1", cited_by="third-party", phase="TPO"),
    )


def test_claims_without_printed_numbers_are_counted() -> None:
    second = read(READER, layout("lens.json"))[1]
    assert second.number == "US20130227762A1"
    assert [(claim.number, claim.text) for claim in second.claims] == [(1, "A cup."), (2, "The cup of claim 1.")]


def test_lines_and_lists_are_the_same_documents() -> None:
    both = json.loads(layout("lens.json"))["data"]
    lines = "\n".join(map(json.dumps, both)).encode()
    assert read(READER, lines) == read(READER, json.dumps(both).encode()) == read(READER, layout("lens.json"))


@pytest.mark.parametrize(
    ("key", "value"), [("biblio", [1]), ("date_published", "soon"), ("doc_number", ""), ("claims", 1)]
)
def test_a_wrong_document_is_refused_by_its_key(key: str, value: object) -> None:
    broken = {**json.loads(layout("lens.json"))["data"][0], key: value}
    (found,) = refused(READER, json.dumps([broken]).encode())
    assert (found.number, found.offset) == ("EP_4900001_A1_20290718", 1)
