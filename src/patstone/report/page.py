"""The report: one HTML file that needs nothing else, for people who were not there when the numbers were made.

In order: what was compared with what, the answer in a sentence, the table with intervals and groups, and for each
measure a chart, the differences by topic and the worst topics; signatures and the exact command at the foot. Without
scripts everything is shown; a script only sorts, filters and picks the measure. Templates escape all texts.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from patstone import __version__
from patstone.compare.intervals import bca
from patstone.compare.significance import Comparison, compare
from patstone.errors import MissingExtra
from patstone.files.streams import atomic
from patstone.measures.policies import Policies
from patstone.measures.scores import Scores
from patstone.report.cells import ABSENT, Column, Table, printable
from patstone.report.findings import Finding, finding, listed, sentence
from patstone.report.notes import notes
from patstone.report.panels import panel
from patstone.report.signature import sign
from patstone.report.tables import html
from patstone.report.views import Intervals, doubts, reading, scores_table, slice_table, test_words


def write_page(
    path: str | Path,
    scores: Scores,
    comparison: Comparison | None = None,
    *,
    command: str,
    intervals: Intervals | None = None,
) -> None:
    """Write the report; without a comparison the systems are compared by the default test, without intervals by BCa."""
    template = _template()
    compared = comparison or _compared(scores)
    confidence, seed = (compared.confidence, compared.seed) if compared is not None else (0.95, 0)
    ends = intervals if intervals is not None else bca(scores.values, confidence=confidence, seed=seed)
    text = template.render(_content(scores, compared, ends, command, confidence, seed))
    with atomic(path) as temporary:
        Path(temporary).write_text(text, encoding="utf-8", errors="backslashreplace")


def _template() -> Any:  # noqa: ANN401 - Jinja's own type
    try:
        from jinja2 import DictLoader, Environment, StrictUndefined
    except ImportError as error:
        raise MissingExtra("report", "A report page") from error
    parts = {name: files("patstone.report").joinpath("web", name).read_text("utf-8") for name in _PARTS}
    loader = Environment(loader=DictLoader(parts), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return loader.get_template(_PARTS[0])


_PARTS = ("page.html", "page.css", "page.js")


def _compared(scores: Scores) -> Comparison | None:
    testable = len(scores.systems) > 1 and bool((scores.topics_counted > 0).all())
    return compare(scores) if testable else None


def _content(
    scores: Scores, comparison: Comparison | None, ends: Intervals, command: str, confidence: float, seed: int
) -> dict[str, Any]:
    found = [each for place in range(len(scores.measures)) if (each := finding(scores, place, comparison))]
    return {
        "version": __version__,
        "title": _headline(scores),
        "facts": list(_facts(scores)),
        "policies": [(field.name, _policy(getattr(scores.policies, field.name))) for field in fields(Policies)],
        "warnings": [printable(note) for note in notes(scores)]
        + (doubts(comparison) if comparison is not None else []),
        "answer": sentence(found[0]) if found else "No topic counts, so there is nothing to tell.",
        "test": _test_sentence(comparison),
        "table": html(_means_table(scores, ends, comparison)),
        "by_measure": html(_by_measure(found)) if comparison is not None and len(found) > 1 else "",
        "confidence": f"{confidence * 100:g} %",
        "panels": [panel(scores, each, comparison, ends) for each in found],
        "slices": [html(slice_table(scores, field)) for field in scores.metadata],
        "signatures": [str(sign(scores, measure, seed=seed)) for measure in scores.measures],
        "command": printable(command),
    }


def _means_table(scores: Scores, ends: Intervals, comparison: Comparison | None) -> Table:
    # Signatures stand at the foot, where there is one for each measure.
    return replace(scores_table(scores, ends, comparison=comparison), notes=tuple(reading(ends, comparison)))


def _headline(scores: Scores) -> str:
    counts = [
        (len(scores.systems), "system"),
        (len(scores.topics), "topic"),
        (len(scores.measures), "measure"),
    ]
    return ", ".join(f"{count:,} {name}{'s' if count != 1 else ''}" for count, name in counts)


def _facts(scores: Scores) -> Iterator[tuple[str, str]]:
    yield "Systems", listed(scores.systems)
    yield "Measures", ", ".join(map(str, scores.measures))
    yield "Gold standard", scores.gold or "not named"
    low, high = int(scores.topics_counted.min()), int(scores.topics_counted.max())
    counted = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    yield "Topics", f"{len(scores.topics):,} judged, {counted} counted in each mean"


def _policy(value: object) -> str:
    if value is None or value == ():
        return "all"
    return ", ".join(value) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else str(value)


def _test_sentence(comparison: Comparison | None) -> str:
    if comparison is None:
        return ""
    level = round(1 - comparison.confidence, 12)
    return f"“Really” means p < {level:g} by a {test_words(comparison)}."


def _by_measure(found: list[Finding]) -> Table:
    """Whether the answer holds under the other measures."""
    reference = "baseline" if found[0].baseline else "best"
    apart = (f"{len(each.better) + len(each.worse)} of {len(each.ranking) - 1}" for each in found)
    alike = (listed(each.alike) if each.alike else ABSENT for each in found)
    best = ((str(each.measure), each.ranking[0], each.value) for each in found)
    return Table(
        title="The answer under each measure",
        columns=(
            Column(key="measure"),
            Column(key="best", label="best system"),
            Column(key="value", kind="score", label="its mean"),
            Column(key="apart", label=f"told apart from the {reference}"),
            Column(key="alike", label=f"not told apart from the {reference}"),
        ),
        rows=tuple((*one, two, three) for one, two, three in zip(best, apart, alike, strict=True)),
    )
