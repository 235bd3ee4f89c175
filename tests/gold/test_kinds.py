"""The kind of a gold standard, told by its columns without reading its rows."""

from pathlib import Path

import pytest

from labelled import gold_of, written
from patstone.gold.kinds import kind_of


@pytest.mark.parametrize(
    ("name", "header", "kind"),
    [
        ("a.tsv", "Class\tDocDB Family ID\tSerial no.\tTitle", "labels"),
        ("a.csv", "publication,label\nEP1,yes", "labels"),
        ("a.csv", "publication,label\nEP1,A01B 1/02", "judgments"),
        ("a.csv", "patent,classes\nEP1,A01B 1/02", "judgments"),
        ("a.csv", "topic,doc,relevance", "judgments"),
        ("a.csv", "query,doc,label\nq,d,1", "judgments"),
        ("a.csv", "number,cited,grade", "judgments"),
        ("a.qrels", "t1 0 d1 1", "judgments"),
    ],
)
def test_columns_tell(tmp_path: Path, name: str, header: str, kind: str) -> None:
    (tmp_path / name).write_text(header + "\n")
    assert kind_of(tmp_path / name) == kind


def test_json_lines_tell_by_their_first_object(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"publication": "EP1", "label": "yes"}\n')
    assert kind_of(tmp_path / "a.jsonl") == "labels"


def test_a_map_of_columns_tells_more_than_names(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y,label\n")
    assert kind_of(tmp_path / "a.csv", columns={"gold.topic": "x", "doc": "y"}) == "judgments"
    assert kind_of(tmp_path / "a.csv", columns={"label": "x"}) == "labels"


def test_objects_are_what_they_are(tmp_path: Path) -> None:
    assert kind_of(gold_of("+-")) == "labels"
    assert kind_of({"t": {"d": 1}}) == "judgments"
    assert kind_of(str(written(tmp_path, "+-"))) == "labels"
    assert kind_of("-") == "judgments"
