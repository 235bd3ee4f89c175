import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.patents.readers import pieces
from patstone.patents.readers.pieces import Piece, documents, elements

DECLARED = b'<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "a.dtd" [ ]>\n<a>x</a>\n'
BARE = b'<!DOCTYPE b SYSTEM "b.dtd">\n<b><?xml-stylesheet href="s"?>x</b>\n'
COMMENTED = b'<?xml version="1.0"?>\n<!-- <!DOCTYPE c [ -->\n<!DOCTYPE c>\n<c>x</c>\n'


def cut(data: bytes, block: int = 1 << 22) -> list[Piece]:
    return list(documents(Slow(data, block)))


class Slow(io.BytesIO):
    """Gives at most so many bytes at a time, so that seams fall everywhere."""

    def __init__(self, data: bytes, block: int) -> None:
        super().__init__(data)
        self.block = block

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(self.block, size if size and size > 0 else self.block))


@given(st.lists(st.sampled_from([DECLARED, BARE, COMMENTED]), min_size=1, max_size=6), st.integers(1, 90))
def test_documents_in_a_row_come_apart_wherever_blocks_end(row: list[bytes], block: int) -> None:
    found = cut(b"".join(row), block)
    assert [piece.data for piece in found] == row
    assert [piece.offset for piece in found] == [sum(map(len, row[:place])) for place in range(len(row))]


def test_what_stands_before_the_first_document_is_a_piece() -> None:
    junk, good = cut(b"junk\n" + DECLARED)
    assert (junk.data, good.offset) == (b"junk\n", 5)


def test_blank_files_hold_nothing() -> None:
    assert cut(b"") == cut(b" \n\n ") == []


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "LARGEST", 1_000)
    monkeypatch.setattr(pieces, "_KEPT", 50)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("block", [100, 256, 999])
def test_a_document_too_large_is_passed_over_and_its_neighbours_are_not(block: int) -> None:
    giant = b'<?xml version="1.0"?><a>' + b"x" * 5_000 + b"</a>\n"
    first, large, last = cut(DECLARED + giant + DECLARED, block)
    assert (first.whole, large.whole, last.whole) == (True, False, True)
    assert (large.offset, last.offset) == (len(DECLARED), len(DECLARED + giant))
    assert large.data.startswith(giant[:50])
    assert last.data == DECLARED


@pytest.mark.parametrize("block", [3, 20, 1 << 20])
def test_elements_are_cut_out_of_their_root(block: int) -> None:
    one, two = b'<x:record n="1"><x:records-in/>a</x:record>', b"<x:record>b</x:record >"
    root = b'<?xml version="1.0"?><x:records about="record">' + one + b"\n" + two + b"</x:records>"
    found = list(elements(Slow(root, block), "record"))
    assert [piece.data.rstrip() for piece in found] == [one, two]
    assert [root[piece.offset :].startswith(piece.data) for piece in found] == [True, True]


def test_an_element_cut_short_is_still_a_piece() -> None:
    (found,) = elements(io.BytesIO(b"<r><record>half"), "record")
    assert found.data == b"<record>half"


@given(st.binary(max_size=200), st.integers(1, 50))
def test_no_byte_is_lost(data: bytes, block: int) -> None:
    assert b"".join(piece.data for piece in cut(b"." + data, block)).rstrip() == (b"." + data).rstrip()
