"""A cluster in the layout of Rospatent's research code. Expected values were read off the file with a text editor."""

import os
from pathlib import Path

import pytest

from patstone.files.ids import texts
from patstone.patents.publication import Publication
from patstone.patents.readers.formats import open_source
from patstone.systems.run import Run
from patstone.systems.sources import open_run

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data"))


def test_a_cluster_and_its_documents() -> None:
    found = [*open_source(SAMPLES / "samples/rospatent/synthetic/st96-cluster_RU2550867C1.xml")]
    read = [one for one in found if isinstance(one, Publication)]
    assert [(one.number, one.date, one.kind) for one in read] == [
        ("RU2550867C1", "2015-05-20", "C1"),
        ("RU92844U1", "2010-04-10", "U1"),
        ("CN103269927A", "2013-08-28", "A"),
        ("US20130000000A1", "2013-01-01", "A1"),
        ("WO2015000000A1", "2015-08-13", "A1"),
    ]
    assert len(found) == len(read)


def test_listed_citations_and_those_of_field_56_are_united() -> None:
    """The bag holds two documents; field (56) names those and two more, one kind of which is typed in Cyrillic."""
    base = next(open_source(SAMPLES / "samples/rospatent/synthetic/st96-cluster_RU2550867C1.xml"))
    assert isinstance(base, Publication)
    assert [(citation.cited, citation.date, citation.cited_by) for citation in base.citations] == [
        ("RU92844U1", "2010-04-10", "unknown"),
        ("CN103269927A", "2013-08-28", "unknown"),
        ("RU26704U1", "2002-12-10", "unknown"),
        ("RU2376158C2", "2009-12-20", "unknown"),
    ]


def test_results_of_the_research_utility_are_a_run() -> None:
    run = open_run(SAMPLES / "samples/rospatent/synthetic/quality-utility")
    assert isinstance(run, Run)
    assert run.topics == ("RU2550867C1",)
    assert texts(run.docs)[:3] == ["US7875293B2", "RU92844U1", "CN103269927A"]
