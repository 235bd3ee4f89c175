"""Training finds what labels go by, tells its failures, survives kill -9, and repeats itself for the same seed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from claim_worlds import comparisons
from patstone.errors import DataError, UsageError
from patstone.experiments.judge_training.loss import Margins
from patstone.experiments.judge_training.material import prepare
from patstone.experiments.judge_training.signs import conflicts, shape, signs
from patstone.experiments.judge_training.train import Plan, Trained, train
from patstone.gold.preferences import Preferences, text_key
from patstone.systems.judges.judge import judged
from patstone.systems.judges.learned import CARD, Boosted, load
from patstone.systems.judges.registry import find_judge


def one_cell(kind: str = "linear", *, epochs: int, multi_task: bool = False) -> Plan:
    return Plan(model=kind, multi_task=multi_task, margins=(0.2,), tolerances=(0.05,), epochs=epochs)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def world() -> Preferences:
    return comparisons(40)


def value(trained: Trained, criterion: str) -> float:
    return next(row.value for row in trained.rows if row.stage == "test" and row.criterion == criterion)


@pytest.mark.parametrize("kind", ["linear", "boosted"])
@pytest.mark.parametrize("multi", [False, True])
def test_what_labels_go_by_is_learned(kind: str, multi: bool, world: Preferences, tmp_path: Path) -> None:
    plan = one_cell(kind, multi_task=multi, epochs=150)
    trained = train(prepare(world), plan, tmp_path / "judge")
    assert value(trained, "completeness") > 0.5
    assert value(trained, "clarity") > 0.4
    assert len(trained.judge.models) == (1 if multi else 2)


@pytest.mark.parametrize("kind", ["linear", "boosted"])
def test_the_folder_is_the_judge(kind: str, world: Preferences, tmp_path: Path) -> None:
    trained = train(prepare(world), one_cell(kind, epochs=30), tmp_path / "judge")
    found = find_judge(str(tmp_path / "judge"))
    one, other = judged(found, world, explain=True), judged(trained.judge, world)
    np.testing.assert_allclose(one.a, other.a, rtol=0, atol=1e-12)
    assert ((one.a > 0) & (one.a < 1)).all()
    assert one.criteria == ("completeness", "clarity")
    assert text_key(world.texts[world.gold[0]]) in one.seen
    assert len(one.drivers_a[0]) == len(json.loads((tmp_path / "judge" / CARD).read_text())["features"])
    assert "tau_b (continuous)" in (tmp_path / "judge" / "README.md").read_text()


def test_boosted_trees_are_scikit_learns(world: Preferences, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    model = train(prepare(world), one_cell("boosted", epochs=3), tmp_path / "judge").judge.models[0]
    assert isinstance(model, Boosted)
    for tree in model.trees:
        leaves = tree.feature < 0
        assert (tree.left[leaves] < 0).all()
        assert (tree.at(np.zeros((1, 40)))[0] == tree.value[leaves]).any()


def test_the_sweep_has_a_row_for_each_cell(world: Preferences, tmp_path: Path) -> None:
    plan = Plan(margins=(0.1, 0.5), tolerances=(0.01, 0.1), epochs=20)
    rows = train(prepare(world, ["clarity"]), plan, tmp_path / "judge").rows
    assert [(row.margin, row.tolerance) for row in rows if row.stage == "sweep"] == [
        (0.1, 0.01), (0.1, 0.1), (0.5, 0.01), (0.5, 0.1),
    ]  # fmt: skip
    assert [row.stage for row in rows][-1] == "test"


def test_the_same_seed_gives_the_same_bytes(world: Preferences, tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        train(prepare(world), one_cell("boosted", epochs=20), tmp_path / name)
        texts.append((tmp_path / name / CARD).read_bytes())
    assert texts[0] == texts[1]


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[2])
from claim_worlds import comparisons
from patstone.experiments.judge_training.material import prepare
from patstone.experiments.judge_training.train import Plan, train
train(prepare(comparisons(40)), Plan(epochs=60), sys.argv[1], resume=True)
"""


def test_a_training_that_was_killed_goes_on_and_ends_alike(tmp_path: Path) -> None:
    words = [sys.executable, "-c", SCRIPT]
    here = str(Path(__file__).parents[2])
    subprocess.run([*words, str(tmp_path / "whole" / "judge"), here], check=True)
    cells = tmp_path / "cut" / "judge" / "cells.jsonl"
    running = subprocess.Popen([*words, str(cells.parent), here])
    while running.poll() is None and (not cells.exists() or cells.read_text().count("\n") < 2):
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert not (cells.parent / CARD).exists()
    # The kill may also fall into the middle of a line.
    with cells.open("a") as broken:
        broken.write('{"key": "half')
    subprocess.run([*words, str(cells.parent), here], check=True)
    assert (cells.parent / CARD).read_bytes() == (tmp_path / "whole" / "judge" / CARD).read_bytes()
    assert not cells.exists()


def test_a_judge_is_not_written_over(world: Preferences, tmp_path: Path) -> None:
    material = prepare(world)
    train(material, one_cell(epochs=2), tmp_path)
    with pytest.raises(UsageError, match="There is a judge in"):
        train(material, one_cell(epochs=2), tmp_path)


@pytest.mark.parametrize("wrong", [{"margins": (0.0,)}, {"tolerances": (1.5,)}, {"margins": ()}, {"epochs": 0}])
def test_impossible_plans(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="--"):
        Plan(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "[]", '{"format": 2}', '{"format": 1}', '{"format": 1, "features": ["other"]}'])
def test_a_damaged_judge_is_one_error(text: str, tmp_path: Path) -> None:
    (tmp_path / CARD).write_text(text)
    with pytest.raises(DataError, match="judge"):
        load(tmp_path)


MARGINS = Margins(margin=0.2, tolerance=0.05)


def test_collapse_is_named() -> None:
    labels = np.array([1.0, -1, 0, 1])
    found = shape(np.full(8, 0.5), np.zeros(4), labels, MARGINS)
    assert found["loss"] == found["constant_loss"] == pytest.approx(0.15)
    assert next(iter(signs("clarity", found))).startswith("collapse: clarity")


def test_ties_that_are_predicted_too_often_are_named() -> None:
    rng = np.random.default_rng(0)
    gap = np.where(np.arange(100) < 80, 0.01, 0.5)
    found = shape(rng.uniform(size=50), gap, np.where(np.arange(100) < 50, 0.0, 1.0), MARGINS)
    assert list(signs("clarity", found)) == [
        "ties over-predicted: clarity: 80% of pairs lie within the tolerance and 50% are labelled equal"
    ]


def test_criteria_in_conflict_are_named() -> None:
    rising, falling = np.linspace(0.1, 0.5, 10), np.linspace(0.4, 0.1, 10)
    history = np.stack([rising, falling], axis=1).tolist()
    assert list(conflicts(["completeness", "clarity"], history)) == [
        "criteria in conflict: clarity fell while completeness rose"
    ]
    assert list(conflicts(["completeness", "clarity"], np.stack([rising, rising], axis=1).tolist())) == []
