"""`patstone gold codes`: tables 1 to 3 of paper 1, and how far class codes alone get."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from patstone.cli.answer import Answer
from patstone.errors import UsageError

if TYPE_CHECKING:
    from patstone.gold.codes import Codes, Rule
    from patstone.report.cells import Table

MOST, LARGEST = 10, 20
"""Codes of table 3, as in the paper; and the largest set of codes that is sought."""


def codes(
    gold: str,
    file: str | None = None,
    *,
    depth: str | None = None,
    best: int = 5,
    top: int = MOST,
    columns: Mapping[str, str] | None = None,
    gold_format: str | None = None,
    conflicts: str | None = None,
    strict: bool = False,
) -> Answer:
    """Tell what class codes say of a gold standard's topic: tables 1 to 3 of paper 1, and the best rule of k codes.

    FILE has a row for each code (family or publication, scheme, code) or columns cpc, ipc, fi and fterm, or is the
    folder of a collection; without it GOLD's own columns of codes are read. A rule calls positive whatever has any of
    its codes; a topic that no small rule gets is one that codes can't stand for.

    Try:
      patstone gold codes soft-gripping.tsv codes.csv
      patstone gold codes soft-gripping.tsv codes.csv --depth subclass --best 3
      patstone gold codes soft-gripping.tsv codes.csv --json
    """
    from patstone import labelling
    from patstone.report.records import records

    if not 1 <= best <= LARGEST:
        raise UsageError(f"The 'best' option of codes must be an int in [1, {LARGEST}]. Got {best} instead.")
    words = {"depth": depth, "columns": columns, "gold_format": gold_format, "conflicts": conflicts}
    given = {name: value for name, value in words.items() if value is not None}
    found, counts = labelling.codes(gold, file, strict=strict, **given)  # type: ignore[arg-type]
    tables = [
        frequent_table(found),
        unique_table(found),
        coverage_table(found, top),
        rules_table(found, best),
    ]
    return Answer(
        tables=tables,
        payload=lambda: {
            "signature": None,
            "results": [
                {"table": name, **row} for name, table in zip(NAMES, tables, strict=True) for row in records(table)
            ],
            "counts": counts,
        },
        notes=notes(found, counts),
    )


NAMES = ("frequent", "unique", "coverage", "best")


def frequent_table(found: "Sequence[Codes]") -> "Table":
    """Table 1: the three most frequent codes of the positives."""
    from patstone.report.cells import Column, Table

    rows = [
        (each.scheme, place, each.names[code], float(each.coverage(True)[code]))
        for each in found
        for place, code in enumerate(each.frequent(True, 3), start=1)
    ]
    return Table(
        title="Table 1: the most frequent class codes of the positives",
        columns=(
            Column(key="scheme"), Column(key="place", kind="count"), Column(key="code"),
            Column(key="coverage", kind="score", decimals=3),
        ),
        rows=tuple(rows),
        keys=3,
        notes=("Coverage: the share of all positives that have the code.",),
    )  # fmt: skip


def unique_table(found: "Sequence[Codes]") -> "Table":
    """Table 2: how many different codes each side has."""
    from patstone.report.cells import Column, Table

    rows = [(each.scheme, *each.unique, each.unique[2] / max(1, each.unique[0])) for each in found]
    return Table(
        title="Table 2: unique class codes",
        columns=(
            Column(key="scheme"), Column(key="positives", kind="count"), Column(key="negatives", kind="count"),
            Column(key="both", kind="count"), Column(key="share", kind="score", decimals=3),
        ),
        rows=tuple(rows),
        notes=("Share: of the positives' codes, those that negatives have too.",),
    )  # fmt: skip


def coverage_table(found: "Sequence[Codes]", top: int) -> "Table":
    """Table 3: the most common codes of either side, and what each covers."""
    from patstone.report.cells import Column, Table

    rows = [
        (each.scheme, each.names[code], float(each.coverage(True)[code]), float(each.coverage(False)[code]))
        for each in found
        for code in common(each, top)
    ]
    return Table(
        title="Table 3: the most common class codes, and the share of each side that has them",
        columns=(
            Column(key="scheme"), Column(key="code"), Column(key="positives", kind="score", decimals=3),
            Column(key="negatives", kind="score", decimals=3),
        ),
        rows=tuple(rows),
        keys=2,
    )  # fmt: skip


def common(each: "Codes", top: int) -> list[int]:
    """The codes with the widest coverage of either side, by that of the positives, as the paper lists them."""
    yes, no = each.coverage(True), each.coverage(False)
    widest = sorted(range(len(each.names)), key=lambda code: (-max(yes[code], no[code]), each.names[code]))[:top]
    return sorted(widest, key=lambda code: (-yes[code], -no[code], each.names[code]))


def rules_table(found: "Sequence[Codes]", best: int) -> "Table":
    from patstone.gold.codes import best_rules
    from patstone.report.cells import Column, Table

    rows = [
        (each.scheme, *rule_cells(rule))
        for each in found
        for rule in best_rules(each.has, each.positive, each.names, best)
    ]
    return Table(
        title="What codes alone can do: the best rule of k codes",
        columns=(
            Column(key="scheme"), Column(key="k", kind="count"), Column(key="codes", kind="prose"),
            *(Column(key=key, kind="score", decimals=3) for key in ("precision", "recall", "F1")),
        ),
        rows=tuple(rows),
        keys=2,
        notes=("Chosen and measured on the whole gold standard, which flatters them.",),
    )  # fmt: skip


def rule_cells(rule: "Rule") -> tuple[int, str, float, float, float]:
    return len(rule.codes), ", ".join(rule.codes), rule.precision, rule.recall, rule.f1


def notes(found: "Sequence[Codes]", counts: Mapping[str, int]) -> list[str]:
    told = [f"{each.scheme}: units without a code: {int((~each.known).sum()):,}; they count." for each in found]
    told += [f"rows of unknown families or publications: {counts['unknown']:,}; left out."] if counts["unknown"] else []
    return told + ([f"codes that can't be read: {counts['unread']:,}; left out."] if counts["unread"] else [])
