"""The Longformer judge on a tiny network: it learns, comes back after kill -9, and its folder is the judge."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from claim_worlds import comparisons
from patstone.errors import DataError
from patstone.experiments.judge_training.loss import Margins, loss
from patstone.experiments.judge_training.material import Material, prepare
from patstone.experiments.judge_training.neural import NeuralPlan, TrainedNetwork, _Cell, readable, train_network
from patstone.experiments.judge_training.train import Plan
from patstone.systems.judges.judge import judged
from patstone.systems.judges.learned import CARD
from patstone.systems.judges.longformer import LongformerJudge, Network
from patstone.systems.judges.registry import find_judge

pytestmark = pytest.mark.neural


def plan(encoder: str, *, epochs: int = 2, multi_task: bool = False, texts: str | None = None) -> NeuralPlan:
    small = Plan(
        model="longformer", multi_task=multi_task, margins=(0.2,), tolerances=(0.05,), epochs=epochs, patience=9
    )
    return NeuralPlan(plan=small, encoder=encoder, rate=1e-3, batch=8, texts=texts)


@pytest.fixture(scope="module")
def material() -> Material:
    return prepare(comparisons(40, noise=0.0))


@pytest.fixture(scope="module")
def trained(longformer: str, material: Material, tmp_path_factory: pytest.TempPathFactory) -> TrainedNetwork:
    one = replace(material, criteria=("completeness",), labels=material.labels[:, :1])
    folder = tmp_path_factory.mktemp("trained") / "judge"
    return train_network(one, plan(longformer, epochs=12), folder)


def test_it_learns(trained: TrainedNetwork) -> None:
    test = next(row for row in trained.rows if row.stage == "test")
    assert test.value > 0.3
    assert not test.collapsed


def test_the_loss_is_the_one_that_is_checked_by_hand(longformer: str, material: Material, tmp_path: Path) -> None:
    margins = Margins(margin=0.2, tolerance=0.05)
    asked = plan(longformer)
    cell = _Cell(
        material=material, asked=asked, model="longformer", encoder=longformer, task=("clarity",), margins=margins,
        folder=tmp_path,
    )  # fmt: skip
    network = Network.of(longformer, 1)
    network.encoder.eval()
    rows = np.arange(6)
    scores = network.scores(material.golds, material.candidates)
    gap = scores[material.a[rows]] - scores[material.b[rows]]
    cost = float(cell._cost(network, rows).detach())
    assert cost == pytest.approx(loss(gap, material.labels[rows][:, 1:], margins)[0], abs=1e-6)


def test_the_folder_is_the_judge_and_transformers_loads_it(trained: TrainedNetwork, material: Material) -> None:
    from transformers import AutoModel

    folder = trained.judge.networks[0].encoder.config._name_or_path
    found = find_judge(folder)
    assert isinstance(found, LongformerJudge)
    marks = judged(found, material.preferences)
    assert marks.criteria == ("completeness",)
    assert ((marks.a > 0) & (marks.a < 1)).all()
    assert AutoModel.from_pretrained(folder).config.hidden_size == 32
    assert "longformer" in (Path(folder) / "README.md").read_text()
    assert not (Path(folder) / "cells").exists()


def test_one_encoder_for_all_criteria_or_one_for_each(longformer: str, material: Material, tmp_path: Path) -> None:
    for multi, folders in ((True, ["."]), (False, ["completeness", "clarity"])):
        found = train_network(material, plan(longformer, epochs=1, multi_task=multi), tmp_path / str(multi))
        assert [row.stage for row in found.rows].count("test") == 2
        assert all((tmp_path / str(multi) / folder / "config.json").exists() for folder in folders)
        marks = judged(find_judge(str(tmp_path / str(multi))), material.preferences)
        assert marks.a.shape == (len(material.preferences), 2)


def test_text_over_the_context_is_an_error_or_left_out_and_counted(longformer: str, material: Material) -> None:
    network = Network.of(longformer, 1)
    network.encoder.config.max_position_embeddings = 60
    lengths = network.lengths(material.golds, material.candidates)
    assert min(lengths) < network.room < max(lengths)
    with pytest.raises(DataError, match="Text over the context"):
        readable(material, network, "error")
    fewer, notes = readable(material, network, "drop")
    assert 0 < len(fewer.a) < len(material.a)
    assert len(fewer.preferences) == len(fewer.labels) == len(fewer.part) == len(fewer.a)
    assert "left out" in notes[0]
    judge = LongformerJudge(name="j", criteria=(), networks=(network,), card={})
    with pytest.raises(DataError, match="reads 58"):
        judge.score(["a rotor"], ["a rotor " * 60])


def test_pretraining_is_compared_with_none(longformer: str, material: Material, tmp_path: Path) -> None:
    texts = tmp_path / "patents"
    texts.mkdir()
    for place, text in enumerate(material.golds[:20]):
        (texts / f"{place}.txt").write_text(text)
    asked = plan(longformer, epochs=1, multi_task=True, texts=str(texts))
    found = train_network(material, asked, tmp_path / "judge")
    assert {row.model for row in found.rows if row.stage == "sweep"} == {"longformer", "longformer+pretrained"}
    with pytest.raises(DataError, match="no text files"):
        train_network(material, replace(asked, texts=str(tmp_path / "none")), tmp_path / "other")


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[3])
from claim_worlds import comparisons
from patstone.experiments.judge_training.material import prepare
from patstone.experiments.judge_training.neural import NeuralPlan, train_network
from patstone.experiments.judge_training.train import Plan
plan = Plan(model="longformer", multi_task=True, margins=(0.2,), tolerances=(0.05,), epochs=4, patience=9)
train_network(prepare(comparisons(15)), NeuralPlan(plan=plan, encoder=sys.argv[2], rate=1e-3), sys.argv[1], resume=True)
"""


def test_a_training_that_was_killed_goes_on_and_ends_alike(longformer: str, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    here, folders = str(Path(__file__).parents[1]), [tmp_path / name / "judge" for name in ("whole", "cut")]
    words = [[sys.executable, "-c", SCRIPT, str(folder), longformer, here] for folder in folders]
    subprocess.run(words[0], check=True)
    running = subprocess.Popen(words[1])
    while running.poll() is None and not list(folders[1].glob("cells/*/checkpoint.pt")):
        time.sleep(0.02)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert not (folders[1] / CARD).exists()
    subprocess.run(words[1], check=True)
    assert (folders[0] / CARD).read_bytes() == (folders[1] / CARD).read_bytes()
    one, other = (load_file(str(folder / "model.safetensors")) for folder in folders)
    assert all((one[name] == other[name]).all() for name in one)


def test_any_encoder_is_an_embedding_judge_whatever_it_reads(bert: str) -> None:
    judge = find_judge(f"embedding:{bert}")
    # Twenty-four positions, forty words: windows, and nothing cut off.
    long = "a rotor ; a housing ; " * 7
    scores = judge.score([long, long], [long, "a seal ;"])
    assert scores[0] == pytest.approx(1)
    assert scores[1] < scores[0]


def test_a_missing_encoder_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="can't be loaded"):
        Network.of(tmp_path, 1)
