"""BEIR folders: which file of judgments is read."""

import gzip
from pathlib import Path

import pytest

from patstone.errors import DataError
from patstone.gold.beir import judgments
from patstone.gold.sources import read_qrels


def folder(tmp_path: Path, *splits: str) -> Path:
    (tmp_path / "qrels").mkdir()
    for split in splits:
        (tmp_path / "qrels" / f"{split}.tsv").write_text(
            f"query-id\tcorpus-id\tscore\n{split}\tD1\t1\n{split}\tD2\t0\n"
        )
    return tmp_path


def test_the_test_split_is_the_default(tmp_path: Path) -> None:
    gold = read_qrels(folder(tmp_path, "dev", "test", "train"))
    assert gold.topics == ("test",)
    assert gold.grades.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("kind", [None, "beir"])
def test_another_split_is_named_after_a_hash(tmp_path: Path, kind: str | None) -> None:
    assert read_qrels(f"{folder(tmp_path, 'dev', 'test')}#dev", format=kind).topics == ("dev",)


def test_an_only_split_is_read(tmp_path: Path) -> None:
    assert read_qrels(str(folder(tmp_path, "dev")), format="beir").topics == ("dev",)


def test_a_compressed_split(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    path = tmp_path / "qrels" / "test.tsv.gz"
    path.write_bytes(gzip.compress(b"query-id\tcorpus-id\tscore\nQ\tD1\t2\n"))
    assert judgments(tmp_path) == path
    assert read_qrels(tmp_path).grades.tolist() == [2.0]


def test_unknown_splits_are_refused_by_naming_the_known(tmp_path: Path) -> None:
    path = folder(tmp_path, "dev", "train")
    with pytest.raises(DataError, match="no split 'test'; name one of dev, train"):
        read_qrels(path)
    with pytest.raises(DataError, match="no split 'tset'"):
        read_qrels(f"{path}#tset")


def test_a_folder_without_judgments_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"qrels/test\.tsv"):
        read_qrels(tmp_path)


def test_what_is_no_folder_is_left_to_other_readers(tmp_path: Path) -> None:
    path = tmp_path / "gold#1.qrels"
    path.write_text("T1 0 D1 1\n")
    assert judgments(path) is None
    assert read_qrels(path).topics == ("T1",)
    with pytest.raises(DataError, match="BEIR"):
        read_qrels(path, format="beir")
    with pytest.raises(DataError, match="no such file"):
        read_qrels("nowhere.qrels")
