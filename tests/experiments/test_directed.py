"""Algorithm 1 step by step, with a learner whose margins are known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from patstone.experiments.directed import Design, confusion, draw, simulate, wants_positives, worst
from patstone.systems.classifiers.learner import Floats, Ints

SEED = np.random.SeedSequence(7)
SMALL = Design(alpha=4, beta=10, gamma=0.2, delta=2)
POSITIVE = np.arange(50) < 20


class Scripted:
    """Says the same of every unit, whatever it learns, and remembers what that was."""

    def __init__(self, margins: Floats) -> None:
        self.said, self.learned = margins, [np.array([], dtype=np.int64)]

    def learn(self, rows: Ints, positive: NDArray[np.bool_]) -> None:
        assert (POSITIVE[rows] == positive).all()
        self.learned.append(rows)

    def margins(self) -> Floats:
        return self.said

    @property
    def known(self) -> Ints:
        return np.concatenate(self.learned)


def always_positive() -> Scripted:
    return Scripted(np.linspace(1.0, 50.0, 50))


def test_counts_are_tp_fp_fn_tn_and_a_margin_of_zero_is_not_positive() -> None:
    margins, positive = np.array([1.0, 0.0, -1.0, 2.0, -2.0]), np.array([True, True, True, False, False])
    everything = np.ones(5, dtype=np.bool_)
    assert confusion(margins, positive, everything).tolist() == [1, 1, 2, 1]
    assert confusion(margins, positive, positive).tolist() == [1, 0, 2, 0]


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        ([5, 1, 2, 9], True),  # precision 5/6 over recall 5/7
        ([5, 2, 1, 9], False),
        ([5, 2, 2, 9], True),  # equal
        ([0, 3, 2, 9], True),  # 0 and 0
        ([0, 0, 2, 9], True),  # an undefined precision counts as 0
    ],
)
def test_positives_join_while_precision_is_at_least_recall(counts: list[int], wanted: bool) -> None:
    assert wants_positives(np.array(counts)) is wanted


def test_the_holdout_is_stratified_and_the_start_is_balanced() -> None:
    held, first = draw(POSITIVE, SMALL, np.random.default_rng(1))
    assert (int((held & POSITIVE).sum()), int((held & ~POSITIVE).sum())) == (4, 6)
    assert POSITIVE[first].tolist() == [True, True, False, False]
    assert not held[first].any()


def test_the_quantum_numbers_of_the_paper() -> None:
    """Table 6: at |T| = 100, tp + fn = 385 and tn + fp = 944; H has 87 + 199 = 286."""
    positive = np.arange(1429) < 435
    held, first = draw(positive, Design(), np.random.default_rng(0))
    assert (int((held & positive).sum()), int(held.sum())) == (87, 286)
    evaluated = np.ones(1429, dtype=np.bool_)
    evaluated[first] = False
    assert (int((evaluated & positive).sum()), int((evaluated & ~positive).sum())) == (385, 944)
    assert len(Design().sizes) == 51


def test_the_worst_are_those_with_the_lowest_signed_margin() -> None:
    margins = np.array([3.0, -1.0, 0.5, 2.0, -4.0])
    positive = np.array([True, True, True, False, False])
    pool = np.array([True, True, True, True, True])
    rng = np.random.default_rng(0)
    assert worst(margins, positive, pool, True, SMALL, rng)[0].tolist() == [1, 2]
    # Right answers are taken too when there are no wrong ones left.
    assert worst(margins, positive, pool, False, SMALL, rng)[0].tolist() == [3, 4]


def test_a_pool_that_runs_dry_borrows_from_the_other_class_and_says_so() -> None:
    margins, positive = np.array([1.0, 2.0, 3.0]), np.array([True, False, False])
    pool = np.ones(3, dtype=np.bool_)
    chosen, lent = worst(margins, positive, pool, True, SMALL, np.random.default_rng(0))
    assert (chosen.tolist(), lent) == ([0, 2], 1)


def test_training_grows_by_delta_and_never_from_the_holdout() -> None:
    made: list[Scripted] = []

    def start() -> Scripted:
        made.append(always_positive())
        return made[-1]

    trace = simulate(start, POSITIVE, SMALL, SEED)
    held, first = draw(POSITIVE, SMALL, np.random.default_rng(SEED))
    known = made[0].known
    assert len(known) == len(set(known.tolist())) == 10
    assert known[:4].tolist() == first.tolist()
    assert not held[known].any()
    # E is everything outside T, so that H is in it.
    assert trace.evaluated.sum(axis=1).tolist() == [46, 44, 42, 40]
    assert trace.held_out.sum(axis=1).tolist() == [10] * 4
    # All are called positive, so that precision is below recall and the lowest negatives outside H join.
    lowest = [row for row in np.flatnonzero(~POSITIVE & ~held)[::-1].tolist() if row not in first.tolist()]
    assert known[4:].tolist() == lowest[:6]
    assert trace.positives.tolist() == [2, 2, 2, 2]


def test_one_seed_one_run() -> None:
    known = []
    for seed in (SEED, SEED, np.random.SeedSequence(8)):
        made = always_positive()
        simulate(lambda one=made: one, POSITIVE, SMALL, seed)  # type: ignore[misc]
        known.append(made.known.tolist())
    assert known[0] == known[1] != known[2]


def test_a_frozen_learner_is_trained_once() -> None:
    made = [always_positive()]
    simulate(lambda: made[0], POSITIVE, Design(alpha=4, beta=10, delta=2, control="frozen"), SEED)
    assert len(made[0].known) == 4


def test_random_pick_follows_the_class_and_not_the_margin() -> None:
    made = [always_positive()]
    simulate(lambda: made[0], POSITIVE, Design(alpha=4, beta=10, delta=2, control="random-pick"), SEED)
    added = made[0].known[4:]
    assert not POSITIVE[added].any()
    directed = [always_positive()]
    simulate(lambda: directed[0], POSITIVE, SMALL, SEED)
    assert added.tolist() != directed[0].known[4:].tolist()


def test_pool_only_decides_without_the_holdout() -> None:
    """Outside H every positive is found and half the negatives are false alarms; in H it is the other way round."""
    held, first = draw(POSITIVE, SMALL, np.random.default_rng(SEED))
    margins = np.where(held, np.where(POSITIVE, -1.0, -2.0), 1.0) + np.arange(50) * 1e-3
    margins[np.flatnonzero(~held & ~POSITIVE)[2:]] = -1.0
    made = {name: Scripted(margins) for name in ("none", "pool-only")}
    for name, scripted in made.items():
        design = Design(alpha=4, beta=6, delta=2, control=name)  # type: ignore[arg-type]
        simulate(lambda one=scripted: one, POSITIVE, design, SEED)  # type: ignore[misc]
    assert len(first) == 4
    assert POSITIVE[made["none"].known[4:]].all()
    assert not POSITIVE[made["pool-only"].known[4:]].any()
