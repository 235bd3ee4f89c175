"""`patstone gold map`, with a layout that stands in for UMAP, which no test needs installed."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from console import Ran
from topics import write_gold

Run = Callable[..., Ran]


class Plane:
    """Lays units out by their first two numbers, and remembers how it was asked."""

    asked: dict[str, Any] = {}  # noqa: RUF012 - the test looks at it

    def __init__(self, **words: Any) -> None:
        Plane.asked = words

    def fit_transform(self, vectors: Any) -> Any:
        return np.asarray(vectors)[:, :2]


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(sys.modules, "umap", SimpleNamespace(UMAP=Plane))
    return str(write_gold(tmp_path / "made.tsv"))


def test_as_many_of_each_class_with_the_papers_constants(patstone: Run, gold: str) -> None:
    ran = patstone("gold", "map", gold, "--each", "30", "--json")
    page = json.loads(ran.out)
    assert [row["label"] for row in page["results"]] == ["positive"] * 30 + ["negative"] * 30
    assert len({row["unit"] for row in page["results"]}) == 60
    assert (Plane.asked["n_neighbors"], Plane.asked["min_dist"], Plane.asked["metric"]) == (5, 0.5, "euclidean")
    assert ran.out == patstone("gold", "map", gold, "--each", "30", "--json").out
    assert ran.out != patstone("gold", "map", gold, "--each", "30", "--json", "--seed", "1").out


def test_titles_of_one_class_lie_together(patstone: Run, gold: str) -> None:
    rows = json.loads(patstone("gold", "map", gold, "--json").out)["results"]
    places = {
        label: np.array([[row["x"], row["y"]] for row in rows if row["label"] == label])
        for label in ("positive", "negative")
    }
    gap = np.linalg.norm(places["positive"].mean(axis=0) - places["negative"].mean(axis=0))
    assert gap > 0.2


def test_those_without_a_title_are_counted(patstone: Run, gold: str) -> None:
    path = Path(gold)
    lines = path.read_text().splitlines()
    lines[-1] = "negative\tF149\tEP149A1\t\t2001-02-03"
    path.write_text("\n".join(lines) + "\n")
    ran = patstone("gold", "map", gold, "--json")
    assert json.loads(ran.out)["counts"]["without"] == 1
    assert "1 units have nothing to be placed by" in ran.err


def test_a_figure_is_two_files(patstone: Run, gold: str, tmp_path: Path) -> None:
    assert patstone("gold", "map", gold, "--figure", str(tmp_path / "map"), "--quiet").code == 0
    assert (tmp_path / "map.svg").read_text().startswith("<svg")
    assert (tmp_path / "map.png").exists()


def test_mistakes_and_what_is_not_installed(patstone: Run, gold: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert patstone("gold", "map", gold, "--each", "0").code == 2
    assert patstone("gold", "map", gold, "--neighbours", "150").code == 3
    monkeypatch.setitem(sys.modules, "umap", None)
    ran = patstone("gold", "map", gold)
    assert ran.code == 4
    assert "patstone[map]" in ran.err
