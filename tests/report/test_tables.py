import csv as csv_module
import io
import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.report import tables
from patstone.report.cells import Column, Table
from report.samples import HOSTILE

NAN = float("nan")
SMALL = Table(
    title="Means & more",
    columns=(
        Column(key="system"),
        Column(key="AP", kind="score", better="high"),
        Column(key="ci", kind="interval", label="interval", joined=True),
        Column(key="p_adjusted", kind="p", label="p adjusted"),
    ),
    rows=(("bm25|rm3_x", 0.1 + 0.2, (-0.1, 0.6), 0.00005), ("=1+1", NAN, (NAN, NAN), None)),
    notes=("50 % of it.",),
)
SCORED = Table(
    title="", columns=SMALL.columns[:2], rows=(("a", 0.5), ("b", 0.25), (HOSTILE, NAN)), notes=("<i>note</i>",)
)


def test_csv() -> None:
    assert tables.csv(SMALL) == (
        "system,AP,ci_low,ci_high,p_adjusted\nbm25|rm3_x,0.30000000000000004,-0.1,0.6,5e-05\n'=1+1,,,,\n"
    )


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"])
def test_csv_and_its_head_hold_no_formula(name: str) -> None:
    table = Table(title="", columns=(Column(key=name),), rows=((name,),))
    assert list(csv_module.reader(io.StringIO(tables.csv(table), newline=""))) == [[f"'{name}"]] * 2


def test_csv_quotes_what_needs_it() -> None:
    table = Table(title="", columns=(Column(key="a"), Column(key="b")), rows=(('x "y", z', "line\n\r\tbreak"),))
    assert tables.csv(table) == 'a,b\n"x ""y"", z",line\\n\\r\\tbreak\n'


@given(st.lists(st.floats(allow_nan=False), max_size=20))
def test_numbers_read_back_equal(values: list[float]) -> None:
    table = Table(title="", columns=(Column(key="x", kind="score"),), rows=tuple((value,) for value in values))
    read = [float(line) for line in tables.csv(table).splitlines()[1:]]
    assert read == values
    finite = [value for value in values if abs(value) != float("inf")]
    assert [json.loads(line)["x"] for line in tables.jsonl(table).splitlines() if "null" not in line] == finite


def test_jsonl_is_strict() -> None:
    assert tables.jsonl(SMALL) == (
        '{"system": "bm25|rm3_x", "AP": 0.30000000000000004, "ci": [-0.1, 0.6], "p_adjusted": 5e-05}\n'
        '{"system": "=1+1", "AP": null, "ci": null, "p_adjusted": null}\n'
    )


def test_half_an_interval_is_kept() -> None:
    table = Table(title="", columns=(Column(key="ci", kind="interval"),), rows=(((0.5, float("inf")),),))
    assert list(tables.records(table)) == [{"ci": [0.5, None]}]


def test_machines_get_the_other_shape() -> None:
    wide = Table(title="", columns=SMALL.columns[:1], rows=(("x",),), data=lambda: SCORED)
    assert tables.csv(wide) == tables.csv(SCORED)
    assert tables.jsonl(wide) == tables.jsonl(SCORED)
    assert "x" in tables.markdown(wide)


def test_markdown() -> None:
    assert tables.markdown(SMALL) == (
        "**Means \\& more**\n"
        "\n"
        "| system       |     AP |            interval | p adjusted |\n"
        "| :----------- | -----: | ------------------: | ---------: |\n"
        "| bm25\\|rm3\\_x | 0.3000 | \\[-0.1000, 0.6000\\] |   \\<0.0001 |\n"
        "| =1+1         |      – |                   – |          – |\n"
        "\n"
        "50 % of it.\n"
    )


def test_markdown_marks_the_best_and_lets_no_html_through() -> None:
    printed = tables.markdown(SCORED)
    assert "| **0.5000** |" in printed
    assert "**0.2500**" not in printed
    assert "<script" not in printed.replace("\\<", "")


def test_latex() -> None:
    assert tables.latex(SMALL) == (
        "\\begin{table}\n"
        "\\centering\n"
        "\\caption{Means \\& more}\n"
        "\\begin{tabular}{lrrr}\n"
        "\\toprule\n"
        "system & AP & interval & p adjusted \\\\\n"
        "\\midrule\n"
        "bm25\\textbar\\allowbreak{}rm3\\_x & 0.3000 & [$-$0.1000, 0.6000] & \\textless{}0.0001 \\\\\n"
        "=1+1 & -- & -- & -- \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\n"
        "\\smallskip\n"
        "\\footnotesize 50 \\% of it.\n"
        "\\end{table}\n"
    )


def test_latex_escapes_all_that_means_something_to_tex() -> None:
    table = Table(title="", columns=(Column(key="x"),), rows=(("\\input{x}$#_^~%&",), ("[1]",), ("*",)))
    lines = tables.latex(table).splitlines()
    escaped = r"\textbackslash{}input\{x\}\$\#\_\textasciicircum{}\textasciitilde{}\%\& \\"
    assert escaped in lines
    # A row that begins so would be an argument of the line break before it.
    assert {"{}[1] \\\\", "{}* \\\\"} <= set(lines)


def test_latex_makes_the_best_bold() -> None:
    assert r"a & \textbf{0.5000} \\" in tables.latex(SCORED).splitlines()


def test_html() -> None:
    assert tables.html(SMALL) == (
        "<table>\n"
        "<caption>Means &amp; more</caption>\n"
        '<thead><tr><th scope="col">system</th><th scope="col" class="number">AP</th>'
        '<th scope="col" class="number">p adjusted</th></tr></thead>\n'
        "<tbody>\n"
        '<tr><th scope="row">bm25|rm3_x</th><td class="number" data-value="0.30000000000000004">0.3000 '
        '<small class="interval"><span class="label">interval </span>[-0.1000, 0.6000]</small></td>'
        '<td class="number" data-value="5e-05">&lt;0.0001</td></tr>\n'
        '<tr><th scope="row">=1+1</th><td class="number">– '
        '<small class="interval"><span class="label">interval </span>–</small></td><td class="number">–</td></tr>\n'
        "</tbody>\n"
        "</table>\n"
        '<p class="note">50 % of it.</p>\n'
    )


def test_html_marks_the_best() -> None:
    assert '<td class="number" data-value="0.5"><strong>0.5000</strong></td>' in tables.html(SCORED)


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.seen.add(tag)


@given(st.text(max_size=30))
def test_html_is_escaped_whatever_a_name_is(name: str) -> None:
    table = Table(
        title=name,
        columns=(Column(key=name or "x"), Column(key=name, joined=True)),
        rows=((name, name),),
        notes=(name,),
    )
    expected = {"table", "caption", "thead", "tbody", "tr", "th", "small", "span", "p"}
    assert Tags(tables.html(table)).seen <= expected
    assert "script" not in Tags(tables.html(SCORED)).seen
