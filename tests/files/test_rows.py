"""Rows of tables, one at a time: the same cells that the table reader sees, and no more of the file than is needed."""

from collections.abc import Sequence
from io import BytesIO
from typing import BinaryIO, cast

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from patstone.errors import DataError, UsageError
from patstone.files.rows import read_rows
from patstone.files.streams import Rewindable


def source(data: bytes) -> Rewindable:
    return Rewindable("here", lambda: cast(BinaryIO, BytesIO(data)))


def choose(header: Sequence[str], _: int) -> dict[str, int]:
    return {"b": header.index("b"), "a": header.index("a")}


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_delimited_rows_know_the_line_they_begin_on(mark: str) -> None:
    data = f'a{mark}b\n1{mark}"2\n3"\n\n4{mark}5\n'.encode()
    assert [*read_rows(source(data), choose, format="csv")] == [(2, {"b": "2\n3", "a": "1"}), (5, {"b": "5", "a": "4"})]


def test_a_row_of_another_length_is_an_error_in_its_place() -> None:
    first, second, third = read_rows(source(b"a,b\n1,2\n3\n4,5"), choose, format="csv")
    assert isinstance(second, DataError)
    assert (second.line, second.value) == (3, "3")
    assert [first, third] == [(2, {"b": "2", "a": "1"}), (4, {"b": "5", "a": "4"})]


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (b'a,b\n1,2\n"3,4\n', 3, "not closed"),
        (b"a,b\n1,2\n\xff,4\n", 3, "UTF-8"),
        (b"a,b\n" + b"1,2\n" * 9_998 + b"\xff,4\n", 10_000, "UTF-8"),
        ("a,b".encode("utf-16"), 1, "UTF-16"),
    ],
)
def test_what_makes_the_rest_unreadable_is_raised(data: bytes, line: int, said: str) -> None:
    with pytest.raises(DataError, match=said) as raised:
        [*read_rows(source(data), choose, format="csv")]
    assert raised.value.line == line


def test_parquet_rows_are_numbered_across_groups() -> None:
    sink = pa.BufferOutputStream()
    table = pa.table({"a": list(range(1000)), "c": ["x"] * 1000, "b": [[n] for n in range(1000)]})
    parquet.write_table(table, sink, row_group_size=300)
    rows = [*read_rows(source(sink.getvalue().to_pybytes()), choose, format="parquet")]
    assert rows == [(n + 1, {"b": [n], "a": n}) for n in range(1000)]


def test_damaged_parquet_is_named() -> None:
    with pytest.raises(DataError, match="not readable Parquet"):
        [*read_rows(source(b"PAR1xxxxPAR1"), choose, format="parquet")]


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(UsageError, match="'toml'"):
        read_rows(source(b""), choose, format="toml")


@given(st.lists(st.tuples(st.text("x\"',;\n é"), st.text("y\n|")), min_size=1))
def test_quoted_cells_come_back_as_they_were(cells: list[tuple[str, str]]) -> None:
    quoted = ['"a","b"', *(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in cells)]
    found = read_rows(source("\n".join(quoted).encode()), choose, format="csv")
    expected = [{"a": first, "b": second} for first, second in cells if first or second]
    assert [row[1] for row in found if not isinstance(row, DataError)] == expected
