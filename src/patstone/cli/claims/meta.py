"""`patstone claims meta`: how far each judge agrees with experts, and what could fake that agreement."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from patstone.cli.answer import Answer
from patstone.errors import UsageError

if TYPE_CHECKING:
    from patstone.experiments.judging import Agreement, Contrast, MetaEvaluation, Settings
    from patstone.gold.preferences import Preferences
    from patstone.report.cells import Cell, Table
    from patstone.systems.judges.judge import Marks


def meta(
    comparisons: str,
    *,
    judge: Sequence[str] = ("default",),
    tie_band: str = "cross",
    trained_on: Sequence[str] = (),
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    columns: Mapping[str, str] | None = None,
) -> Answer:
    """Hold judges of claims against experts' comparisons: paper 4's table, with the controls that it lacks.

    Every judge meets every criterion that is labelled, over all comparisons and over those in which no candidate is the
    gold. Each comparison counts with its mirror image; intervals draw golds. Continuous differences and ternary
    predictions stand apart: labels tie, so that the first can't reach 1. `control:` rows read no claims.

    Try:
      patstone claims meta comparisons.json
      patstone claims meta comparisons.json --judge lexical my-judge/ --json
      patstone claims meta comparisons.json --judge http://localhost:8000/judge --tie-band 0.05
    """
    from patstone.cli.claims.judging import mark_all
    from patstone.experiments.judging import Settings, evaluate

    settings = Settings(
        band=band(tie_band), resamples=resamples, confidence=confidence, seed=seed, seen=keys_of(trained_on)
    )
    found, marks, notes = mark_all(comparisons, judge, columns=columns, comparisons=True)
    result = evaluate(found, marks, settings)
    return Answer(
        tables=[*agreement_tables(found, result), contrast_table(result)],
        data=[rows_table(result.agreements)],
        payload=lambda: payload(found, marks, settings, result, notes),
        notes=[*notes, *result.warnings],
    )


def band(text: str) -> float | Literal["cross"]:
    if text == "cross":
        return "cross"
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"--tie-band is 'cross' or a number of the judge's score. Got {text!r} instead.") from None


def keys_of(paths: Sequence[str]) -> frozenset[int]:
    from patstone.gold.preference_files import read_preferences

    return frozenset(int(key) for path in paths for key in read_preferences(path).keys)


def payload(
    found: "Preferences",
    marks: "Sequence[Marks]",
    settings: "Settings",
    result: "MetaEvaluation",
    notes: Sequence[str],
) -> dict[str, Any]:
    from patstone.report.records import records

    drawn = f"clusters:gold|resamples:{settings.resamples}|seed:{settings.seed}|band:{settings.band}|mirrored:yes"
    return {
        "signature": {each.judge: f"{each.signature}|gold:{found.digest}|{drawn}" for each in marks},
        "results": records(rows_table(result.agreements)),
        "differences": records(contrast_table(result)),
        "counts": found.counts
        | {"ceilings": dict(result.ceilings), "bands": dict(result.bands)}
        | {each.judge: dict(each.counts) for each in marks if each.counts},
        "warnings": [*notes, *result.warnings],
    }


def rows_table(agreements: "Sequence[Agreement]") -> "Table":
    """One number a row, under the keys that scripts rely on."""
    from patstone.report.cells import Column, Table

    texts = ("judge", "criterion", "subset", "statistic", "predictions")
    columns = (
        *(Column(key=key) for key in texts),
        Column(key="value", kind="score"),
        Column(key="ci", kind="interval"),
        Column(key="pairs", kind="count"),
        Column(key="golds", kind="count"),
    )
    rows = tuple(tuple(asdict(row)[column.key] for column in columns) for row in agreements)
    return Table(title="", columns=columns, rows=rows, keys=len(texts))


def agreement_tables(found: "Preferences", result: "MetaEvaluation") -> "list[Table]":
    """A table for continuous differences and one for ternary predictions: no column holds both."""
    return [_agreement_table(found, result, kind) for kind in ("continuous", "ternary")]


def _agreement_table(found: "Preferences", result: "MetaEvaluation", kind: str) -> "Table":
    from patstone.report.cells import Column, Table

    named = ["tau_b", "rho", "accuracy"] + (["accuracy3"] if kind == "ternary" else [])
    remainder = any(row.subset == "not-identical" for row in result.agreements)
    shown = [("all", name) for name in named] + ([("not-identical", "tau_b")] if remainder else [])
    values: dict[tuple[str, str, str, str], Agreement] = {
        (row.judge, row.criterion, row.subset, row.statistic): row
        for row in result.agreements
        if row.predictions == kind
    }
    lines = dict.fromkeys((criterion, judge) for judge, criterion, _, _ in values)
    columns = [Column(key="criterion"), Column(key="judge")]
    for subset, name in shown:
        label = name if subset == "all" else f"{name} not identical"
        columns.append(Column(key=f"{subset} {name}", label=label, kind="score", decimals=3))
        if name == "tau_b":
            columns.append(
                Column(key=f"{subset} {name} ci", label="interval", kind="interval", decimals=3, joined=True)
            )
    rows = []
    for criterion, judge in lines:
        cells: list[Cell] = [criterion, judge]
        for subset, name in shown:
            row = values.get((judge, criterion, subset, name))
            cells.append(row.value if row else None)
            cells += [row.ci if row else None] if name == "tau_b" else []
        rows.append(tuple(cells))
    what = "score differences as they are" if kind == "continuous" else "better, equal or worse, by a tie band"
    return Table(
        title=f"{kind} predictions ({what}): {len(found):,} comparisons from {found.counts['golds']:,} golds",
        columns=tuple(columns),
        rows=tuple(rows),
        keys=2,
    )


def contrast_table(result: "MetaEvaluation") -> "Table":
    from patstone.report.cells import Column, Table

    kinds = {"difference": "difference", "ci": "interval", "p": "p", "p_adjusted": "p", "smallest": "score"}
    keys = ("criterion", "subset", "a", "b", *kinds)
    return Table(
        title="Differences of tau_b (continuous), paired by resampled golds, Holm's correction by criterion and subset",
        columns=tuple(
            Column(key=key, kind=kinds.get(key, "text"), decimals=3, joined=key == "ci")  # type: ignore[arg-type]
            for key in keys
        ),
        rows=tuple(_cells(row, keys) for row in result.contrasts),
        keys=4,
        notes=("smallest: the difference that such data would show with a power of 0.8",),
    )


def _cells(row: "Contrast", keys: Sequence[str]) -> "tuple[Cell, ...]":
    return tuple(asdict(row)[key] for key in keys)
