"""Documents one at a time: rows of a table, or JSON, an object on each line, a list, or an object that holds the list.

Memory is bounded by one document, however long the list around it is. A line that is broken is refused alone; inside
a list nothing after a syntax error can be told apart, so there the file ends with an error that names the record.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from patstone.errors import DataError
from patstone.files.jsonlines import reason, strict_decoder
from patstone.files.rows import Choose, read_rows
from patstone.files.streams import Rewindable
from patstone.files.text import refuse_utf16
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers.fields import Record, record

LARGEST = 1 << 28
"""Bytes that one document may have; the longest patents published have some tens of millions."""
_CHUNK = 1 << 18
_BLANK = re.compile(r"[ \t\r\n]*")
# How far from the end of what is read a parser may complain because of that end: half of `false` or of `\ud83d`.
_CUT = 16


def read_documents(
    source: Rewindable, convert: Callable[[Record], Publication], *, name: str, lists: tuple[str, ...] = ()
) -> Iterator[Publication | Rejected]:
    """Read each document; `name` is the key of its number, `lists` those under which an object holds documents."""
    return read_answers(source, lambda found: (convert(found),), name=name, lists=lists)


def read_answers(
    source: Rewindable,
    convert: Callable[[Record], Iterable[Publication | DataError]],
    *,
    name: str = "",
    lists: tuple[str, ...] = (),
) -> Iterator[Publication | Rejected]:
    """Read documents that each hold any number of publications, and errors in the place of some."""
    for place, found in _documents(source, lists):
        try:
            if isinstance(found, DataError):
                raise found
            for one in convert(record(found, "A document")):
                yield rejected(one, source.name, place) if isinstance(one, DataError) else one
        except (DataError, RecursionError) as error:
            known = found.get(name) if isinstance(found, dict) else None
            yield rejected(error, source.name, place, known if isinstance(known, str) else "")


def read_table(
    source: Rewindable,
    convert: Callable[[Record], Publication],
    choose: Choose,
    *,
    name: str,
    format: str,  # noqa: A002 - the word that users know
) -> Iterator[Publication | Rejected]:
    """Read each row of a table as a document of the columns that `choose` finds."""
    for row in read_rows(source, choose, format=format):
        if isinstance(row, DataError):
            yield rejected(row, source.name, row.line or 0)
            continue
        line, cells = row
        try:
            yield convert(cells)
        except (DataError, RecursionError) as error:
            yield rejected(error, source.name, line, str(cells.get(name) or ""))


def rejected(error: Exception, path: str, place: int, number: str = "") -> Rejected:
    said = "It is nested too deeply." if isinstance(error, RecursionError) else str(error)
    return Rejected(path=path, offset=place, reason=said, number=number[:100])


def _documents(source: Rewindable, lists: tuple[str, ...]) -> Iterator[tuple[int, Any]]:
    with source.open() as stream:
        head = stream.read(_CHUNK)
    refuse_utf16(head, source.name)
    yield from _lines(source) if is_lines(head, lists) else _whole(source, lists)


def is_json(head: bytes) -> bool:
    return head.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"[")


def is_lines(head: bytes, lists: tuple[str, ...] = ()) -> bool:
    """Tell by how a file begins whether each of its lines is an object."""
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if text.startswith(b"[") or any(re.search(rb'"%s"\s*:\s*\[' % key.encode(), text) for key in lists):
        return False
    line, _, rest = text.partition(b"\n")
    follows = rest.lstrip()[:1]
    return not rest or (line.rstrip().endswith(b"}") and follows in (b"{", b""))


def _lines(source: Rewindable) -> Iterator[tuple[int, Any]]:
    decode = strict_decoder().decode
    with source.open() as stream:
        place = 0
        while line := stream.readline(LARGEST + 1):
            place += 1
            if len(line) > LARGEST:
                raise DataError(f"A line must not have over {LARGEST >> 20} MB.", path=source.name, line=place)
            if line.isspace():
                continue
            try:
                found = decode(line.decode("utf-8-sig" if place == 1 else "utf-8"))
            except (ValueError, RecursionError) as error:
                found = DataError(f"The line is not valid JSON: {_reason(error)}.")
            yield place, found


def _whole(source: Rewindable, lists: tuple[str, ...]) -> Iterator[tuple[int, Any]]:
    place = 0
    with source.open() as stream:
        text = _Text(stream, source.name)
        try:
            while mark := text.peek():
                for found in text.members() if mark == "[" else text.inside(lists):
                    place += 1
                    yield place, found
        except (ValueError, RecursionError) as error:
            rule = f"The file is not valid JSON after document {place:,}: {_reason(error)}."
            raise DataError(rule, path=source.name) from None


def _reason(error: ValueError | RecursionError) -> str:
    return "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else reason(error)


class _Text:
    """JSON text of which only the value that is being read is in memory."""

    def __init__(self, stream: BinaryIO, path: str) -> None:
        self.stream, self.path = stream, path
        self.decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self.strict, self.lenient = strict_decoder(), json.JSONDecoder()
        self.buffer, self.place, self.ended = "", 0, False

    def fill(self) -> None:
        # Reading as much again as is held keeps the attempts at a long value few.
        chunk = self.stream.read(max(_CHUNK, len(self.buffer) - self.place))
        self.ended = not chunk
        self.buffer = self.buffer[self.place :] + self.decode(chunk, final=self.ended)
        self.place = 0

    def peek(self) -> str:
        """Give the next character that is not blank, or nothing at the end."""
        while True:
            self.place = _BLANK.match(self.buffer, self.place).end()  # type: ignore[union-attr]
            if self.place < len(self.buffer) or self.ended:
                return self.buffer[self.place : self.place + 1]
            self.fill()

    def take(self, marks: str) -> str:
        found = self.peek()
        if not found or found not in marks:
            raise ValueError(f"{' or '.join(marks)} is missing" + (f" before {found}" if found else " at its end"))
        self.place += 1
        return found

    def members(self) -> Iterator[Any]:
        self.take("[")
        mark = "," if self.peek() != "]" else self.take("]")
        while mark == ",":
            yield self.value()
            mark = self.take(",]")

    def inside(self, lists: tuple[str, ...]) -> Iterator[Any]:
        """Give the documents of an object's list; without such a list it is itself the document."""
        self.take("{")
        held, others = False, {}
        mark = "," if self.peek() != "}" else self.take("}")
        while mark == ",":
            key = self.value() if self.peek() == '"' else self.take('"')
            self.take(":")
            if key in lists and self.peek() == "[":
                held = True
                yield from self.members()
            else:
                others[key] = self.value()
            mark = self.take(",}")
        if not held:
            yield next((value for value in others.values() if isinstance(value, DataError)), others)

    def value(self) -> Any:  # noqa: ANN401 - whatever JSON holds
        """Give the next value; one that is well-formed and yet not to be read is given as why."""
        self.peek()
        while True:
            found, end = self._attempted()
            if end:
                self.place = end
                return found
            if len(self.buffer) - self.place > LARGEST:
                raise ValueError(f"a document has over {LARGEST >> 20} MB")
            self.fill()

    def _attempted(self) -> tuple[Any, int]:
        """Give a value and its end, which is 0 where what is read so far may be only its beginning."""
        try:
            found, end = self._decoded()
        except json.JSONDecodeError as error:
            if self.ended or not self._is_cut(error):
                raise
            return None, 0
        # A number may go on after the end of what is read.
        return (found, end) if end < len(self.buffer) or self.ended else (None, 0)

    def _decoded(self) -> tuple[Any, int]:
        try:
            return self.strict.raw_decode(self.buffer, self.place)
        except json.JSONDecodeError:
            raise
        except ValueError as error:
            _, end = self.lenient.raw_decode(self.buffer, self.place)
            return DataError(f"The document is not valid JSON: {error}."), end

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos >= len(self.buffer) - _CUT
