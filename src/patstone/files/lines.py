"""Lines of white-space separated fields, read in blocks of about a megabyte and split without Python strings.

A block holds whole lines. One vectorised pass finds the separators; a block that is not plainly rows × fields
goes through `_split_freely`, which takes any white space and names the line that has the wrong number of fields.
Memory is one block, whatever the length of the file, so pipes and compressed streams are read alike.

Invariant: `data` has `PAD` spare bytes before the first line and after the last, so a window of eight bytes may
begin before a field or end after it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files import ids

Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int64]

BLOCK = 1 << 20
LONGEST_ID = 1024
LONGEST_LINE = 1 << 24
PAD = LONGEST_ID + 16

_NEWLINE, _SPACE = 10, 32


@dataclass(frozen=True, eq=False, kw_only=True)
class Fields:
    """The fields of one block: field j of row i is data[start(j)[i]:end(j)[i]]."""

    data: Bytes
    ends: Ints
    """Fields × rows, counted from PAD."""
    starts: Ints | None
    """The same; None where each field starts one byte after the one before it."""
    lines: Ints
    """The source's line of each row, from 1."""
    path: str
    groups: Ints | None = None
    """The rows at which the grouping field changes, the first row among them."""

    def __len__(self) -> int:
        return len(self.lines)

    def end(self, field: int) -> Ints:
        ends: Ints = self.ends[field] + PAD
        return ends

    def start(self, field: int) -> Ints:
        if self.starts is not None:
            starts: Ints = self.starts[field] + PAD
        elif field:
            starts = self.ends[field - 1] + (PAD + 1)
        else:
            starts = np.empty(len(self), dtype=np.int64)
            starts[:1] = PAD
            np.add(self.ends[-1][:-1], PAD + 1, out=starts[1:])
        return starts

    def texts(self, field: int, rows: Ints) -> list[str]:
        starts, ends = self.start(field)[rows].tolist(), self.end(field)[rows].tolist()
        raw = self.data.data
        return [str(raw[low:high], "utf-8", "replace") for low, high in zip(starts, ends, strict=True)]

    def text(self, field: int, row: int) -> str:
        return self.texts(field, np.array([row]))[0]

    def head(self, rows: int) -> "Fields":
        starts = None if self.starts is None else self.starts[:, :rows]
        return replace(self, ends=self.ends[:, :rows], starts=starts, lines=self.lines[:rows])

    def refuse(self, rule: str, row: int, field: int) -> DataError:
        return DataError(rule, path=self.path, line=int(self.lines[row]), value=self.text(field, row))

    def sixteen(self, at: Ints) -> ids.Words:
        """Sixteen bytes from each position, as rows of two little-endian words."""
        # To NumPy these are complex numbers: its only 16-byte items that it gathers unaligned at full speed.
        windows = np.ndarray((len(self.data) - 15,), dtype=np.complex128, buffer=self.data.data, strides=(1,))
        words: ids.Words = windows[at].view(np.uint64).reshape(len(at), 2)
        return words

    def ids(self, field: int) -> ids.Words:
        """The field as rows of 64-bit words, zero after its last byte."""
        starts = self.start(field)
        lengths = self.end(field) - starts
        longest, shortest = int(lengths.max(initial=1)), int(lengths.min(initial=LONGEST_ID))
        if longest > LONGEST_ID:
            raise self.refuse(f"An id has at most {LONGEST_ID:,} bytes.", int(np.argmax(lengths)), field)
        pairs = [self.sixteen(starts + at if at else starts) for at in range(0, longest, 16)]
        columns = pairs[0] if len(pairs) == 1 else np.concatenate(pairs, axis=1)
        for word in range(shortest // 8, -(-longest // 8)):
            kept = longest - 8 * word if shortest == longest else np.clip(lengths - 8 * word, 0, 8)
            columns[:, word] &= _LOW_BYTES[kept]
        return np.ascontiguousarray(columns[:, : -(-longest // 8)])

    def changes(self, field: int) -> Ints:
        """The rows at which the field changes, the first row among them."""
        changed = np.ones(len(self), dtype=np.bool_)
        changed[1:] = False
        for column in self.ids(field).T:
            changed[1:] |= column[1:] != column[:-1]
        return np.flatnonzero(changed)


_LOW_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)


def read_fields(
    stream: BinaryIO, *, counts: tuple[int, ...], path: str, group: int | None = None, block: int = BLOCK
) -> Iterator[Fields]:
    """Read the stream as lines of one of the given numbers of fields; the first line decides which.

    With `group`, a block ends where that field changes, so that rows which agree in it come in one piece. The
    arrays of one block are overwritten by the next.
    """
    buffer = _Buffer(stream, path, block)
    count = 0
    while stop := buffer.fill():
        count = count or _first_count(buffer.data[PAD:stop], counts)
        fields = split(buffer.data, stop, count or counts[0], buffer.line, path)
        if group is not None and len(fields):
            changes = fields.changes(group)
            cut = len(fields) if buffer.ended else int(changes[-1])
            if not cut:
                buffer.grow()
                continue
            stop = int(fields.end(count - 1)[cut - 1]) + 1
            fields = replace(fields.head(cut), groups=changes[: len(changes) - (not buffer.ended)])
        if len(fields):
            yield fields
        # Where every line is a row, counting the rows is cheaper than counting the newlines.
        buffer.consume(stop, len(fields) if fields.starts is None else None)


class _Buffer:
    """Bytes that have been read and not yet taken, with room to spare around them."""

    def __init__(self, stream: BinaryIO, path: str, block: int) -> None:
        self.stream, self.path = stream, path
        self.data: Bytes = np.zeros(block + 2 * PAD, dtype=np.uint8)
        self.filled = PAD
        self.line = 1
        self.ended = False

    def fill(self) -> int:
        """Read on; say where the last whole line ends, or 0 when there are no more."""
        while True:
            self._read()
            stop = _last_newline(self.data, self.filled)
            if self.filled - stop > LONGEST_LINE:
                rule = f"A line has at most {LONGEST_LINE:,} bytes; this is not a text file of lines."
                before = int(np.count_nonzero(self.data[PAD:stop] == _NEWLINE))
                raise DataError(rule, path=self.path, line=self.line + before)
            if stop > PAD:
                return stop
            if self.ended:
                return 0
            self.grow()

    def _read(self) -> None:
        target = self.data.data
        limit = len(self.data) - PAD
        start = self.filled
        while self.filled < limit and not self.ended:
            got = _read_into(self.stream, target[self.filled : limit], self.path)
            self.filled += got
            self.ended = not got
        if start == PAD and self.line == 1 and target[PAD : PAD + 3].tobytes() == b"\xef\xbb\xbf":
            self.data[PAD : PAD + 3] = _SPACE
        if self.ended and self.filled > PAD and self.data[self.filled - 1] != _NEWLINE:
            self.data[self.filled] = _NEWLINE
            self.filled += 1

    def grow(self) -> None:
        larger = np.zeros(2 * len(self.data), dtype=np.uint8)
        larger[: self.filled] = self.data[: self.filled]
        self.data = larger

    def consume(self, stop: int, lines: int | None) -> None:
        self.line += int(np.count_nonzero(self.data[PAD:stop] == _NEWLINE)) if lines is None else lines
        rest = self.filled - stop
        self.data[PAD : PAD + rest] = self.data[stop : self.filled].copy()
        self.filled = PAD + rest


def _read_into(stream: BinaryIO, target: memoryview, path: str) -> int:
    try:
        return stream.readinto(target)  # type: ignore[attr-defined, no-any-return]
    except (OSError, EOFError, ValueError) as error:
        raise DataError(f"The file can't be read to its end: {error}.", path=path) from error


def _last_newline(data: Bytes, filled: int) -> int:
    """Where the last line ends; PAD when there is no newline."""
    step = 4096
    for high in range(filled, PAD, -step):
        found = np.flatnonzero(data[max(high - step, PAD) : high] == _NEWLINE)
        if len(found):
            return max(high - step, PAD) + int(found[-1]) + 1
    return PAD


def _first_count(lines: Bytes, counts: tuple[int, ...]) -> int:
    """Choose the layout by the first line that is not blank, or 0; a wrong one is reported when it is split."""
    first = next((raw for raw in lines[:LONGEST_LINE].tobytes().split(b"\n") if raw.strip()), b"")
    found = len(first.split())
    return found if not found or found in counts else counts[0]


def split(data: Bytes, stop: int, count: int, line: int, path: str) -> Fields:
    """Find the fields of the lines in data[PAD:stop]."""
    view = data[PAD:stop]
    if view.max(initial=0) >= 128:
        _refuse_other_encodings(view, line, path)
    white = view <= _SPACE
    separators = np.flatnonzero(white)
    rows, rest = divmod(len(separators), count)
    # Only blanks and one newline a row, none of them side by side: then every count-th separator ends a line.
    if not rest and not white[0] and np.count_nonzero(view < _SPACE) == rows:
        ends = separators.reshape(rows, count).T
        if (view[ends[-1]] == _NEWLINE).all() and not (white[1:] & white[:-1]).any():
            return Fields(data=data, ends=ends, starts=None, lines=np.arange(line, line + rows), path=path)
    return _split_freely(data, stop, count, line, path)


def _split_freely(data: Bytes, stop: int, count: int, line: int, path: str) -> Fields:
    """Split at any run of white space; blank lines are passed over."""
    view = data[PAD:stop]
    _refuse_controls(view, line, path)
    white = data[PAD - 1 : stop] <= _SPACE
    white[0] = True
    edges = np.flatnonzero(white[1:] != white[:-1])
    starts, ends = edges[::2], edges[1::2]
    newlines = np.flatnonzero(view == _NEWLINE)
    found = np.diff(np.searchsorted(starts, newlines), prepend=0)
    wrong = np.flatnonzero((found != count) & (found != 0))
    if len(wrong):
        row = int(wrong[0])
        text = view[newlines[row - 1] + 1 if row else 0 : newlines[row]].tobytes().decode(errors="replace")
        rule = f"A line must have {count} fields; this one has {int(found[row])}."
        raise DataError(rule, path=path, line=line + row, value=text)
    kept = np.flatnonzero(found)
    by_row = (len(kept), count)
    starts, ends = starts.reshape(by_row).T, ends.reshape(by_row).T
    return Fields(data=data, ends=ends, starts=starts, lines=kept + line, path=path)


def _refuse_other_encodings(view: Bytes, line: int, path: str) -> None:
    try:
        view.tobytes().decode()
    except UnicodeDecodeError as error:
        raise _odd(view, error.start, "The text must be UTF-8.", line, path) from None


def _refuse_controls(view: Bytes, line: int, path: str) -> None:
    controls = np.flatnonzero((view < 9) | ((view > 13) & (view < 32)))
    if len(controls):
        raise _odd(view, int(controls[0]), "The text must not hold control characters.", line, path)


def _odd(view: Bytes, place: int, rule: str, line: int, path: str) -> DataError:
    where = line + int(np.count_nonzero(view[:place] == _NEWLINE))
    utf16 = view[:2].tobytes() in {b"\xff\xfe", b"\xfe\xff"} or 0 in view[:4]
    hint = " It looks like UTF-16: save it as UTF-8." if utf16 else ""
    return DataError(rule + hint, path=path, line=where, value=view[place : place + 1].tobytes())
