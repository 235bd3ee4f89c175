"""Tables of documents in every format, and what their cells may hold."""

import json
import re
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from patent_layouts import everything, layout, read, refused
from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Citation, Claim
from patstone.patents.readers.tables import COLUMNS, READER, reader

HEADER = "number,date,kind"


def table(*rows: str, header: str = HEADER) -> bytes:
    return "\n".join([header, *rows]).encode()


def test_a_semicolon_csv_with_a_mark_at_its_start() -> None:
    """Expected values are read off table.csv."""
    first, second = read(READER, layout("table.csv"), "table.csv")
    assert (first.number, first.raw, first.country, first.kind) == ("EP4900001A1", "EP 4 900 001", "EP", "A1")
    assert (first.date, first.family, first.titles[0].text) == ("2029-07-18", "", "Cup with two walls")
    assert first.claims == (Claim(number=1, text="A cup."), Claim(number=2, text="The cup of claim 1."))
    assert (first.ipc, first.applicants) == (("A47G19/22", "B65D81/38"), ("Tekoppen AB", "Muki Oy"))
    assert first.citations == (
        Citation(cited="US5948634A", raw="US 5,948,634 A"),
        Citation(cited="WO2003008444A1", raw="WO 03/008444 A1"),
        Citation(cited="EP1234567A1", raw="EP1234567A1", cited_by="examiner"),
        Citation(raw="Author A: Cups; 2nd ed.", patent=False),
    )
    assert (second.number, second.date, second.family) == ("US10012345B2", "2018-07-03", "54000001")


ROWS = [
    {"number": "EP4900001A1", "date": "2029-07-18", "title": "Cup", "ipc": "A47G19/22;B65D81/38", "family": "7"},
    {"number": "US10012345B2", "date": "2018-07-03", "title": "Saucer", "ipc": "", "family": ""},
]


def as_xlsx() -> bytes:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for cells in ([*ROWS[0]], *([*row.values()] for row in ROWS)):
        sheet.append(cells)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def as_parquet() -> bytes:
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(ROWS), sink)
    return bytes(sink.getvalue().to_pybytes())


def test_every_format_holds_the_same_documents() -> None:
    separated = [[*ROWS[0]], *([*row.values()] for row in ROWS)]
    written = {
        "t.csv": "\n".join(",".join(cells) for cells in separated).encode(),
        "t.tsv": "\n".join("\t".join(cells) for cells in separated).encode(),
        "t.jsonl": "\n".join(map(json.dumps, ROWS)).encode(),
        "t.json": json.dumps(ROWS).encode(),
        "t.xlsx": as_xlsx(),
        "t.parquet": as_parquet(),
    }
    expected = read(READER, written["t.csv"], "t.csv")
    assert [one.number for one in expected] == ["EP4900001A1", "US10012345B2"]
    assert expected[0].ipc == ("A47G19/22", "B65D81/38")
    for name, data in written.items():
        assert READER.knows(data[: 1 << 16], name), name
        assert everything(READER, data, name) == expected, name


def test_json_and_parquet_may_hold_lists_and_objects() -> None:
    row = {
        "number": "EP4900001B1",
        "ipc": ["A47G19/22"],
        "claims": [
            {"number": 1, "text": "A cup.", "language": "en"},
            {"number": 2, "text": "The cup of claim 1.", "language": "en", "references": [1]},
        ],
        "citations": [
            {"number": "EP1234567A1", "category": "X", "phase": "SEA", "claims": "1-2", "date": 20020828},
            {"text": "Author A: Cups", "cited_by": "applicant"},
            "US5948634A",
        ],
    }
    for claims in (row["claims"], None):
        (found,) = read(READER, json.dumps({**row, "claims": claims}).encode())
        assert len(found.claims) == (2 if claims else 0)
    (found,) = read(READER, json.dumps(row).encode())
    assert [claim.references for claim in found.claims] == [None, (1,)]
    assert found.citations == (
        Citation(
            cited="EP1234567A1",
            raw="EP1234567A1",
            cited_by="examiner",
            category="X",
            phase="SEA",
            claims=(1, 2),
            date="2002-08-28",
        ),
        Citation(raw="Author A: Cups", patent=False, cited_by="applicant"),
        Citation(cited="US5948634A", raw="US5948634A"),
    )


def test_other_columns_tell_what_a_number_is() -> None:
    assert refused(READER, table("10012345,,"), "t.csv")[0].number == "10012345"
    header = "number,country,kind,date"
    (found,) = read(READER, table("10012345,US,B2,2018-07-03", header=header), "t.csv")
    assert found.number == "US10012345B2"


def test_an_ambiguous_number_is_refused_with_its_readings() -> None:
    (found,) = refused(READER, table("JP 7300979,,"), "t.csv")
    assert "JPH07300979" in found.reason
    assert "JP7300979" in found.reason
    assert found.offset == 2


def test_a_map_says_which_column_holds_what() -> None:
    data = table("EP4900001A1,2029-07-18,7", header="id,when,kind of thing")
    mapped = reader({"number": "id", "date": "when"})
    (found,) = read(mapped, data, "t.csv")
    assert (found.number, found.date, found.kind) == ("EP4900001A1", "2029-07-18", "A1")
    with pytest.raises(DataError, match="number=COLUMN"):
        read(READER, data, "t.csv")


def test_a_broken_row_costs_only_itself() -> None:
    found = everything(READER, table("EP4900001A1,,", "EP1,2", "EP4900002A1,soon,", "EP4900003A1,,"), "t.csv")
    assert [type(one).__name__ for one in found] == ["Publication", "Rejected", "Rejected", "Publication"]
    wrong = refused(READER, table("EP4900001A1,,", "EP1,2", "EP4900002A1,soon,"), "t.csv")
    assert [(one.offset, one.number) for one in wrong] == [(3, ""), (4, "EP4900002A1")]
    assert "3 fields" in wrong[0].reason


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (table('"EP4900001A1,,'), "t.csv", "not closed"),
        (table("EP\xff,,").decode().encode("latin-1"), "t.csv", "UTF-8"),
        (HEADER.encode("utf-16"), "t.csv", "UTF-16"),
        (b"", "t.csv", "empty"),
        (b"PAR1 and nothing else", "t.parquet", "not readable Parquet"),
        (b"no workbook", "t.xlsx", "XLSX"),
        (table("1", header="number,publication_number\n"), "t.csv", "fields"),
    ],
)
def test_an_unreadable_table_says_why(data: bytes, name: str, said: str) -> None:
    try:
        reasons = [one.reason for one in refused(READER, data, name)]
    except DataError as error:
        reasons = [str(error)]
    assert any(said in reason for reason in reasons)


def test_rows_come_one_at_a_time() -> None:
    """The file never ends, and its first rows are there."""
    rows = READER.read(_endless())
    assert [next(rows) for _ in range(5)]


def _endless() -> Rewindable:
    class Endless(RawIOBase):
        sent = 0

        def readable(self) -> bool:
            return True

        def seekable(self) -> bool:
            return True

        def seek(self, *_: int) -> int:
            self.sent = 0
            return 0

        def readinto(self, buffer: Any) -> int:
            text = (HEADER + "\n").encode() if not self.sent else b"EP4900001A1,,\n"
            self.sent += 1
            buffer[: len(text)] = text
            return len(text)

    return Rewindable("t.csv", lambda: cast(BinaryIO, BufferedReader(Endless(), 256)))


def test_synonyms_are_never_shared_by_two_columns() -> None:
    names = [name for column in COLUMNS for name in (column.name, *column.synonyms)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("head", "name", "known"),
    [
        (table("EP1"), "t.csv", True),
        (b"a,b\n1,2", "t.csv", False),
        (b"number\n1", "t.csv", False),
        (b"<xml/>", "t.xml", False),
        (b'{"number": "EP1", "date": ""}', "t.jsonl", True),
        (b'{"lens_id": 1}', "t.json", False),
        (b"PAR1", "t", True),
    ],
)
def test_it_knows_its_files(head: bytes, name: str, known: bool) -> None:
    assert READER.knows(head, name) is known


def test_the_page_on_tables_names_every_column() -> None:
    page = (Path(__file__).parents[3] / "docs/sources/tables.md").read_text()
    for column in COLUMNS:
        assert re.search(rf"^\| `{column.name}` \| {', '.join(column.synonyms)} ?\|", page, re.MULTILINE), column
