"""Rows of Google's patent tables, in every shape that they are exported in."""

import json

import pyarrow as pa
import pytest
from pyarrow import parquet

from patent_layouts import layout, read, refused
from patstone.patents.publication import Citation
from patstone.patents.readers.google import READER, publication
from patstone.patents.readers.tables import READER as TABLE

ROWS = [json.loads(line) for line in layout("google.jsonl").decode().splitlines()]


def test_a_nested_row() -> None:
    """Expected values are read off the first line of google.jsonl."""
    first = read(READER, layout("google.jsonl"))[0]
    assert (first.number, first.raw, first.country, first.kind) == ("US4900001A", "US-4900001-A", "US", "A")
    assert (first.date, first.filed, first.priority_date) == ("1982-02-09", "1979-08-29", "1978-09-04")
    assert (first.family, first.language) == ("27000001", "en")
    assert first.application == "US06/070870"
    assert first.priorities == ("JP/1978108413",)
    assert first.abstracts[0].text == "A cup with two walls."
    assert [claim.text for claim in first.claims] == [
        "A cup comprising: an inner wall; and 2 outer walls.",
        "The cup of claim 1.",
    ]
    assert (first.ipc, first.cpc, first.applicants) == (("A47G19/22",), ("A47G19/2288",), ("TEKOPPEN CO",))


def test_a_phase_is_no_category_and_old_american_ones_tell_nobody() -> None:
    american, chinese, japanese = (row.citations for row in read(READER, layout("google.jsonl")))
    assert american == (Citation(cited="US450234A", raw="US-450234-A", phase="SEA", cited_by="unknown"),)
    assert chinese == (
        Citation(cited="JP2003174892A", raw="JP-2003174892-A"),
        Citation(raw="作者, 杯, 2004", patent=False),
    )
    assert japanese == (
        Citation(
            cited="EP1234567A1", raw="EP-1234567-A1", phase="ISR", cited_by="examiner", category="X", date="2002-01"
        ),
    )


def test_what_stands_for_nothing_is_nothing() -> None:
    _, chinese, japanese = read(READER, layout("google.jsonl"))
    assert (chinese.family, chinese.filed, chinese.applicants) == ("", "", ("杯公司",))
    assert [title.language for title in chinese.titles] == ["zh", "en"]
    assert (japanese.family, japanese.date, japanese.priority_date) == ("", "1992-12", "")
    assert (japanese.fi, japanese.fterm) == (("A23L1/28@Z",), ("4B018MJ01",))


def test_columns_as_json_texts_are_the_same_rows() -> None:
    flat = [{name: json.dumps(cell) if isinstance(cell, list) else cell for name, cell in row.items()} for row in ROWS]
    table = json.dumps({"table_name": "PUBLICATIONS", "column_names": [*flat[0]], "sample_rows": flat}, indent=1)
    assert read(READER, table.encode()) == read(READER, layout("google.jsonl"))


@pytest.mark.parametrize("reader", [READER, TABLE])
@pytest.mark.parametrize("wrapped", [False, True])
def test_parquet_holds_the_same_rows(reader: object, wrapped: bool) -> None:
    columns = [name for name in ROWS[0] if name != "pct_number"]
    rows = [{name: row.get(name) for name in columns} for row in ROWS]
    for row in rows if wrapped else []:
        row["title_localized"] = {"list": [{"element": title} for title in row["title_localized"]]}
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(rows), sink)
    found = read(reader, sink.getvalue().to_pybytes(), "rows.parquet")  # type: ignore[arg-type]
    assert found == [publication({**row, "pct_number": None}) for row in ROWS]


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("publication_number", "7650331", "must be like"),
        ("publication_number", None, "must be like"),
        ("publication_number", ["US-1-A"], "must be a text"),
        ("publication_date", 20119999, "must be a date"),
        ("title_localized", "[{", "as JSON text"),
        ("title_localized", [{"language": "en", "text": 3}], "must hold texts"),
        ("citation", ["US-1-A"], "must be an object"),
        ("family_id", {}, "must be a text"),
    ],
)
def test_a_wrong_cell_is_named(column: str, cell: object, said: str) -> None:
    broken = json.dumps({**ROWS[0], column: cell}).encode()
    (found,) = refused(READER, broken)
    assert said in found.reason
    assert found.offset == 1


def test_it_knows_its_files() -> None:
    assert READER.knows(layout("google.jsonl"), "x.jsonl")
    assert not READER.knows(b'name\n"publication_number","title_localized"', "x.csv")
    assert not READER.knows(layout("lens.json"), "x.json")
