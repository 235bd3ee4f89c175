"""Measures of classifiers: golden values, scikit-learn as the oracle, and what every card must say."""

import tomllib
from collections import Counter
from math import nan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as oracle

from patstone import api
from patstone.measures.binary import BINARY, Counts, Levels

GOLDEN = Path(__file__).parents[1] / "golden/binary/counts.toml"
EXAMPLES: list[dict[str, Any]] = tomllib.loads(GOLDEN.read_text(encoding="utf-8"))["example"]
ORACLES = {
    "precision": lambda true, said: oracle.precision_score(true, said, zero_division=0),
    "recall": oracle.recall_score,
    "F1": oracle.f1_score,
    "accuracy": oracle.accuracy_score,
    "specificity": lambda true, said: oracle.recall_score(true, said, pos_label=0),
    "balanced_accuracy": oracle.balanced_accuracy_score,
    "MCC": oracle.matthews_corrcoef,
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each['measure']}: {each['why']}")
def test_golden_values(example: dict[str, Any]) -> None:
    wanted = eval(example["value"], {"__builtins__": {}}, {"sqrt": sqrt, "nan": nan})  # noqa: S307 - our own file
    kernel = BINARY[example["measure"]].kernel
    if "counts" in example:
        tp, fp, fn, tn = (np.array(cell, dtype=np.float64) for cell in example["counts"])
        found = kernel(Counts(tp=tp, fp=fp, fn=fn, tn=tn))
    else:
        found = kernel(Levels.of(np.array(example["scores"]), np.array(example["positive"], dtype=np.bool_)))[0]
    assert float(found) == pytest.approx(wanted, rel=1e-12, nan_ok=True)


def test_every_measure_has_two_golden_values_or_more() -> None:
    seen = Counter(example["measure"] for example in EXAMPLES)
    assert {name for name in BINARY if seen[name] >= 2} == {*BINARY} - {"specificity"}


@pytest.mark.parametrize("name", ORACLES)
def test_counts_agree_with_scikit_learn(name: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        true, said = rng.random((2, 40)) < rng.random((2, 1)) * 0.9 + 0.05
        true[:2], said[:2] = (True, False), (True, False)
        found = BINARY[name].kernel(Counts.of(said, true))
        assert float(found) == pytest.approx(ORACLES[name](true, said), rel=1e-12)


@pytest.mark.parametrize(("name", "theirs"), [("AUC", oracle.roc_auc_score), ("AP", oracle.average_precision_score)])
def test_scores_agree_with_scikit_learn_ties_and_weights_included(name: str, theirs: Any) -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        true, scores = rng.random(30) < 0.4, rng.integers(0, 8, 30) / 8
        true[:2] = True, False
        weights = rng.integers(1, 4, (3, 30)).astype(np.float64)
        found = BINARY[name].kernel(Levels.of(scores, true, weights))
        wanted = [theirs(true, scores, sample_weight=row) for row in weights]
        assert found == pytest.approx(wanted, rel=1e-12)


def test_kernels_take_thousands_of_matrices_at_once() -> None:
    cells = np.random.default_rng(3).integers(0, 9, (4, 7, 5)).astype(np.float64)
    counts = Counts(tp=cells[0], fp=cells[1], fn=cells[2], tn=cells[3])
    for name in ORACLES:
        assert BINARY[name].kernel(counts).shape == (7, 5)


@pytest.mark.parametrize("name", BINARY)
def test_the_card_is_complete_and_listed(name: str) -> None:
    card = BINARY[name]
    assert min(map(len, (card.title, card.formula, card.reference, card.undefined))) >= 4
    assert card in api.measures(name)
    assert card in api.measures()


def test_a_name_of_two_measures_shows_both() -> None:
    assert [card.section for card in api.measures("AP")][-1] == "Classifiers"
    assert len(api.measures("AP")) == 2
