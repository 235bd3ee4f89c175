"""Simulated training, Algorithm 1 of paper 1: an operator who starts small and keeps correcting the worst errors.

One run draws a holdout H and a balanced training set T, then, step by step, trains, counts on E (everything outside
T, so H is in it) and on H alone, and adds the δ worst errors of the class that the score is short of, never from H.
What every rule means is settled in `docs/simulated-training.md`.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from patstone.systems.classifiers.learner import Floats, Ints, Start

Bools = NDArray[np.bool_]
Control = Literal["none", "frozen", "random-pick", "pool-only"]
Operator = Literal["worst-errors", "uncertainty", "diversity", "max-relevance", "random"]
"""Who adds to T. Algorithm 1's adds the worst errors of the class that the score is short of. Active learning's, who
knows no label before choosing, adds what the classifier is least sure of (uncertainty), what is least like T
(diversity), or what is surest to be positive (max-relevance). Chance keeps T balanced."""
_DECIMALS = 9
"""Margins that agree so far are one: equal titles must not be told apart by the last bit of a sum."""


@dataclass(frozen=True, kw_only=True)
class Design:
    """The constants of Algorithm 1."""

    alpha: int = 100
    """|T| at the start, half of it positive."""
    beta: int = 350
    """|T| at the last evaluation."""
    gamma: float = 0.2
    """|H| as a share of the gold standard."""
    delta: int = 5
    """How many units join T at each step."""
    control: Control = "none"
    """What is taken away to see what it does: retraining (frozen), choosing the worst errors (random-pick), or
    looking at H when the class to add is decided (pool-only)."""
    operator: Operator = "worst-errors"

    @property
    def sizes(self) -> range:
        return range(self.alpha, self.beta + 1, self.delta)


@dataclass(frozen=True, eq=False, kw_only=True)
class Trace:
    """One run: a row for each evaluation."""

    evaluated: Ints
    """tp, fp, fn, tn on E."""
    held_out: Ints
    """The same on H."""
    positives: Ints
    """Positives in T."""
    borrowed: Ints
    """Units taken from the other class because a pool ran dry."""
    order: Ints
    """The members of T, in the order in which they joined."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Moment:
    """What the operator sees when choosing."""

    margins: Floats
    positive: Bools
    training: Bools
    pool: Bools
    counts: Ints
    """tp, fp, fn, tn of what the class to add is decided by."""
    kernel: Floats | None
    """How alike any two units are."""


def simulate(
    start: Start, positive: Bools, design: Design, seed: np.random.SeedSequence, *, kernel: Floats | None = None
) -> Trace:
    """Train once; the same seed gives the same run. Only the operator who looks for diversity needs the kernel."""
    rng = np.random.default_rng(seed)
    held, chosen = draw(positive, design, rng)
    learner, training = start(), np.zeros(len(positive), dtype=np.bool_)
    rows: list[tuple[Ints, Ints, int, int]] = []
    order: list[Ints] = []
    borrowed = 0
    margins = np.zeros(len(positive))
    for step, size in enumerate(design.sizes):
        training[chosen] = True
        order.append(chosen)
        if step == 0 or design.control != "frozen":
            learner.learn(chosen, positive[chosen])
            margins = learner.margins()
        counts = confusion(margins, positive, ~training)
        rows.append((counts, confusion(margins, positive, held), int(positive[training].sum()), borrowed))
        if size + design.delta > design.beta:
            break
        pool = ~training & ~held
        decision = confusion(margins, positive, pool) if design.control == "pool-only" else counts
        seen = Moment(margins=margins, positive=positive, training=training, pool=pool, counts=decision, kernel=kernel)
        chosen, borrowed = picked(seen, design, rng)
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return Trace(
        evaluated=columns[0],
        held_out=columns[1],
        positives=columns[2],
        borrowed=columns[3],
        order=np.concatenate(order),
    )


def draw(positive: Bools, design: Design, rng: np.random.Generator) -> tuple[Bools, Ints]:
    """H, stratified and rounded per class, and the first T, balanced, from what is left."""
    held = np.zeros(len(positive), dtype=np.bool_)
    first = []
    for label in (True, False):
        order = rng.permutation(np.flatnonzero(positive == label))
        out = round(design.gamma * len(order))
        held[order[:out]] = True
        first.append(order[out : out + design.alpha // 2])
    return held, np.concatenate(first)


def confusion(margins: Floats, positive: Bools, within: Bools) -> Ints:
    """tp, fp, fn, tn among some units; a margin of 0 is not positive."""
    said, true = margins[within] > 0, positive[within]
    hits = int((said & true).sum())
    alarms, misses = int(said.sum()) - hits, int(true.sum()) - hits
    return np.array([hits, alarms, misses, len(true) - hits - alarms - misses])


def wants_positives(counts: Ints) -> bool:
    """Precision at least recall; an undefined one counts as 0. As tp/(tp+fp) >= tp/(tp+fn) without a division."""
    hits, alarms, misses, _ = counts.tolist()
    return alarms <= misses if hits else True


def picked(seen: Moment, design: Design, rng: np.random.Generator) -> tuple[Ints, int]:
    """The δ units that the operator adds, and how many of them the other class lent."""
    if design.operator == "worst-errors":
        return worst(seen.margins, seen.positive, seen.pool, wants_positives(seen.counts), design, rng)
    found = np.flatnonzero(seen.pool)
    margins = np.round(seen.margins[found], _DECIMALS)
    if design.operator == "uncertainty":
        return found[np.argsort(np.abs(margins), kind="stable")[: design.delta]], 0
    if design.operator == "max-relevance":
        return found[np.argsort(-margins, kind="stable")[: design.delta]], 0
    if design.operator == "diversity":
        return apart(seen, design.delta), 0
    few = 2 * int(seen.positive[seen.training].sum()) <= int(seen.training.sum())
    return of_classes(rng.permutation(found), seen.positive, few, design.delta)


def apart(seen: Moment, count: int) -> Ints:
    """One after the other, the unit whose likest member of T is least like it."""
    assert seen.kernel is not None
    likest, free = seen.kernel[:, seen.training].max(axis=1), seen.pool.copy()
    chosen: list[int] = []
    for _ in range(min(count, int(free.sum()))):
        chosen.append(int(np.argmin(np.where(free, np.round(likest, _DECIMALS), np.inf))))
        free[chosen[-1]] = False
        np.maximum(likest, seen.kernel[:, chosen[-1]], out=likest)
    return np.array(chosen, dtype=np.int64)


def worst(
    margins: Floats, positive: Bools, pool: Bools, wanted: bool, design: Design, rng: np.random.Generator
) -> tuple[Ints, int]:
    """The δ units of the wanted class with the highest loss; equal losses in the order of the gold standard."""
    found = np.flatnonzero(pool)
    if design.control == "random-pick":
        return of_classes(rng.permutation(found), positive, wanted, design.delta)
    signed = np.round(np.where(positive[found], margins[found], -margins[found]), _DECIMALS)
    return of_classes(found[np.argsort(signed, kind="stable")], positive, wanted, design.delta)


def of_classes(ranked: Ints, positive: Bools, wanted: bool, count: int) -> tuple[Ints, int]:
    """The first of the wanted class; where it runs dry, the other class lends."""
    own = ranked[positive[ranked] == wanted][:count]
    lent = ranked[positive[ranked] != wanted][: count - len(own)]
    return np.concatenate([own, lent]), len(lent)
