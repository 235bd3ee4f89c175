"""What scores and comparisons look like as tables: wide for people, and in `data` one number a row for machines.

The rows for machines have the keys that the command line promises: `system, measure, value, ci, topics` (with
`topic` or `field, slice` where rows are split so), and those of comparisons.
"""

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

import numpy as np

from patstone.errors import UsageError
from patstone.gold.qrels import Floats, Ints
from patstone.measures.measure import Measure
from patstone.measures.scores import Scores
from patstone.report.cells import Cell, Column, Table
from patstone.report.signature import sign

if TYPE_CHECKING:
    from patstone.compare.discrimination import Discrimination
    from patstone.compare.significance import Comparison, Difference

Intervals: TypeAlias = tuple[Floats, Floats]
"""Low and high ends, each systems × measures."""

_SYSTEM = Column(key="system")
_VALUES = (Column(key="measure"), Column(key="value", kind="score"))
_SUPPORT = (Column(key="ci", kind="interval"), Column(key="topics", kind="count"))
_SIGNATURE = Column(key="signature")


def scores_table(
    scores: Scores,
    intervals: Intervals | None = None,
    *,
    comparison: "Comparison | None" = None,
    seed: int | None = None,
) -> Table:
    """Means of each system, with intervals and significance groups where they are given."""
    even = int(np.ptp(scores.topics_counted)) == 0
    columns, cells = [_SYSTEM], [list[Cell](scores.systems)]
    for place, measure in enumerate(scores.measures):
        columns += _measure_columns(measure, intervals, comparison, even=even)
        cells += _measure_cells(scores, place, intervals, comparison, even=even)
    return Table(
        title=_title(scores, even=even),
        columns=tuple(columns),
        rows=tuple(zip(*cells, strict=True)),
        notes=(*reading(intervals, comparison), _signed(scores, seed)),
        data=lambda: _score_rows(scores, intervals, seed),
    )


def _title(scores: Scores, *, even: bool) -> str:
    counted = int(scores.topics_counted.max(initial=0))
    over = f"{counted:,} topics" if even else f"up to {counted:,} of {len(scores.topics):,} topics"
    return f"Means over {over}" + (f", gold standard {scores.gold}" if scores.gold else "")


def _value_column(measure: Measure) -> Column:
    return Column(key=str(measure), kind="score", better="high" if measure.card.higher_is_better else "low")


def _measure_columns(
    measure: Measure, intervals: Intervals | None, comparison: "Comparison | None", *, even: bool
) -> list[Column]:
    columns = [_value_column(measure)]
    if intervals is not None:
        columns.append(Column(key=f"{measure} interval", kind="interval", label="interval", joined=True))
    if _has_groups(comparison):
        columns.append(Column(key=f"{measure} group", label="group", joined=True))
    if not even:
        columns.append(Column(key=f"{measure} topics", kind="count", label="topics", joined=True))
    return columns


def _measure_cells(
    scores: Scores, place: int, intervals: Intervals | None, comparison: "Comparison | None", *, even: bool
) -> list[list[Cell]]:
    cells: list[list[Cell]] = [scores.means[:, place].tolist()]
    if intervals is not None:
        low, high = (ends[:, place].tolist() for ends in intervals)
        cells.append(list(zip(low, high, strict=True)))
    if _has_groups(comparison):
        cells.append([" ".join(map(str, numbers)) for numbers in comparison.groups[scores.measures[place]]])
    if not even:
        cells.append(scores.topics_counted[:, place].tolist())
    return cells


def _has_groups(comparison: "Comparison | None") -> "TypeGuard[Comparison]":
    """Where a baseline left pairs untested, nobody knows who belongs together; Tukey tests all pairs anyway."""
    return comparison is not None and (comparison.baseline is None or comparison.test == "tukey")


def reading(intervals: Intervals | None, comparison: "Comparison | None") -> list[str]:
    """What the columns beside a mean say."""
    notes = []
    if _has_groups(comparison):
        notes.append(f"Systems that share a group number can't be told apart ({test_words(comparison)}).")
    if intervals is not None:
        notes.append("Intervals are of the mean over topics.")
    return notes


def test_words(comparison: "Comparison") -> str:
    name = {
        "randomisation": f"paired randomisation test, {comparison.permutations:,} sign flips",
        "t": "paired t test",
        "tukey": f"randomised Tukey HSD, {comparison.permutations:,} permutations",
    }[comparison.test]
    adjusted = "" if comparison.test == "tukey" else ", Holm-adjusted"
    return f"{name}{adjusted}, seed {comparison.seed}"


def doubts(comparison: "Comparison") -> list[str]:
    """What keeps a comparison from telling anything apart, however different the systems are."""
    if comparison.least_adjusted < round(1 - comparison.confidence, 12):
        return []
    return [
        f"With {comparison.permutations:,} permutations no difference can be told apart: after correction no p-value "
        f"is below {comparison.least_adjusted:.4f}. Ask for more permutations."
    ]


def _signed(scores: Scores, seed: int | None) -> str:
    first = sign(scores, scores.measures[0], seed=seed)
    return f"Signature: {first}" + (" (the others differ in the measure only)" if len(scores.measures) > 1 else "")


def _score_rows(scores: Scores, intervals: Intervals | None, seed: int | None) -> Table:
    low, high = intervals if intervals is not None else (np.full(scores.means.shape, np.nan),) * 2
    signatures = [str(sign(scores, measure, seed=seed)) for measure in scores.measures]
    rows = [
        (
            system,
            str(measure),
            float(scores.means[s, m]),
            (float(low[s, m]), float(high[s, m])),
            int(scores.topics_counted[s, m]),
            signatures[m],
        )
        for s, system in enumerate(scores.systems)
        for m, measure in enumerate(scores.measures)
    ]
    return Table(title="", columns=(_SYSTEM, *_VALUES, *_SUPPORT, _SIGNATURE), rows=tuple(rows))


def by_topic_table(scores: Scores) -> Table:
    """A row for each topic and system."""
    rows = [
        (topic, system, *values)
        for topic, by_system in zip(scores.topics, scores.values.transpose(2, 0, 1).tolist(), strict=True)
        for system, values in zip(scores.systems, by_system, strict=True)
    ]
    return Table(
        title="By topic" + (f", gold standard {scores.gold}" if scores.gold else ""),
        columns=(
            Column(key="topic"),
            _SYSTEM,
            *(Column(key=str(measure), kind="score") for measure in scores.measures),
        ),
        rows=tuple(rows),
        keys=2,
        data=lambda: _topic_rows(scores),
    )


def _topic_rows(scores: Scores) -> Table:
    values = scores.values.reshape(-1)
    counted = (values == values).astype(np.int64).tolist()
    names = product(scores.systems, map(str, scores.measures), scores.topics)
    rows = ((*name, value, None, count) for name, value, count in zip(names, values.tolist(), counted, strict=True))
    return Table(title="", columns=(_SYSTEM, _VALUES[0], Column(key="topic"), _VALUES[1], *_SUPPORT), rows=tuple(rows))


def slice_table(scores: Scores, field: str) -> Table:
    """Means of each system over the topics that share a value of a topic column, and how many topics those are."""
    rows = [
        (value, system, len(part.topics), *part.means[s].tolist())
        for value, part in _slices(scores, field).items()
        for s, system in enumerate(scores.systems)
    ]
    measures = (Column(key=str(measure), kind="score") for measure in scores.measures)
    return Table(
        title=f"By {field}" + (f", gold standard {scores.gold}" if scores.gold else ""),
        columns=(Column(key="slice", label=field), _SYSTEM, Column(key="topics", kind="count"), *measures),
        rows=tuple(rows),
        keys=2,
        data=lambda: _slice_rows(scores, field),
    )


def _slices(scores: Scores, field: str) -> dict[str, Scores]:
    """The scores of the topics that share each value of the column."""
    if field not in scores.metadata:
        known = ", ".join(scores.metadata) or "no columns"
        raise UsageError(f"Topics have no column {field!r} to slice by; they have {known}.")
    column = np.array(scores.metadata[field], dtype=object)
    parts = {str(value): np.flatnonzero(column == value) for value in sorted(set(scores.metadata[field]))}
    return {value: _part(scores, topics) for value, topics in parts.items()}


def _part(scores: Scores, topics: Ints) -> Scores:
    names = tuple(scores.topics[topic] for topic in topics)
    return replace(scores, topics=names, values=scores.values[:, :, topics], metadata={})


def _slice_rows(scores: Scores, field: str) -> Table:
    rows = [
        (system, str(measure), field, value, float(part.means[s, m]), None, int(part.topics_counted[s, m]))
        for value, part in _slices(scores, field).items()
        for s, system in enumerate(scores.systems)
        for m, measure in enumerate(scores.measures)
    ]
    split = (Column(key="field"), Column(key="slice"))
    return Table(title="", columns=(_SYSTEM, _VALUES[0], *split, _VALUES[1], *_SUPPORT), rows=tuple(rows))


def comparison_table(comparison: "Comparison") -> Table:
    """A row for each pair of systems and measure; the difference is the mean of a minus the mean of b."""
    return Table(
        title="Differences between systems (a minus b)",
        columns=(
            Column(key="a"),
            Column(key="b"),
            Column(key="measure"),
            Column(key="difference", kind="difference"),
            Column(key="ci", kind="interval", label=f"{comparison.confidence * 100:g} % interval"),
            Column(key="p", kind="p"),
            Column(key="p_adjusted", kind="p", label="p adjusted"),
            Column(key="effect", kind="difference", decimals=2),
            *(Column(key=key, kind="count") for key in ("wins", "ties", "losses", "topics", "unpaired")),
        ),
        rows=tuple(map(_difference_row, comparison.rows)),
        notes=(f"Test: {test_words(comparison)}.", *doubts(comparison)),
        keys=3,
    )


def _difference_row(row: "Difference") -> tuple[Cell, ...]:
    size = (row.difference, (row.low, row.high), row.p, row.p_adjusted, row.effect)
    return (row.a, row.b, str(row.measure), *size, row.wins, row.ties, row.losses, row.topics, row.unpaired)


def discrimination_table(discrimination: "Discrimination") -> Table:
    """How many pairs of systems each measure tells apart."""
    rows = [
        (str(row.measure), row.power, row.smallest_difference, row.required_difference, row.told_apart, row.pairs)
        for row in discrimination.rows
    ]
    test = {"bootstrap": "paired bootstrap test, uncorrected", "tukey": "randomised Tukey HSD"}[discrimination.test]
    return Table(
        title="Discriminative power",
        columns=(
            Column(key="measure"),
            Column(key="power", kind="score", better="high"),
            Column(key="smallest_difference", kind="score", label="smallest difference"),
            Column(key="required_difference", kind="score", label="required difference"),
            Column(key="told_apart", kind="count", label="told apart"),
            Column(key="pairs", kind="count"),
        ),
        rows=tuple(rows),
        notes=(
            f"Test: {test}, {discrimination.resamples:,} resamples, told apart where p < {discrimination.alpha:g}, "
            f"seed {discrimination.seed}.",
        ),
    )


def agreement_table(discrimination: "Discrimination") -> Table:
    """How far two measures agree on the ranking of systems."""
    rows = [(str(row.first), str(row.second), row.tau, row.tau_ap) for row in discrimination.agreement]
    return Table(
        title="Agreement between measures on the ranking of systems",
        columns=(
            Column(key="first"),
            Column(key="second"),
            Column(key="tau", kind="difference", label="Kendall tau"),
            Column(key="tau_ap", kind="difference", label="tau_AP"),
        ),
        rows=tuple(rows),
        keys=2,
    )
