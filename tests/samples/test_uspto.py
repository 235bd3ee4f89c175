"""The US office's own files of every generation; what is expected was counted in them by other means than ours.

Counts were taken with grep: `<claim ` (`<CLM `, `NUM`) for claims, claims without `claim-ref` (`CLREF`,
`dependent-claim-reference`) for independent ones, `cited by …` (`CITED-BY-…`, `UREF`) for citations; numbers and dates
are those printed in the files' heads.
"""

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from patstone.errors import DataError
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers.formats import open_source

pytestmark = pytest.mark.samples

FILES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data")) / "samples/uspto"

# Independent claims are None where the file marks no references up.
DOCUMENTS = [
    # file, number, date, claims, independent, by examiner, by applicant, unknown
    ("greenbook/US03932709.greenbook", "US3932709A", "1976-01-13", 17, None, 0, 0, 9),
    ("greenbook/US03937375.greenbook", "US3937375A", "1976-02-10", 3, None, 0, 0, 5),
    ("greenbook/US04347903.greenbook", "US4347903A", "1982-09-07", 3, None, 0, 0, 3),
    ("sgml/USD435854S1.xml", "USD435854S", "2001-01-02", 1, None, 10, 0, 0),
    ("sgml/US06336130.xml", "US6336130B1", "2002-01-01", 22, 3, 5, 0, 4),
    ("sgml/US06337117.xml", "US6337117B1", "2002-01-08", 39, 5, 2, 0, 0),
    ("pap/US20010000044A1.xml", "US20010000044A1", "2001-03-15", 21, None, 0, 0, 0),
    ("pap/US20010000943A1.xml", "US20010000943A1", "2001-05-10", 13, 4, 0, 0, 0),
    ("pap/US20010009014A1.xml", "US20010009014A1", "2001-07-19", 55, 14, 0, 0, 0),
    ("xmlApp2004/US20050004437A1.xml", "US20050004437A1", "2005-01-06", 10, 1, 0, 0, 0),
    ("xmlApp2004/US20050004974A1.xml", "US20050004974A1", "2005-01-06", 21, 2, 0, 0, 0),
    ("xml2004/US06859910.xml", "US6859910B2", "2005-02-22", 2, 1, 8, 0, 0),
    ("xml2004/US06970935.xml", "US6970935B1", "2005-11-29", 30, 3, 11, 0, 0),
    ("xml2006/US07272630B2.xml", "US7272630B2", "2007-09-18", 17, 3, 5, 0, 111),
    ("xml2014/US08926509.xml", "US8926509B2", "2015-01-06", 31, 6, 14, 146, 0),
    ("xml2014/US08927118.xml", "US8927118B2", "2015-01-06", 45, 4, 4, 100, 0),
    ("xml2014/US08930553.xml", "US8930553B2", "2015-01-06", 8, 2, 6, 15, 0),
    ("odp/grant-xml/grant_us10000000b2_14643719.xml", "US10000000B2", "2018-06-19", 20, 3, 2, 9, 0),
    ("odp/grant-xml/grant_us11646472b2_17248024.xml", "US11646472B2", "2023-05-09", 17, 1, 0, 554, 0),
]


def read(name: str) -> Publication:
    (found,) = open_source(FILES / name)
    assert isinstance(found, Publication)
    return found


@pytest.mark.parametrize(
    ("name", "number", "date", "claims", "independent", "examiner", "applicant", "unknown"), DOCUMENTS
)
def test_each_document(
    name: str, number: str, date: str, claims: int, independent: int | None, examiner: int, applicant: int, unknown: int
) -> None:
    found = read(name)
    assert (found.number, found.date, found.country) == (number, date, "US")
    assert found.number.endswith(found.kind)
    assert len(found.claims) == claims
    assert [claim.number for claim in found.claims] == list(range(1, claims + 1))
    marked = any(claim.references is not None for claim in found.claims)
    assert (sum(not claim.references for claim in found.claims) if marked else None) == independent
    by = Counter(citation.cited_by for citation in found.citations)
    assert (by["examiner"], by["applicant"], by["unknown"], by["third-party"]) == (examiner, applicant, unknown, 0)
    assert found.titles
    assert found.description
    assert found.applicants
    assert found.application
    assert found.family == ""


def test_every_file_is_in_the_table() -> None:
    folders = ("greenbook", "sgml", "pap", "xmlApp2004", "xml2004", "xml2006", "xml2014", "odp/grant-xml")
    names = {str(path.relative_to(FILES)) for folder in folders for path in (FILES / folder).iterdir()}
    assert names == {row[0] for row in DOCUMENTS}


def test_who_cited_over_all_documents() -> None:
    """Cited by other (111 + 4) and before 2001 (17) is by nobody known."""
    by = Counter(citation.cited_by for row in DOCUMENTS for citation in read(row[0]).citations)
    assert by == {"examiner": 67, "applicant": 824, "unknown": 132}


def test_the_number_of_claims_is_the_one_that_the_file_declares() -> None:
    declared = re.compile(r"<number-of-claims>(\d+)|<B577><PDAT>(\d+)|^NCL  (\d+)", re.MULTILINE)
    compared = 0
    for name, _, _, claims, *_ in DOCUMENTS:
        if match := declared.search((FILES / name).read_text(encoding="utf-8")):
            compared += 1
            assert int(match[match.lastindex or 0]) == claims, name
    assert compared == 14


def test_cited_numbers_are_read() -> None:
    """What is left unread would be a guess; it is little."""
    cited = [citation for row in DOCUMENTS for citation in read(row[0]).citations if citation.patent]
    unread = {citation.raw for citation in cited if not citation.cited}
    assert len(cited) == 655
    assert len(unread) <= 6, unread


def test_old_files_are_mended_and_say_so() -> None:
    mended = {row[0] for row in DOCUMENTS if read(row[0]).repairs}
    assert mended == {
        "sgml/US06336130.xml",
        "sgml/US06337117.xml",
        "pap/US20010000943A1.xml",
        "pap/US20010009014A1.xml",
    }
    assert all(read(name).repairs == ("undeclared entity",) for name in mended)
    words = read("sgml/US06337117.xml").description
    assert "λ" in words
    assert "&" not in words.replace(" & ", "")


def test_parts_of_an_application_in_a_zip_are_counted_rejections() -> None:
    found = list(open_source(FILES / "xml4ip/sample_XML4IP.ZIP"))
    assert len(found) == 13
    assert all(isinstance(one, Rejected) and one.path.endswith(".xml") for one in found)


@pytest.mark.parametrize(
    "name", ["cpcMaster/cpcMaster.xml", "cpcScheme/cpc-scheme-A01L.xml", "cited_number_shapes.csv"]
)
def test_what_holds_no_documents_is_an_error(name: str) -> None:
    with pytest.raises(DataError):
        list(open_source(FILES / name))
