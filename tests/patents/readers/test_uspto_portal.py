"""Answers of the US Open Data Portal: what is known of an application, and what office actions cite against it."""

import json
from pathlib import Path

import pytest

from patstone.patents.numbers import canonical
from patstone.patents.publication import Citation, Publication, Rejected, Text
from patstone.patents.readers.citing import claim_numbers
from patstone.patents.readers.formats import open_source

FILES = Path(__file__).parent / "uspto"


def test_citations_are_graded_and_name_claims() -> None:
    first, nothing, last = sorted(open_source(FILES / "citations.json"), key=lambda one: one.number or "US15/9")
    number = canonical("US", "15061308", role="application")
    assert first == Publication(
        number=number,
        raw="15061308",
        source="uspto-citations",
        country="US",
        application=number,
        citations=(
            Citation(
                cited="US20130341529A1",
                raw="US 2013/0341529 A1",
                cited_by="examiner",
                category="Y",
                phase="CTNF",
                claims=(1, 2, 3, 9),
                passages="paragraph [0076]; fig. 5",
            ),
            Citation(raw="Reed, On sheets, 1999", patent=False, cited_by="applicant", category="A", phase="CTFR"),
        ),
    )
    assert isinstance(nothing, Rejected)
    assert "must name what is cited" in nothing.reason
    assert isinstance(last, Publication)
    assert last.application == canonical("US", "16123456", role="application")
    assert last.citations == (
        Citation(cited="US20070217688A1", raw="Weaver; Kim US 20070217688 A1", cited_by="examiner", phase="102"),
    )


def test_records_one_a_line_are_read_too(tmp_path: Path) -> None:
    docs = json.loads((FILES / "citations.json").read_text())["response"]["docs"]
    (tmp_path / "lines.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    found = [one for one in open_source(tmp_path / "lines.jsonl") if isinstance(one, Publication)]
    assert [(one.raw, len(one.citations)) for one in found] == [("15061308", 1), ("15061308", 1), ("16123456", 1)]


def test_a_file_wrapper_tells_of_the_application_and_the_grant() -> None:
    early, late, not_yet = open_source(FILES / "wrapper.json")
    assert isinstance(early, Publication)
    assert early == Publication(
        number="US20140299798A1",
        raw="US20140299798A1",
        source="uspto-file-wrapper",
        country="US",
        kind="A1",
        date="2014-10-09",
        application=canonical("US", "13999888", role="application"),
        filed="2014-04-02",
        priorities=("JAPAN 2013077001", canonical("US", "13173486", role="application")),
        priority_date="2011-06-30",
        language="en",
        titles=(Text(language="en", text="VALVE WITH A SOFT SEAT"),),
        cpc=("F16K1/222", "Y02E60/10"),
        applicants=("Soft Seats Ltd.",),
    )
    assert isinstance(late, Publication)
    assert (late.number, late.kind, late.date, late.application) == (
        "US9123456B2",
        "B2",
        "2015-09-01",
        early.application,
    )
    assert isinstance(not_yet, Rejected)
    assert "must have been published" in not_yet.reason


@pytest.mark.parametrize(
    ("written", "claims"),
    [("1-3,9", (1, 2, 3, 9)), ("27", (27,)), ("", ()), ("1, 5 and 7-8", (1, 5, 7, 8)), ("9-7", ()), ("1–2", (1, 2))],
)
def test_claims_are_listed(written: str, claims: tuple[int, ...]) -> None:
    assert claim_numbers(written) == claims
