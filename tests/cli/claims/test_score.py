"""`patstone claims score`: the rows of the contract, in every mode, and mistakes answered in one sentence."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran

PAIRS = [
    {
        "gold_claim": "1. A pump comprising a rotor.",
        "A": "1. A pump comprising a rotor.",
        "B": "1. A fan.",
        "human_eval": {"Quality": 1},
    },
    {
        "gold_claim": "1. A pump comprising a seal.",
        "A": "1. A fan.",
        "B": "1. A pump with a seal.",
        "human_eval": {"Quality": -1},
    },
]
Run = Callable[..., Ran]


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(PAIRS))
    return str(path)


def test_rows_of_comparisons(patstone: Run, pairs: str) -> None:
    found = json.loads(patstone("claims", "score", pairs, "--judge", "ROUGE-L", "structural", "--json").out)
    assert found["results"][0] == {
        "pair": "1",
        "judge": "ROUGE-L",
        "criterion": "overall",
        "score_a": 1.0,
        "score_b": pytest.approx(0.444, abs=1e-3),
    }
    assert [row["criterion"] for row in found["results"][2:7]] == [
        "completeness", "clarity", "consistency", "linkage", "overall",
    ]  # fmt: skip
    assert found["signature"]["ROUGE-L"].startswith("ROUGE-L|tok:")
    assert found["counts"] == {"items": 2, "golds": 2, "candidates": 3, "with_identical_candidate": 1}


def test_rows_of_single_candidates(patstone: Run, tmp_path: Path) -> None:
    path = tmp_path / "candidates.csv"
    path.write_text("id,gold,candidate\nfirst,a pump,a pump\n")
    ran = patstone("claims", "score", str(path), "--judge", "edit", "--json")
    assert json.loads(ran.out)["results"] == [{"pair": "first", "judge": "edit", "criterion": "overall", "score": 1.0}]
    assert "first" in patstone("claims", "score", str(path), "--judge", "edit").out


def test_what_drove_a_score(patstone: Run, pairs: str) -> None:
    row = json.loads(patstone("claims", "score", pairs, "--judge", "TER", "--explain", "--json").out)["results"][0]
    assert row["drivers"] == {"a": {"edits": 0, "gold_words": 6}, "b": {"edits": 4, "gold_words": 6}}
    assert "edits 0 | 4" in patstone("claims", "score", pairs, "--judge", "TER", "--explain").out


def test_without_golds(patstone: Run, pairs: str) -> None:
    ran = patstone("claims", "score", pairs, "--reference-free", "--json")
    assert {row["judge"] for row in json.loads(ran.out)["results"]} == {"structural"}
    assert "without a gold these are left out: BLEU" in ran.err
    assert "nothing to say about completeness" in ran.err
    table = patstone("claims", "score", pairs, "--reference-free", "--csv").out.splitlines()
    assert table[0] == "pair,judge,criterion,score_a,score_b"
    assert all(line.count(",") == 4 and not line.endswith(",") for line in table)
    assert patstone("claims", "score", pairs, "--reference-free", "--judge", "BLEU").code == 3


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--judge", "blue"], 2, "Unknown judge 'blue'"),
        (["--judge", "command:no-such-program"], 3, "can't be started"),
        (["--columns", "gold=A"], 3, "mean"),
    ],
)
def test_mistakes(patstone: Run, pairs: str, words: list[str], code: int, message: str) -> None:
    ran = patstone("claims", "score", pairs, *words)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_file_that_is_none(patstone: Run, tmp_path: Path) -> None:
    assert patstone("claims", "score", str(tmp_path / "none.json")).code == 3
