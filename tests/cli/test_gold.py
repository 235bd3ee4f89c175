"""`patstone gold …` as a user meets it."""

import json
from collections.abc import Callable
from pathlib import Path

from console import Ran
from patstone.gold import sample

Run = Callable[..., Ran]


def test_fetch_says_what_it_wrote_and_under_which_licence(patstone: Run, tmp_path: Path) -> None:
    ran = patstone("gold", "fetch", "sample", str(tmp_path / "new"), "--json")
    assert ran.code == 0
    answer = json.loads(ran.out)
    assert len(answer["results"]) == 6
    assert all(Path(row["file"]).stat().st_size == row["bytes"] for row in answer["results"])
    assert "note: licence: MIT License" in ran.err


def test_fetch_refuses_a_copy_that_is_none(patstone: Run, tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("Class\n")
    ran = patstone("gold", "fetch", "quantum", str(tmp_path / "out"), "--from", str(tmp_path / "x.tsv"))
    assert (ran.code, ran.out) == (3, "")
    assert "quantum-qubit-generation.tsv should have the SHA-256 94e343b" in ran.err


FILES = [str(sample.HERE / name) for name in ("soft-gripping.tsv", "reviews.csv", "codes.csv", "neighbours.csv")]
LABELS, REVIEWS, CODES, NEIGHBOURS = FILES


def test_audit_gives_the_contract(patstone: Run) -> None:
    ran = patstone("gold", "audit", LABELS, "--reviews", REVIEWS, "--codes", CODES, "--json")
    assert ran.code == 0, ran.err
    answer = json.loads(ran.out)
    assert [row["criterion"] for row in answer["results"]] == [
        "scope", "agreement", "diversity", "size", "challenging", "independent", "identification",
    ]  # fmt: skip
    assert {row["verdict"] for row in answer["results"]} <= {"pass", "warn", "fail", "unknown"}
    assert all(row["evidence"] for row in answer["results"])
    assert {"rule", "severity", "rows", "message"} == set(answer["findings"][0])
    assert all(isinstance(row, int) for row in answer["findings"][0]["rows"])
    assert answer["usage"][0]["size"] == 100


def test_a_gate_closes_only_when_a_criterion_fails(patstone: Run, tmp_path: Path) -> None:
    passed = patstone("gold", "audit", LABELS, "--gate")
    (tmp_path / "bare.tsv").write_text(Path(LABELS).read_text())
    failed = patstone("gold", "audit", str(tmp_path / "bare.tsv"), "--gate")
    open_ = patstone("gold", "audit", str(tmp_path / "bare.tsv"))
    assert (passed.code, failed.code, open_.code) == (0, 1, 0)
    assert "criteria that fail: bare: scope" in failed.err
    assert "no scope note" in failed.out
    note = str(Path(LABELS).with_suffix(".txt"))
    assert patstone("gold", "audit", str(tmp_path / "bare.tsv"), "--gate", "--scope", note).code == 0


def test_several_are_audited_together(patstone: Run) -> None:
    ran = patstone("gold", "audit", LABELS, LABELS, "--csv")
    assert ran.code == 0
    assert ran.out.count("soft-gripping,diversity,warn") == 2
    ran = patstone("gold", "audit", LABELS, LABELS, "--scope", "x.txt")
    assert (ran.code, "speaks of one gold standard" in ran.err) == (2, True)


def test_codes(patstone: Run) -> None:
    answer = json.loads(patstone("gold", "codes", LABELS, CODES, "--depth", "subclass", "--best", "2", "--json").out)
    rows = [row for row in answer["results"] if row["table"] == "best" and row["scheme"] == "CPC"]
    assert [row["k"] for row in rows] == list(range(1, len(rows) + 1))
    assert rows[0]["codes"] == "B25J"
    unique = next(row for row in answer["results"] if row["table"] == "unique" and row["scheme"] == "CPC")
    assert unique["both"] <= min(unique["positives"], unique["negatives"])
    ran = patstone("gold", "codes", LABELS, CODES, "--best", "0")
    assert (ran.code, "must be an int in [1, 20]" in ran.err) == (2, True)
    ran = patstone("gold", "codes", LABELS, REVIEWS)
    assert (ran.code, "needs a column 'code'" in ran.err) == (3, True)


def test_agree_writes_three_gold_standards_that_can_be_scored(patstone: Run, tmp_path: Path) -> None:
    words = ["--folder", str(tmp_path / "views"), "--predictions", NEIGHBOURS, "-m", "F1"]
    ran = patstone("gold", "agree", LABELS, REVIEWS, *words, "--json")
    assert ran.code == 0, ran.err
    answer = json.loads(ran.out)
    assert {"statistic", "of", "value", "ci", "units"} == set(answer["results"][0])
    views = {row["view"]: row for row in answer["views"]}
    assert views["narrow"]["positives"] < views["consensus"]["positives"] < views["generous"]["positives"]
    scored = patstone("score", views["narrow"]["file"], NEIGHBOURS, "-m", "F1", "--json")
    value = next(row["value"] for row in answer["scores"] if row["view"] == "narrow")
    assert json.loads(scored.out)["results"][0]["value"] == value


def test_agree_refuses_what_is_no_review(patstone: Run) -> None:
    ran = patstone("gold", "agree", LABELS, CODES)
    assert (ran.code, ran.out) == (3, "")
    assert "codes.csv: line 2" in ran.err
