"""US office actions as judgments of claims."""

import json
from pathlib import Path
from typing import Any

import pytest

from patstone.errors import DataError
from patstone.files.ids import texts
from patstone.gold.sources import read_qrels

FIXTURE = Path(__file__).parents[1] / "patents/readers/uspto/citations.json"


def written(tmp_path: Path, *records: dict[str, Any]) -> Path:
    path = tmp_path / "actions.json"
    docs = [{"patentApplicationNumber": "15061308", "nplIndicator": False, **record} for record in records]
    path.write_text(json.dumps({"response": {"numFound": len(docs), "start": 0, "docs": docs}}))
    return path


def cited(number: str, category: str, claims: str) -> dict[str, Any]:
    return {"citedDocumentIdentifier": number, "citationCategoryCode": category, "relatedClaimNumberText": claims}


def test_claims_are_subtopics_and_categories_grades(tmp_path: Path) -> None:
    path = written(tmp_path, cited("US 2013/0341529 A1", "Y", "1-2"), cited("US 7875293 B2", "X", "2"))
    gold = read_qrels(path, format="office-actions")
    assert len(gold.topics) == 1
    assert texts(gold.docs) == ["US20130341529A1", "US7875293B2"]
    assert gold.grades.tolist() == [2, 3]
    assert gold.subtopics is not None
    assert gold.subtopics.names == ("1", "2")
    assert gold.subtopics.grades.tolist() == [2, 2, 3]


def test_a_document_cited_again_keeps_its_highest_grade(tmp_path: Path) -> None:
    path = written(tmp_path, cited("US 7875293 B2", "A", "1"), cited("US 7875293 B2", "X", "1"))
    gold = read_qrels(path, format="office-actions")
    assert gold.grades.tolist() == [3]
    assert "1 further" in gold.notes[0]


def test_without_claims_documents_are_judged(tmp_path: Path) -> None:
    gold = read_qrels(written(tmp_path, cited("US 7875293 B2", "A", "")), format="office-actions")
    assert gold.subtopics is None
    assert gold.grades.tolist() == [1]


def test_what_is_left_out_is_counted() -> None:
    notes = read_qrels(FIXTURE, format="office-actions").notes
    assert any("citations of other literature: 1" in note for note in notes)


def test_answers_without_a_patent_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"citedDocumentIdentifier": "Reed, On sheets, 1999", "nplIndicator": True})
    with pytest.raises(DataError, match="No citation of a patent"):
        read_qrels(path, format="office-actions")
