"""DOCDB deliveries and documents alone."""

from patent_layouts import layout, read, refused
from patstone.patents.publication import Citation
from patstone.patents.readers.docdb import READER


def test_an_exchange_document() -> None:
    """Expected values are read off the first document of docdb.xml."""
    found = read(READER, layout("docdb.xml"))[0]
    assert (found.number, found.raw, found.date) == ("WO2029300001A1", "WO 2029300001 A1", "2029-07-12")
    assert (found.family, found.extended, found.language) == ("90000001", "", "en")
    assert (found.application, found.filed) == ("PCT/SE2029/050001", "2029-01-10")
    assert [title.text for title in found.titles] == ["CUP WITH TWO WALLS", "TASSE À DEUX PAROIS"]
    assert found.abstracts[0].text == "A cup has an inner wall and an outer wall."
    assert (found.ipc, found.cpc) == (("A47G19/22", "B65D81/38"), ("A47G19/2288",))
    assert (found.fi, found.fterm) == (("A47G19/22@C",), ("3B001AA02",))
    assert found.applicants == ("TEKOPPEN AB",)
    assert found.repairs == ("undeclared entity",)


def test_only_active_priorities_count() -> None:
    found = read(READER, layout("docdb.xml"))[0]
    assert (found.priorities, found.priority_date) == (("EP/28150001",), "2028-01-11")


def test_citations_with_phase_category_claims_and_passages() -> None:
    assert read(READER, layout("docdb.xml"))[0].citations == (
        Citation(
            cited="EP1234567A1",
            raw="EP 1234567 A1",
            cited_by="examiner",
            category="XY",
            phase="ISR",
            claims=(1, 2, 3, 5, 7),
            passages="3 10; 2",
            date="2002-08-28",
        ),
        Citation(
            raw='AUTHOR A: "On the warmth of cups", J. OF CUPS, vol. 3, 2019, pages 1-9',
            patent=False,
            cited_by="examiner",
            category="A",
            phase="ISR",
            claims=(1,),
            passages="W the whole document",
        ),
        Citation(cited="JP2003174892A", raw="JP 2003174892 A", cited_by="applicant", phase="APP", date="2003-06-24"),
    )


def test_old_documents_have_old_classes_and_dates_without_a_day() -> None:
    found = read(READER, layout("docdb.xml"))[1]
    assert (found.number, found.date, found.family, found.ipc) == ("DE1000001B", "1958-01", "", ("C07D307/12",))


def test_a_broken_document_costs_only_itself() -> None:
    data = layout("docdb.xml")
    (found,) = refused(READER, data)
    assert "date" in found.reason
    assert data[found.offset :].startswith(b'<exch:exchange-document country="DE" doc-number="1000002"')
    cut = data.replace(b"</exch:references-cited>", b"", 1)
    assert [one.number for one in read(READER, cut)] == ["DE1000001B"]
    assert len(refused(READER, cut)) == 2


def test_a_document_alone_may_have_lost_its_root_and_namespace() -> None:
    data = layout("docdb.xml")
    start, end = data.index(b"<exch:exchange-document "), data.index(b"</exch:exchange-document>")
    alone = data[start:end] + b"</exch:exchange-document>"
    whole = read(READER, data)[0]
    for text in (alone, alone.replace(b"exch:", b"")):
        (found,) = read(READER, text)
        assert (found.number, found.citations, found.titles) == (whole.number, whole.citations, whole.titles)


def test_a_file_without_documents_says_so() -> None:
    assert "no exchange document" in refused(READER, b"<exch:exchange-documents/>")[0].reason


def test_it_knows_its_files() -> None:
    assert READER.knows(layout("docdb.xml"), "x.xml")
    assert not READER.knows(layout("ops-biblio.xml"), "x.xml")
