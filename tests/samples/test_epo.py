"""Real files of the EPO: DOCDB, OPS and full text. Expected values were read off the files with a text editor."""

import os
from collections import Counter
from pathlib import Path

import pytest

from patstone.patents.claims import resolve
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers.formats import open_source

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data")) / "samples/epo"
NO_DOCUMENTS = {
    "standardization",
    "classification-scheme",
    "classification-search",
    "fulltext-inquiry",
    "equivalents-inquiry",
    "register-search",
    "document-inquiry",
}


def documents(path: str) -> list[Publication]:
    return [found for found in open_source(SAMPLES / path) if isinstance(found, Publication)]


def rejections(path: str) -> list[Rejected]:
    return [found for found in open_source(SAMPLES / path) if isinstance(found, Rejected)]


def independent(found: Publication) -> list[int]:
    """Numbers of the independent claims in the first language that the document has claims in."""
    first = [claim for claim in found.claims if claim.language == found.claims[0].language]
    return [claim.number for claim in resolve(first) if claim.kind == "independent"]


@pytest.mark.parametrize(
    ("path", "number", "date", "family", "examiner", "applicant", "literature"),
    [
        ("docdb/AP-1206-A_302101161.xml", "AP1206A", "2003-09-18", "22179393", 3, 0, 0),
        ("docdb/WO-2022259205-A1_544370561.xml", "WO2022259205A1", "2022-12-15", "82558028", 12, 11, 19),
        ("docdb/WO-2023012807-A1_507242069.xml", "WO2023012807A1", "2023-02-09", "83004620", 5, 19, 21),
        ("docdb/YU-6701-A_381353354.xml", "YU6701A", "2003-12-31", "22248526", 0, 0, 0),
        ("ops/get_biblio/response.xml", "EP2400812A1", "2011-12-28", "43088294", 6, 0, 0),
    ],
)
def test_bibliographic_data(
    path: str, number: str, date: str, family: str, examiner: int, applicant: int, literature: int
) -> None:
    (found,) = documents(path)
    assert (found.number, found.date, found.family) == (number, date, family)
    who = Counter(citation.cited_by for citation in found.citations)
    assert (who["examiner"], who["applicant"]) == (examiner, applicant)
    assert sum(not citation.patent for citation in found.citations) == literature
    assert all(citation.cited for citation in found.citations if citation.patent)
    assert {*found.repairs} <= {"undeclared entity"}


def test_a_backfile_of_ten_documents() -> None:
    found = documents("docdb/DE-backfile.xml")
    assert [one.number for one in found] == [f"DE{number}B" for number in range(1_258_188, 1_258_198)]
    assert {one.date for one in found} == {"1968-01-04"}
    assert sum(len(one.citations) for one in found) == 42
    assert [one.family for one in found][:3] == ["6979546", "6980816", "22421564"]
    assert rejections("docdb/DE-backfile.xml") == []


def test_an_international_search_report() -> None:
    """The seventh citation of WO 2022/259205: a Chinese patent, category Y for claims 1 to 32."""
    (found,) = documents("docdb/WO-2022259205-A1_544370561.xml")
    seventh = found.citations[6]
    assert (seventh.cited, seventh.category, seventh.phase, seventh.date) == ("CN102908333A", "Y", "ISR", "2013-02-06")
    assert seventh.claims == tuple(range(1, 33))
    assert found.citations[0].category == "XY"


FULL_TEXT = [
    ("application/v1-0-A1.xml", "EP1325900A1", "2003-07-09", 7, [1], 0, 0),
    ("application/v1-0-A2.xml", "EP1326188A2", "2003-07-09", 19, [1, 10], 0, 0),
    ("application/v1-01-A1.xml", "EP1679948A1", "2006-07-19", 0, [], 0, 0),
    ("application/v1-1-A1.xml", "EP0000002A1", "1978-12-20", 6, [1, 2], 0, 0),
    ("application/v1-2-A1.xml", "EP1921219A1", "2008-05-14", 11, [1, 9], 0, 0),
    ("application/v1-2-A2.xml", "EP1873405A2", "2008-01-02", 17, [1], 0, 0),
    ("application/v1-3-A2.xml", "EP2007181A2", "2008-12-24", 3, [1], 0, 0),
    ("application/v1-4-A2.xml", "EP2136607A2", "2009-12-23", 15, [1, 8], 0, 0),
    ("application/v1-5-A1.xml", "EP3782854A1", "2021-02-24", 12, [1], 0, 0),
    ("application/v1-5-1-A2.xml", "EP3882354A2", "2021-09-22", 15, [1], 0, 0),
    ("grant/v1-0-B1.xml", "EP1442058B1", "2006-07-19", 9, [1], 2, 2),
    ("grant/v1-0-B2.xml", "EP0874807B2", "2006-08-02", 15, [1], 5, 0),
    ("grant/v1-1-B1.xml", "EP1019261B1", "2003-07-09", 87, [1, 21], 5, 1),
    ("grant/v1-1-B2.xml", "EP0546210B2", "2003-07-09", 96, [1, 19], 2, 3),
    ("grant/v1-2-B1.xml", "EP0610335B1", "2008-01-02", 42, [1, 14], 3, 8),
    ("grant/v1-3-B1.xml", "EP1654642B1", "2008-12-24", 96, [1, 12, 23], 2, 1),
    ("grant/v1-3-B2.xml", "EP1497510B2", "2008-12-24", 3, [1], 14, 0),
    ("grant/v1-4-B1.xml", "EP0449582B1", "2009-10-21", 36, [1, 7], 1, 1),
    ("grant/v1-4-B2.xml", "EP1451194B2", "2009-12-16", 27, [1], 6, 1),
    ("grant/v1-5-B1.xml", "EP3404678B1", "2021-06-30", 36, [1, 7], 4, 0),
    ("grant/v1-5-B2.xml", "EP2743087B2", "2021-05-05", 39, [1, 8], 5, 0),
    ("grant/v1-5-1-B1.xml", "EP3383757B1", "2021-07-07", 24, [1], 7, 0),
    ("grant/v1-5-1-B2.xml", "EP2716170B2", "2021-09-22", 12, [1], 7, 0),
]


@pytest.mark.parametrize(("path", "number", "date", "claims", "alone", "patents", "literature"), FULL_TEXT)
def test_full_text(
    path: str, number: str, date: str, claims: int, alone: list[int], patents: int, literature: int
) -> None:
    (found,) = documents(f"ep-fulltext/{path}")
    assert (found.number, found.date, found.family) == (number, date, "")
    assert len(found.claims) == claims
    assert (independent(found) if claims else []) == alone
    assert sum(citation.patent for citation in found.citations) == patents
    assert sum(not citation.patent for citation in found.citations) == literature
    assert all(citation.cited for citation in found.citations if citation.patent)
    assert {citation.cited_by for citation in found.citations} <= {"unknown"}


def test_claims_of_a_grant_are_in_three_languages() -> None:
    (found,) = documents("ep-fulltext/grant/v1-5-1-B2.xml")
    assert Counter(claim.language for claim in found.claims) == {"de": 4, "en": 4, "fr": 4}


def test_every_full_text_is_read_or_rejected() -> None:
    """One file holds `<First Embodiment` for a heading, which is no XML."""
    found = documents("ep-fulltext/application") + documents("ep-fulltext/grant")
    assert len(found) == 32
    (wrong,) = rejections("ep-fulltext/application") + rejections("ep-fulltext/grant")
    assert "not well-formed" in wrong.reason
    assert wrong.path.endswith("v1-5-1-A1-2.xml")


def test_claims_and_description_of_ops() -> None:
    (claims,) = documents("ops/get_claims/response.xml")
    assert (claims.number, len(claims.claims), independent(claims)) == ("EP2400812A1", 15, [1, 15])
    (description,) = documents("ops/get_description/response.xml")
    assert description.description.startswith("Field")
    assert len(description.description) > 40_000


def test_a_family_of_ops_is_the_extended_one() -> None:
    found = documents("ops/get_family/response.xml")
    assert [one.number for one in found] == [
        "EP2400812A1",
        "EP2400812B1",
        "CA2744162A1",
        "US20120057518A1",
        "US9648662B2",
    ]
    assert {one.family for one in found} == {"43088294"}
    assert {one.extended for one in found} == {"CA2744162A1"}
    assert {one.priorities for one in found} == {("EP/10167109",)}


def test_every_answer_of_ops_is_read_or_rejected_by_name() -> None:
    for path in sorted((SAMPLES / "ops").glob("*/*.xml")):
        if path.stat().st_size < 80:
            continue
        found = [*open_source(path)]
        assert found, path
        for wrong in found:
            if isinstance(wrong, Rejected):
                assert wrong.reason.startswith("OPS answered with an error") or any(
                    service in wrong.reason for service in NO_DOCUMENTS
                ), wrong


def test_a_fault_of_ops_is_told_in_its_words() -> None:
    (wrong,) = rejections("ops/testdata/error_404.xml")
    assert "404, Document not found" in wrong.reason
