"""The rows of `patstone claims degrade`, and the tables that they are shown in."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patstone.patents.claims import ClaimSet
    from patstone.report.cells import Table

Row = dict[str, Any]
Sets = Sequence[tuple[str, "ClaimSet"]]


def degraded_rows(sets: Sets, kinds: Sequence[str], severities: Sequence[int], seed: int) -> list[Row]:
    from patstone.gold.degrading import degrade

    made = [
        (name, degrade(claims, kind, severity=severity, seed=seed))
        for name, claims in sets
        for kind in kinds
        for severity in severities
    ]
    return [
        {
            "id": f"{name} {one.kind} {one.severity}",
            "document": name,
            "criterion": one.criterion,
            "kind": one.kind,
            "severity": one.severity,
            "wanted": one.wanted,
            "made": len(one.changes),
            "candidate": one.text,
            "changes": one.records,
        }
        for name, one in made
    ]


def comparison_rows(
    sets: Sets, kinds: Sequence[str], severities: Sequence[int], seed: int, *, identical: bool
) -> list[Row]:
    from patstone.gold.degrading import comparisons

    return [
        {
            "id": one.name,
            "criterion": one.criterion,
            "label": one.label,
            "kind": one.kind,
            "severity_a": one.severities[0],
            "severity_b": one.severities[1],
            "gold": one.gold,
            "a": one.a,
            "b": one.b,
        }
        for one in comparisons(sets, kind=kinds, severities=severities, seed=seed, identical=identical)
    ]


def table_of(rows: Sequence[Row]) -> "Table":
    """What people read: everything but the texts."""
    return _table(rows, [key for key in (rows[0] if rows else {}) if key not in _LONG])


def in_full(rows: Sequence[Row]) -> "Table":
    return _table(rows, list(rows[0] if rows else {}))


_LONG = ("candidate", "changes", "gold", "a", "b", "id")


def _table(rows: Sequence[Row], keys: Sequence[str]) -> "Table":
    from patstone.report.cells import Column, Table

    counts = ("severity", "wanted", "made", "label", "severity_a", "severity_b")
    return Table(
        title="",
        columns=tuple(Column(key=key, kind="count" if key in counts else "text") for key in keys),
        rows=tuple(tuple(_cell(row[key]) for key in keys) for row in rows),
        keys=3,
    )


def _cell(value: object) -> Any:  # noqa: ANN401 - a cell
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
