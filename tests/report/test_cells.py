import numpy as np
import pytest

from patstone.report.cells import Cell, Column, Kind, Table, printable, shown


@pytest.mark.parametrize(
    ("kind", "cell", "expected"),
    [
        ("score", 0.43219, "0.4322"),
        ("score", -0.00001, "0.0000"),
        ("score", float("nan"), "–"),
        ("score", None, "–"),
        ("score", 1e15, "1e+15"),
        ("score", float("inf"), "inf"),
        ("difference", 0.01, "+0.0100"),
        ("difference", -0.01, "-0.0100"),
        ("difference", 0.0, "0.0000"),
        ("p", 0.0001, "0.0001"),
        ("p", 0.00009999, "<0.0001"),
        ("p", 1.0, "1.0000"),
        ("count", 12345, "12345"),
        ("interval", (0.1, 0.25), "[0.1000, 0.2500]"),
        ("interval", (float("nan"), float("nan")), "–"),
        ("interval", (float("nan"), 0.5), "[–, 0.5000]"),
        ("text", "bm25", "bm25"),
        ("text", "a\x1b[31m\nb", "a\\x1b[31m\\nb"),
    ],
)
def test_cells_read_as_people_expect(kind: Kind, cell: Cell, expected: str) -> None:
    assert shown(cell, Column(key="x", kind=kind)) == expected


def test_decimals_are_the_column_s() -> None:
    assert shown(0.5, Column(key="x", kind="score", decimals=2)) == "0.50"


def test_what_turns_the_writing_direction_is_shown() -> None:
    assert printable("run\u202egpj") == "run\\u202egpj"
    assert printable("検索 é\u0301 🦊") == "検索 é\u0301 🦊"
    assert printable("\ufffe\ud800") == "\\ufffe\\ud800"


def test_the_best_is_marked_by_direction_with_ties_and_without_the_undefined() -> None:
    columns = (
        Column(key="a", kind="score", better="high"),
        Column(key="b", kind="score", better="low"),
        Column(key="c"),
    )
    table = Table(title="", columns=columns, rows=((1.0, 2.0, "x"), (1.0, float("nan"), "y"), (0.5, 1.0, "z")))
    assert table.best == {(0, 0), (1, 0), (2, 1)}


def test_one_row_has_no_best() -> None:
    table = Table(title="", columns=(Column(key="a", kind="score", better="high"),), rows=((1.0,),))
    assert table.best == frozenset()


def test_machines_get_the_other_shape_when_there_is_one() -> None:
    long = Table(title="", columns=(Column(key="a"),), rows=(("x",),))
    wide = Table(title="", columns=(), rows=(), data=lambda: long)
    assert wide.for_machines is long
    assert long.for_machines is long


def test_numpy_numbers_are_numbers() -> None:
    assert shown(np.float64("nan"), Column(key="x", kind="score")) == "–"
