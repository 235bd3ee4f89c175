"""`patstone gold map`: figure 1 of paper 1, a gold standard on a plane."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from patstone.cli.answer import Answer

if TYPE_CHECKING:
    from patstone.experiments.map import Map
    from patstone.gold.labels import GoldStandard
    from patstone.report.cells import Table


def map(  # noqa: A001 - the command's name
    gold: str,
    *,
    each: int = 100,
    neighbours: int = 5,
    min_dist: float = 0.5,
    figure: str | None = None,
    seed: int = 0,
    columns: Mapping[str, str] | None = None,
    gold_format: str | None = None,
) -> Answer:
    """Place the units of a gold standard on a plane by their titles, with UMAP.

    As figure 1 of paper 1: the whole gold standard is laid out, and 100 positives and 100 negatives are shown. A map
    shows who is near whom; it suggests where a class is scattered, and proves nothing.

    Try:
      patstone gold map soft-gripping.tsv --figure map
      patstone gold map soft-gripping.tsv --each 50 --json
    """
    from patstone.experiments.map import drawn
    from patstone.gold.labels import read_labels
    from patstone.report.records import records

    judged = read_labels(gold, columns=columns, format=gold_format)
    found = drawn(judged, each=each, neighbours=neighbours, min_dist=min_dist, seed=seed)
    if figure is not None:
        write_map(found, judged, Path(figure))
    table = table_of(found, judged)
    return Answer(
        tables=[table],
        payload=lambda: {
            "signature": f"map|gold:{judged.digest}|neighbours:{neighbours}|min_dist:{min_dist:g}|seed:{seed}",
            "results": records(table),
            "counts": {"units": len(judged), "shown": len(found.shown), "without": found.without},
        },
        notes=[f"{found.without} units have nothing to be placed by and are left out."] if found.without else [],
    )


def table_of(found: "Map", judged: "GoldStandard") -> "Table":
    from patstone.report.cells import Column, Table

    units = [
        (judged.units[unit], "positive" if judged.positive[unit] else "negative", x, y)
        for unit, (x, y) in zip(found.shown.tolist(), found.places.tolist(), strict=True)
    ]
    return Table(
        title="",
        columns=(
            Column(key="unit"),
            Column(key="label"),
            Column(key="x", kind="score", decimals=3),
            Column(key="y", kind="score", decimals=3),
        ),
        rows=tuple(units),
    )


def write_map(found: "Map", judged: "GoldStandard", stem: Path) -> None:
    from patstone.report.figures import points, write_figure

    positive = judged.positive[found.shown]
    told = {
        name: (found.places[rows, 0], found.places[rows, 1])
        for name, rows in (("positive", positive), ("negative", ~positive))
    }
    write_figure(points(told, x="", y=""), stem)
