"""`patstone reproduce`: the papers' tables run again; a value outside its tolerance ends with exit code 1."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patstone.cli.answer import Answer

if TYPE_CHECKING:
    from patstone.experiments.reproduce.registry import PaperTable, Row
    from patstone.report.cells import Table

COLUMNS = ("paper", "table", "row", "measure", "published", "ours", "tolerance", "verdict")


def reproduce(
    table: str | None = None,
    *,
    data: str | None = None,
    dataset: str | None = None,
    charts: str | None = None,
    seed: int = 0,
) -> Answer:
    """Run the papers' tables again, or list what there is and what each needs.

    A verdict is pass (within the tolerance), miss, shown (nothing published to hold it against) or not run (its data
    are not in --data).

    Try:
      patstone reproduce
      patstone reproduce paper2.table1 --data shared-data
      patstone reproduce paper5 --charts charts
      patstone reproduce all --json
    """
    from patstone.experiments.reproduce.registry import ALL, Given, chosen, tables

    if table is None:
        return listed(list(tables().values()))
    asked = chosen(table)
    given = Given(
        data=None if data is None else Path(data), seed=seed, dataset=None if dataset is None else Path(dataset)
    )
    # Who names one table wants it run; of several those are run that can be.
    several = table == ALL or table == asked[0].paper
    rows = [row for each in asked for row in each.reproduced(given, skip=several)]
    if charts is not None:
        draw(asked, rows, charts)
    missed = sum(row.verdict == "miss" for row in rows)
    return Answer(
        tables=[shown for each in asked for shown in for_people(each, rows)],
        data=[rows_table(rows)],
        payload=lambda: {"signature": None, "results": records_of(rows_table(rows)), "counts": counts(rows)},
        notes=[f"{each.key} was not run: it needs {each.needs}." for each in asked if not_run(each, rows)],
        failed=f"{missed} of {len(rows)} values are outside their tolerance." if missed else "",
    )


def draw(asked: "Sequence[PaperTable]", rows: "Sequence[Row]", folder: str) -> None:
    """Each table that has a chart, as an SVG file of the table's name."""
    from patstone.experiments.reproduce.registry import LINES
    from patstone.files.streams import atomic, ensured_folder
    from patstone.report.plots import bars, lines

    for each in asked:
        own = [row for row in rows if (row.paper, row.table) == (each.paper, each.name) and row.verdict == "shown"]
        values = [(row.row, row.measure, row.ours) for row in own if row.ours is not None]
        if not each.chart or not values:
            continue
        if each.chart.startswith(LINES):
            points = [(name, float(place), value) for place, name, value in values]
            drawn = lines(points, each.chart.removeprefix(LINES))
        else:
            drawn = bars([(name, value) for name, measure, value in values if measure == each.chart], each.chart)
        with atomic(ensured_folder(folder) / f"{each.key}.svg") as temporary:
            temporary.write_text(drawn, encoding="utf-8")


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


def for_people(each: "PaperTable", rows: "Sequence[Row]") -> "list[Table]":
    """What nothing stands against as the paper lays it out, a column for each measure; the rest line by line."""
    own = [row for row in rows if (row.paper, row.table) == (each.paper, each.name)]
    values = {(row.row, row.measure): row.ours for row in own if row.verdict == "shown"}
    held = [row for row in own if row.verdict != "shown"]
    return [*([crossed(each.title, values)] if values else []), *([rows_table(held)] if held else [])]


def crossed(title: str, values: "Mapping[tuple[str, str], float | None]") -> "Table":
    from patstone.report.cells import Column, Table

    names, measures = (list(dict.fromkeys(key[place] for key in values)) for place in (0, 1))
    whole = {measure: all(float(value or 0).is_integer() for key, value in values.items() if key[1] == measure)
             for measure in measures}  # fmt: skip
    kinds = {measure: "count" if whole[measure] and "@" not in measure else "score" for measure in measures}
    columns = [Column(key=measure, kind=kinds[measure]) for measure in measures]  # type: ignore[arg-type]
    return Table(
        title=title,
        columns=(Column(key="row", label=" "), *columns),
        rows=tuple((name, *(values.get((name, measure)) for measure in measures)) for name in names),
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
