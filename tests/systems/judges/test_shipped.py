"""The judge in the wheel: what must hold for any such judge, on invented claims and on odd texts."""

import json
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest

from patstone.gold.degrading import degrade
from patstone.gold.degrading.degrading import as_text
from patstone.gold.degrading.inventing import invented
from patstone.gold.degrading.kinds import KINDS
from patstone.systems.judges.registry import find_judge
from patstone.systems.judges.shipped import FEATURES, LIKENESS, RECALL, USED, features, shipped

GOLDS = [as_text(invented(seed)) for seed in range(6)]
ODD = [
    "",
    "x",
    "1.",
    "No claims at all",
    "1. A cup.\n1. A cup.\n9. The cup of claim 77",
    "請求項1に記載の装置。",
    "\ud800 1. A",
]
CRITERIA = tuple(USED)


def test_the_model_is_small_and_holds_numbers_only() -> None:
    path = files("patstone.systems.judges") / "shipped.json"
    text = path.read_text(encoding="utf-8")
    model = json.loads(text)
    assert len(text) < 100_000
    assert set(model["weights"]) == set(CRITERIA)
    for criterion, weights in model["weights"].items():
        assert set(weights) == set(USED[criterion])
        assert all(weight >= 0 for weight in weights.values())
        assert sum(weights.values()) == pytest.approx(1, abs=0.002)
        if criterion != "completeness":
            assert sum(weights[name] for name in LIKENESS) >= 0.39


def test_completeness_uses_only_what_no_deletion_can_raise() -> None:
    assert set(USED["completeness"]) == set(RECALL)


@pytest.mark.parametrize("kind", KINDS)
def test_the_gold_itself_is_best(kind: str) -> None:
    judge = shipped()
    for seed, gold in enumerate(GOLDS):
        worse = degrade(gold, kind, severity=1, seed=seed)
        if not worse.changes:
            continue
        same, other = judge.score([gold, gold], [gold, worse.text])
        assert same == pytest.approx(1, abs=0.002)
        assert (other <= same + 1e-12).all()
        assert other[CRITERIA.index("overall")] < same[CRITERIA.index("overall")]


def test_nothing_scores_more_than_the_gold() -> None:
    judge = shipped()
    candidates = [*GOLDS, *ODD, f"{GOLDS[0]}\n{GOLDS[1]}", GOLDS[0].upper(), GOLDS[0][: len(GOLDS[0]) // 2]]
    for gold in GOLDS[:3]:
        best = judge.score([gold], [gold])[0]
        scores = judge.score([gold] * len(candidates), candidates)
        assert np.isfinite(scores).all()
        assert (scores <= best + 1e-12).all()
        assert (scores >= 0).all()


@pytest.mark.parametrize("kind", ["drop-element", "drop-claim", "weaken-element"])
def test_taking_things_out_never_helps_completeness(kind: str) -> None:
    """Of the gold, and of candidates that are something else already."""
    judge, column = shipped(), CRITERIA.index("completeness")
    for seed, gold in enumerate(GOLDS):
        for start in (gold, degrade(gold, "pad", severity=4, seed=seed).text, GOLDS[seed - 1]):
            texts = [start, *(degrade(start, kind, severity=severity, seed=seed).text for severity in (1, 2, 3, 4))]
            scores = judge.score([gold] * len(texts), texts)[:, column]
            assert (np.diff(scores) <= 1e-12).all()


def test_a_score_does_not_depend_on_its_neighbours() -> None:
    judge = shipped()
    candidates = [GOLDS[1], degrade(GOLDS[0], "run-on", severity=3).text, GOLDS[0]]
    together = judge.score([GOLDS[0]] * 3, candidates)
    turned = judge.score([GOLDS[0]] * 3, candidates[::-1])[::-1]
    assert (together == turned).all()
    assert (together[1] == judge.score([GOLDS[0]], [candidates[1]])[0]).all()


def test_features_are_1_for_the_gold_and_within_0_and_1() -> None:
    for gold in [*GOLDS[:2], *ODD]:
        assert features(gold, gold) == dict.fromkeys(FEATURES, 1.0)
        for other in (*GOLDS[:3], *ODD):
            found = features(gold, other)
            assert set(found) == set(FEATURES)
            assert all(0 <= value <= 1 for value in found.values()), found


def test_white_space_does_not_count() -> None:
    assert (
        shipped().score([GOLDS[0]], [GOLDS[0].replace(" ", "  ") + "\n"]) == shipped().score([GOLDS[0]], [GOLDS[0]])
    ).all()


def test_it_is_found_by_its_name_and_needs_no_extra() -> None:
    judge = find_judge("patstone")
    assert (judge.name, judge.criteria, judge.needs_gold) == ("patstone", CRITERIA, True)
    assert judge.signature.startswith("patstone|linear|")
    code = (
        "import sys; from patstone.systems.judges.shipped import shipped; "
        "shipped().score(['1. A.'], ['1. B.']); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"torch", "sklearn", "scipy", "sacrebleu"}.isdisjoint(loaded)
