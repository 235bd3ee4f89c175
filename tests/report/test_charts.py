import re
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from patstone.errors import MissingExtra
from patstone.report.charts import NARROW, WIDE, Mean, Size, differences_chart, means_chart
from report.samples import HOSTILE

MEANS = [
    Mean(system="bm25", value=0.5, low=0.4, high=0.6, filled=True),
    Mean(system=HOSTILE, value=0.25, low=float("nan"), high=float("nan"), filled=False),
]


def drawn(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - our own drawing


def titles(svg: str) -> list[str | None]:
    return [element.text for element in drawn(svg).iter("title")]


def test_each_mean_says_its_number() -> None:
    svg = means_chart(MEANS, "AP", WIDE)
    assert titles(svg) == ["bm25: 0.5000 [0.4000, 0.6000]", f"{HOSTILE}: 0.2500"]
    assert {"bm25", "AP"} <= {element.text for element in drawn(svg).iter("text")}


def test_names_are_escaped_and_cut_to_fit() -> None:
    svg = means_chart(MEANS, "AP", NARROW)
    assert "<script" not in svg
    assert "&lt;script&gt;…script&gt;</text>" in svg


def test_names_alike_after_cutting_stay_two_lines() -> None:
    names = ["x" * 30 + middle + "y" * 30 for middle in "ab"]
    svg = means_chart([Mean(system=name, value=0.1, low=0, high=1, filled=False) for name in names], "AP", NARROW)
    assert titles(svg) == [f"{name}: 0.1000 [0.0000, 1.0000]" for name in names]
    assert [element.text for element in drawn(svg).iter("text")].count("x" * 8 + "…" + "y" * 7) == 2


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_chart_keeps_its_width_and_needs_nothing_else(size: Size) -> None:
    svg = means_chart(MEANS, "AP", size)
    assert drawn(svg).get("viewBox", "").split()[2] == str(size.width)
    assert "http" not in svg
    assert "href" not in svg


def test_differences_are_sorted_and_named() -> None:
    svg = differences_chart(["q1", "q2", "q3", "q4"], np.array([-0.25, 0.5, 0.0, np.nan]), "AP", WIDE)
    assert titles(svg) == ["q2: +0.5000", "q1: -0.2500"]


def test_where_lower_is_better_losses_are_positive() -> None:
    svg = differences_chart(["q1", "q2"], np.array([-0.25, 0.5]), "RT", WIDE, sign=-1)
    better, worse = svg.index("--better"), svg.index("--worse")
    assert better < svg.index("q1: -0.2500") < worse < svg.index("q2: +0.5000")


def test_a_thousand_topics_stay_small() -> None:
    differences = np.random.default_rng(0).normal(size=1000)
    svg = differences_chart([str(topic) for topic in range(1000)], differences, "AP", WIDE)
    assert len(svg) < 30_000
    assert titles(svg) == []


def test_all_equal_is_a_chart_too() -> None:
    for count in (1, 500):
        assert differences_chart(["q"] * count, np.zeros(count), "AP", WIDE).startswith("<svg")


def test_without_the_extra_its_installation_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtra, match=re.escape("pip install 'patstone[report]'")):
        means_chart(MEANS, "AP", WIDE)
