"""Real rows of Google's patent tables. Expected values were read off the file with a text editor."""

import os
from collections import Counter
from pathlib import Path

import pytest

from patstone.patents.claims import resolve
from patstone.patents.publication import Publication
from patstone.patents.readers.formats import open_source

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data"))
ROWS = SAMPLES / "samples/google-bigquery/spider2"


@pytest.mark.parametrize("name", ["publications_sample.jsonl", "PUBLICATIONS.json"])
def test_both_exports_hold_the_same_five_documents(name: str) -> None:
    found = [*open_source(ROWS / name)]
    read = [one for one in found if isinstance(one, Publication)]
    assert len(found) == len(read) == 5
    pins = [(one.number, one.date, one.kind, one.family, len(one.claims), len(one.citations)) for one in read]
    assert pins == [
        ("CN101481674B", "2011-09-21", "B", "40878964", 0, 2),
        ("CN101856496B", "2013-09-18", "B", "42942800", 0, 3),
        ("CN101481402B", "2011-12-28", "B", "40878707", 0, 4),
        ("JPH0476664B2", "1992-12-04", "B2", "13094604", 0, 1),
        ("US4314796A", "1982-02-09", "A", "27552291", 13, 5),
    ]
    who = Counter((one.country, citation.cited_by) for one in read for citation in one.citations)
    assert who == {("CN", "unknown"): 9, ("JP", "examiner"): 1, ("US", "unknown"): 5}
    assert all(citation.cited for one in read for citation in one.citations if citation.patent)


def test_an_american_patent_with_its_claims() -> None:
    """Claims 2 to 13 all begin `The improvement as claimed in claim`."""
    american = [*open_source(ROWS / "publications_sample.jsonl")][-1]
    assert isinstance(american, Publication)
    assert [claim.number for claim in resolve(american.claims) if claim.kind == "independent"] == [1]
    assert (american.filed, american.priority_date, len(american.priorities)) == ("1979-08-29", "1978-09-04", 6)


def test_a_japanese_patent_with_its_f_terms() -> None:
    japanese = [*open_source(ROWS / "publications_sample.jsonl")][3]
    assert isinstance(japanese, Publication)
    assert japanese.fterm[:2] == ("4B018MJ01", "4B018LB10")
    assert japanese.fi[0] == "A23L1/28@Z"
    assert japanese.citations[0].cited == "JPS52148651A"
