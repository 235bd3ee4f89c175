"""Tables of simulated training: paper 1's tables 5 and 6, the arms side by side, and the rows for machines.

Every table that shows a score on E shows the one on H beside it, and says what each means: the worst errors leave E
for T, so that E gets easier whether or not anything is learned.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from patstone.experiments.curves import MEASURES, curve, filled, measured
from patstone.experiments.training import SETS, Outcome, Training
from patstone.report.cells import Cell, Column, Table

EVERY = 5
"""Iterations between two rows of table 6."""
SHOWN_SETS = 10
MEANING = (
    "F1 on E is paper 1's figure: E is everything outside T, and the worst errors have left it, so it rises even "
    "where nothing is learned. F1 on H, which nobody has seen, is what a user will meet: quote that.",
)
_COUNTS = tuple(Column(key=name, kind="score", decimals=1) for name in ("tp", "fp", "fn", "tn"))
_SCORES = (
    Column(key="precision", label="prec.", kind="score", decimals=3),
    Column(key="recall", kind="score", decimals=3),
    Column(key="F1", kind="score", decimals=3),
    Column(key="accuracy", label="acc.", kind="score", decimals=3),
)


def rows(training: Training) -> Table:
    """One number a row: each measure at each size, on E and on H, of each arm."""
    return Table(
        title="",
        columns=(
            Column(key="size", kind="count"),
            Column(key="set"),
            Column(key="control"),
            Column(key="measure"),
            Column(key="value", kind="score"),
            Column(key="variance", kind="score", decimals=6),
            *_COUNTS,
            Column(key="runs", kind="count"),
            Column(key="model"),
            Column(key="protocol"),
            Column(key="operator"),
        ),
        rows=tuple(row for outcome in training.outcomes for row in _rows(outcome)),
        keys=4,
    )


def _rows(outcome: Outcome) -> Iterator[tuple[Cell, ...]]:
    design = outcome.arm.design
    arm = (len(outcome.traces), str(outcome.arm.model), outcome.arm.protocol, design.operator)
    for on, found in outcome.curves.items():
        for step, size in enumerate(outcome.sizes):
            counts = tuple(found.counts[step].tolist())
            for name in MEASURES:
                value, variance = float(found.values[name][step]), float(found.variances[name][step])
                yield (size, on, design.control, name, value, None if np.isnan(variance) else variance, *counts, *arm)


def tables(training: Training) -> list[Table]:
    """What people read: table 6 of each directed model, table 5 of each random one; all arms where there are more."""
    shown = []
    for outcome in training.outcomes:
        arm = outcome.arm
        if arm.protocol == "random" and len(outcome.sizes) == 1:
            shown.append(table_5(outcome))
        elif arm.design.control == "none" and arm.design.operator in ("worst-errors", "random"):
            shown.append(table_6(outcome))
    return [*shown, *([arms(training)] if len(training.outcomes) > 1 or not shown else [])]


def table_6(outcome: Outcome) -> Table:
    """As paper 1 prints it, with the score on H beside it."""
    seen, held = outcome.curves["E"], outcome.curves.get("H")
    return Table(
        title=f"{outcome.arm.model}, {outcome.arm.protocol}: means of {len(outcome.traces)} runs",
        columns=(
            Column(key="size", label="|T|", kind="count"),
            *_COUNTS,
            *_SCORES,
            Column(key="F1_H", label="F1 on H", kind="score", decimals=3),
            Column(key="variance", label="var F1", kind="score", decimals=6),
        ),
        rows=tuple(
            (
                outcome.sizes[step],
                *seen.counts[step].tolist(),
                *(float(seen.values[name][step]) for name in MEASURES),
                None if held is None else float(held.values["F1"][step]),
                float(seen.variances["F1"][step]),
            )
            for step in range(0, len(outcome.sizes), EVERY)
        ),
        notes=MEANING,
    )


def table_5(outcome: Outcome) -> Table:
    """Single random training sets, and the mean of all."""
    counts = outcome.counts("E")[:, 0]
    single = filled(measured(counts))
    mean = outcome.curves["E"]
    shown = [
        (str(run + 1), *counts[run].tolist(), *(float(single[name][run]) for name in MEASURES))
        for run in range(min(len(counts), SHOWN_SETS))
    ]
    more = len(counts) - len(shown)
    return Table(
        title=f"{outcome.arm.model}, {len(counts)} random training sets of {outcome.sizes[0]}, evaluated on the rest",
        columns=(
            Column(key="run"),
            *_COUNTS,
            *_SCORES,
        ),
        rows=(*shown, ("mean", *mean.counts[0].tolist(), *(float(mean.values[name][0]) for name in MEASURES))),
        notes=(f"{more} more sets are in the mean.",) if more else (),
    )


def arms(training: Training) -> Table:
    """All arms side by side, at their first and last size of T: models, operators and controls."""
    return Table(
        title="F1 at the first and the last size of T",
        columns=(
            Column(key="model"),
            Column(key="training"),
            Column(key="sizes", label="|T|"),
            Column(key="F1_E_first", label="on E", kind="score", decimals=3),
            Column(key="F1_E", label="then", kind="score", decimals=3),
            Column(key="F1_H_first", label="on H", kind="score", decimals=3),
            Column(key="F1_H", label="then", kind="score", decimals=3),
            Column(key="errors_in_H", label="last errors on E that lie in H", kind="score", decimals=3),
        ),
        rows=tuple(_arm_row(outcome) for outcome in training.outcomes),
        keys=2,
        notes=_spread(training),
    )


def _arm_row(outcome: Outcome) -> tuple[Cell, ...]:
    ends: list[Cell] = []
    wrong: list[float] = []
    for on in SETS:
        found = outcome.curves.get(on)
        ends += [None, None] if found is None else [float(found.values["F1"][place]) for place in (0, -1)]
        wrong.append(0.0 if found is None else float(found.counts[-1, 1:3].sum()))
    share = wrong[1] / wrong[0] if wrong[0] and "H" in outcome.curves else None
    sizes = outcome.sizes
    span = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    return str(outcome.arm.model), outcome.arm.training, span, *ends, share


def _spread(training: Training) -> tuple[str, ...]:
    """How far classifiers lie apart, which paper 1 asks makers of new gold standards to tell."""
    plain = [
        outcome
        for outcome in training.outcomes
        if outcome.arm.protocol == "directed" and outcome.arm.design.control == "none"
    ]
    if len({outcome.arm.model for outcome in plain}) < 2:
        return ()
    told = []
    for on in SETS:
        last = [float(one.curves[on].values["F1"][-1]) for one in plain if on in one.curves]
        told += [f"{min(last):.3f} to {max(last):.3f} on {on}"] if last else []
    return (f"Spread of the last F1 over {len(plain)} directed arms: {', '.join(told)}.",)


def payload(training: Training) -> dict[str, Any]:
    from patstone.report.records import records

    return {
        "signature": training.signature,
        "results": records(rows(training)),
        "counts": counts(training),
        "warnings": list(notes(training)),
    }


def counts(training: Training) -> dict[str, Any]:
    gold = training.gold
    return {
        "units": len(gold),
        "positive": int(gold.positive.sum()),
        "negative": int((~gold.positive).sum()),
        "unit": gold.unit,
        "without_title": sum(not text for text in gold.texts),
        "same_title": same_titles(training),
        "held_out": int(training.outcomes[0].counts("H")[0, 0].sum()),
        "borrowed": sum(outcome.borrowed for outcome in training.outcomes),
        "undefined": sum(curve(outcome.counts("E")).undefined for outcome in training.outcomes),
    }


def same_titles(training: Training) -> int:
    """Units that share a whole title with another: what is learned from one answers the other."""
    gold = training.gold
    members: dict[str, set[int]] = {}
    for unit, title in zip(gold.of.tolist(), gold.titles, strict=True):
        members.setdefault(" ".join(title.casefold().split()), set()).add(unit)
    return len({unit for title, units in members.items() if title and len(units) > 1 for unit in units})


def notes(training: Training) -> Iterator[str]:
    found = counts(training)
    errors = sum(finding.severity == "error" for finding in training.gold.findings)
    yield from training.gold.notes
    if errors:
        yield f"{errors} findings in the gold standard are errors, settled by policy; `patstone gold audit` names them."
    if found["without_title"]:
        yield f"{found['without_title']} units have no title: a classifier of titles can only guess them."
    if found["same_title"]:
        yield f"{found['same_title']} units share a whole title with another."
    if found["borrowed"]:
        yield f"{found['borrowed']} units were taken from the other class because a pool ran dry."
    if found["undefined"]:
        yield f"{found['undefined']} scores of single runs are 0/0 and count as 0."
    yield "A unit counts as positive when its margin is above 0 (a probability of 0.5)."
