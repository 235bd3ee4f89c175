"""`patstone claims meta`: the rows of the contract, the same numbers for the same seed, warnings by themselves."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran

Run = Callable[..., Ran]
WORDS = ("housing", "rotor", "seal", "spring", "valve", "sensor", "shaft")


@pytest.fixture
def comparisons(tmp_path: Path) -> str:
    """The longer part of the gold wins; one candidate in five is the gold."""
    rng, found = random.Random(1), []
    for gold in range(12):
        elements = [f"a {word} {gold}" for word in WORDS]
        texts = ["1. A device comprising: " + "; ".join(elements[:size]) + "." for size in (2, 4, 5, 7)]
        for one, other in ((0, 1), (2, 1), (3, 0), (1, 2)):
            quality = rng.choice([0, (one > other) * 2 - 1, (one > other) * 2 - 1])
            labels = {"Quality": quality, "clarity": rng.choice([-1, 0, 1])}
            found.append({"gold_claim": texts[3], "A": texts[one], "B": texts[other], "human_eval": labels})
    path = tmp_path / "comparisons.json"
    path.write_text(json.dumps(found))
    return str(path)


def test_the_rows(patstone: Run, comparisons: str) -> None:
    words = ["claims", "meta", comparisons, "--judge", "ROUGE-L", "edit", "--resamples", "100", "--json"]
    ran = patstone(*words)
    found = json.loads(ran.out)
    row = found["results"][0]
    assert list(row) == ["judge", "criterion", "subset", "statistic", "predictions", "value", "ci", "pairs", "golds"]
    assert (row["judge"], row["criterion"], row["subset"], row["statistic"]) == ("ROUGE-L", "clarity", "all", "tau_b")
    assert {each["judge"] for each in found["results"]} >= {"ROUGE-L", "edit", "control:length", "control:identical"}
    assert {each["subset"] for each in found["results"]} == {"all", "not-identical"}
    assert found["differences"][0].keys() >= {"a", "b", "difference", "ci", "p", "p_adjusted"}
    assert found["counts"]["golds"] == 12
    assert len(found["warnings"]) == ran.err.count("patstone: note:")
    assert patstone(*words).out == ran.out


def test_kinds_of_predictions_have_tables_of_their_own(patstone: Run, comparisons: str) -> None:
    out = patstone("claims", "meta", comparisons, "--judge", "edit", "--resamples", "50", "--markdown").out
    tables = out.split("**")
    assert [title for title in tables if "predictions (" in title] == tables[1:4:2]
    assert "accuracy3" not in tables[2]
    assert "accuracy3" in tables[4]


def test_training_data_that_recur_in_the_test_are_named(patstone: Run, comparisons: str) -> None:
    ran = patstone("claims", "meta", comparisons, "--judge", "edit", "--resamples", "50", "--trained-on", comparisons)
    assert "--trained-on was trained on 12 of these 12 golds" in ran.err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--tie-band", "wide"], 2, "'cross' or a number"),
        (["--tie-band", "-1"], 2, "must be 'cross' or a number"),
        (["--trained-on", "none.json"], 3, "no such file"),
    ],
)
def test_mistakes(patstone: Run, comparisons: str, words: list[str], code: int, message: str) -> None:
    ran = patstone("claims", "meta", comparisons, *words)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err
