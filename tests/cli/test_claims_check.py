"""`patstone claims check` as a user sees it: marks, rows, files, exit codes."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran

Run = Callable[..., Ran]

SOUND = "1. A pump comprising a housing and a lid.\n2. The pump of claim 1, wherein the lid is red.\n"
FAULTY = """\
Claims
1. A pump comprising a housing,
  wherein the lid is <b>red</b>.
2. The pump of claim 1, preferably blue.
"""


@pytest.fixture
def drafts(tmp_path: Path) -> Path:
    (tmp_path / "sound.txt").write_text(SOUND)
    (tmp_path / "faulty.txt").write_text(FAULTY)
    return tmp_path


def test_sound_claims_end_with_0(patstone: Run, drafts: Path) -> None:
    ran = patstone("claims", "check", str(drafts / "sound.txt"))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "2 claims: 0 errors, 0 warnings, 0 notes\n"


def test_an_error_ends_with_1_and_a_warning_does_not(patstone: Run, drafts: Path) -> None:
    ran = patstone("claims", "check", str(drafts / "faulty.txt"))
    assert (ran.code, ran.err) == (1, "patstone: error: 1 error in the claims.\n")
    ran = patstone("claims", "check", str(drafts / "faulty.txt"), "--ignore", "C101")
    assert ran.code == 0
    assert "C402 warning" in ran.out


def test_marks_stand_under_the_words(patstone: Run, drafts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    out = patstone("claims", "check", str(drafts / "faulty.txt"), "--select", "C101").out
    assert out.startswith("faulty.txt:2: claim 1: C101 error: “the lid” has no antecedent")
    lines = out.splitlines()
    place = next(place for place, line in enumerate(lines) if "^" in line)
    line, marks = lines[place - 1 : place + 1]
    assert line[marks.index("^") : marks.rindex("^") + 1] == "the lid"


def test_rows_have_the_keys_of_the_contract(patstone: Run, drafts: Path) -> None:
    ran = patstone("claims", "check", str(drafts / "faulty.txt"), "--json")
    answer = json.loads(ran.out)
    first = answer["results"][0]
    assert {"claim", "code", "severity", "start", "end", "message"} <= set(first)
    assert (first["claim"], first["code"], first["severity"]) == (1, "C101", "error")
    text = "A pump comprising a housing,\n  wherein the lid is <b>red</b>."
    assert text[first["start"] : first["end"]] == "the lid"
    assert answer["counts"] == {
        "documents": 1,
        "claims": 2,
        "claims_in_other_languages": 0,
        "errors": 1,
        "warnings": 1,
        "notes": 0,
        "by_code": {"C101": 1, "C402": 1},
        "rejected": 0,
    }
    rows = list(csv.DictReader(io.StringIO(patstone("claims", "check", str(drafts / "faulty.txt"), "--csv").out)))
    assert [row["code"] for row in rows] == ["C101", "C402"]


def test_sarif_names_lines_and_columns_of_the_file(patstone: Run, drafts: Path) -> None:
    patstone("claims", "check", str(drafts / "faulty.txt"), "--sarif", str(drafts / "out.sarif"))
    log = json.loads((drafts / "out.sarif").read_text())
    (run,) = log["runs"]
    first, second = run["results"]
    assert (log["version"], first["ruleId"], first["level"]) == ("2.1.0", "C101", "error")
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "C101"
    region = first["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["endLine"]) == (3, 3)
    line = FAULTY.split("\n")[2]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "the lid"
    region = second["locations"][0]["physicalLocation"]["region"]
    assert FAULTY.split("\n")[3][region["startColumn"] - 1 : region["endColumn"] - 1] == "preferably"


def test_the_page_is_escaped_and_needs_nothing_else(patstone: Run, drafts: Path) -> None:
    patstone("claims", "check", str(drafts / "faulty.txt"), "--html", str(drafts / "out.html"))
    page = (drafts / "out.html").read_text()
    assert "<b>red</b>" not in page
    assert "&lt;b&gt;red&lt;/b&gt;" in page
    assert 'class="error"' in page
    assert "src=" not in page
    assert "http" not in page


def test_a_gold_adds_the_rules_on_elements(patstone: Run, drafts: Path) -> None:
    gold = drafts / "gold.txt"
    gold.write_text("1. A pump comprising a housing, a red lid, and a wireless antenna.\n")
    ran = patstone("claims", "check", str(drafts / "sound.txt"), "--gold", str(gold), "--json")
    assert [row["code"] for row in json.loads(ran.out)["results"]] == ["C501"]


def test_golds_must_be_as_many(patstone: Run, drafts: Path) -> None:
    (drafts / "two.jsonl").write_text((json.dumps({"claims": SOUND}) + "\n") * 2)
    ran = patstone("claims", "check", str(drafts / "sound.txt"), "--gold", str(drafts / "two.jsonl"))
    assert ran.code == 3
    assert "two.jsonl: The gold has 2 claim sets" in ran.err


def test_what_is_wrong_with_a_call_or_a_file_is_one_line(patstone: Run, drafts: Path) -> None:
    for words, code, said in (
        (["nowhere.txt"], 3, "no such file"),
        ([str(drafts / "sound.txt"), "--select", "X1"], 2, "Got 'X1'"),
        ([str(drafts / "empty.jsonl")], 3, "no claims"),
    ):
        (drafts / "empty.jsonl").write_text("")
        ran = patstone("claims", "check", *words)
        assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
        assert said in ran.err


def test_a_broken_row_is_passed_over_and_said(patstone: Run, drafts: Path) -> None:
    (drafts / "a.jsonl").write_text('{"claims": 7}\n' + json.dumps({"id": "x", "claims": SOUND}) + "\n")
    ran = patstone("claims", "check", str(drafts / "a.jsonl"), "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["counts"]["rejected"] == 1
    assert "passed over" in ran.err
