"""What a training is to do, filled in from what was said, and what can't be done."""

from typing import Any

import numpy as np
import pytest

from patstone.errors import UsageError
from patstone.experiments.plan import CONTROLS, OPERATORS, planned
from patstone.systems.classifiers.models import parse

QUANTUM = np.arange(1429) < 435


def plan(**words: Any) -> Any:
    return planned(QUANTUM, **words)


def test_the_paper_is_the_default() -> None:
    made = plan()
    assert (made.runs, made.design.alpha, made.design.beta, made.design.gamma, made.design.delta) == (
        200, 100, 350, 0.2, 5,
    )  # fmt: skip
    assert [arm.key for arm in made.arms] == ["directed|kernel-ridge|worst-errors|none"]


def test_random_sets_are_of_one_size_unless_both_ends_are_named() -> None:
    random = plan(protocol="random")
    assert (random.runs, list(random.arms[0].design.sizes)) == (10, [300])
    assert list(plan(protocol="random", alpha=100).arms[0].design.sizes) == [100]
    assert list(plan(protocol="random", beta=200).arms[0].design.sizes) == [200]
    assert list(plan(protocol="random", alpha=100, beta=110).arms[0].design.sizes) == [100, 105, 110]


def test_a_large_first_set_is_the_last_one_too() -> None:
    assert list(plan(alpha=400).design.sizes) == [400]


def test_both_protocols_share_holdouts() -> None:
    both = plan(protocol="both", controls=["frozen"])
    assert [arm.training for arm in both.arms] == ["directed", "frozen", "random"]
    assert both.arms[-1].design.gamma == both.arms[0].design.gamma
    assert list(plan(protocol="both", beta=200).arms[-1].design.sizes) == [200]


def test_a_holdout_may_be_counted_as_in_the_paper() -> None:
    assert round(plan(gamma=286).design.gamma, 6) == round(286 / 1429, 6)


def test_several_models_operators_and_controls() -> None:
    models = [parse("svm"), parse("svm"), parse("logistic")]
    made = plan(models=models, controls=["frozen,pool-only"], operators=["all"])
    assert len(made.arms) == 2 * (len(OPERATORS) + 2)
    assert plan(controls=["all"]).controls == CONTROLS
    assert len({arm.key for arm in made.arms}) == len(made.arms)


def test_seeds_go_by_the_number_of_the_run() -> None:
    drawn = {np.random.default_rng(plan(seed=seed).seed_of(run)).random() for seed in (0, 1) for run in range(3)}
    assert len(drawn) == 6
    assert plan().seed_of(2).spawn_key == (2,)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"protocol": "sideways"}, "'protocol' parameter of train must be one of directed, random, both"),
        ({"alpha": 7}, "even int"),
        ({"alpha": 0}, "even int"),
        ({"delta": 0}, "'delta'"),
        ({"runs": 0}, "'runs'"),
        ({"seed": -1}, "'seed'"),
        ({"trials": 0}, "'trials'"),
        ({"gamma": -0.1}, "'gamma'"),
        ({"gamma": 1429}, "Got 1429 units"),
        ({"beta": 90}, "smaller"),
        ({"beta": 1144}, "1143"),
        ({"alpha": 700, "beta": 700}, "needs 350 positives outside the holdout; there are 348"),
        ({"controls": ["freeze"]}, "'controls'"),
        ({"operators": ["random"]}, "'operator'"),
        ({"protocol": "random", "controls": ["frozen"]}, "Controls belong to directed training"),
        ({"search": "deep"}, "'search'"),
        ({"search": "random", "alpha": 8}, "at least 10"),
    ],
)
def test_what_cannot_be_done_is_refused(words: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        plan(**words)


def test_a_gold_standard_without_a_class_is_refused() -> None:
    with pytest.raises(UsageError, match="50 positives outside the holdout; there are 0"):
        planned(np.zeros(500, dtype=np.bool_))
