"""`patstone reproduce`: the papers' tables run again; a value outside its tolerance ends with exit code 1."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patstone.cli.answer import Answer

if TYPE_CHECKING:
    from patstone.experiments.reproduce.registry import PaperTable, Row
    from patstone.report.cells import Table

COLUMNS = ("paper", "table", "row", "measure", "published", "ours", "tolerance", "verdict")


def reproduce(table: str | None = None, *, data: str | None = None, seed: int = 0) -> Answer:
    """Run the papers' tables again, or list what there is and what each needs.

    A verdict is pass (within the tolerance), miss, shown (nothing published to hold it against) or not run (its data
    are not in --data).

    Try:
      patstone reproduce
      patstone reproduce paper2.table1 --data shared-data
      patstone reproduce all --json
    """
    from patstone.experiments.reproduce.registry import ALL, Given, chosen, tables

    if table is None:
        return listed(list(tables().values()))
    asked = chosen(table)
    given = Given(data=None if data is None else Path(data), seed=seed)
    # Who names one table wants it run; of several those are run that can be.
    several = table == ALL or table == asked[0].paper
    rows = [row for each in asked for row in each.reproduced(given, skip=several)]
    missed = sum(row.verdict == "miss" for row in rows)
    return Answer(
        tables=[rows_table(rows)],
        payload=lambda: {"signature": None, "results": records_of(rows_table(rows)), "counts": counts(rows)},
        notes=[f"{each.key} was not run: it needs {each.needs}." for each in asked if not_run(each, rows)],
        failed=f"{missed} of {len(rows)} values are outside their tolerance." if missed else "",
    )


def listed(known: "Sequence[PaperTable]") -> Answer:
    from patstone.report.cells import Column, Table

    table = Table(
        title="What can be reproduced",
        columns=(
            Column(key="table"),
            Column(key="title", label="what it is", kind="prose"),
            Column(key="needs", kind="prose"),
        ),
        rows=tuple((each.key, each.title, each.needs) for each in known),
    )
    return Answer(
        tables=[table],
        payload=lambda: {"signature": None, "results": records_of(table), "counts": {"tables": len(known)}},
    )


def rows_table(rows: "Sequence[Row]") -> "Table":
    from patstone.report.cells import Column, Table

    return Table(
        title="",
        columns=tuple(
            Column(key=key, kind="score" if key in ("published", "ours", "tolerance") else "text") for key in COLUMNS
        ),
        rows=tuple(tuple(getattr(row, key) for key in COLUMNS) for row in rows),
        keys=4,
    )


def records_of(table: "Table") -> list[dict[str, object]]:
    from patstone.report.records import records

    return list(records(table))


def counts(rows: "Sequence[Row]") -> dict[str, int]:
    verdicts = [row.verdict for row in rows]
    return {verdict: verdicts.count(verdict) for verdict in ("pass", "miss", "shown", "not run")}


def not_run(each: "PaperTable", rows: "Sequence[Row]") -> bool:
    return any(row.verdict == "not run" for row in rows if (row.paper, row.table) == (each.paper, each.name))
