"""The research utility's folders: read, written, and ids compared as a whole."""

from pathlib import Path

import numpy as np
import pytest

import small_collection as small
from patstone.api import score
from patstone.errors import DataError
from patstone.files import ids
from patstone.gold.qrels import Qrels
from patstone.systems.mapping import read_mapping, write_mapping
from patstone.systems.run import Run
from patstone.systems.sources import open_run


def folder(tmp_path: Path, mapping: str, *lists: str) -> Path:
    (tmp_path / "mapping.txt").write_text(mapping)
    for place, text in enumerate(lists):
        (tmp_path / f"result_list{place}.txt").write_text(text)
    return tmp_path


def test_a_folder_is_a_run(tmp_path: Path) -> None:
    path = folder(tmp_path, "RU2550867C1_20150520 result_list0.txt\n",
                  "US; 7875293; B2; 2011.01.25\nRU; 92844; U1; 2010.04.10\nJP; H0476664; B2;\n")  # fmt: skip
    run = open_run(path)
    assert isinstance(run, Run)
    assert run.topics == ("RU2550867C1",)
    assert ids.texts(run.docs) == ["US7875293B2", "RU92844U1", "JPH0476664B2"]
    assert run.scores.tolist() == [-1, -2, -3]
    assert "no scores" in run.notes[0]


def test_equal_digits_are_not_equal_documents(tmp_path: Path) -> None:
    path = folder(tmp_path, "Q result_list0.txt\n", "US; 1234567; A1; 2001.01.01\n")
    gold = Qrels.from_dict({"Q": {"EP1234567A1": 1}})
    assert score(gold, path, "P@1").means[0].tolist() == [0.0]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    dataset = small.write(tmp_path / "small")
    run = Run.from_dict({"US6B2": {"EP1A1": 3.0, "JP3A": 2.0}, "W1": {"US7B2": 1.0}})
    write_mapping(run, tmp_path / "out", dataset)
    assert (tmp_path / "out" / "mapping.txt").read_text().splitlines()[0] == "US6B2_20120101 result_list0.txt"
    assert (tmp_path / "out" / "result_list0.txt").read_text() == "EP; 1; A1; 2001.05.02\nJP; 3; A; 2003.05\n"
    again = read_mapping(tmp_path / "out", name="again")
    assert again.topics == run.topics
    assert np.array_equal(again.docs, run.docs)


@pytest.mark.parametrize(
    ("mapping", "hits", "rule"),
    [
        ("Q\n", "", r"mapping\.txt: line 1: A line names a document and the file"),
        ("Q ../other.txt\n", "", "A line names a document and the file"),
        ("Q result_list0.txt\nQ result_list0.txt\n", "US; 1; A; ", "line 2: A document is mapped to one list"),
        ("Q result_list0.txt\n", "US 7875293\n", r"result_list0\.txt: line 1: A line of a list is country"),
        ("Q result_list0.txt\n", "US; 1; A;\nUS; 1; A;\n", "line 2: A document stands once in a list"),
        ("Q result_list7.txt\n", "", "There is no such file"),
        ("Q result_list0.txt\n", "", "at least one answer"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, mapping: str, hits: str, rule: str) -> None:
    with pytest.raises(DataError, match=rule):
        read_mapping(folder(tmp_path, mapping, hits), name="run")


def test_an_id_without_a_country_can_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"country, number and kind\. Got 'abc'"):
        write_mapping(Run.from_dict({"Q": {"abc": 1.0}}), tmp_path / "out")
    assert not (tmp_path / "out").exists()
