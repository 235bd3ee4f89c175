"""What class codes tell about a topic: how often each stands in positives and negatives, and how far codes alone get.

The best set of k codes is sought by a beam: the best hundred sets of k - 1 are grown by every code, which is exact for
one code, and for two where there are at most a hundred; beyond that it is a lower bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from patstone.gold.labels import Bools

Ints = NDArray[np.int64]
BEAM = 100


@dataclass(frozen=True, eq=False, kw_only=True)
class Codes:
    """Class codes of the units of one gold standard, in one scheme."""

    scheme: str
    names: tuple[str, ...]
    has: Bools
    """Units × codes."""
    positive: Bools

    @cached_property
    def known(self) -> Bools:
        """Units with a code at all; one without can't be told from one whose codes nobody looked up."""
        return np.asarray(self.has.any(axis=1))

    @cached_property
    def found(self) -> tuple[Ints, Ints]:
        """How many positives and how many negatives have each code."""
        yes = self.has[self.positive].sum(axis=0)
        return yes.astype(np.int64), (self.has.sum(axis=0) - yes).astype(np.int64)

    def coverage(self, positive: bool) -> NDArray[np.float64]:
        """The share of one side's units that have each code; units without any code count too."""
        size = max(1, int((self.positive == positive).sum()))
        return self.found[0 if positive else 1] / size

    @cached_property
    def unique(self) -> tuple[int, int, int]:
        """Different codes in positives, in negatives, in both."""
        yes, no = (count > 0 for count in self.found)
        return int(yes.sum()), int(no.sum()), int((yes & no).sum())

    def frequent(self, positive: bool, size: int) -> list[int]:
        """The most frequent codes of a side, ties by their symbols."""
        counts = self.found[0 if positive else 1]
        order = sorted(range(len(self.names)), key=lambda code: (-int(counts[code]), self.names[code]))
        return [code for code in order[:size] if counts[code]]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """Whoever has any of these codes is called positive."""

    codes: tuple[str, ...]
    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> float:
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 0.0

    @property
    def recall(self) -> float:
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else float("nan")

    @property
    def f1(self) -> float:
        return 2 * self.tp / (2 * self.tp + self.fp + self.fn) if self.tp + self.fp + self.fn else float("nan")


def best_rules(has: Bools, positive: Bools, names: Sequence[str], most: int, *, beam: int = BEAM) -> list[Rule]:
    """The best set of each size up to `most` by F1; ends where no further code would help."""
    sets: dict[tuple[int, ...], Bools] = {(): np.zeros(len(has), dtype=np.bool_)}
    rules: list[Rule] = []
    for _ in range(min(most, has.shape[1])):
        sets = _grown(has, positive, sets, beam)
        best = next(iter(sets))
        called = sets[best]
        tp, fp = int((called & positive).sum()), int((called & ~positive).sum())
        rule = Rule(codes=tuple(names[code] for code in best), tp=tp, fp=fp, fn=int(positive.sum()) - tp)
        if rules and rule.f1 <= rules[-1].f1:
            break
        rules.append(rule)
    return rules


def _grown(
    has: Bools, positive: Bools, sets: Mapping[tuple[int, ...], Bools], beam: int
) -> dict[tuple[int, ...], Bools]:
    """The best sets of one code more, the best first."""
    yes, no, total = has[positive].astype(np.float32), has[~positive].astype(np.float32), int(positive.sum())
    found: dict[tuple[int, ...], float] = {}
    for chosen, called in sets.items():
        missed, clean = ~called[positive], ~called[~positive]
        tp = called[positive].sum() + missed.astype(np.float32) @ yes
        fp = called[~positive].sum() + clean.astype(np.float32) @ no
        f1 = 2 * tp / (tp + fp + total)
        for code in np.argsort(-f1, kind="stable")[: beam + len(chosen)].tolist():
            if code not in chosen:
                found[tuple(sorted((*chosen, code)))] = float(f1[code])
    kept = sorted(found, key=lambda chosen: (-found[chosen], chosen))[:beam]
    return {chosen: np.asarray(has[:, list(chosen)].any(axis=1)) for chosen in kept}
