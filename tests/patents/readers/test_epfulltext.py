"""European patent documents in full text."""

import pytest

from patent_layouts import layout, read, refused
from patstone.patents.publication import Citation
from patstone.patents.readers.epfulltext import READER


def test_a_grant() -> None:
    """Expected values are read off ep-grant.xml."""
    (found,) = read(READER, layout("ep-grant.xml"))
    assert (found.number, found.raw, found.date) == ("EP4900001B1", "EP 4900001 B1", "2031-01-08")
    assert (found.application, found.filed) == ("EP/28150001", "2028-01-11")
    assert (found.priorities, found.priority_date) == (("CN/202700001", "DE/2724675"), "1977-06-01")
    assert [(title.language, title.text) for title in found.titles] == [
        ("de", "BECHER"),
        ("en", "CUP WITH TWO WALLS"),
        ("fr", "TASSE"),
    ]
    assert (found.ipc, found.applicants, found.language) == (("A47G19/22",), ("Tekoppen AB",), "en")
    assert found.description == "FIELD Cups keep tea warm. H2O is tea’s body."


def test_claims_are_in_three_languages() -> None:
    (found,) = read(READER, layout("ep-grant.xml"))
    assert [(claim.language, claim.number) for claim in found.claims] == [
        (language, number) for language in ("en", "de", "fr") for number in (1, 2)
    ]
    assert found.claims[0].text == "A cup comprising: an inner wall; and an outer wall."


def test_parents_are_told_only_where_they_are_marked_up() -> None:
    (found,) = read(READER, layout("ep-grant.xml"))
    assert [claim.references for claim in found.claims] == [None, None, None, None, (), (1,)]


def test_field_56_is_read_as_a_person_would() -> None:
    (found,) = read(READER, layout("ep-grant.xml"))
    assert found.citations == (
        Citation(cited="US20070204872A1", raw="US-A1- 2007 204 872"),
        Citation(cited="WO2003008444A", raw="WO-A-03/008444"),
        Citation(cited="USRE36154E", raw="US-E- R E36 154"),
        Citation(raw='AUTHOR A: "Cups", J. OF CUPS, 1999, pages 1-2, XP000000001', patent=False),
    )


def test_an_application_may_hold_no_text() -> None:
    (found,) = read(READER, layout("ep-a2.xml"))
    assert (found.number, found.date, found.application) == ("EP0000002A2", "1978-12-20", "EP/02019404")
    assert (found.claims, found.description, found.citations) == ((), "", ())
    assert (found.ipc, found.applicants) == (("G06F17/60", "B60T8/26"), ("Someone & Co.",))


def test_fields_stand_in_for_missing_attributes() -> None:
    bare = layout("ep-a2.xml").replace(b'country="EP" doc-number="0000002" kind="A2" date-publ="19781220"', b"")
    assert read(READER, bare) == read(READER, layout("ep-a2.xml"))


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"</SDOBI>", b""), (b'date-publ="19781220"', b'date-publ="tomorrow"'), (b"ep-patent-document", b"ep-other")],
)
def test_a_broken_document_is_refused(old: bytes, new: bytes) -> None:
    assert len(refused(READER, layout("ep-a2.xml").replace(old, new))) == 1


def test_documents_may_stand_one_after_another() -> None:
    assert len(read(READER, layout("ep-a2.xml") + layout("ep-grant.xml"))) == 2
