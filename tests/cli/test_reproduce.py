"""`patstone reproduce`: a list, rows with verdicts, and exit code 1 on a miss."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from console import Ran
from patstone.experiments.reproduce import registry
from patstone.experiments.reproduce.registry import Given, PaperTable, Row, declare, tables

Run = Callable[..., Ran]


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A paper with a good and a bad table, and one without its data."""
    tables()
    monkeypatch.setattr(registry, "_TABLES", dict(registry._TABLES))

    @declare(paper="paper0", name="good", title="A good one")
    def good(table: PaperTable, given: Given) -> Iterator[Row]:
        yield table.held("a", "AP", 0.5, 0.5 + given.seed, 0.0)

    @declare(paper="paper0", name="poor", title="One that needs data", needs="data.csv in --data")
    def poor(table: PaperTable, given: Given) -> Iterator[Row]:
        yield table.shown(given.file("data.csv").name, "AP", 1.0)


def test_without_a_name_it_lists_what_there_is(patstone: Run) -> None:
    ran = patstone("reproduce", "--json")
    rows = {row["table"]: row for row in json.loads(ran.out)["results"]}
    assert ran.code == 0
    assert "--data" in rows["paper2.table1"]["needs"]


@pytest.mark.usefixtures("made_up")
def test_rows_have_the_stable_keys(patstone: Run) -> None:
    ran = patstone("reproduce", "paper0", "--json")
    answer = json.loads(ran.out)
    assert ran.code == 0
    assert answer["results"][0] == {
        "paper": "paper0",
        "table": "good",
        "row": "a",
        "measure": "AP",
        "published": 0.5,
        "ours": 0.5,
        "tolerance": 0.0,
        "verdict": "pass",
    }
    assert answer["counts"] == {"pass": 1, "miss": 0, "shown": 0, "not run": 1}
    assert "paper0.poor was not run: it needs data.csv" in ran.err


@pytest.mark.usefixtures("made_up")
def test_a_miss_is_printed_and_ends_with_1(patstone: Run) -> None:
    ran = patstone("reproduce", "paper0.good", "--seed", "1")
    assert ran.code == 1
    assert "miss" in ran.out
    assert ran.err == "patstone: error: 1 of 1 values are outside their tolerance.\n"


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(("name", "message"), [("paper0.poor", "data.csv: name the folder"), ("x", "no 'x' to repro")])
def test_what_can_not_be_run_is_one_line(patstone: Run, name: str, message: str) -> None:
    ran = patstone("reproduce", name)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_charts_are_drawn_and_tables_laid_out_as_in_the_paper(patstone: Run, tmp_path: Path) -> None:
    ran = patstone("reproduce", "paper5.figures5-6", "--charts", str(tmp_path / "charts"))
    assert ran.code == 0, ran.err
    assert re.search(r"^0\.1 +0\.\d+ +0\.\d+$", ran.out, flags=re.MULTILINE)
    assert [path.name for path in (tmp_path / "charts").iterdir()] == ["paper5.figures5-6.svg"]
    assert "coverage at 0.1" in (tmp_path / "charts" / "paper5.figures5-6.svg").read_text()


def test_a_collection_of_ones_own(patstone: Run, tmp_path: Path) -> None:
    ran = patstone("reproduce", "paper3", "--dataset", str(tmp_path))
    assert ran.code == 3
    assert "A test collection is a folder" in ran.err
