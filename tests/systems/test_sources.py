"""Runs from any source: what ranks them where scores are missing, what they are called, what is refused."""

import gzip
import sys
from io import BufferedReader, BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest

from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.systems.run import Run
from patstone.systems.sources import open_run, stem
from patstone.systems.trec import TrecRun


def opened(tmp_path: Path, text: str, name: str = "bm25.csv", **options: str) -> Run:
    path = tmp_path / name
    path.write_text(text)
    run = open_run(path, **options)  # type: ignore[arg-type]
    assert isinstance(run, Run)
    return run


def rows(run: Run) -> list[tuple[str, str, float]]:
    topics = [
        topic
        for topic, start, end in zip(run.topics, run.starts, run.starts[1:], strict=False)
        for _ in range(start, end)
    ]
    return list(zip(topics, ids.texts(run.docs), run.scores.tolist(), strict=True))


def test_scattered_topics_are_gathered(tmp_path: Path) -> None:
    run = opened(tmp_path, "topic,doc,score,rank,order\nT1,A,0.9,1,2\nT2,B,0.8,1,1\nT1,C,0.7,2,1\n")
    assert rows(run) == [("T1", "A", 0.9), ("T1", "C", 0.7), ("T2", "B", 0.8)]
    assert run.given is not None
    assert run.given.tolist() == [1, 2, 1]
    assert run.order is not None
    assert run.order.tolist() == [2, 1, 1]
    assert run.lines is not None
    assert run.lines.tolist() == [2, 4, 3]
    assert run.path == str(tmp_path / "bm25.csv")
    assert (run.name, run.notes) == ("bm25", ())


def test_scores_rule_over_ranks(tmp_path: Path) -> None:
    run = opened(tmp_path, "topic,doc,score,rank\nT1,A,1,1\nT1,B,2,2\n")
    assert run.scores.tolist() == [1.0, 2.0]


def test_without_scores_the_rank_decides(tmp_path: Path) -> None:
    run = opened(tmp_path, "topic,doc,rank\nT1,A,2\nT1,B,1\n")
    assert run.scores.tolist() == [-2.0, -1.0]
    assert run.notes == (f"{tmp_path / 'bm25.csv'}: there are no scores; ranked by rank",)


def test_without_scores_and_ranks_the_order_of_rows_decides(tmp_path: Path) -> None:
    run = opened(tmp_path, "topic,doc\nT1,B\nT2,X\nT1,A\n")
    assert rows(run) == [("T1", "B", 0.0), ("T1", "A", -2.0), ("T2", "X", -1.0)]
    assert run.given is None
    assert run.notes == (f"{tmp_path / 'bm25.csv'}: there are no scores; ranked by order of rows",)


def test_json_of_topics_and_documents(tmp_path: Path) -> None:
    run = opened(tmp_path, '{"T1": {"A": 0.5, "B": 2}, "T2": {"A": 1}}', "dense.json")
    assert rows(run) == [("T1", "A", 0.5), ("T1", "B", 2.0), ("T2", "A", 1.0)]
    assert run.name == "dense"


def test_a_trec_run_is_read_when_it_is_scored(tmp_path: Path) -> None:
    path = tmp_path / "bm25.run.gz"
    path.write_bytes(gzip.compress(b"T1 Q0 A 1 0.5 tag\nT1 Q0 B 2 0.25 tag\nT2 Q0 A 1 0.5 tag\n"))
    run = open_run(path)
    assert isinstance(run, TrecRun)
    assert run.name == "bm25"
    assert rows(run.whole()) == [("T1", "A", 0.5), ("T1", "B", 0.25), ("T2", "A", 0.5)]
    assert [part.topics for part in run.parts()] == [("T1", "T2")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, text in ((None, b"T1 Q0 A 1 0.5 tag\n"), ("csv", b"topic,doc,score\nT1,A,0.5\n")):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BufferedReader(BytesIO(text))))
        run = open_run("-", format=kind)
        assert [rows(run.whole()), rows(run.whole())] == [[("T1", "A", 0.5)]] * 2
        assert run.name == "stdin"


def test_forced_formats_and_names(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("topic,doc,score\nT1,A,1\n")
    assert open_run(path, format="csv").name == "x"
    assert open_run(path, format="csv", name="mine").name == "mine"
    with pytest.raises(UsageError, match=r"must be one of trec, ntcir, mapping, csv, tsv, jsonl, json, parquet, xlsx"):
        opened(tmp_path, "", format="beir")


def test_columns_need_a_header(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("T1 Q0 A 1 0.5 tag\n")
    with pytest.raises(UsageError, match="'trec' has none"):
        open_run(path, columns={"topic": "query"})
    assert rows(opened(tmp_path, "q,d\nT1,A\n", "y.csv", columns={"topic": "q", "doc": "d"})) == [("T1", "A", 0.0)]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["nowhere.run", "nowhere.csv", "x" * 5000])
def test_missing_files_are_named_at_once(name: str) -> None:
    with pytest.raises(DataError, match=name[:50]):
        open_run(name)


def test_a_folder_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="folder"):
        open_run(tmp_path)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run", "bm25"),
        ("bm25.trec.gz", "bm25"),
        ("bm25.k1=0.9.csv.zst", "bm25.k1=0.9"),
        ("input.bm25", "input.bm25"),
        ("answers.xlsx#Sheet 1", "answers"),
        (".csv", ".csv"),
        ("plain", "plain"),
        ("-", "stdin"),
    ],
)
def test_names(path: str, name: str) -> None:
    assert stem(path) == name
