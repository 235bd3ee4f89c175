"""`patstone gold agree`: how far reviewers agree, and what the gold standard is by each view of their labels."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from patstone.cli.answer import Answer

if TYPE_CHECKING:
    from patstone.compare.agreement import Agreed, Agreement
    from patstone.report.cells import Table


def agree(
    gold: str,
    reviews: str,
    *,
    predictions: list[str] | None = None,
    folder: str | None = None,
    measures: list[str] | None = None,
    threshold: float | None = None,
    fold: str | None = None,
    columns: Mapping[str, str] | None = None,
    gold_format: str | None = None,
    seed: int = 0,
) -> Answer:
    """Tell how far reviewers agree: raw, Cohen, Fleiss, Krippendorff's alpha, Gwet's AC1, by class, reviewer and pair.

    With --folder the consensus, most generous and narrowest gold standards are written; with --predictions classifiers
    are scored against all three. Gaps and words of doubt count as no label; ties of the consensus are left out.

    Try:
      patstone gold agree soft-gripping.tsv reviews.csv
      patstone gold agree soft-gripping.tsv reviews.csv --folder views --predictions neighbours.csv
      patstone gold agree soft-gripping.tsv reviews.csv --json
    """
    from patstone import labelling

    words = {"columns": columns, "gold_format": gold_format, "threshold": threshold, "fold": fold}
    given = {name: value for name, value in words.items() if value is not None}
    found = labelling.agree(
        gold,
        reviews,
        predictions=predictions or (),
        measures=measures or (),
        folder=folder,
        seed=seed,
        **given,  # type: ignore[arg-type]
    )
    tables = [statistics_table(found.statistics, seed), views_table(found)]
    tables += [scores_table(found)] if found.scores else []
    return Answer(tables=tables, data=tables[:1], payload=lambda: payload(found, tables), notes=notes(found))


def statistics_table(found: "Sequence[Agreed]", seed: int) -> "Table":
    from patstone.report.cells import Column, Table

    return Table(
        title="Agreement",
        columns=(
            Column(key="statistic"), Column(key="of"), Column(key="value", kind="score"),
            Column(key="ci", kind="interval"), Column(key="units", kind="count"),
        ),
        rows=tuple((each.statistic, each.of, each.value, (each.low, each.high), each.units) for each in found),
        keys=2,
        notes=(f"Intervals: 95 %, 2,000 bootstrap samples, seed {seed}. Units: those with two labels or more.",),
    )  # fmt: skip


def views_table(found: "Agreement") -> "Table":
    from patstone.report.cells import Column, Table

    return Table(
        title="The gold standard by each view of the reviews",
        columns=(
            Column(key="view"), Column(key="units", kind="count"), Column(key="positives", kind="count"),
            Column(key="changed", kind="count"), Column(key="file"),
        ),
        rows=tuple(
            (view, len(made), int(made.positive.sum()), found.changed[view], str(found.files.get(view, "")))
            for view, made in found.views.items()
        ),
        notes=("Changed: units whose label differs from the gold standard's own. Only reviewed units are in a view.",),
    )  # fmt: skip


def scores_table(found: "Agreement") -> "Table":
    from patstone.report.cells import Column, Table

    rows = [
        (view, one.system, each.measure, each.value, (each.low, each.high), each.units)
        for view, scores in found.scores.items()
        for one, values in zip(scores.systems, scores.values, strict=True)
        for each in values
    ]
    return Table(
        title="Classifiers against each view",
        columns=(
            Column(key="view"), Column(key="system"), Column(key="measure"), Column(key="value", kind="score"),
            Column(key="ci", kind="interval"), Column(key="topics", label="units", kind="count"),
        ),
        rows=tuple(rows),
        keys=3,
    )  # fmt: skip


def payload(found: "Agreement", tables: "Sequence[Table]") -> dict[str, Any]:
    from patstone.report.records import records

    return {
        "signature": None,
        "results": records(tables[0]),
        "views": records(tables[1]),
        "scores": records(tables[2]) if len(tables) > 2 else [],
        "counts": dict(found.counts),
    }


def notes(found: "Agreement") -> list[str]:
    counts = found.counts
    told = {
        "gaps": "labels that no reviewer gave",
        "doubts": "words of doubt, counted as gaps",
        "unlabelled": "units that nobody labelled",
        "ties": "units on which as many say yes as no, left out of the consensus",
        "unknown": "reviewed units that the gold standard doesn't have",
    }
    return [f"{words}: {counts[name]:,}." for name, words in told.items() if counts[name]]
