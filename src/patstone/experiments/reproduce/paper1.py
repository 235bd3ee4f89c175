"""Paper 1, gold standards for patent classification: random and directed training on the quantum gold standard.

The published file is read from `--data`, the file itself or a folder that holds it. Without it, what Algorithm 1
promises of any gold standard is checked on the bundled one. `paper1.toml` has what the paper prints; its classifier
read full text and class codes, ours reads titles, and the score on H, which the paper lacks, stands beside each.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patstone.experiments.reproduce.registry import Given, NoData, PaperTable, Row, declare

if TYPE_CHECKING:
    from patstone.experiments.training import Outcome, Training
    from patstone.gold.labels import GoldStandard

GOLD = "quantum-qubit-generation.tsv"
NEEDS = f"{GOLD} in --data, which `patstone gold fetch quantum` brings"
MEASURES = ("precision", "recall", "F1", "accuracy")


@cache
def published() -> dict[str, Any]:
    text = files("patstone.experiments.reproduce").joinpath("paper1.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def gold_file(given: Given) -> Path:
    """The published labels: the file that --data names, or the one in that folder."""
    data = given.data
    if data is None:
        raise NoData(
            f"{GOLD}: name it, or the folder that holds it, with --data; `patstone gold fetch quantum` brings it."
        )
    found = [place for place in (data, data / GOLD, data / "quantum-gold-standard" / GOLD) if place.is_file()]
    if not found:
        raise NoData(f"{GOLD}, which is not in {data}.")
    return found[0]


@cache
def trained(path: Path, seed: int) -> "Training":
    """Everything that tables 5 and 6 need, once."""
    from patstone.experiments.plan import planned
    from patstone.experiments.training import run
    from patstone.gold.labels import read_labels

    gold = read_labels(path)
    runs = published()["table6"]["runs"]
    return run(gold, planned(gold.positive, protocol="both", controls=["frozen"], runs=runs, seed=seed))


@declare(paper="paper1", name="table5", title="Random training sets of 300", needs=NEEDS)
def table_5(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.experiments.curves import curve

    printed = published()["table5"]
    random = trained(gold_file(given), given.seed).outcome(protocol="random")
    values = curve(random.counts("E")[: printed["sets"]]).values
    row = f"mean of {printed['sets']} sets, E"
    for name, value in printed["mean"].items():
        yield table.held(row, name, value, float(values[name][0]), printed["tolerance"][name])
    yield table.finding(f"{row} below {printed['ceiling']}", "F1", holds=float(values["F1"][0]) < printed["ceiling"])
    yield table.shown(f"mean of {len(random.traces)} sets, H", "F1", float(random.curves["H"].values["F1"][0]))


@declare(paper="paper1", name="table6", title="Directed training, 200 runs of Algorithm 1", needs=NEEDS)
def table_6(table: PaperTable, given: Given) -> Iterator[Row]:
    training = trained(gold_file(given), given.seed)
    directed = training.outcome()
    yield from counted(table, directed)
    yield from printed_rows(table, directed)
    yield from least(table, directed)
    yield from findings(table, training)


def counted(table: PaperTable, directed: "Outcome") -> Iterator[Row]:
    """What does not depend on the classifier."""
    counts = published()["table6"]["counts"]
    tp, fp, fn, tn = directed.curves["E"].counts[0].tolist()
    held = float(directed.counts("H")[0, 0].sum())
    yield table.held("|T| = 100, E", "tp + fn", counts["positives"], tp + fn, 0.0)
    yield table.held("|T| = 100, E", "tn + fp", counts["negatives"], tn + fp, 0.0)
    yield table.held("H", "families", counts["held_out"], held, 0.0)
    yield table.held("all", "evaluations", counts["evaluations"], len(directed.sizes), 0.0)


def printed_rows(table: PaperTable, directed: "Outcome") -> Iterator[Row]:
    """Each row of the table, the score on E beside the paper's, and the score on H, which the paper does not give."""
    printed = published()["table6"]
    on = directed.curves
    for size, values in printed["rows"].items():
        step = directed.sizes.index(int(size))
        tolerance = printed["tolerance"]["early" if int(size) <= printed["early"] else "late"]
        for name in MEASURES:
            ours = float(on["E"].values[name][step])
            yield table.held(f"|T| = {size}, E", name, values[name], ours, tolerance)
        yield table.shown(f"|T| = {size}, H", "F1", float(on["H"].values["F1"][step]))


def least(table: PaperTable, directed: "Outcome") -> Iterator[Row]:
    for on in ("E", "H"):
        for size, goal in published()["table6"]["least"][on].items():
            value = float(directed.curves[on].values["F1"][directed.sizes.index(int(size))])
            yield table.finding(f"|T| = {size}, {on}: at least {goal}", "F1", holds=value >= goal)


def findings(table: PaperTable, training: "Training") -> Iterator[Row]:
    """What the paper says of its figures 4 and 7; and what it does not: E rises though nothing is learned."""
    directed, random = training.outcome(), training.outcome(protocol="random")
    step, ours = directed.sizes.index(random.sizes[0]), directed.curves["E"].values
    for name in ("precision", "recall"):
        above = bool(ours[name][step] > random.curves["E"].values[name][0])
        yield table.finding("directed above random at 300", name, holds=above)
    variance = directed.curves["E"].variances["F1"]
    yield table.finding("the variance falls", "F1", holds=bool(variance[-1] < variance[0]))
    for on, found in training.outcome(control="frozen").curves.items():
        for place, size in ((0, 100), (step, 300)):
            yield table.shown(f"trained once at 100, |T| = {size}, {on}", "F1", float(found.values["F1"][place]))


@declare(paper="paper1", name="figure3", title="Positives taken up as T grows", needs=NEEDS)
def figure_3(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.experiments.plan import planned
    from patstone.experiments.training import run
    from patstone.gold.labels import read_labels

    printed = published()["figure3"]
    gold, sizes = read_labels(gold_file(given)), list(map(int, printed["used"]))
    plan = planned(gold.positive, beta=max(sizes), runs=printed["runs"], seed=given.seed)
    (outcome,) = run(gold, plan).outcomes
    available = int(gold.positive.sum()) - int(outcome.counts("H")[0, 0, [0, 2]].sum())
    for size in sizes:
        share = float(outcome.positives[outcome.sizes.index(size)]) / available
        yield table.held(
            f"|T| = {size}", "share of positives in T", printed["used"][str(size)], share, printed["tolerance"]
        )


@declare(paper="paper1", name="algorithm1", title="What Algorithm 1 promises of any gold standard, on the bundled one")
def algorithm_1(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.experiments.plan import planned
    from patstone.experiments.training import run
    from patstone.gold import sample
    from patstone.gold.labels import read_labels

    gold = read_labels(sample.HERE / "soft-gripping.tsv")
    training = run(gold, planned(gold.positive, controls=["frozen"], runs=10, seed=given.seed))
    directed, frozen = training.outcomes
    yield table.held("all", "evaluations", published()["table6"]["counts"]["evaluations"], len(directed.sizes), 0.0)
    yield table.finding("E is everything outside T", "families", holds=_outside(gold, directed))
    yield table.finding("H is stratified, and never joins T", "families", holds=_kept_apart(gold, directed))
    rising, flat = (frozen.curves[on].values["F1"] for on in ("E", "H"))
    yield table.finding("trained once, E rises", "F1", holds=bool(rising[-1] > rising[0]))
    yield table.finding("trained once, H does not move", "F1", holds=bool((flat == flat[0]).all()))


def _outside(gold: "GoldStandard", directed: "Outcome") -> bool:
    left = [len(gold) - size for size in directed.sizes]
    return all(trace.evaluated.sum(axis=1).tolist() == left for trace in directed.traces)


def _kept_apart(gold: "GoldStandard", directed: "Outcome") -> bool:
    """As many of each class in H as a fifth of it, rounded; and T and H together no more than the gold standard."""
    positives = int(gold.positive.sum())
    share = [round(directed.arm.design.gamma * count) for count in (positives, len(gold) - positives)]
    held = directed.counts("H")[:, :, [[0, 2], [1, 3]]].sum(axis=3)
    return bool((held == share).all()) and all(
        len(set(trace.order.tolist())) == directed.sizes[-1] for trace in directed.traces
    )
