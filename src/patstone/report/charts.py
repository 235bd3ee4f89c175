"""Charts as SVG text to stand inside a page: Vega-Altair specifications, drawn offline.

Each mark carries its words as a title, which shows on hover; what a chart says in sum stands in the caption, in
words. Colours are the page's. No more points are drawn than there are pixels, so that a page stays small.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import numpy as np

from patstone.errors import MissingExtra
from patstone.gold.qrels import Floats
from patstone.report.cells import printable
from patstone.report.palette import BETTER, INK, LINE, MUTED, PAPER, WORSE
from patstone.report.text import display_width, shortened

_FONT = "ui-sans-serif, system-ui, sans-serif"
_POINTS = 320
_BARS = 160
"""Beyond so many topics, bars become an outline."""


@dataclass(frozen=True, kw_only=True)
class Size:
    width: int
    """Of everything, labels too."""
    label: int
    """So many characters of a system's name are shown."""
    font: int = 13


WIDE, NARROW = Size(width=880, label=36), Size(width=330, label=16, font=12)


@dataclass(frozen=True, kw_only=True)
class Mean:
    system: str
    value: float
    low: float
    high: float
    filled: bool
    """Not told apart from the best system, or the baseline."""

    @property
    def words(self) -> str:
        interval = "" if np.isnan(self.low) else f" [{self.low:.4f}, {self.high:.4f}]"
        return f"{self.system}: {self.value:.4f}{interval}"


def means_chart(means: Sequence[Mean], measure: str, size: Size) -> str:
    """Means with their intervals, one line a system, in the order given."""
    alt = load_altair()
    y = alt.Y("place:O", axis=_names_axis([mean.system for mean in means], size))
    x = alt.X("low:Q", title=measure, scale=alt.Scale(zero=False, padding=8), axis=alt.Axis(tickCount=5))
    base = alt.Chart(alt.NamedData("means")).encode(y=y, stroke=alt.Stroke("stroke:N", scale=None))
    whiskers = base.mark_rule(strokeWidth=2, aria=False).encode(x=x, x2="high:Q")
    dots = base.mark_circle(size=90, opacity=1, strokeWidth=2)
    dots = dots.encode(x="value:Q", fill=alt.Fill("fill:N", scale=None), description=alt.Description("words:N"))
    chart = (whiskers + dots).properties(width=size.width, height=alt.Step(26))
    return drawn(chart, size, {"means": [_mean_row(place, mean) for place, mean in enumerate(means)]})


def _mean_row(place: int, mean: Mean) -> dict[str, Any]:
    return {
        "place": place,
        "value": mean.value,
        "low": mean.value if np.isnan(mean.low) else mean.low,
        "high": mean.value if np.isnan(mean.high) else mean.high,
        "fill": BETTER if mean.filled else PAPER,
        "stroke": BETTER if mean.filled else MUTED,
        "words": printable(mean.words),
    }


def _names_axis(systems: Sequence[str], size: Size) -> Any:  # noqa: ANN401 - Altair's own type
    names = [shortened(printable(system), size.label) for system in systems]
    # The page's font is not the one that Vega measures with: room for the widest name is made by count.
    room = max(map(display_width, names), default=0) * size.font * 0.6
    return load_altair().Axis(
        title=None,
        labelExpr=f"{json.dumps(names)}[datum.value]",
        labelLimit=0,
        minExtent=room,
        grid=False,
        domain=False,
        ticks=False,
    )


def differences_chart(topics: Sequence[str], differences: Floats, measure: str, size: Size, *, sign: int = 1) -> str:
    """Per-topic differences, the largest gain first; `sign` is -1 where lower is better."""
    order = np.argsort(-sign * differences, kind="stable")
    order = order[~np.isnan(differences[order])]
    values = differences[order]
    many = len(order) > _BARS
    data = (
        _outline(values, sign) if many else _bars([printable(topics[topic]) for topic in order.tolist()], values, sign)
    )
    alt = load_altair()
    across = alt.Axis(grid=False, tickCount=5, tickMinStep=1, format=",d")
    label = "datum.value == 0 ? '0' : format(datum.value, '+.2~f')"
    scale = alt.Scale(domain=[0, max(len(order), 1)], nice=False)
    x = alt.X("place:Q", title="topics, sorted", scale=scale, axis=across)
    y = alt.Y("value:Q", title=f"difference in {measure}", axis=alt.Axis(tickCount=5, labelExpr=label))
    marks = [(_area if many else _bar)(name, color).encode(x=x, y=y) for name, color in _SIDES.items()]
    zero = alt.Chart(alt.NamedData("zero")).mark_rule(color=INK, strokeWidth=1, aria=False).encode(y=alt.datum(0))
    chart = alt.layer(*marks, zero).properties(width=size.width, height=240)
    return drawn(chart, size, {**data, "zero": [{}]})


_SIDES = {"gains": BETTER, "losses": WORSE}


def _bar(name: str, color: str) -> Any:  # noqa: ANN401 - Altair's own type
    alt = load_altair()
    bars = alt.Chart(alt.NamedData(name)).mark_bar(color=color, strokeWidth=0.5, stroke=PAPER)
    return bars.encode(x2="end:Q", y2=alt.datum(0), description=alt.Description("words:N"))


def _area(name: str, color: str) -> Any:  # noqa: ANN401 - Altair's own type
    alt = load_altair()
    return alt.Chart(alt.NamedData(name)).mark_area(color=color, opacity=1, aria=False)


def _bars(topics: Sequence[str], values: Floats, sign: int) -> dict[str, list[dict[str, Any]]]:
    rows = [
        {"place": place, "end": place + 1, "value": value, "words": f"{topic}: {value:+.4f}"}
        for place, (topic, value) in enumerate(zip(topics, values.tolist(), strict=True))
    ]
    gains = [row for row in rows if sign * row["value"] > 0]
    return {"gains": gains, "losses": [row for row in rows if sign * row["value"] < 0]}


def _outline(values: Floats, sign: int) -> dict[str, list[dict[str, Any]]]:
    """The edge of two areas; sorted values lose nothing that could be seen when they are thinned."""
    ranks = np.unique(np.linspace(0, len(values) - 1, _POINTS).round().astype(int))
    gain = sign * values[ranks]
    places = (ranks + 0.5).tolist()
    sides = {"gains": sign * np.maximum(gain, 0), "losses": sign * np.minimum(gain, 0)}
    return {
        name: [{"place": place, "value": height} for place, height in zip(places, heights.tolist(), strict=True)]
        for name, heights in sides.items()
    }


def load_altair() -> Any:  # noqa: ANN401 - a module
    try:
        import altair
        import vl_convert  # noqa: F401 - asked for here, so that its absence is said in the same words
    except ImportError as error:
        raise MissingExtra("report", "A chart") from error
    return altair


def drawn(chart: Any, size: Size, data: Mapping[str, list[dict[str, Any]]]) -> str:  # noqa: ANN401 - Altair's own type
    """The data join the specification late: Altair would look at every row."""
    import vl_convert

    text = {"labelFont": _FONT, "titleFont": _FONT, "labelFontSize": size.font, "titleFontSize": size.font}
    axis = {"labelColor": INK, "titleColor": MUTED, "gridColor": LINE, "domainColor": LINE, "tickColor": LINE}
    fit = {"type": "fit-x", "contains": "padding"}
    chart = chart.configure(background="transparent", font=_FONT, autosize=fit).configure_view(stroke=None)
    chart = chart.configure_axis(**text, **axis, titleFontWeight="normal", titlePadding=10, labelPadding=6)
    specification = chart.to_dict(validate=False) | {"datasets": data}
    return cleaned(vl_convert.vegalite_to_svg(specification))


_GEOMETRY = ("d", "transform", "x", "y", "x2", "y2", "width", "height")
_LOOKS = ("fill", "stroke", "text-anchor", "font-family", "font-size", "font-weight", "stroke-width")
_DIGITS = re.compile(r"(\d+\.\d)\d+")


def cleaned(svg: str) -> str:
    """Keep what is seen: no namespaces, no digits below a tenth of a pixel; a mark's words become its title."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - drawn a line ago, not by a stranger
    width, height = root.get("width", ""), root.get("height", "")
    _clean(root)
    root.attrib = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height, "aria-hidden": "true"}
    return ElementTree.tostring(root, encoding="unicode")


def _clean(element: ElementTree.Element) -> None:
    element.tag = element.tag.rpartition("}")[2]
    words = element.get("aria-label") if element.get("aria-roledescription") in _MARKS else None
    numbers = {name: _DIGITS.sub(r"\1", element.attrib[name]) for name in _GEOMETRY if name in element.attrib}
    element.attrib = numbers | {name: element.attrib[name] for name in _LOOKS if name in element.attrib}
    for child in list(element):
        if child.get("class") in ("background", "foreground"):
            element.remove(child)
        else:
            _clean(child)
    if words:
        ElementTree.SubElement(element, "title").text = words


_MARKS = ("circle", "bar")
