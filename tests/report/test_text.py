from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.report.cells import Cell, Column, Kind, Table
from patstone.report.text import NARROWEST, aligned, display_width, folded, shortened, text, wrapped

SMALL = Table(
    title="Means",
    columns=(
        Column(key="system"),
        Column(key="AP", kind="score", better="high"),
        Column(key="ci", kind="interval", label="interval", joined=True),
        Column(key="topics", kind="count"),
    ),
    rows=(
        ("bm25", 0.5, (0.4, 0.6), 50),
        ("検索", float("nan"), (float("nan"),) * 2, 7),
        ("dense", 0.25, (-0.1, 0.3), 50),
    ),
    notes=("One note.",),
)


def test_numbers_stand_under_each_other_and_ideographs_take_two_columns() -> None:
    assert text(SMALL, 80) == (
        "Means\n"
        "\n"
        "system       AP           interval  topics\n"
        "──────  ───────  ─────────────────  ──────\n"
        "bm25    0.5000*   [0.4000, 0.6000]      50\n"
        "検索    –                        –       7\n"
        "dense   0.2500   [-0.1000, 0.3000]      50\n"
        "\n"
        "One note.\n"
        "* best in its column\n"
    )


def test_blocks_repeat_the_key_and_keep_joined_columns_together() -> None:
    lines = text(SMALL, 36).splitlines()
    assert "system       AP           interval" in lines
    assert "system  topics" in lines
    assert lines.count("bm25        50") == 1


def test_long_names_lose_their_middle_before_the_table_is_split() -> None:
    table = Table(
        title="",
        columns=(Column(key="system"), Column(key="AP", kind="score")),
        rows=(("dense-retriever-with-claims-v1", 0.5), ("dense-retriever-with-claims-v2", 0.25)),
    )
    assert text(table, 27) == (
        "system                   AP\n"
        "───────────────────  ──────\n"
        "dense-ret…claims-v1  0.5000\n"
        "dense-ret…claims-v2  0.2500\n"
    )


def test_prose_is_folded_inside_its_column() -> None:
    table = Table(
        title="",
        columns=(Column(key="field"), Column(key="value", kind="prose")),
        rows=(("formula", "a sentence that does not fit"), ("range", "[0, 1]")),
    )
    assert text(table, 26) == (
        "field    value\n───────  ───────────────\nformula  a sentence that\n         does not fit\nrange    [0, 1]\n"
    )


def test_an_empty_table_still_has_its_head() -> None:
    assert text(Table(title="", columns=(Column(key="system"),), rows=()), 80) == "system\n──────\n"


def test_the_terminal_decides_without_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "36")
    assert text(SMALL) == text(SMALL, 36)


def test_a_name_cannot_drive_the_terminal() -> None:
    table = Table(title="\x1b[2J", columns=(Column(key="\x07"),), rows=(("\x1b[31mred\r\n",),), notes=("\x08",))
    assert not set(text(table, 80)) & set("\x1b\x07\x08\r")


def test_decimal_points_are_aligned() -> None:
    assert aligned(["12.5", "–", "<0.0001", "3"]) == ["12.5   ", " –     ", "<0.0001", " 3     "]


def test_headings_fold_where_a_reader_would() -> None:
    assert folded("CT(importance=claims, time=rank)@20", 14) == ["CT", "(importance=claims,", "time=rank)@20"]
    assert folded("AP", 14) == ["AP"]


def test_shortening_keeps_both_ends() -> None:
    assert shortened("abcdefghij", 5) == "ab…ij"
    assert shortened("検索システム", 6) == "検…ム"
    assert shortened("abc", 3) == "abc"


def test_running_text_breaks_after_bars_and_never_loses_a_letter() -> None:
    assert wrapped("AP|gold:1|ties:docid and more", 10) == "AP|gold:1|\nties:docid\nand more"
    assert wrapped("abcdefghijkl", 5) == "abcde\nfghij\nkl"


CELLS = st.one_of(st.floats(), st.none(), st.integers(-5, 10**9))
NAMES = st.text(alphabet=st.sampled_from("ab-_ 検索é\u0301\t\x1b|"), max_size=60)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    kinds = draw(st.lists(st.sampled_from(get_args(Kind)), min_size=1, max_size=9))
    columns = tuple(Column(key=draw(NAMES), kind=kind, joined=draw(st.booleans()), better="high") for kind in kinds)
    drawn: dict[str, st.SearchStrategy[Cell]] = {
        "text": NAMES,
        "prose": NAMES,
        "interval": st.tuples(st.floats(), st.floats()),
    }
    row = st.tuples(*(drawn.get(kind, CELLS) for kind in kinds))
    rows = tuple(draw(st.lists(row, max_size=5)))
    keys = draw(st.integers(1, min(3, len(kinds))))
    return Table(title=draw(NAMES), columns=columns, rows=rows, notes=(draw(NAMES),), keys=keys)


@given(tables(), st.integers(1, 120))
def test_no_line_is_longer_than_the_width(table: Table, width: int) -> None:
    assert max(map(display_width, text(table, width).splitlines())) <= max(width, NARROWEST)


@given(tables())
def test_with_room_every_cell_is_printed_whole(table: Table) -> None:
    printed = text(table, 10_000)
    for row in table.written():
        assert all(cell.strip() in printed for cell in row)
