"""`patstone train` as users call it: rows, folders, mistakes, and a kill in the middle."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from console import Ran
from patstone.cli import progress
from patstone.experiments.training import JOURNAL
from topics import write_gold

SMALL = ("--alpha", "20", "--beta", "40", "--runs", "3")
Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_gold(tmp_path_factory.mktemp("gold") / "made.tsv"))


def test_rows_as_json(patstone: Run, gold: str) -> None:
    ran = patstone("train", gold, *SMALL, "--json", "--controls")
    assert ran.code == 0
    page = json.loads(ran.out)
    assert {row["control"] for row in page["results"]} == {"none", "frozen", "random-pick", "pool-only"}
    assert {row["set"] for row in page["results"]} == {"E", "H"}
    assert page["counts"]["positive"] == 50


def test_the_help_names_the_default_model(patstone: Run) -> None:
    assert "(default: kernel-ridge)" in " ".join(patstone("train", "--help").out.split())


def test_the_same_seed_gives_the_same_bytes(patstone: Run, gold: str) -> None:
    first = patstone("train", gold, *SMALL, "--csv", "--seed", "5")
    assert first.out == patstone("train", gold, *SMALL, "--csv", "--seed", "5", "--jobs", "2").out
    assert first.out != patstone("train", gold, *SMALL, "--csv", "--seed", "6").out


def test_people_read_tables_and_what_they_mean(patstone: Run, gold: str) -> None:
    ran = patstone("train", gold, *SMALL, "--protocol", "both", "--model", "naive-bayes", "svm")
    assert "quote that" in ran.out
    assert "random training sets" in ran.out
    assert "Spread of the last F1 over 2 directed arms" in ran.out
    assert "a probability of 0.5" in ran.err


def test_a_folder_keeps_everything_and_a_file_keeps_the_rows(patstone: Run, gold: str, tmp_path: Path) -> None:
    ran = patstone("train", gold, *SMALL, "--out", str(tmp_path / "kept"))
    assert "F1 on H" in ran.out
    kept = {path.name for path in (tmp_path / "kept").iterdir()}
    assert kept >= {"runs.jsonl", "runs.parquet", "growth.parquet", "scores.csv", "table-6.csv", "figure-6.svg"}
    rows = patstone("train", gold, *SMALL, "--out", str(tmp_path / "rows.csv"))
    assert rows.out == ""
    assert (tmp_path / "rows.csv").read_text() == (tmp_path / "kept" / "scores.csv").read_text()
    assert not any(path.name.startswith(".") for path in tmp_path.rglob("*"))


def test_runs_are_kept_where_figures_cannot_be_drawn(
    patstone: Run, gold: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    ran = patstone("train", gold, *SMALL, "--out", str(tmp_path))
    assert ran.code == 0
    assert "No figures were drawn" in ran.err
    assert "patstone[report]" in ran.err
    assert (tmp_path / "runs.parquet").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--resume"], 2, "name it with --out DIR"),
        (["--alpha", "7"], 2, "even int"),
        (["--beta", "4000"], 2, "Choose a smaller beta"),
        (["--model", "oracle"], 2, "Unknown model 'oracle'"),
        (["--protocol", "sideways"], 2, "protocol"),
        (["--model", "no.such:thing"], 2, "can't be imported"),
    ],
)
def test_mistakes(patstone: Run, gold: str, words: list[str], code: int, said: str) -> None:
    ran = patstone("train", gold, *SMALL, *words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_bad_data(patstone: Run, tmp_path: Path) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("family,label\n" + "".join(f"F{unit},{unit % 2}\n" for unit in range(200)))
    ran = patstone("train", str(bare), *SMALL)
    assert (ran.code, ran.out) == (3, "")
    assert "needs titles" in ran.err
    assert patstone("train", str(tmp_path / "missing.tsv")).code == 3


def test_an_earlier_folder_is_neither_lost_nor_mixed_up(patstone: Run, gold: str, tmp_path: Path) -> None:
    assert patstone("train", gold, *SMALL, "--out", str(tmp_path)).code == 0
    again = patstone("train", gold, *SMALL, "--out", str(tmp_path))
    assert again.code == 2
    assert "--resume" in again.err
    other = patstone("train", gold, *SMALL, "--out", str(tmp_path), "--resume", "--seed", "1")
    assert other.code == 3
    assert "another version" in other.err


def test_killed_at_any_moment_it_continues_to_the_same_bytes(patstone: Run, gold: str, tmp_path: Path) -> None:
    """Again and again, at moments of chance, by a signal that no program can catch."""
    words = ["train", gold, "--alpha", "20", "--beta", "60", "--runs", "24", "--model", "svm", "--jsonl"]
    whole = patstone(*words).out
    folder, out, kills = tmp_path / "killed", tmp_path / "rows.jsonl", 0
    for attempt in range(9):
        command = [sys.executable, "-m", "patstone", *words, "--out", str(folder), *resumed(folder)]
        # To a file: a pipe that nobody reads would stop the program when it is full.
        with out.open("w") as stream:
            started = subprocess.Popen(command, stdout=stream, stderr=subprocess.DEVNULL)
        lines = count(folder)
        # Not before the journal has grown, so that the test ends some day; then at once, or a little later.
        while started.poll() is None and count(folder) < lines + 6:
            time.sleep(0.002)
        time.sleep(0.005 * (attempt % 4))
        if started.poll() is None:
            started.send_signal(signal.SIGKILL)
            kills += 1
        if started.wait(timeout=60) == 0:
            break
    assert kills >= 1
    assert (out.read_text(), started.returncode) == (whole, 0)
    runs = [json.loads(line)["run"] for line in (folder / JOURNAL).read_text().splitlines()[1:]]
    assert sorted(runs) == list(range(24))


def resumed(folder: Path) -> list[str]:
    return ["--resume"] if (folder / JOURNAL).exists() else []


def count(folder: Path) -> int:
    journal = folder / JOURNAL
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def seen(finished: Any) -> list[Any]:
    return list(progress.runs_watched(iter(finished), len(finished)))


def test_somebody_who_watches_sees_the_runs_go_by(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert seen("ab") == ["a", "b"]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert seen("ab") == ["a", "b"]
    shown = capsys.readouterr().err.split("\r\x1b[K")
    assert shown[1].startswith("run 1 of 2, ")
    assert shown[1].endswith(" s left")
    assert shown[-1] == ""
