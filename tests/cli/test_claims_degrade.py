"""`patstone claims degrade`: rows, comparisons that other commands read, and refusals."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran

Run = Callable[..., Ran]

CLAIMS = (
    "1. A pump comprising: a housing having an inlet; a drive shaft in the housing; and a controller.\n"
    "2. The pump of claim 1, wherein the housing comprises a lid; and a seal.\n"
    "3. The pump of claim 1, wherein the controller comprises a sensor; and a cable.\n"
)


@pytest.fixture
def granted(tmp_path: Path) -> str:
    (tmp_path / "granted.txt").write_text(CLAIMS)
    return str(tmp_path / "granted.txt")


def test_rows_record_what_was_changed(patstone: Run, granted: str) -> None:
    ran = patstone("claims", "degrade", granted, "--kind", "drop-element", "--severity", "1", "4", "--json")
    assert (ran.code, ran.err) == (0, "")
    low, high = json.loads(ran.out)["results"]
    assert (low["criterion"], low["kind"], low["severity"], low["made"]) == ("completeness", "drop-element", 1, 1)
    assert len(high["candidate"]) < len(low["candidate"]) < len(CLAIMS)
    (change,) = low["changes"]
    assert change["edits"][0]["after"] == ""
    assert change["edits"][0]["before"] in CLAIMS


def test_a_criterion_stands_for_its_kinds(patstone: Run, granted: str) -> None:
    ran = patstone("claims", "degrade", granted, "--criterion", "clarity", "--severity", "2", "--jsonl")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert [row["kind"] for row in rows] == ["vague-words", "asides", "run-on"]
    assert "candidate" not in patstone("claims", "degrade", granted, "--criterion", "clarity").out


def test_comparisons_are_as_other_commands_read_them(patstone: Run, granted: str, tmp_path: Path) -> None:
    out = str(tmp_path / "known.jsonl")
    assert patstone("claims", "degrade", granted, "--comparisons", "--identical", "--out", out).code == 0
    rows = [json.loads(line) for line in Path(out).read_text().splitlines()]
    assert {"gold", "a", "b", "criterion", "label"} <= set(rows[0])
    assert {row["label"] for row in rows} == {1, -1}
    assert any(row["gold"] in (row["a"], row["b"]) for row in rows)
    assert (
        patstone("claims", "degrade", granted, "--comparisons", "--identical", "--jsonl").out == Path(out).read_text()
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kind", "blur"], "kind must be one of"),
        (["--criterion", "beauty"], "criterion must be one of"),
        (["--severity", "9"], "severity must be an int in [1, 4]"),
    ],
)
def test_unknown_words_are_usage_errors(patstone: Run, granted: str, words: list[str], said: str) -> None:
    ran = patstone("claims", "degrade", granted, *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
