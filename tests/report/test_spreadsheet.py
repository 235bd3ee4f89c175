from pathlib import Path

import openpyxl
import pytest

from patstone.errors import DataError, UsageError
from patstone.report.cells import Column, Table
from patstone.report.spreadsheet import sheet_names, write_xlsx

TABLE = Table(
    title="Means",
    columns=(
        Column(key="system"),
        Column(key="AP", kind="score", better="high"),
        Column(key="ci", kind="interval", label="interval"),
        Column(key="topics", kind="count"),
        Column(key="p", kind="p"),
    ),
    rows=(
        ("bm25", 0.1 + 0.2, (-0.1, 0.6), 1000, 1e-5),
        ("=1+1", float("nan"), (float("nan"),) * 2, 3, None),
        ("#N/A", 0.25, (0.1, 0.2), 4, 0.5),
    ),
    notes=("=A note",),
)


@pytest.fixture
def book(tmp_path: Path) -> openpyxl.Workbook:
    write_xlsx([TABLE, TABLE], tmp_path / "out.xlsx")
    return openpyxl.load_workbook(tmp_path / "out.xlsx")


def test_numbers_read_back_equal_and_are_numbers(book: openpyxl.Workbook) -> None:
    rows = [tuple(cell.value for cell in row) for row in book["Means"].iter_rows(max_row=4)]
    assert rows == [
        ("system", "AP", "interval low", "interval high", "topics", "p"),
        ("bm25", 0.1 + 0.2, -0.1, 0.6, 1000, 1e-5),
        ("=1+1", None, None, None, 3, None),
        ("#N/A", 0.25, 0.1, 0.2, 4, 0.5),
    ]
    assert [cell.data_type for cell in book["Means"][2]] == ["s", "n", "n", "n", "n", "n"]
    assert [cell.number_format for cell in book["Means"][2]][1:] == ["0.0000"] * 3 + ["#,##0", "0.0000"]


def test_a_text_never_becomes_a_formula_or_an_error(book: openpyxl.Workbook) -> None:
    cells = [book["Means"]["A3"], book["Means"]["A4"], book["Means"]["A6"]]
    assert [cell.value for cell in cells] == ["=1+1", "#N/A", "=A note"]
    assert [cell.data_type for cell in cells] == ["s", "s", "s"]
    assert cells[0].quotePrefix


def test_the_head_stays_and_filters(book: openpyxl.Workbook) -> None:
    sheet = book["Means"]
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:F4"
    assert sheet["A1"].font.bold
    assert sheet["B2"].font.bold
    assert not sheet["B4"].font.bold
    assert sheet.column_dimensions["C"].width > len("[-0.1000, 0.6000]")


def test_one_sheet_for_each_table(book: openpyxl.Workbook) -> None:
    assert book.sheetnames == ["Means", "Means (2)"]


def test_sheet_names_are_what_excel_accepts() -> None:
    names = sheet_names(["a/b:c*d?[e]\\f", "x" * 40, "X" * 40, "", "'", "History", "bad\x00name"])
    assert names == ["a b c d  e  f", "x" * 31, "X" * 27 + " (2)", "Table", "Table (2)", "History (2)", "badname"]
    assert all(0 < len(name) <= 31 for name in names)


def test_control_characters_and_endless_texts_are_cut(tmp_path: Path) -> None:
    table = Table(title="t", columns=(Column(key="x"),), rows=(("a\x00b\x1bc\ufffe\ud800d",), ("y" * 40_000,)))
    write_xlsx([table], tmp_path / "out.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["t"]
    assert sheet["A2"].value == "abcd"
    assert len(str(sheet["A3"].value)) == 32_767


def test_a_table_without_rows(tmp_path: Path) -> None:
    write_xlsx([Table(title="t", columns=TABLE.columns, rows=())], tmp_path / "out.xlsx")
    assert openpyxl.load_workbook(tmp_path / "out.xlsx")["t"].max_row == 1


def test_too_many_rows_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    table = Table(title="t", columns=(Column(key="x"),), rows=(("x",),) * 1_048_576)
    with pytest.raises(UsageError, match="Parquet"):
        write_xlsx([table], tmp_path / "out.xlsx")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="folder"):
        write_xlsx([TABLE], tmp_path / "none" / "out.xlsx")
