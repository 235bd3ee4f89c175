"""`patstone claims train` from a file to a judge that `claims score` and `claims meta` take by its folder."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran

Run = Callable[..., Ran]


@pytest.fixture
def data(tmp_path: Path) -> str:
    rng, found = random.Random(2), []
    for gold in range(15):
        elements = [f"a part {letter}{gold}" for letter in "abcdef"]
        texts = ["1. A device comprising: " + "; ".join(elements[:size]) + "." for size in (1, 3, 6)]
        for one, other in ((0, 1), (1, 2), (2, 0)):
            label = 0 if rng.random() < 0.1 else 1 if one > other else -1
            found.append({"gold_claim": texts[2], "A": texts[one], "B": texts[other], "human_eval": {"Quality": label}})
    path = tmp_path / "comparisons.json"
    path.write_text(json.dumps(found))
    return str(path)


def test_from_comparisons_to_a_judge(patstone: Run, data: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "mine")
    words = [
        "claims",
        "train",
        "--data",
        data,
        "--save",
        folder,
        "--margin",
        "0.2",
        "--tolerance",
        "0.05",
        "--epochs",
        "60",
    ]
    found = json.loads(patstone(*words, "--json").out)
    assert [row["stage"] for row in found["results"]] == ["sweep", "test"]
    assert found["results"][1]["value"] > 0.5
    assert found["counts"]["train"] > found["counts"]["test"] > 0
    scored = json.loads(patstone("claims", "score", data, "--judge", folder, "--json").out)
    assert scored["results"][0]["judge"] == "mine"
    assert "|parameters:" in scored["signature"]["mine"]
    told = patstone("claims", "meta", data, "--judge", folder, "edit", "--resamples", "50", "--json")
    assert "judge mine was trained on 15 of these 15 golds" in told.err
    assert patstone(*words).code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--criteria", "clarity"], "no labels for clarity"),
        (["--margin", "2"], "--margin must be numbers in (0, 1)"),
        (["--validation", "0.9"], "--validation"),
    ],
)
def test_mistakes(patstone: Run, data: str, tmp_path: Path, words: list[str], message: str) -> None:
    ran = patstone("claims", "train", "--data", data, "--save", str(tmp_path / "mine"), *words)
    assert ran.code == 2
    assert message in ran.err
