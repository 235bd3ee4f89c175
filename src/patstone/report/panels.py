"""What the report says about one measure: means, the best two systems topic by topic, and the worst topics."""

from typing import Any

import numpy as np

from patstone.compare.significance import Comparison
from patstone.measures.scores import Scores
from patstone.report.cells import Cell, Column, Table, printable
from patstone.report.charts import NARROW, WIDE, Mean, Size, differences_chart, means_chart
from patstone.report.findings import Duel, Finding, direction, duel, ranked_systems, sentence
from patstone.report.tables import html
from patstone.report.views import Intervals

_WORST = 10


def panel(scores: Scores, found: Finding, comparison: Comparison | None, ends: Intervals) -> dict[str, Any]:
    place = scores.measures.index(found.measure)
    means = _means(scores, place, ends, found)
    pair = duel(scores, place, comparison)
    measure = str(found.measure)
    return {
        "measure": measure,
        "sentence": sentence(found),
        "tested": found.tested,
        "reference": "baseline" if found.baseline else "best system",
        "means": [means_chart(means, measure, size) for size in (WIDE, NARROW)],
        "duel": _words(pair) if pair else {},
        "differences": [_differences(pair, size) for size in (WIDE, NARROW)] if pair else [],
        "worst": html(worst_topics(scores, place)),
    }


def _means(scores: Scores, place: int, ends: Intervals, found: Finding) -> list[Mean]:
    low, high = ends
    filled = {found.reference, *found.alike} if found.tested else {found.reference}
    return [
        Mean(
            system=scores.systems[system],
            value=float(scores.means[system, place]),
            low=float(low[system, place]),
            high=float(high[system, place]),
            filled=scores.systems[system] in filled,
        )
        for system in ranked_systems(scores, place)
    ]


def _differences(pair: Duel, size: Size) -> str:
    return differences_chart(pair.topics, pair.differences, str(pair.measure), size, sign=pair.sign)


def _words(pair: Duel) -> dict[str, Any]:
    gain = pair.sign * pair.differences
    most, least = int(np.nanargmax(gain)), int(np.nanargmin(gain))
    return {
        "a": printable(pair.a),
        "b": printable(pair.b),
        "counts": pair.counts,
        "most": f"{printable(pair.topics[most])} ({pair.differences[most]:+.4f})",
        "least": f"{printable(pair.topics[least])} ({pair.differences[least]:+.4f})",
    }


def worst_topics(scores: Scores, place: int) -> Table:
    """Where the best system does worst; among equals first where another one does better."""
    best, *others = ranked_systems(scores, place)
    sign = direction(scores.measures[place])
    gain = sign * scores.values[:, place, :]
    # A system without a value is nobody's better.
    rest = np.where(np.isnan(gain[others]), -np.inf, gain[others])
    order = np.lexsort((-rest.max(axis=0, initial=-np.inf), gain[best]))
    worst = [int(topic) for topic in order if not np.isnan(gain[best, topic])][:_WORST]
    name = printable(scores.systems[best])
    columns = (Column(key="topic"), Column(key="value", kind="score", label=name), *(_OTHER if others else ()))
    rows: list[tuple[Cell, ...]] = []
    for topic in worst:
        row = (scores.topics[topic], float(scores.values[best, place, topic]))
        other = others[int(rest[:, topic].argmax())] if others else best
        rows.append((*row, float(scores.values[other, place, topic]), scores.systems[other]) if others else row)
    return Table(title=f"Worst topics of {name}", columns=columns, rows=tuple(rows))


_OTHER = (Column(key="other", kind="score", label="best of the others"), Column(key="system", label="by"))
