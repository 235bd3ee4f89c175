"""`patstone search` as a user meets it."""

import json
from pathlib import Path

import pytest

import small_collection as small
from console import shell
from local_engine import Engine, running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small.write(tmp_path / "small")
    return tmp_path


def test_a_run_goes_to_standard_output(folder: Path) -> None:
    ran = shell("search", "small", "--query", "claims", "--k", "2", cwd=folder)
    assert ran.code == 0
    assert [line.split()[:4] for line in ran.out.splitlines()] == [
        ["US6B2", "Q0", "EP1A1", "1"],
        ["US6B2", "Q0", "JP3A", "2"],
        ["W1", "Q0", "US7B2", "1"],
        ["W1", "Q0", "US4B2", "2"],
    ]
    assert "without a date of priority, answered by documents of any date: 1" in ran.err
    assert shell("search", "small", "--quiet", cwd=folder).err == ""


def test_a_run_is_written_with_its_signature_and_scored(folder: Path) -> None:
    first = shell("search", "small", "--model", "lm-dirichlet(mu=100)", "--out", "a.run", cwd=folder)
    card = json.loads((folder / "a.run.json").read_text())
    assert card["signature"] in first.err
    again = shell("search", "small", "--model", "lm-dirichlet(mu=100)", "--out", "b.run", cwd=folder)
    assert again.code == 0
    assert (folder / "a.run").read_bytes() == (folder / "b.run").read_bytes()
    scored = shell("score", "small", "a.run", "-m", "nDCG@10", "--json", cwd=folder)
    assert json.loads(scored.out)["results"][0]["value"] == 1.0


def test_a_grid_goes_on_where_it_stood(folder: Path) -> None:
    words = ("search", "small", "--grid", "--model", "bm25", "tfidf", "--query", "title", "claims", "--out", "runs",
             "--backend", "none")  # fmt: skip
    assert "4 runs in runs, 4 of them made now" in shell(*words, cwd=folder).err
    (folder / "runs" / "tfidf.title.run").unlink()
    assert "4 runs in runs, 1 of them made now" in shell(*words, cwd=folder).err


def test_runs_are_fused_and_written_for_the_research_utility(folder: Path) -> None:
    for model in ("bm25", "tfidf"):
        shell("search", "small", "--model", model, "--out", f"{model}.run", cwd=folder)
    ran = shell(
        "search", "small", "--fuse", "bm25.run", "tfidf.run", "--run-format", "mapping", "--out", "m", cwd=folder
    )
    assert ran.code == 0, ran.err
    assert (folder / "m" / "result_list0.txt").read_text().splitlines()[0] == "EP; 1; A1; 2001.05.02"


def test_an_engine_answers(folder: Path) -> None:
    with running(Engine(answers={"separator": [{"_id": "EP1A1", "_score": 1.5}]})) as engine:
        ran = shell("search", "small", "--endpoint", engine.url, "--out", "mine.run", cwd=folder,
                    PATSTONE_ENDPOINT_HEADERS='{"X-Key": "k"}')  # fmt: skip
    assert ran.code == 0, ran.err
    assert (folder / "mine.run").read_text().startswith("US6B2 Q0 EP1A1 1 1.5 ")
    assert engine.headers[0]["X-Key"] == "k"
    assert "topics without an answer: 1" in ran.err
    assert {path.name for path in folder.iterdir()} == {"small", "mine.run", "mine.run.json"}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nowhere"], 3, "nowhere: A test collection is a folder"),
        (["small", "--model", "bm26"], 2, "A model is one of"),
        (["small", "--query", "claim"], 2, "A query is made of"),
        (["small", "--k", "0"], 2, "must be an int in [1, inf)"),
        (["small", "--model", "bm25", "tfidf"], 2, "add --grid and --out DIR"),
        (["small", "--grid"], 2, "A grid of runs needs a folder"),
        (["small", "--fields", "heading"], 2, "The fields to index are"),
        (["small", "--run-format", "mapping"], 2, "name it with --out DIR"),
        (["small", "--fuse", "a.run"], 2, "two runs at least"),
        (["small", "--endpoint", "localhost:9200"], 2, "http:// or https://"),
        (["small", "--endpoint", "http://x", "--hits", "a"], 2, "LIST:ID:SCORE"),
        (["small", "--endpoint", "http://x", "--request-template", "none.json"], 3, "The template can't be read"),
        (["small", "--model", "dense(some/model)"], 4, "pip install 'patstone[dense]'"),
        (["small", "--query", "claims,idf=50..60"], 3, "No query has a term of the collection"),
        (["small", "--out", "no/such/folder/a.run"], 3, "The folder to write to does not exist"),
    ],
)
def test_wrong_calls_end_with_one_line(folder: Path, words: list[str], code: int, message: str) -> None:
    ran = shell("search", *words, cwd=folder)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert {path.name for path in folder.iterdir()} == {"small"}
