"""Workbooks: what spreadsheets do to ids, and what a workbook can hide."""

import datetime
import re
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook

from patstone.errors import DataError
from patstone.files import ids, xlsx
from patstone.files.header import Wanted
from patstone.files.tables import Table, read_table

WANTED = (
    Wanted(name="topic"),
    Wanted(name="doc"),
    Wanted(name="score", kind="number", required=False),
    Wanted(name="family", required=False, blank=True),
)
HEADER = ("topic", "doc", "score")


def write(path: Path, *rows: Sequence[object], title: str = "Answers") -> Path:
    book = Workbook()
    page = book.active
    assert page is not None
    page.title = title
    for row in rows:
        page.append(list(row))
    book.save(path)
    return path


def rewrite(path: Path, member: str, old: str, new: str) -> None:
    """Edit one part of a workbook as text; `old` is a pattern, for what writes XML differs in how."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    edited, found = re.subn(old, lambda _: new, parts[member].decode(), count=1)
    assert found
    parts[member] = edited.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return tmp_path / "run.xlsx"


def docs(table: Table) -> list[str]:
    return ids.texts(table.columns["doc"])


def test_cells_are_typed_and_rows_numbered_as_in_the_sheet(book: Path) -> None:
    write(book, (), HEADER, ("T1", "EP1", 0.5), (), ("T1", "EP2", 1))
    table = read_table(book, WANTED)
    assert docs(table) == ["EP1", "EP2"]
    assert table.columns["score"].tolist() == [0.5, 1.0]
    assert table.lines.tolist() == [3, 5]
    assert table.path == f"{book}#Answers"
    assert table.notes == ()


def test_numbers_in_id_columns_become_their_digits_and_are_noted(book: Path) -> None:
    write(book, HEADER, (7, 1234567.0, 1), ("T2", "EP1", 1))
    table = read_table(book, WANTED)
    assert ids.texts(table.columns["topic"]) == ["7", "T2"]
    assert docs(table) == ["1234567", "EP1"]
    assert [note.split(": ")[1] for note in table.notes] == [
        "column 'topic' stores 1 ids as numbers; leading zeros, if there were any, are gone",
        "column 'doc' stores 1 ids as numbers; leading zeros, if there were any, are gone",
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("T1", datetime.date(2024, 3, 1), 1), "Column 'doc' holds a date"),
        (("T1", "EP1", datetime.datetime(2024, 3, 1)), "Column 'score' holds a date"),
        (("T1", 1.5, 1), "number with a fraction"),
        (("T1", 1234567890123456, 1), "over 15 digits"),
        (("T1", True, 1), "must hold ids"),
        (("T1", "EP1", True), "must hold numbers"),
        (("T1", "EP1", "0,85"), "decimal point"),
        (("T1", "#REF!", 1), "error value of a formula"),
        (("T1", None, 1), "empty cell"),
        (("T1", "EP1", 1, "more"), "must have 3 cells"),
    ],
)
def test_bad_cells_are_named(book: Path, row: tuple[object, ...], message: str) -> None:
    write(book, HEADER, ("T0", "EP0", 0), row)
    with pytest.raises(DataError, match=message) as caught:
        read_table(book, WANTED)
    assert caught.value.path == f"{book}#Answers"
    assert caught.value.line == 3


@pytest.mark.parametrize("column", ["score", "family"])
def test_a_formula_without_a_value_is_refused_even_where_blanks_are_allowed(book: Path, column: str) -> None:
    write(book, ("topic", "doc", column), ("T1", "EP1", None), ("T1", "EP2", "=1+1"))
    with pytest.raises(DataError, match="no computed value") as caught:
        read_table(book, WANTED)
    assert (caught.value.line, caught.value.value) == (3, "=1+1")


def test_a_row_of_formulas_without_values_is_not_passed_over(book: Path) -> None:
    write(book, ("topic", "doc"), ("T1", "EP1"), ("=A2", "=B2"))
    with pytest.raises(DataError, match="line 3: A formula has no computed value"):
        read_table(book, WANTED)


def test_blank_cells_where_blanks_are_allowed(book: Path) -> None:
    write(book, ("topic", "doc", "family"), ("T1", "EP1", None), ("T1", "EP2", "F"))
    assert read_table(book, WANTED).columns["family"].tolist() == [b"", b"F"]


def test_a_computed_formula_counts_as_its_value(book: Path) -> None:
    write(book, ("topic", "doc", "score"), ("T1", "EP1", "=1+1"))
    rewrite(book, "xl/worksheets/sheet1.xml", r"<f>1\+1</f><v ?(/>|></v>)", "<f>1+1</f><v>2</v>")
    assert read_table(book, WANTED).columns["score"].tolist() == [2.0]


def test_the_first_sheet_unless_another_is_named(book: Path) -> None:
    pages = Workbook()
    first = pages.active
    assert first is not None
    first.title = "One"
    second = pages.create_sheet("Two #2")
    for page, doc in ((first, "A"), (second, "B")):
        page.append(("topic", "doc"))
        page.append(("T1", doc))
    pages.save(book)
    assert docs(read_table(book, WANTED)) == ["A"]
    assert docs(read_table(f"{book}#Two #2", WANTED, format="xlsx")) == ["B"]
    with pytest.raises(DataError, match="no sheet 'Three'; it has: One, Two #2"):
        read_table(f"{book}#Three", WANTED)


def test_a_wrong_size_in_the_sheet_cuts_nothing(book: Path) -> None:
    write(book, HEADER, ("T1", "EP1", 1))
    rewrite(book, "xl/worksheets/sheet1.xml", 'ref="A1:C2"', 'ref="A1"')
    assert docs(read_table(book, WANTED)) == ["EP1"]


def test_a_workbook_that_unpacks_to_too_much_is_refused(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(book, HEADER, ("T1", "EP1", 1))
    with zipfile.ZipFile(book, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/more.xml", bytes(3 << 20))
    assert book.stat().st_size < 20_000
    monkeypatch.setattr(xlsx, "LARGEST", 1 << 20)
    with pytest.raises(DataError, match=r"at most 1 MB; save the sheet as CSV"):
        read_table(book, WANTED)


def test_a_row_number_beyond_a_sheet_is_refused_in_time(book: Path) -> None:
    write(book, HEADER, ("T1", "EP1", 1))
    rewrite(book, "xl/worksheets/sheet1.xml", '<row r="2">', '<row r="99999999999">')
    with pytest.raises(DataError, match="A sheet has at most 1,048,576 rows"):
        read_table(book, WANTED)


def test_entities_do_not_explode(book: Path) -> None:
    write(book, HEADER, ("T1", "EP1", 1))
    levels = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    rewrite(book, "xl/worksheets/sheet1.xml", "<worksheet", f'<!DOCTYPE x [<!ENTITY e0 "ha">{levels}]><worksheet')
    rewrite(book, "xl/worksheets/sheet1.xml", "<v>1</v>", "<v>&e9;</v>")
    with pytest.raises(DataError, match="damaged"):
        read_table(book, WANTED)


@pytest.mark.parametrize("rows", [(), (HEADER,)])
def test_an_empty_sheet_is_refused(book: Path, rows: tuple[Sequence[object], ...]) -> None:
    write(book, *rows)
    with pytest.raises(DataError, match=r"empty|no rows"):
        read_table(book, WANTED)


def test_what_is_no_workbook_is_refused(book: Path) -> None:
    book.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(DataError, match="not an XLSX workbook"):
        read_table(book, WANTED)
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("hello.txt", "hello")
    book.write_bytes(content.getvalue())
    with pytest.raises(DataError, match="damaged"):
        read_table(book, WANTED)
