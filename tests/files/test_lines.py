"""The fast reader of lines against the plain one, on texts that straddle its blocks, and on texts it must refuse."""

import gzip
import io
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plain_reader
from patstone.errors import DataError
from patstone.files import ids
from patstone.files.lines import LONGEST_ID, LONGEST_LINE, Fields, read_fields
from patstone.files.streams import open_bytes
from plain_reader import MARK, Line

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

bounded = settings(max_examples=200, derandomize=True, deadline=None, database=None)

WHITE = (" ", "\t", "  ", " \t ", "\x0b", "\x0c", "\r", " \r")
fields = st.text(st.sampled_from("aB1.-~é漢\u00a0\u2003\x7f😀"), min_size=1, max_size=40).filter(str.strip)
blanks = st.sampled_from(("", "", "", *WHITE))


@st.composite
def texts(draw: st.DrawFn, count: int = 3, topics: Sequence[str] = ()) -> bytes:
    """Lines of `count` fields, most of them plain, with blank lines between; the first field may be a topic."""
    plainly = draw(st.booleans())
    first = st.sampled_from(topics) if topics else fields
    rows = draw(st.lists(st.tuples(first, *[fields] * (count - 1)), max_size=30))
    between = st.just(" ") if plainly else st.sampled_from((" ", *WHITE))
    around = st.just("") if plainly else blanks
    lines = []
    for row in rows:
        lines += [] if plainly else draw(st.lists(blanks, max_size=1))
        inner = "".join(field + draw(between) for field in row[:-1]) + row[-1]
        lines.append(draw(around) + inner + draw(around))
    end = draw(st.sampled_from(("\n", "\r\n"))) if not plainly else "\n"
    text = end.join(lines) + draw(st.sampled_from(("", end, end * 2)))
    return (MARK if draw(st.integers(0, 5)) == 0 else b"") + text.encode()


class Dripping(io.RawIOBase):
    """A pipe that gives a few bytes at a time."""

    def __init__(self, raw: bytes, step: int) -> None:
        self.rest, self.step = io.BytesIO(raw), step

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        return self.rest.readinto(view[: self.step])


def blocks(
    raw: bytes, *, counts: tuple[int, ...] = (3,), group: int | None = None, block: int = 64
) -> Iterator[Fields]:
    yield from read_fields(io.BytesIO(raw), counts=counts, path="here", group=group, block=block)


def lines_of(found: Fields) -> list[Line]:
    rows = np.arange(len(found))
    columns = [found.texts(field, rows) for field in range(len(found.ends))]
    return [Line(number, row) for number, row in zip(found.lines.tolist(), zip(*columns, strict=True), strict=True)]


@bounded
@given(raw=texts(), block=st.sampled_from((16, 64, 100, 4096)))
def test_reads_what_the_plain_reader_reads(raw: bytes, block: int) -> None:
    assert [line for found in blocks(raw, block=block) for line in lines_of(found)] == plain_reader.read(raw)


@bounded
@given(raw=texts(), block=st.sampled_from((16, 64, 4096)))
def test_ids_are_the_fields_bytes(raw: bytes, block: int) -> None:
    columns: list[list[str]] = [[], [], []]
    for found in blocks(raw, block=block):
        for field in range(3):
            columns[field] += ids.texts(ids.from_words(found.ids(field)))
    assert [tuple(row) for row in zip(*columns, strict=True)] == [line.fields for line in plain_reader.read(raw)]


@bounded
@given(raw=texts(topics=("t1", "t2", "topic-three")), block=st.sampled_from((16, 64, 300, 4096)))
def test_groups_come_in_one_piece(raw: bytes, block: int) -> None:
    groups: list[list[Line]] = []
    for found in blocks(raw, group=0, block=block):
        assert found.groups is not None
        lines = lines_of(found)
        borders = [*found.groups.tolist(), len(lines)]
        groups += [lines[low:high] for low, high in pairwise(borders)]
    assert groups == plain_reader.grouped(plain_reader.read(raw), 0)


def test_blocks_are_small_where_groups_are() -> None:
    raw = b"".join(b"t%d Q d%d\n" % (row // 3, row) for row in range(300))
    sizes = [len(found) for found in blocks(raw, group=0, block=128)]
    assert len(sizes) > 20
    assert sum(sizes) == 300


def test_a_group_longer_than_the_block_makes_it_grow() -> None:
    raw = b"a Q d\n" + b"".join(b"long Q d%d\n" % row for row in range(1000)) + b"z Q d\n"
    found = [lines_of(each) for each in blocks(raw, group=0)]
    assert [line for lines in found for line in lines] == plain_reader.read(raw)
    assert 1000 in [sum(line.fields[0] == "long" for line in lines) for lines in found]


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_a_pipe_may_give_any_number_of_bytes(step: int) -> None:
    raw = b"".join(b"t%d\tQ  d%d \r\n" % (row // 3, row) for row in range(50))
    stream = io.BufferedReader(Dripping(raw, step))
    found = read_fields(stream, counts=(3,), path="pipe", group=0, block=64)
    assert [line for each in found for line in lines_of(each)] == plain_reader.read(raw)


@pytest.mark.parametrize("raw", [b"", b"\n", b"   \n\t\r\n", MARK, MARK + b"\n\n", b" " * 1000, b"\n" * 1000])
def test_nothing_but_blanks_is_no_row(raw: bytes) -> None:
    assert list(blocks(raw, group=0)) == []


@pytest.mark.parametrize("count", [3, 4])
def test_the_first_line_with_fields_chooses_the_layout(count: int) -> None:
    """However many blank lines, and blocks, stand before it."""
    raw = b"\n" * 500 + b" ".join([b"x"] * count)
    assert [line for found in blocks(raw, counts=(3, 4)) for line in lines_of(found)] == [Line(501, ("x",) * count)]


LINE = b"topic Q doc\n"
PLACES = (0, 1, 5, 40)


@pytest.mark.parametrize("before", PLACES)
@pytest.mark.parametrize(
    ("bad", "rule", "value"),
    [
        (b"topic Q\n", "3 fields; this one has 2", "topic Q"),
        (b"topic Q doc more\n", "3 fields; this one has 4", "topic Q doc more"),
        (b"topic\n", "3 fields; this one has 1", "topic"),
        (b"topic \x00 doc\n", "control characters", b"\x00"),
        (b"topic Q d\x1bc\n", "control characters", b"\x1b"),
        (b"topic Q d\x1cc\n", "control characters", b"\x1c"),
        (b"topic Q d\xffc\n", "UTF-8", b"\xff"),
        (b"topic Q d\xe9\n", "UTF-8", b"\xe9"),
        (b"topic Q \xed\xa0\x80\n", "UTF-8", b"\xed"),
    ],
)
def test_names_the_line_that_it_refuses(before: int, bad: bytes, rule: str, value: object) -> None:
    raw = LINE * before + b"\n" + bad + LINE * 40
    with pytest.raises(DataError, match=rule) as caught:
        list(blocks(raw, group=0, block=100))
    assert (caught.value.path, caught.value.line, caught.value.value) == ("here", before + 2, value)


@pytest.mark.parametrize("line", [b" topic Q", b"topic  Q", b"topic Q ", b"topic\tQ\r", b"\ttopic Q"])
def test_blanks_do_not_make_up_for_a_missing_field(line: bytes) -> None:
    """As many separators as a good line has."""
    for raw in (line + b"\n", LINE + line + b"\n" + LINE):
        with pytest.raises(DataError, match="3 fields; this one has 2") as caught:
            list(blocks(raw, block=4096))
        assert caught.value.value == line.decode()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_says_what_utf_16_is(encoding: str) -> None:
    with pytest.raises(DataError, match="looks like UTF-16: save it as UTF-8") as caught:
        list(blocks("topic Q doc\n".encode(encoding)))
    assert caught.value.line == 1


@pytest.mark.parametrize("before", PLACES)
def test_an_id_has_a_longest_length(before: int) -> None:
    raw = LINE * before + b"topic Q " + b"d" * LONGEST_ID + b"\n"
    assert [ids.from_words(found.ids(2)).itemsize for found in blocks(raw, block=1 << 14)][-1] == LONGEST_ID
    too_long = LINE + b"topic Q " + b"d" * (LONGEST_ID + 1)
    with pytest.raises(DataError, match="at most 1,024 bytes") as caught:
        [found.ids(2) for found in blocks(raw + too_long, block=1 << 14)]
    assert caught.value.line == before + 3


def test_a_topic_has_a_longest_length_too() -> None:
    with pytest.raises(DataError, match="at most 1,024 bytes") as caught:
        list(blocks(LINE + b"t" * 2000 + b" Q doc\n", group=0))
    assert caught.value.line == 2


@pytest.mark.parametrize("group", [None, 0])
def test_a_line_has_a_longest_length(group: int | None) -> None:
    with pytest.raises(DataError, match="not a text file of lines") as caught:
        list(blocks(LINE * 3 + b"x" * (3 * LONGEST_LINE), group=group, block=1 << 20))
    assert caught.value.line == 4


@pytest.mark.parametrize("cut", [5, 100, -1])
def test_a_compressed_file_that_is_cut_short(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cut.run.gz"
    packed = gzip.compress(b"".join(b"t%d Q d%d\n" % (row, row * row) for row in range(2000)))
    path.write_bytes(packed[:cut])
    with open_bytes(path) as stream, pytest.raises(DataError, match="cut short") as caught:
        list(read_fields(stream, counts=(3,), path=str(path)))
    assert str(caught.value.path) == str(path)


class Failing(io.RawIOBase):
    def readinto(self, _: "WriteableBuffer") -> int:
        raise OSError("the disk is gone")


def test_a_source_that_fails_is_named() -> None:
    with pytest.raises(DataError, match="can't be read to its end: the disk is gone") as caught:
        list(read_fields(Failing(), counts=(3,), path="disk"))  # type: ignore[arg-type]
    assert caught.value.path == "disk"
