"""Training the judge in the wheel, on a small material: the ranker by hand, pairs with known answers, no leaks."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from patstone.experiments import shipping
from patstone.experiments.ranker import Training, onto_simplex, train
from patstone.gold.degrading.inventing import invented
from patstone.gold.degrading.kinds import KINDS
from patstone.patents.claims import resolve, split
from patstone.systems.judges.shipped import USED

GOLDS = [resolve(invented(seed)) for seed in range(4)]


@pytest.fixture(scope="module")
def data() -> shipping.Material:
    return shipping.material(GOLDS)


@pytest.mark.parametrize(
    ("given", "nearest"),
    [([0.2, 0.8], [0.2, 0.8]), ([1.0, 1.0], [0.5, 0.5]), ([2.0, 0.0], [1.0, 0.0]), ([0.5, -1.0, 0.9], [0.3, 0.0, 0.7])],
)
def test_the_nearest_weights_by_hand(given: list[float], nearest: list[float]) -> None:
    assert onto_simplex(np.array(given)).tolist() == pytest.approx(nearest)


def test_the_ranker_finds_the_feature_that_tells() -> None:
    """The second feature goes with the label, the first against it, the third is in a group of its own."""
    rng = np.random.default_rng(1)
    labels = rng.choice([-1.0, 1.0], 200)
    differences = np.stack([-labels, labels, rng.normal(size=200)], axis=1) * 0.1
    groups = [np.array([0, 1]), np.array([2])]
    found = train(differences, labels, np.array([0.3, 0.3, 0.4]), groups, Training(pull=0.01))
    assert found[1] > found[0]
    assert found[:2].sum() == pytest.approx(0.6)
    assert found[2] == pytest.approx(0.4)
    assert (found == train(differences, labels, np.array([0.3, 0.3, 0.4]), groups, Training(pull=0.01))).all()


def test_equal_candidates_pull_scores_together() -> None:
    differences = np.array([[0.5, 0.0], [0.4, 0.01]])
    found = train(differences, np.zeros(2), np.array([0.5, 0.5]), [np.array([0, 1])], Training(pull=0.001))
    assert found[1] > 0.9


def test_pairs_prefer_what_was_changed_less_or_elsewhere(data: shipping.Material) -> None:
    assert {pair.criterion for pair in data.pairs} == set(shipping.CRITERIA)
    for pair in data.pairs:
        better, worse = (pair.a, pair.b) if pair.label == 1 else (pair.b, pair.a)
        assert data.gold_of[better] == data.gold_of[worse] == pair.gold
        assert worse >= len(data.golds)
        assert data.texts[better] != data.texts[worse]
    assert {pair.label for pair in data.pairs} == {1, -1}


def test_weights_are_those_of_the_criterion_and_keep_the_share_of_likeness(data: shipping.Material) -> None:
    for criterion in shipping.CRITERIA:
        found = shipping.fit(data, data.pairs, criterion, Training())
        assert tuple(found) == USED[criterion]
        for share, group in shipping.groups(criterion):
            assert sum(found[name] for name in group) == pytest.approx(share, abs=0.002)


def test_held_out_kinds_and_golds_are_judged(data: shipping.Material) -> None:
    rows = shipping.validate(data, Training(), resamples=50)
    assert {row["criterion"] for row in rows} == set(shipping.CRITERIA)
    for row in rows:
        assert 0 <= row["accuracy"] <= 1
        assert row["ci"][0] <= row["lead"] <= row["ci"][1]
        assert row["golds"] == len(GOLDS)
        if row["judge"] == "patstone":
            assert row["lead"] == 0


def test_families_are_claim_sets_of_their_own() -> None:
    text = (
        "1. A cup comprising a lid.\n2. A pot comprising a lid.\n3. The pot of claim 2, being red.\n"
        "4. The pot of claim 3, being old.\n5. The cup of claim 1, being red."
    )
    (pot,) = shipping.families(split(text))
    assert [(claim.number, claim.depends_on) for claim in pot] == [(1, ()), (2, (1,)), (3, (2,))]


def test_the_model_in_the_wheel_says_what_it_was_trained_on() -> None:
    model = json.loads((files("patstone.systems.judges") / "shipped.json").read_text(encoding="utf-8"))
    assert model["trained_on"]["kinds"] == list(KINDS)
    assert model["trained_on"]["golds"] > shipping.INVENTED
    rows = {(row["criterion"], row["judge"]): row for row in model["validation"]}
    # Overall quality comes out level with the best of them, which the page on the judge says.
    for (criterion, judge), row in rows.items():
        if judge != "patstone" and criterion != "overall":
            assert row["ci"][0] > 0, row


def test_it_agrees_best_on_a_benchmark_that_it_was_not_trained_on() -> None:
    rows = json.loads((files("patstone.systems.judges") / "shipped.json").read_text(encoding="utf-8"))["elsewhere"]
    assert {row["subset"] for row in rows} == {"all", "not-identical"}
    for row in rows:
        if row["judge"] != "patstone" and row["criterion"] == "overall":
            assert row["ci"][0] > 0, row


def test_the_benchmark_is_judged_again(data: shipping.Material) -> None:
    weights = {criterion: shipping.fit(data, data.pairs, criterion, Training()) for criterion in shipping.CRITERIA}
    rows = shipping.elsewhere(weights, golds=12)
    ours = {(row["criterion"], row["subset"]): row["tau_b"] for row in rows if row["judge"] == "patstone"}
    assert all(-1 <= tau <= 1 for tau in ours.values())
    for row in rows:
        key = (row["criterion"], row["subset"])
        assert row["lead"] == pytest.approx(ours[key] - row["tau_b"] if row["judge"] != "patstone" else 0, abs=0.001)


def test_training_writes_the_same_file_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipping, "INVENTED", 2)
    monkeypatch.setattr("sys.argv", ["shipping", str(tmp_path), "--out", str(tmp_path / "one.json")])
    shipping.main()
    first = (tmp_path / "one.json").read_text()
    shipping.main()
    assert (tmp_path / "one.json").read_text() == first
