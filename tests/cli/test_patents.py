"""`patents convert` and `patents info` as a user sees them."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

from collections_made import grants, table
from console import Ran

Run = Callable[..., Ran]


def test_the_profile_in_every_format(patstone: Run, tmp_path: Path) -> None:
    source = table(tmp_path / "some.jsonl", {"number": "EP1000001A1", "date": "2000-10-11"}, {"number": "nonsense"})
    out = str(tmp_path / "collection")
    made = patstone("patents", "convert", str(source), "--out", out)
    assert made.code == 0
    assert "collection, as of 2000-10-11" in made.out
    assert "files and documents that could not be read: 1; " in made.err
    assert "rejected.jsonl lists them" in made.err
    shown = patstone("patents", "info", out)
    assert shown.out == made.out
    told = json.loads(patstone("patents", "info", out, "--json").out)
    assert {"table": "documents", "by": "year", "value": "2000", "rows": 1} in told["results"]
    assert told["counts"]["rejected"] == 1
    assert told["sources"][0]["file"] == str(source)
    rows = list(csv.DictReader(io.StringIO(patstone("patents", "info", out, "--csv").out)))
    assert [row["value"] for row in rows if row["by"] == "country"] == ["EP"]


def test_damage_is_a_failed_check(patstone: Run, tmp_path: Path) -> None:
    out = tmp_path / "collection"
    assert patstone("patents", "convert", *map(str, grants(tmp_path, 1)), "--out", str(out)).code == 0
    assert patstone("patents", "info", str(out), "--check").code == 0
    (out / "rejected.jsonl").write_text("{}\n")
    ran = patstone("patents", "info", str(out), "--check")
    assert ran.code == 1
    assert "documents by country" in ran.out
    assert "not what was written: rejected.jsonl" in ran.err


def test_errors_are_one_line(patstone: Run, tmp_path: Path) -> None:
    for words, code in [
        (["convert", "nothere"], 3),
        (["convert", "--out", "x"], 2),
        (["convert", str(tmp_path), "--format", "odd"], 2),
        (["info", str(tmp_path)], 3),
    ]:
        ran = patstone("patents", *words)
        assert (ran.code, ran.out) == (code, "")
        assert ran.err.count("\n") == 1
