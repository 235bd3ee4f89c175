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


def simulate(start: Start, positive: Bools, design: Design, seed: np.random.SeedSequence) -> Trace:
    """Train once; the same seed gives the same run."""
    rng = np.random.default_rng(seed)
    held, chosen = draw(positive, design, rng)
    learner, training = start(), np.zeros(len(positive), dtype=np.bool_)
    rows: list[tuple[Ints, Ints, int, int]] = []
    borrowed = 0
    margins = np.zeros(len(positive))
    for step, _ in enumerate(design.sizes):
        training[chosen] = True
        if step == 0 or design.control != "frozen":
            learner.learn(chosen, positive[chosen])
            margins = learner.margins()
        counts = confusion(margins, positive, ~training)
        rows.append((counts, confusion(margins, positive, held), int(positive[training].sum()), borrowed))
        pool = ~training & ~held
        decision = confusion(margins, positive, pool) if design.control == "pool-only" else counts
        chosen, borrowed = worst(margins, positive, pool, wants_positives(decision), design, rng)
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return Trace(evaluated=columns[0], held_out=columns[1], positives=columns[2], borrowed=columns[3])


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


def worst(
    margins: Floats, positive: Bools, pool: Bools, wanted: bool, design: Design, rng: np.random.Generator
) -> tuple[Ints, int]:
    """The δ units of the wanted class with the highest loss; where it runs dry, the other class lends."""
    picked: list[int] = []
    for label in (wanted, not wanted):
        found = np.flatnonzero(pool & (positive == label))
        signed = margins[found] if label else -margins[found]
        order = rng.permutation(len(found)) if design.control == "random-pick" else np.argsort(signed, kind="stable")
        lent = design.delta - len(picked) if label != wanted else 0
        picked += found[order[: design.delta - len(picked)]].tolist()
    return np.array(picked, dtype=np.int64), lent
