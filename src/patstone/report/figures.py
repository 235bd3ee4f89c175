"""Figures as files: lines, areas and points over numbers, each as SVG and PNG, drawn offline by Vega.

A figure is a Vega-Lite declaration; no more points are drawn than can be told apart.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from patstone.errors import MissingExtra
from patstone.files.streams import atomic
from patstone.report.palette import INK, LINE, MUTED

Figure: TypeAlias = dict[str, Any]
WIDTH, HEIGHT, SCALE = 560, 320, 2
# Told apart by colour-blind readers too (Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f", "#1c2330")
_FONT = "ui-sans-serif, system-ui, Helvetica, Arial, sans-serif"


def lines(told: Mapping[str, Any], sizes: Any, *, x: str, y: str) -> Figure:  # noqa: ANN401 - arrays
    rows = [
        {"x": at, "y": value, "of": name}
        for name, values in told.items()
        for at, value in zip(sizes.tolist(), np.asarray(values).tolist(), strict=True)
    ]
    return _figure({"type": "line", "strokeWidth": 2}, rows, list(told), x=x, y=y)


def dashed(figure: Figure, apart: str) -> Figure:
    """Names such as `frozen, H`: one colour for what stands before the separator, one dash for what stands after."""
    for row in figure["data"]["values"]:
        row["of"], _, row["set"] = row["of"].rpartition(apart)
    names = list(dict.fromkeys(row["of"] for row in figure["data"]["values"]))
    figure["encoding"]["color"]["scale"] = {"domain": names, "range": list(COLOURS[: len(names)])}
    sets = {"field": "set", "type": "nominal", "legend": figure["encoding"]["color"]["legend"]}
    figure["encoding"]["strokeDash"] = sets
    return figure


def areas(told: Mapping[str, Any], sizes: Any, *, x: str, y: str) -> Figure:  # noqa: ANN401
    """Stacked, the first at the bottom."""
    figure = lines(told, sizes, x=x, y=y)
    figure["mark"] = {"type": "area"}
    figure["encoding"]["y"] |= {"stack": "zero"}
    # The order of the stack is that of the legend only when it is said.
    for row in figure["data"]["values"]:
        row["place"] = list(told).index(row["of"])
    figure["encoding"]["order"] = {"field": "place", "type": "quantitative"}
    return figure


def points(told: Mapping[str, tuple[Any, Any]], *, x: str, y: str) -> Figure:
    rows = []
    for name, (across, up) in told.items():
        # Two points nearer than a thousandth are one on paper.
        places = np.unique(np.round(np.stack([across, up], axis=1), 3), axis=0)
        rows += [{"x": float(at), "y": float(value), "of": name} for at, value in places]
    return _figure({"type": "point", "filled": True, "opacity": 0.5, "size": 18}, rows, list(told), x=x, y=y)


def _figure(mark: dict[str, Any], rows: list[dict[str, Any]], names: list[str], *, x: str, y: str) -> Figure:
    legend: dict[str, Any] | None = {"title": None, "orient": "bottom", "columns": 4, "labelLimit": 240}
    colour = {
        "field": "of",
        "type": "nominal",
        "scale": {"domain": names, "range": list(COLOURS[: len(names)])},
        "legend": legend if len(names) > 1 else None,
    }
    scale = {"zero": False, "nice": False, "padding": 4}
    text = {"labelFont": _FONT, "titleFont": _FONT, "labelColor": _solid(INK), "titleColor": _solid(MUTED)}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": WIDTH,
        "height": HEIGHT,
        "background": "#ffffff",
        "data": {"values": rows},
        "mark": mark,
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": x, "scale": scale},
            "y": {"field": "y", "type": "quantitative", "title": y, "scale": scale},
            "color": colour,
        },
        "config": {
            "view": {"stroke": None},
            "axis": text | {"gridColor": _solid(LINE), "titleFontWeight": "normal"},
            "legend": text,
        },
    }


def _solid(colour: str) -> str:
    """A file of its own has no page whose colours it could follow: the fallback of `var(--ink, #1c2330)`."""
    found = re.search(r"#[0-9a-f]{6}", colour)
    return found[0] if found else colour


def write_figure(figure: Figure, stem: Path) -> None:
    """`stem`.svg and `stem`.png."""
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtra("report", "A figure") from error
    with atomic(stem.with_suffix(".svg")) as temporary:
        temporary.write_text(vl_convert.vegalite_to_svg(figure), encoding="utf-8")
    with atomic(stem.with_suffix(".png")) as temporary:
        temporary.write_bytes(vl_convert.vegalite_to_png(figure, scale=SCALE))
