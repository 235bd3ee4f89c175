"""`patstone claims score`: what judges say of candidate claims, one row for each item, judge and criterion."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from patstone.cli.answer import Answer

if TYPE_CHECKING:
    from patstone.gold.preferences import Preferences
    from patstone.report.cells import Cell, Table
    from patstone.systems.judges.judge import Drivers, Marks


def score(
    pairs: str,
    *,
    judge: Sequence[str] = ("default",),
    reference_free: bool = False,
    explain: bool = False,
    columns: Mapping[str, str] | None = None,
) -> Answer:
    """Let judges score candidate claims against gold claims, or without them.

    PAIRS is a JSON list, JSON Lines or a table of items with a gold and two candidates A and B, or one candidate. A
    score is higher for the better candidate; what it ranges over depends on the judge, and stands in its signature.
    A judge that tells no criteria apart has one row an item, under `overall`.

    Judges: BLEU chrF ROUGE-1 ROUGE-2 ROUGE-L TER edit token-F1 METEOR TER-shifts structural embedding:NAME; `lexical`,
    `default` (lexical and structural) and `all`; the folder of a trained judge; command:'PROGRAM'; http://… addresses.

    Try:
      patstone claims score pairs.json --judge default
      patstone claims score pairs.json --judge ROUGE-L structural --explain --json
      patstone claims score pairs.json --judge structural --reference-free
      patstone claims score pairs.json --judge command:'python my_judge.py'
    """
    from patstone.cli.claims.judging import mark_all

    found, marks, notes = mark_all(pairs, judge, columns=columns, reference_free=reference_free, explain=explain)
    table = table_of(found, marks, explain=explain)
    return Answer(
        tables=[table],
        payload=lambda: {
            "signature": {each.judge: each.signature for each in marks},
            "results": list(rows(found, marks, explain=explain)),
            "counts": found.counts | {each.judge: dict(each.counts) for each in marks if each.counts},
        },
        notes=notes,
    )


def rows(preferences: "Preferences", marks: "Sequence[Marks]", *, explain: bool) -> Iterator[dict[str, Any]]:
    for each in marks:
        for row, name in enumerate(preferences.items):
            for place, criterion in enumerate(each.criteria):
                if isnan(each.a[row, place]):
                    continue
                a, b = float(each.a[row, place]), float(each.b[row, place])
                told = {"score": a} if isnan(b) else {"score_a": a, "score_b": b}
                drove = _drivers(each, row, alone=isnan(b)) if explain else {}
                yield {"pair": name, "judge": each.judge, "criterion": criterion, **told, **drove}


def _drivers(marks: "Marks", row: int, *, alone: bool) -> dict[str, Any]:
    if not marks.drivers_a:
        return {"drivers": None}
    own = dict(marks.drivers_a[row])
    return {"drivers": own if alone else {"a": own, "b": dict(marks.drivers_b[row])}}


def table_of(preferences: "Preferences", marks: "Sequence[Marks]", *, explain: bool) -> "Table":
    from patstone.report.cells import Column, Table

    both = bool((preferences.b >= 0).any())
    names = ("score_a", "score_b") if both else ("score",)
    found = list(rows(preferences, marks, explain=explain))
    return Table(
        title=f"{len(preferences):,} items from {preferences.counts['golds']:,} golds",
        columns=(
            Column(key="pair"),
            Column(key="judge"),
            Column(key="criterion"),
            *(Column(key=name, kind="score") for name in names),
            *([Column(key="drivers", label="driven by", kind="prose")] if explain else []),
        ),
        rows=tuple(
            (
                row["pair"],
                row["judge"],
                row["criterion"],
                *_scores(row, names),
                *([_said(row["drivers"])] if explain else []),
            )
            for row in found
        ),
        keys=3,
    )


def _scores(row: Mapping[str, Any], names: Sequence[str]) -> "tuple[Cell, ...]":
    # Where single candidates stand among comparisons, their score is that of A.
    return tuple(row.get(name, row.get("score") if name == "score_a" else None) for name in names)


def _said(drivers: Mapping[str, Any] | None) -> str:
    """The numbers behind a score in words; both sides of a comparison."""
    if not drivers:
        return ""
    a, b = (drivers["a"], drivers["b"]) if "b" in drivers else (drivers, {})
    return "; ".join(_pair(name, value, b) for name, value in a.items())


def _pair(name: str, value: float, other: "Drivers") -> str:
    beside = f" | {other[name]:.4g}" if name in other else ""
    return f"{name} {value:.4g}{beside}"
