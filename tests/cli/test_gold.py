"""`patstone gold …` as a user meets it."""

import json
from collections.abc import Callable
from pathlib import Path

from console import Ran

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
