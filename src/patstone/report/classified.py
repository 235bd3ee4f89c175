"""How classifiers' scores, slices, errors and differences look: wide for people, one number a row for machines."""

from collections.abc import Sequence
from math import inf, isfinite

import numpy as np

from patstone import __version__
from patstone.compare.classifiers import LabelScores, Paired, Sampling, Value, values
from patstone.gold.described import link_to, sliced
from patstone.gold.labels import GoldStandard
from patstone.measures.classified import Classified
from patstone.report.cells import Cell, Column, Table

_METHODS = "Intervals: Wilson's for precision, recall, specificity and accuracy; bootstrap percentiles for the rest."
_SEVERAL = "A family counts in each office, kind and language that it has; its year is that of its first publication."
_LONG = (
    Column(key="measure"),
    Column(key="value", kind="score"),
    Column(key="ci", kind="interval"),
    Column(key="method"),
    Column(key="topics", kind="count"),
)
Rows = list[tuple[Cell, ...]]


def signature(one: Classified, measure: str, how: Sampling) -> str:
    """How one classifier's number was made."""
    rules = one.rules
    decided = "labels" if one.threshold is None else f"{one.threshold:g}"
    parts = (
        f"gold:{one.gold.digest}", f"unit:{one.gold.unit}", f"threshold:{decided}", f"fold:{rules.fold}",
        f"missing:{rules.missing}", f"duplicates:{rules.duplicates}", f"n:{int(one.counted.sum())}",
        f"seed:{how.seed}", f"version:{__version__}",
    )  # fmt: skip
    return "|".join([measure, *parts])


def scores_table(scores: LabelScores) -> Table:
    several, how, found = scores.systems, scores.sampling, scores.values
    columns = [Column(key="system"), *(Column(key=key, kind="count") for key in ("tp", "fp", "fn", "tn"))]
    for measure in scores.measures:
        columns += [
            Column(key=measure, kind="score", better="high"),
            Column(key=f"{measure} interval", kind="interval", label="interval", joined=True),
        ]
    rows = [
        (one.system, *confusion(one).values(), *(cell for each in row for cell in (each.value, (each.low, each.high))))
        for one, row in zip(several, found, strict=True)
    ]
    return Table(
        title=title(several[0].gold),
        columns=tuple(columns),
        rows=tuple(rows),
        notes=(f"{_METHODS} {how.confidence:.0%}, {how.resamples:,} samples, seed {how.seed}.", decided(several)),
        data=lambda: Table(
            title="",
            columns=(Column(key="system"), *_LONG),
            rows=tuple((one.system, *_cells(each)) for one, row in zip(several, found, strict=True) for each in row),
        ),
    )


def title(gold: GoldStandard) -> str:
    units = "families" if gold.unit == "family" else "publications"
    return f"{len(gold):,} {units}, {int(gold.positive.sum()):,} positive, gold standard {gold.digest}"


def decided(several: Sequence[Classified]) -> str:
    """What was called positive, and how publications became families."""
    told = ["labels" if one.threshold is None else f"score > {one.threshold:g}" for one in several]
    each = [f"{one.system} {way}" for one, way in zip(several, told, strict=True)]
    said = told[0] if len(set(told)) == 1 else ", ".join(each)
    rules = several[0].rules
    fold = f"; publications fold into families by {rules.fold}" if several[0].gold.unit == "family" else ""
    return f"Positive: {said}{fold}; without an answer: {rules.missing}."


def confusion(one: Classified) -> dict[str, int]:
    counts = one.confusion()
    return {key: int(getattr(counts, key)) for key in ("tp", "fp", "fn", "tn")}


def _cells(each: Value) -> tuple[Cell, ...]:
    return each.measure, each.value, (each.low, each.high), each.method, each.units


def slices_table(scores: LabelScores, field: str) -> Table:
    """A row for each value of the field; a family counts in each value that it has."""
    gold, measures, how = scores.gold, scores.measures, scores.sampling
    parts = sliced(gold, field)
    wide: Rows = []
    long: Rows = []
    for one in scores.systems:
        for value, among in parts.items():
            found = values(one, measures, how, among=among)
            among_counted = among & one.counted
            positives = int((among_counted & gold.positive).sum())
            wide.append((one.system, value, int(among_counted.sum()), positives, *(each.value for each in found)))
            long += [(one.system, field, value, *_cells(each)) for each in found]
    counts = tuple(Column(key=key, kind="count") for key in ("units", "positives"))
    return Table(
        title=f"By {field}: {title(gold)}",
        columns=(
            Column(key="system"),
            Column(key=field),
            *counts,
            *(Column(key=measure, kind="score") for measure in measures),
        ),
        rows=tuple(wide),
        keys=2,
        notes=(_SEVERAL,) if gold.unit == "family" else (),
        data=lambda: Table(
            title="",
            columns=(Column(key="system"), Column(key="field"), Column(key="slice"), *_LONG),
            rows=tuple(long),
        ),
    )


def errors_table(several: Sequence[Classified]) -> Table:
    """What each classifier has wrong, worst first: the further from the threshold on the wrong side, the worse."""
    rows: Rows = [row for one in several for row in _errors(one)]
    columns = (
        Column(key="system"), Column(key="unit"), Column(key="error"), Column(key="score", kind="score"),
        Column(key="publication"), Column(key="title", kind="prose"), Column(key="link"),
    )  # fmt: skip
    return Table(title="Errors, worst first", columns=columns, rows=tuple(rows), keys=2)


def _errors(one: Classified) -> Rows:
    gold = one.gold
    wrong = np.flatnonzero(one.counted & (one.said != gold.positive))
    threshold = 0.0 if one.threshold is None else one.threshold
    far = np.zeros(len(gold)) if one.scores is None else np.abs(one.scores - threshold)
    order = wrong[np.argsort(-far[wrong], kind="stable")]
    first = _first_rows(gold)
    return [_error(one, unit, first[unit]) for unit in order.tolist()]


def _error(one: Classified, unit: int, row: int) -> tuple[Cell, ...]:
    gold, score = one.gold, -inf if one.scores is None else float(one.scores[unit])
    wrong = "false negative" if gold.positive[unit] else "false positive"
    if not one.answered[unit]:
        wrong += ", no answer"
    heading = gold.titles[row] if gold.titles else ""
    shown = score if isfinite(score) else None
    return one.system, gold.units[unit], wrong, shown, gold.numbers[row], heading, link_to(gold.numbers[row])


def _first_rows(gold: GoldStandard) -> dict[int, int]:
    """For each unit the row that shows it: its first with a title."""
    rows: dict[int, int] = {}
    for row, unit in enumerate(gold.of.tolist()):
        if unit not in rows or (gold.titles and not gold.titles[rows[unit]].strip()):
            rows[unit] = row
    return rows


def pairs_table(rows: Sequence[Paired], how: Sampling) -> Table:
    columns = (
        Column(key="a"), Column(key="b"), Column(key="measure"), Column(key="difference", kind="difference"),
        Column(key="ci", kind="interval"), Column(key="p", kind="p"), Column(key="p_adjusted", kind="p"),
        Column(key="test"), Column(key="wins", kind="count"), Column(key="ties", kind="count"),
        Column(key="losses", kind="count"), Column(key="topics", kind="count"),
    )  # fmt: skip
    told = [
        (
            row.a, row.b, row.measure, row.difference, (row.low, row.high), row.p, row.p_adjusted, row.test,
            row.wins, row.ties, row.losses, row.units,
        )
        for row in rows
    ]  # fmt: skip
    return Table(
        title="Differences, paired by unit",
        columns=columns,
        rows=tuple(told),
        keys=3,
        notes=(
            f"Wins are units that a has right and b wrong. McNemar's test is exact; {how.permutations:,} swaps; "
            f"intervals from {how.resamples:,} bootstrap samples; Holm over the pairs; seed {how.seed}.",
        ),
    )
