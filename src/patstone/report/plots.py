"""Charts that stand alone, as SVG files: lines over a number, and a bar for each name."""

from collections.abc import Sequence

from patstone.report.cells import printable
from patstone.report.charts import WIDE, drawn, load_altair
from patstone.report.palette import BETTER, INK, MUTED, WORSE

_COLOURS = (BETTER, WORSE, MUTED, INK)
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" '


def lines(points: Sequence[tuple[str, float, float]], x_title: str) -> str:
    """A line for each name, through its points (name, x, y)."""
    alt = load_altair()
    names = list(dict.fromkeys(printable(name) for name, _, _ in points))
    scale = alt.Scale(domain=names, range=[_COLOURS[place % len(_COLOURS)] for place in range(len(names))])
    legend = alt.Legend(orient="top", title=None, labelLimit=0, labelFontSize=WIDE.font)
    x = alt.X("x:Q", title=x_title, axis=alt.Axis(tickCount=9))
    y = alt.Y("y:Q", title="mean", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5))
    base = alt.Chart(alt.NamedData("points")).encode(x=x, y=y, color=alt.Color("name:N", scale=scale, legend=legend))
    marks = base.mark_line(strokeWidth=2) + base.mark_circle(size=50, opacity=1).encode(description="words:N")
    rows = [
        {"name": printable(name), "x": place, "y": value, "words": f"{printable(name)} at {place:g}: {value:.4f}"}
        for name, place, value in points
    ]
    return _alone(drawn(marks.properties(width=WIDE.width, height=340), WIDE, {"points": rows}))


def bars(values: Sequence[tuple[str, float]], measure: str) -> str:
    """A bar for each name, in the order given."""
    alt = load_altair()
    y = alt.Y("name:N", sort=[printable(name) for name, _ in values], title=None, axis=alt.Axis(labelLimit=320))
    x = alt.X("value:Q", title=measure, axis=alt.Axis(tickCount=6))
    chart = alt.Chart(alt.NamedData("values")).mark_bar(color=BETTER).encode(x=x, y=y, description="words:N")
    rows = [{"name": printable(n), "value": value, "words": f"{printable(n)}: {value:.4f}"} for n, value in values]
    return _alone(drawn(chart.properties(width=WIDE.width, height=alt.Step(20)), WIDE, {"values": rows}))


def _alone(svg: str) -> str:
    """A file of its own says what it is; inside a page that is known."""
    return svg.replace("<svg ", _SVG, 1) + "\n"
