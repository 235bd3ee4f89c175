"""`patstone score` and `patstone compare` where the gold standard holds labels: classifiers, not rankings."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from patstone.cli.answer import Answer
from patstone.errors import UsageError

if TYPE_CHECKING:
    from patstone.compare.classifiers import LabelScores
    from patstone.report.cells import Table

TASK = "a gold standard of labels"
READING = ("gold_format", "run_format", "columns")
RULES = ("threshold", "fold", "missing", "duplicates", "conflicts", "strict")
"""Words that say how labels and answers are read and settled."""


def meant_for_labels(gold: str, scoring: Mapping[str, Any]) -> bool:
    from patstone.gold.kinds import kind_of

    return kind_of(gold, format=scoring.get("gold_format"), columns=scoring.get("columns")) == "labels"


def refuse(words: Mapping[str, Any], task: str, allowed: Sequence[str] = ()) -> None:
    """A word that would change nothing is a mistake, and silence would hide it."""
    for name, value in words.items():
        if value not in (None, False, ()) and name not in allowed:
            raise UsageError(f"--{name.replace('_', '-')} means nothing for {task}; leave it out.")


def score_labels(
    gold: str,
    runs: Sequence[str],
    measures: Sequence[str] | None,
    *,
    field: str | None,
    errors: bool,
    xlsx: str | None,
    scoring: Mapping[str, Any],
) -> Answer:
    from patstone.report.classified import errors_table, pairs_table, scores_table, slices_table

    if errors and field is not None:
        raise UsageError("Ask for --errors or for --slice, not for both.")
    scores = scored(gold, runs, measures, scoring)
    pairs = None
    if errors:
        table = errors_table(scores.systems)
    elif field is not None:
        table = slices_table(scores, field)
    else:
        table = scores_table(scores)
        pairs = pairs_table(scores.compare(), scores.sampling) if len(runs) > 1 else None
    tables = [table, pairs] if pairs is not None else [table]
    _workbook(tables, xlsx)
    return Answer(tables=tables, data=[table], payload=lambda: payload(scores, table, pairs), notes=remarks(scores))


def compare_labels(
    gold: str,
    runs: Sequence[str],
    measures: Sequence[str] | None,
    *,
    baseline: str | None,
    xlsx: str | None,
    scoring: Mapping[str, Any],
) -> Answer:
    from patstone.report.classified import pairs_table, scores_table

    scores = scored(gold, runs, measures, scoring)
    pairs = pairs_table(scores.compare(baseline), scores.sampling)
    tables = [scores_table(scores), pairs]
    _workbook(tables, xlsx)
    return Answer(tables=tables, data=[pairs], payload=lambda: payload(scores, pairs), notes=remarks(scores))


def scored(gold: str, runs: Sequence[str], measures: Sequence[str] | None, scoring: Mapping[str, Any]) -> "LabelScores":
    from patstone import labelling

    given = {name: value for name, value in scoring.items() if value is not None}
    return labelling.score_labels(gold, list(runs), measures or (), **given)


def _workbook(tables: "Sequence[Table]", path: str | None) -> None:
    if path is not None:
        from patstone.report.spreadsheet import write_xlsx

        write_xlsx([table.for_machines for table in tables], path)


def payload(scores: "LabelScores", table: "Table", pairs: "Table | None" = None) -> dict[str, Any]:
    from patstone.report.classified import confusion, signature
    from patstone.report.records import records

    first = scores.systems[0]
    found = {
        "signature": {measure: signature(first, measure, scores.sampling) for measure in scores.measures},
        "results": records(table),
        "counts": {one.system: {**confusion(one), **one.counts} for one in scores.systems},
        "warnings": remarks(scores),
    }
    return {**found, "comparisons": records(pairs)} if pairs is not None else found


def remarks(scores: "LabelScores") -> list[str]:
    """What a reader of the numbers should know: how sources were read, and what the rules touched."""
    gold = scores.gold
    told = [*gold.notes, *(f"{gold.name}: {finding.message}" for finding in gold.findings)]
    for one in scores.systems:
        told += one.notes
        told += [f"{one.system}: {said}" for said in _touched(one.counts, gold.unit, one.rules.missing)]
    return told


def _touched(counts: Mapping[str, int], unit: str, missing: str) -> list[str]:
    units = "families" if unit == "family" else "publications"
    settled = "called negative" if missing == "zero" else "left out"
    told = {
        "missing": f"{units} without an answer: {counts['missing']:,}; {settled}.",
        "unknown": f"answers to what the gold standard doesn't have: {counts['unknown']:,}; not counted.",
        "repeated": f"repeated answers: {counts['repeated']:,}; the first one counts.",
        "by_number": f"answers found by another spelling of the number: {counts['by_number']:,}.",
    }
    return [sentence for name, sentence in told.items() if counts[name]]
