"""What `patstone train --out` leaves in its folder: raw confusion matrices, how T grew, tables, and figures.

Figures have the numbers of paper 1; the one that the paper lacks shows E beside H. Each is written as SVG and PNG.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from patstone.experiments.curves import filled, measured
from patstone.experiments.training import SETS, Outcome, Training
from patstone.files.streams import atomic
from patstone.report.figures import Figure, areas, dashed, lines, points
from patstone.report.tables import csv
from patstone.report.training import rows, table_5, table_6

COMPARED = 300
"""The size of T at which figure 4 compares."""


def write_data(training: Training, folder: Path) -> None:
    """`runs.parquet`, `growth.parquet` and the tables as CSV."""
    write_parquet(folder / "runs.parquet", _runs(training), training.signature)
    write_parquet(folder / "growth.parquet", _growth(training), training.signature)
    _write(folder / "scores.csv", csv(rows(training)))
    for outcome in training.outcomes:
        if outcome.arm.protocol == "random":
            _write(folder / "table-5.csv", csv(table_5(outcome)))
        elif outcome is main_outcome(training):
            _write(folder / "table-6.csv", csv(table_6(outcome)))


def main_outcome(training: Training) -> Outcome:
    """The arm that figures and table 6 are about: the first."""
    return training.outcomes[0]


def _write(path: Path, text: str) -> None:
    with atomic(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_parquet(path: Path, columns: Iterable[tuple[str, Any]], signature: str) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table(dict(columns)).replace_schema_metadata({"patstone": signature})
    with atomic(path) as temporary:
        parquet.write_table(table, temporary)


def _arms(training: Training, lengths: list[list[int]]) -> Iterator[tuple[str, Any]]:
    """Which arm and run each row is of; `lengths` are rows, by arm and run."""
    repeats = [sum(each) for each in lengths]
    for name, told in (
        ("model", lambda arm: str(arm.model)),
        ("protocol", lambda arm: arm.protocol),
        ("operator", lambda arm: arm.design.operator),
        ("control", lambda arm: arm.design.control),
    ):
        yield name, np.repeat([told(outcome.arm) for outcome in training.outcomes], repeats)
    yield "run", np.concatenate([np.repeat(np.arange(len(each)), each) for each in lengths])


def _runs(training: Training) -> Iterator[tuple[str, Any]]:
    """A row for each run and step: confusion matrices on E and on H."""
    outcomes = training.outcomes
    yield from _arms(training, [[len(outcome.sizes)] * len(outcome.traces) for outcome in outcomes])
    yield "size", np.concatenate([np.tile(np.array(outcome.sizes), len(outcome.traces)) for outcome in outcomes])
    for on in SETS:
        counts = np.concatenate([outcome.counts(on).reshape(-1, 4) for outcome in outcomes])
        for place, name in enumerate(("tp", "fp", "fn", "tn")):
            yield f"{name}_{on}", counts[:, place]
    for name in ("positives", "borrowed"):
        yield name, np.concatenate([getattr(trace, name) for outcome in outcomes for trace in outcome.traces])
    told = [parameters for outcome in outcomes for parameters in outcome.parameters]
    yield "parameters", np.repeat(told, [len(outcome.sizes) for outcome in outcomes for _ in outcome.traces])


def _growth(training: Training) -> Iterator[tuple[str, Any]]:
    """A row for each member of T: which unit, as how manyth it joined."""
    outcomes = training.outcomes
    yield from _arms(training, [[len(trace.order) for trace in outcome.traces] for outcome in outcomes])
    traces = [trace for outcome in outcomes for trace in outcome.traces]
    order = np.concatenate([trace.order for trace in traces])
    yield "place", np.concatenate([np.arange(1, len(trace.order) + 1) for trace in traces])
    yield "unit", np.array(training.gold.units)[order]
    yield "positive", training.gold.positive[order]


def write_figures(training: Training, folder: Path) -> None:
    from patstone.report.figures import write_figure

    for name, figure in figures(training).items():
        write_figure(figure(), folder / name)


def figures(training: Training) -> dict[str, Callable[[], Figure]]:
    """Those that this training can show."""
    main = main_outcome(training)
    found: dict[str, Callable[[], Figure]] = {}
    if len(main.sizes) > 1:
        found = {
            "figure-3": lambda: usage(training, main),
            "figure-5": lambda: over_sizes(main, ("precision", "recall")),
            "figure-6": lambda: over_sizes(main, ("F1", "accuracy")),
            "figure-8": lambda: scatter(main),
            "figure-E-and-H": lambda: both_sets(training),
        }
        if len(main.traces) > 1:
            found["figure-7"] = lambda: variance(main)
    if _compared(training):
        found["figure-4"] = lambda: precision_recall(training)
    return dict(sorted(found.items()))


def usage(training: Training, outcome: Outcome) -> Figure:
    """Figure 3: what the families of the gold standard are used for as T grows."""
    sizes, held = np.array(outcome.sizes), outcome.counts("H")[0, 0].sum()
    parts = {
        "in T, positive": outcome.positives,
        "in T, negative": sizes - outcome.positives,
        "held out": np.full(len(sizes), float(held)),
        "unassigned": len(training.gold) - held - sizes,
    }
    return areas(parts, sizes, x="|T|", y="families" if training.gold.unit == "family" else "publications")


def _compared(training: Training) -> list[tuple[str, Outcome, int]]:
    """Arms to set against each other in figure 4, each with its step."""
    found: dict[str, tuple[str, Outcome, int]] = {}
    for outcome in training.outcomes:
        if outcome.arm.design.control == "none" and outcome.arm.design.operator in ("worst-errors", "random"):
            steps = [step for step, size in enumerate(outcome.sizes) if size <= COMPARED]
            found.setdefault(outcome.arm.protocol, (outcome.arm.protocol, outcome, steps[-1] if steps else 0))
    return list(found.values()) if len(found) > 1 else []


def precision_recall(training: Training) -> Figure:
    """Figure 4: random against directed training sets."""
    told = {}
    for name, outcome, step in _compared(training):
        single = filled(measured(outcome.counts("E")[:, step]))
        told[f"{name}, |T| = {outcome.sizes[step]}"] = (single["precision"], single["recall"])
    return points(told, x="precision", y="recall")


def over_sizes(outcome: Outcome, names: tuple[str, ...]) -> Figure:
    """Figures 5 and 6: means over the runs."""
    return lines({name: outcome.curves["E"].values[name] for name in names}, np.array(outcome.sizes), x="|T|", y="on E")


def variance(outcome: Outcome) -> Figure:
    """Figure 7."""
    told = {"variance of F1": outcome.curves["E"].variances["F1"]}
    return lines(told, np.array(outcome.sizes), x="|T|", y="variance of F1 on E")


def scatter(outcome: Outcome) -> Figure:
    """Figure 8: the F1 of every run."""
    single = filled(measured(outcome.counts("E")))["F1"]
    sizes = np.broadcast_to(np.array(outcome.sizes), single.shape)
    return points({"a run": (sizes.ravel(), single.ravel())}, x="|T|", y="F1 on E")


def both_sets(training: Training) -> Figure:
    """What the paper lacks: E, which empties of errors, beside H, which nobody touches, for each control."""
    main = main_outcome(training)
    told = {}
    for outcome in training.outcomes:
        if outcome.sizes == main.sizes and outcome.arm.model == main.arm.model:
            for on, found in outcome.curves.items():
                told[f"{outcome.arm.training} on {on}"] = found.values["F1"]
    return dashed(lines(told, np.array(main.sizes), x="|T|", y="F1"), " on ")
