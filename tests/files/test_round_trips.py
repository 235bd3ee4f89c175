"""Tables come back as they were written, and damaged ones are read or refused, never anything else."""

import csv
import gzip
import json
import sys
from dataclasses import dataclass
from io import BufferedReader, BytesIO, StringIO
from types import SimpleNamespace

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from pyarrow import parquet

from patstone.errors import PatstoneError
from patstone.files import ids
from patstone.files.header import Wanted
from patstone.files.tables import Table, read_table

WANTED = (
    Wanted(name="topic"),
    Wanted(name="doc"),
    Wanted(name="score", kind="number"),
    Wanted(name="rank", kind="integer"),
    Wanted(name="main", kind="boolean"),
    Wanted(name="family", blank=True),
)
NAMES = [wanted.name for wanted in WANTED]
# A spreadsheet's XML can't hold every character, and ids hold no control characters.
LETTERS = st.characters(exclude_categories=["C", "Z"])
IDS = st.text(LETTERS, min_size=1, max_size=12).filter(lambda text: not text.startswith(("=", "#")))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
ROW = st.tuples(IDS, IDS, NUMBERS, st.integers(-(2**53) + 1, 2**53 - 1), st.booleans(), IDS | st.just(""))
ROWS = st.lists(ROW, min_size=1, max_size=8)
Row = tuple[str, str, float, int, bool, str]


def as_text(rows: list[Row], delimiter: str) -> bytes:
    text = StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL)
    writer.writerows([NAMES, *rows])
    return text.getvalue().encode()


def as_jsonl(rows: list[Row]) -> bytes:
    return "\n".join(json.dumps(dict(zip(NAMES, row, strict=True))) for row in rows).encode()


def as_parquet(rows: list[Row]) -> bytes:
    target = BytesIO()
    columns = zip(*rows, strict=True)
    parquet.write_table(pa.table(dict(zip(NAMES, map(list, columns), strict=True))), target)
    return target.getvalue()


def as_xlsx(rows: list[Row]) -> bytes:
    book, target = Workbook(), BytesIO()
    page = book.active
    assert page is not None
    page.append(NAMES)
    for row in rows:
        page.append(list(row))
    book.save(target)
    return target.getvalue()


WRITERS = {
    "csv": lambda rows: as_text(rows, ","),
    "tsv": lambda rows: as_text(rows, "\t"),
    "jsonl": as_jsonl,
    "parquet": as_parquet,
    "xlsx": as_xlsx,
}


@dataclass(frozen=True)
class Input:
    """Standard input, of the given bytes."""

    raw: bytes

    def read(self, kind: str) -> Table:
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BufferedReader(BytesIO(self.raw))))
            return read_table("-", WANTED, format=kind)


def rows_of(table: Table) -> list[Row]:
    columns = table.columns
    texts = {name: ids.texts(columns[name]) for name in ("topic", "doc", "family")}
    plain = {name: columns[name].tolist() for name in ("score", "rank", "main")}
    together = {**texts, **plain}
    return list(zip(*(together[name] for name in NAMES), strict=True))


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
@given(rows=ROWS)
@settings(max_examples=60)
@example(rows=[("a;b;c;d;e;f;g", 'say "x"', -0.0, 0, True, "")])
def test_what_was_written_is_read(kind: str, rows: list[Row]) -> None:
    assert rows_of(Input(WRITERS[kind](rows)).read(kind)) == rows


@given(rows=st.lists(ROW.map(lambda row: (*row[:2], row[2] / 2, row[3] % 10**15, *row[4:])), min_size=1, max_size=4))
@settings(max_examples=15)
def test_what_was_written_as_a_workbook_is_read(rows: list[Row]) -> None:
    table = Input(as_xlsx(rows)).read("xlsx")
    assert [(row[:2], row[3:]) for row in rows_of(table)] == [(row[:2], row[3:]) for row in rows]
    # openpyxl writes floats with 16 digits, one less than it takes to tell them all apart.
    assert table.columns["score"].tolist() == pytest.approx([row[2] for row in rows], rel=1e-14)


PLAIN_ROWS: list[Row] = [
    ("T1", "EP1", 0.5, 1, True, "F1"),
    ("T1", "EP 2", -1e-9, 2, False, ""),
    ("T2", "É", 3, 3, True, "F"),
]
SAMPLES = {kind: write(PLAIN_ROWS) for kind, write in WRITERS.items()}


def mutated(raw: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    for where, removed, added in edits:
        place = int(where * len(raw))
        raw = raw[:place] + added + raw[place + removed :]
    return raw


EDITS = st.lists(
    st.tuples(
        st.floats(0, 1, exclude_max=True),
        st.integers(0, 5),
        st.binary(max_size=3)
        | st.sampled_from([b'"', b",", b"\n", b"\r", b"\0", b"nan", b"1e999", b"{", b"[", b"null"]),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@given(edits=EDITS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_damaged_tables_are_read_or_refused(kind: str, packed: bool, edits: list[tuple[float, int, bytes]]) -> None:
    raw = mutated(gzip.compress(SAMPLES[kind]) if packed else SAMPLES[kind], edits)
    try:
        table = Input(raw).read(kind)
    except PatstoneError as error:
        assert error.exit_code == 3  # noqa: PT017
        assert len(str(error)) < 900  # noqa: PT017
        return
    assert len(table) == len(table.lines) > 0
    assert {len(column) for column in table.columns.values()} == {len(table)}
