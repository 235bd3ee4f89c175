"""`patstone gold audit`: the seven criteria of paper 1, each with evidence and a verdict."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from patstone.cli.answer import Answer
from patstone.errors import UsageError

if TYPE_CHECKING:
    from patstone.experiments.audit import Audit
    from patstone.report.cells import Table


def audit(
    golds: list[str],
    *,
    reviews: str | None = None,
    codes: str | None = None,
    scope: str | None = None,
    conflicts: str | None = None,
    strict: bool = False,
    gate: bool = False,
    columns: Mapping[str, str] | None = None,
    gold_format: str | None = None,
    seed: int = 0,
) -> Answer:
    """Audit gold standards of labels by the seven criteria of paper 1.

    A verdict is pass, warn, fail, or unknown with what would settle it. Several gold standards are audited one by one,
    and together for their diversity. With --gate a fail ends with exit code 1.

    Try:
      patstone gold audit soft-gripping.tsv --reviews reviews.csv --codes codes.csv
      patstone gold audit quantum-qubit-generation.tsv --gate --json
      patstone gold audit one.tsv two.tsv three.tsv
    """
    from patstone import labelling

    reading = {"columns": columns, "gold_format": gold_format, "scope": scope, "conflicts": conflicts}
    given = {name: value for name, value in reading.items() if value is not None}
    if scope is not None and len(golds) > 1:
        raise UsageError("--scope speaks of one gold standard; name that one alone.")
    found = labelling.audit(golds, reviews=reviews, codes=codes, strict=strict, seed=seed, **given)  # type: ignore[arg-type]
    failed = [f"{each.gold.name}: {', '.join(each.failed)}" for each in found if each.failed]
    tables = [table for each in found for table in tables_of(each)]
    return Answer(
        tables=tables,
        data=[criteria_table(each, named=len(found) > 1) for each in found],
        payload=lambda: payload(found, seed),
        notes=[note for each in found for note in each.gold.notes],
        failed=f"criteria that fail: {'; '.join(failed)}." if gate and failed else "",
    )


def tables_of(one: "Audit") -> "list[Table]":
    findings = findings_table(one)
    return [criteria_table(one), *([findings] if findings.rows else []), usage_table(one)]


def criteria_table(one: "Audit", *, named: bool = False) -> "Table":
    from patstone.report.cells import Column, Table

    columns = [Column(key="criterion"), Column(key="verdict"), Column(key="evidence", kind="prose")]
    columns += [Column(key="settle", label="what would settle it", kind="prose")]
    own = (Column(key="gold"),) if named else ()
    rows = [(each.criterion, each.verdict, each.evidence, each.settle) for each in one.criteria]
    return Table(
        title=f"{one.gold.name}: the seven criteria",
        columns=(*own, *columns),
        rows=tuple((one.gold.name, *row) if named else row for row in rows),
        keys=2 if named else 1,
    )


def findings_table(one: "Audit") -> "Table":
    from patstone.report.cells import Column, Table

    columns = (
        Column(key="rule"), Column(key="severity"), Column(key="rows", kind="prose"),
        Column(key="message", kind="prose"),
    )  # fmt: skip
    rows = tuple((each.rule, each.severity, first_rows(each.rows), each.message) for each in one.findings)
    return Table(title="Findings", columns=columns, rows=rows)


def first_rows(rows: Sequence[int], most: int = 6) -> str:
    """People get the first lines, scripts all of them."""
    more = f", … {len(rows) - most:,} more" if len(rows) > most else ""
    return ", ".join(map(str, rows[:most])) + more


def usage_table(one: "Audit") -> "Table":
    from patstone.report.cells import Column, Table

    columns = (
        Column(key="size", label="|T|", kind="count"), Column(key="positives", kind="count"),
        Column(key="negatives", kind="count"), Column(key="positives_used", kind="score", decimals=2),
        Column(key="negatives_used", kind="score", decimals=2),
    )  # fmt: skip
    return Table(
        title="What a balanced training set uses up (figure 3): share of the families outside H",
        columns=columns,
        rows=one.usage,
    )


def payload(found: "Sequence[Audit]", seed: int) -> dict[str, Any]:
    from patstone.report.records import records

    several = len(found) > 1
    return {
        "signature": {
            "gold": [each.gold.digest for each in found],
            "seed": seed,
        },
        "results": [row for each in found for row in records(criteria_table(each, named=several))],
        "findings": [
            {
                **({"gold": each.gold.name} if several else {}),
                "rule": one.rule,
                "severity": one.severity,
                "rows": list(one.rows),
                "message": one.message,
            }
            for each in found
            for one in each.findings
        ],
        "usage": [row for each in found for row in records(usage_table(each))],
        "counts": {
            each.gold.name: {
                "units": len(each.gold),
                "positives": int(each.gold.positive.sum()),
                "publications": len(each.gold.numbers),
                "findings": len(each.findings),
            }
            for each in found
        },
    }
