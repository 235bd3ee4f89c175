"""Ranked and assigned classes from every layout."""

from pathlib import Path

import pytest

from patstone.errors import DataError
from patstone.files import ids
from patstone.systems.run import Run
from patstone.systems.sources import open_run

LINES = "JP1 2C088 AA02 yes\nJP1 2C088 AA01 no\nJP2 2C088 BA Y\n"


def content(run: Run) -> dict[str, list[tuple[str, bool | None]]]:
    docs = ids.texts(run.docs)
    flags = [None] * len(docs) if run.assigned is None else run.assigned.tolist()
    bounds = zip(run.topics, run.starts[:-1].tolist(), run.starts[1:].tolist(), strict=True)
    found = {}
    for topic, low, high in bounds:
        order = sorted(range(low, high), key=lambda row: -run.scores[row])
        found[topic] = [(docs[row], flags[row]) for row in order]
    return found


FLAGGED = {"JP1/2C088": [("AA02", True), ("AA01", False)], "JP2/2C088": [("BA", True)]}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", LINES),
        ("a.res", "JP1 2C088 AA01 no 0.5\nJP1 2C088 AA02 yes 0.75\nJP2 2C088 BA 1 0.1\n"),
        ("a.txt", "JP1 2C088 AA02 yes\nJP2 2C088 BA true\nJP1 2C088 AA01 0\n"),
        ("a.csv", "patent,theme,f_term,rank,flag\nJP1,2C088,AA01,2,no\nJP1,2C088,AA02,1,yes\nJP2,2C088,BA,1,yes\n"),
    ],
)
def test_every_layout_says_the_same(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert content(open_run(tmp_path / name).whole()) == FLAGGED


def test_a_list_in_a_cell_is_ranked_by_its_order(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"document":"EP1","cpc":["B60K","A01B"]}\n{"document":"EP2","cpc":[]}\n')
    run = open_run(tmp_path / "a.jsonl").whole()
    assert content(run) == {"EP1": [("B60K", None), ("A01B", None)], "EP2": []}
    assert "ranked by order of rows" in run.notes[0]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "JP1 2C088 AA01 yes\nJP1 2C088 AA02 perhaps\n", "line 2: A flag says yes or no.*'perhaps'"),
        ("a.csv", "patent,cpc,score\nEP1,A01B,1\nEP2,A01B;B60K,2\n", "line 3: A table with a column 'score' has one"),
        ("a.txt", "JP1 2C088 AA01 yes high\n", "line 1: .*number"),
    ],
)
def test_what_is_wrong_is_named(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=message):
        open_run(tmp_path / name).whole()
