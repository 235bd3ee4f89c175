"""A meta-evaluation finds what was put into made-up comparisons: good judges, traps, leaks and small samples."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

from patstone.errors import UsageError
from patstone.experiments.controls import identical, length, text_blind
from patstone.experiments.judging import Settings, best_band, ceiling, evaluate, folds, statistics
from patstone.gold.preferences import Item, Preferences, collected
from patstone.systems.judges.judge import Marks

GOLDS, PAIRS = 40, 6
QUICK = Settings(resamples=200)


def world(*, same: bool = False, recurring: bool = True) -> Preferences:
    """Candidates with a quality of their own, 0 to 3, that decides; with `same`, candidate 3 is the gold itself."""
    items = list[Item]()
    for gold in range(GOLDS):
        for pair in range(PAIRS):
            one, other = divmod(pair * 5 + gold, 16)[1] % 4, pair % 4
            names = [
                f"gold {gold}" if same and q == 3 else f"cand {q} of {gold if recurring else (gold, pair)}"
                for q in (one, other)
            ]
            label = float(np.sign(one - other))
            items.append(
                Item(
                    name=str(len(items)),
                    gold=f"gold {gold}",
                    a=names[0],
                    b=names[1],
                    labels={"overall": label},
                    line=len(items) + 1,
                )
            )
    return collected(items, name="world", criteria=("overall",))


def marks(name: str, a: Any, b: Any, **other: Any) -> Marks:
    columns = [np.asarray(side, dtype=np.float64).reshape(-1, 1) for side in (a, b)]
    return Marks(
        judge=name, signature=name, criteria=("overall",), any_criterion=True, a=columns[0], b=columns[1], **other
    )


def noisy(preferences: Preferences, noise: float, seed: int = 0) -> Marks:
    rng = np.random.default_rng(seed)
    labels = preferences.labels[:, 0]
    return marks(f"noise {noise}", labels + noise * rng.normal(size=len(labels)), np.zeros(len(labels)))


def test_a_perfect_judge_reaches_the_ceiling_and_no_more() -> None:
    whole = world()
    found = evaluate(whole, [noisy(whole, 0.01)], QUICK)
    value, top = found.value("noise 0.01", "overall"), found.ceilings["overall"]
    assert value == pytest.approx(top, abs=0.01)
    assert top < 0.95
    assert found.value("noise 0.01", "overall", predictions="ternary") > 0.99
    assert found.value("noise 0.01", "overall", "accuracy") == 1
    assert any("is at most 0." in warning for warning in found.warnings)


def test_changing_a_and_b_over_changes_nothing() -> None:
    whole = world()
    judge = noisy(whole, 1.0)
    turned = np.arange(len(whole)) % 3 == 0
    labels = np.where(turned[:, None], -whole.labels, whole.labels)
    other = replace(whole, labels=labels, a=np.where(turned, whole.b, whole.a), b=np.where(turned, whole.a, whole.b))
    swapped = replace(
        judge, a=np.where(turned[:, None], judge.b, judge.a), b=np.where(turned[:, None], judge.a, judge.b)
    )
    one, two = (evaluate(*each, QUICK) for each in ((whole, [judge]), (other, [swapped])))
    for first, second in zip(one.agreements[:7], two.agreements[:7], strict=True):
        assert first.value == pytest.approx(second.value, abs=1e-12)
    # Without mirror images it does matter.
    plain = [
        kendalltau((each.a - each.b)[:, 0], labels[:, 0])[0]
        for each, labels in ((judge, whole.labels), (swapped, other.labels))
    ]
    assert abs(plain[0] - plain[1]) > 0.001


def test_tau_is_scipys_on_pairs_and_their_mirror_images() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=50), rng.integers(-1, 2, 50).astype(float)
    ours = statistics(x, y, np.ones((1, 50)), "continuous")["tau_b"][0]
    assert ours == pytest.approx(kendalltau([*x, *-x], [*y, *-y])[0])


def test_contracted_rows_and_no_mixing_of_kinds() -> None:
    whole = world(same=True)
    found = evaluate(whole, [noisy(whole, 0.5)], QUICK)
    rows = {(row.subset, row.predictions, row.statistic) for row in found.agreements if row.judge == "noise 0.5"}
    continuous, ternary = ("tau_b", "rho", "accuracy"), ("tau_b", "rho", "accuracy", "accuracy3")
    assert rows == {
        (subset, kind, name)
        for subset in ("all", "not-identical")
        for kind, names in (("continuous", continuous), ("ternary", ternary))
        for name in names
    }
    for row in found.agreements:
        assert np.isnan(row.value) or row.ci[0] <= row.value + 0.05


def test_identical_candidates_are_found_to_decide() -> None:
    whole = world(same=True)
    found = evaluate(whole, [marks("edit", identical(whole), np.zeros(len(whole)))], QUICK)
    assert found.value("control:identical", "overall") > 0.5
    assert np.isnan(found.value("edit", "overall", subset="not-identical"))
    assert any("have the gold itself as a candidate" in warning for warning in found.warnings)
    assert any("to ask whether a candidate is the gold" in warning for warning in found.warnings)


def test_the_text_blind_model_leaks_under_random_folds_only() -> None:
    whole = world()
    found = evaluate(whole, [noisy(whole, 1.0)], QUICK)
    assert found.value("control:text-blind-random-folds", "overall") > 0.3
    assert np.isnan(found.value("control:text-blind-gold-folds", "overall"))
    assert any("no text" in warning for warning in found.warnings)


def test_candidates_that_never_recur_leak_nothing() -> None:
    whole = world(recurring=False)
    assert not text_blind(whole, whole.labels[:, 0], by_gold=False, seed=0).any()


def test_length() -> None:
    item = Item(name="1", gold="g", a="one two three", b="one", labels={"overall": 1.0}, line=1)
    assert length(collected([item], name="x", criteria=("overall",))).tolist() == [2.0]


def test_better_judges_are_told_apart_and_equal_ones_are_not() -> None:
    whole = world()
    found = evaluate(
        whole, [noisy(whole, 0.3), noisy(whole, 3.0, 1), replace(noisy(whole, 3.0, 2), judge="other")], QUICK
    )
    p = {(row.a, row.b): row.p_adjusted for row in found.contrasts}
    assert p["noise 0.3", "noise 3.0"] < 0.05
    assert p["noise 3.0", "other"] > 0.05
    assert all(row.p <= row.p_adjusted for row in found.contrasts)


def test_warnings_about_samples_and_memory() -> None:
    whole = world()
    few = whole.taken(np.arange(60))
    seen = frozenset({int(whole.keys[whole.gold[0]]), int(whole.keys[whole.a[0]])})
    judges = [replace(noisy(few, 2.0), seen=seen), replace(noisy(few, 2.0, 9), judge="other")]
    said = " | ".join(evaluate(few, judges, QUICK).warnings)
    assert "come from 10 golds only" in said
    assert "judge noise 2.0 was trained on 1 of these 10 golds and 1 of these" in said
    assert "can't tell from luck" in said
    assert "--trained-on" in " ".join(evaluate(few, judges[1:], replace(QUICK, seen=seen)).warnings)


def test_the_tie_band_is_chosen_on_other_golds() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(-1, 2, 400).astype(float)
    x = y + rng.normal(scale=0.2, size=400)
    assert 0.2 < best_band(x, y) < 0.8
    parts = folds(np.repeat(np.arange(40), 10), 0)
    assert all(len(set(parts[start : start + 10])) == 1 for start in range(0, 400, 10))
    # On labels that mean nothing, a band chosen on the same comparisons looks better than one that was not.
    whole = replace(world(), labels=rng.integers(-1, 2, (GOLDS * PAIRS, 1)).astype(float))
    judge = noisy(world(), 5.0)
    difference = judge.a[:, 0] - judge.b[:, 0]
    labels = whole.labels[:, 0]
    width = best_band(difference, labels)
    chosen = np.where(np.abs(difference) <= width, 0.0, np.sign(difference))
    inflated = statistics(chosen, labels, np.ones((1, len(labels))), "ternary")["tau_b"][0]
    assert inflated > evaluate(whole, [judge], QUICK).value(judge.judge, "overall", predictions="ternary")


def test_ceiling_by_hand() -> None:
    # Mirrored labels 1 -1 0 0: of six pairs five are untied.
    assert ceiling(np.array([1.0, 0.0])) == pytest.approx(np.sqrt(5 / 6))


def test_comparisons_about_which_a_judge_is_silent_are_left_out() -> None:
    whole = world()
    silent = noisy(whole, 0.5)
    silent.a[:50] = np.nan
    found = evaluate(whole, [silent], QUICK)
    assert {row.pairs for row in found.agreements if row.judge == silent.judge} == {len(whole) - 50}


@pytest.mark.parametrize("band", [-1.0, float("inf"), float("nan")])
def test_impossible_bands(band: float) -> None:
    with pytest.raises(UsageError, match="The tie band must be"):
        Settings(band=band)


def test_without_labels_there_is_nothing_to_hold_judges_against() -> None:
    bare = replace(world(), criteria=(), labels=np.empty((GOLDS * PAIRS, 0)))
    with pytest.raises(UsageError, match="Nothing is labelled"):
        evaluate(bare, [])
