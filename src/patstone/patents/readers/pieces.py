"""Cut a stream into the documents it holds, by bytes alone, so that a weekly file is never held whole.

Offices put XML documents one after another into a file (`documents`), or many records under one root (`elements`).
Cutting knows nothing of XML but where a document can begin, so a broken one costs only itself. A document larger
than `LARGEST` is passed over, its beginning kept to tell what it was.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

# The longest documents, sequence listings among them, are some tens of megabytes.
LARGEST = 128 << 20
_BLOCK = 1 << 22
_KEPT = 1 << 12
# A beginning may lie across two blocks; none is longer than this.
_SEAM = 64

Find = Callable[[bytes, int, int], int]
"""The first beginning at or after a place, for a piece that began at another; -1 where there is none."""


@dataclass(frozen=True, slots=True)
class Piece:
    offset: int
    """Of its first byte in the decompressed stream."""
    data: bytes
    whole: bool = True
    """False where the document is too large to be read, and `data` is only its beginning."""


def documents(stream: BinaryIO) -> Iterator[Piece]:
    """Cut at each `<?xml`, and at each DOCTYPE that is not the one of the document it stands in."""
    return _cut(stream, _next_document)


def elements(stream: BinaryIO, name: str) -> Iterator[Piece]:
    """Cut out each element of that name, whatever its prefix; it must not contain its like."""
    tag = name.encode()
    opening = re.compile(rb"<(?:[\w.-]{1,32}:)?%b[\s/>]" % re.escape(tag))
    closing = re.compile(rb"</(?:[\w.-]{1,32}:)?%b\s*>" % re.escape(tag))

    def find(data: bytes, place: int, _: int) -> int:
        found = data.find(tag, place)
        while found >= 0:
            begin = data.rfind(b"<", max(found - _SEAM // 2, place), found)
            if begin >= 0 and opening.match(data, begin):
                return begin
            found = data.find(tag, found + 1)
        return -1

    for piece in _cut(stream, find):
        if opening.match(piece.data):
            yield Piece(piece.offset, piece.data[: _end(piece.data, tag, closing)], piece.whole)


def lines(stream: BinaryIO, tag: str) -> Iterator[Piece]:
    """Cut at each line that is this tag; what stands before the first is the file's own head."""
    beginning = re.compile(rb"^%b[ ]*\r?$" % re.escape(tag.encode()), re.MULTILINE)
    mark = b"\n" + tag.encode()

    def find(data: bytes, place: int, _: int) -> int:
        found = data.find(mark, max(place - 1, 0))
        while found >= 0 and not beginning.match(data, found + 1):
            found = data.find(mark, found + 1)
        return found + 1 if found >= 0 else -1

    return (piece for piece in _cut(stream, find) if beginning.match(piece.data))


def _cut(stream: BinaryIO, find: Find) -> Iterator[Piece]:
    # `offset` is where `data` ends in the stream, so that dropping a part of `data` changes no place.
    data, offset, first, searched, whole = b"", 0, 0, 1, True
    while block := stream.read(_BLOCK):
        data, offset = data + block, offset + len(block)
        start, place = 0, searched
        while (begin := find(data, place, start)) >= 0:
            yield from _piece(first, data[start:begin], whole)
            first = offset - len(data) + begin
            start, place, whole = begin, begin + 1, True
        data = data[start:]
        whole = whole and len(data) <= LARGEST
        if not whole:
            data = data[:_KEPT] + data[max(len(data) - _SEAM, _KEPT) :]
        searched = max(len(data) - _SEAM, 1)
    yield from _piece(first, data, whole)


def _piece(offset: int, data: bytes, whole: bool) -> Iterator[Piece]:
    if data and not data.isspace():
        yield Piece(offset, data, whole)


def _next_document(data: bytes, place: int, start: int) -> int:
    declaration = data.find(b"<?xml", place)
    # <?xml-stylesheet … ?> begins nothing.
    while declaration >= 0 and data[declaration + 5 : declaration + 6] not in (b" ", b"\t", b"\r", b"\n"):
        declaration = data.find(b"<?xml", declaration + 5)
    end = declaration if declaration >= 0 else len(data)
    doctype = data.find(b"<!DOCTYPE", place, end)
    # A document's own DOCTYPE, and one in a comment before it, come before all of its elements.
    while doctype >= 0 and data.find(b"</", start, doctype) < 0:
        doctype = data.find(b"<!DOCTYPE", doctype + 1, end)
    return doctype if doctype >= 0 else declaration


def _end(data: bytes, tag: bytes, closing: re.Pattern[bytes]) -> int:
    """Where the element ends: what follows it belongs to its root."""
    found = data.rfind(tag)
    while found > 0:
        if match := closing.match(data, data.rfind(b"<", 0, found)):
            return match.end()
        found = data.rfind(tag, 0, found)
    return len(data)
