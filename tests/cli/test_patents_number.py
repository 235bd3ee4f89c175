"""`patstone patents number`: rows, context, files, and what is wrong with a call."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran, shell

Run = Callable[..., Ran]


def test_the_rows_are_those_of_the_contract(patstone: Run) -> None:
    ran = patstone("patents", "number", "US10012345", "wo 02/64032 a2", "xyz", "--json")
    assert ran.code == 0
    page = json.loads(ran.out)
    first, second, third = page["results"]
    assert (first["input"], first["ambiguous"], first["canonical"]) == ("US10012345", True, "")
    assert [reading["canonical"] for reading in first["readings"]] == ["US10012345", "US10/012345"]
    assert second["readings"] == [
        {
            "canonical": "WO2002064032A2",
            "country": "WO",
            "number": "2002064032",
            "kind": "A2",
            "role": "publication",
            "date": "",
        }
    ]
    assert (third["readings"], third["ambiguous"]) == ([], False)
    assert third["reason"] == "nothing says which country's number it is"
    assert page["counts"] == {"read": 1, "ambiguous": 1, "unreadable": 1}
    assert ran.err == "patstone: note: numbers: 1 read, 1 ambiguous, 1 unreadable\n"


@pytest.mark.parametrize(
    ("words", "canonical"),
    [
        (["US10012345", "--kind", "b2"], "US10012345B2"),
        (["US10012345", "--date", "2018-07-03"], "US10012345"),
        (["US10012345", "--date", "20011105"], "US10/012345"),
        (["US10012345", "--role", "application"], "US10/012345"),
        (["7 300 979", "--country", "JP", "--kind", "A"], "JPH07300979A"),
    ],
)
def test_context_narrows(patstone: Run, words: list[str], canonical: str) -> None:
    ran = patstone("patents", "number", *words, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["results"][0]["canonical"] == canonical


def test_a_file_and_standard_input(patstone: Run, tmp_path: Path) -> None:
    (tmp_path / "numbers.txt").write_text("EP1234567\n\n  WO 99/12345 A1 \r\n", encoding="utf-8-sig")
    ran = patstone("patents", "number", "CN101481674B", "--file", str(tmp_path / "numbers.txt"), "--csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [row["canonical"] for row in rows] == ["CN101481674B", "EP1234567", "WO1999012345A1"]
    piped = shell("patents", "number", "--file", "-", "--jsonl", stdin="US10012345\n")
    assert [json.loads(line)["canonical"] for line in piped.out.splitlines()] == ["US10012345", "US10/012345"]


def test_what_people_read(patstone: Run) -> None:
    lines = patstone("patents", "number", "US10012345", "EP1234567C1").out.splitlines()
    assert lines[0].split() == ["input", "canonical", "role", "remark"]
    assert lines[2].split() == ["US10012345", "US10012345", "publication", "ambiguous"]
    assert lines[3].split()[:3] == ["US10012345", "US10/012345", "application"]
    assert "EP has no kind C1" in lines[4]


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        ([], "Name the numbers", 2),
        (["US1", "--kind", "grant"], "A kind is a letter", 2),
        (["US1", "--date", "yesterday"], "A date is written", 2),
        (["US1", "--role", "grant"], "invalid choice", 2),
        (["--file", "nowhere.txt"], "no such file", 3),
    ],
)
def test_wrong_calls(patstone: Run, words: list[str], said: str, code: int) -> None:
    ran = patstone("patents", "number", *words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_of_another_encoding_is_refused(patstone: Run, tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes("Nº 1234567".encode("latin-1"))
    ran = patstone("patents", "number", "--file", str(tmp_path / "latin.txt"))
    assert (ran.code, ran.out) == (3, "")
    assert "UTF-8" in ran.err
