"""Charts that stand alone."""

from xml.etree import ElementTree

import pytest

from patstone.report.plots import bars, lines

SPACE = "{http://www.w3.org/2000/svg}"


def texts(svg: str, tag: str) -> list[str]:
    drawn = ElementTree.fromstring(svg)  # noqa: S314 - drawn a line ago
    return [each.text or "" for each in drawn.iter(f"{SPACE}{tag}")]


def test_lines_tell_each_point() -> None:
    points = [("coverage", 0.1, 2.0), ("coverage", 0.9, 3.0), ("single", 0.1, 1.0), ("single", 0.9, 4.0)]
    found = texts(lines(points, "gamma"), "title")
    assert "coverage at 0.1: 2.0000" in found
    assert "single at 0.9: 4.0000" in found


def test_bars_tell_each_value() -> None:
    svg = bars([("bm25", 0.5), ("a <b>", 0.25)], "power")
    assert texts(svg, "title") == ["bm25: 0.5000", "a <b>: 0.2500"]
    assert svg.startswith("<svg xmlns=")


@pytest.mark.parametrize("name", ["gamma", "power"])
def test_axes_are_named(name: str) -> None:
    svg = lines([("x", 0.0, 1.0), ("x", 1.0, 2.0)], name)
    assert name in texts(svg, "text")
