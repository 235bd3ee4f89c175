"""Lines of white-space separated fields, read in blocks of about a megabyte and split without Python strings.

A block holds whole lines. Where it is plainly rows × fields, the lengths of fields in the blocks before tell where
to look for their ends, and one vectorised pass finds them where that does not. Any other block goes through
`_split_freely`, which takes any white space and names the line that has the wrong number of fields.
Memory is one block, whatever the length of the file, so pipes and compressed streams are read alike.

Invariant: `data` has `PAD` spare bytes before the first line and after the last, so a window of eight bytes may
begin before a field or end after it.
"""

from collections.abc import Iterator, Sequence
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

# With more lengths than these, looking at every byte is faster.
_MOST_LENGTHS = 8

_NEWLINE, _SPACE = 10, 32


@dataclass(frozen=True, eq=False, kw_only=True)
class Fields:
    """The fields of one block: field j of row i is data[start(j)[i]:ends[j][i]]."""

    data: Bytes
    ends: Sequence[Ints]
    """By field, for each row."""
    starts: Sequence[Ints] | None
    """The same; None where each field starts one byte after the one before it."""
    lines: Ints
    """The source's line of each row, from 1."""
    path: str
    groups: Ints | None = None
    """The rows at which the grouping field changes, the first row among them."""

    def __len__(self) -> int:
        return len(self.lines)

    def start(self, field: int) -> Ints:
        if self.starts is not None:
            return self.starts[field]
        return self.ends[field - 1] + 1 if field else _line_starts(self.ends[-1])

    def texts(self, field: int, rows: Ints) -> list[str]:
        starts, ends = self.start(field)[rows].tolist(), self.ends[field][rows].tolist()
        raw = self.data.data
        return [str(raw[low:high], "utf-8", "replace") for low, high in zip(starts, ends, strict=True)]

    def text(self, field: int, row: int) -> str:
        return self.texts(field, np.array([row]))[0]

    def head(self, rows: int) -> "Fields":
        starts = None if self.starts is None else [start[:rows] for start in self.starts]
        return replace(self, ends=[end[:rows] for end in self.ends], starts=starts, lines=self.lines[:rows])

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
        lengths = self.ends[field] - starts
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
    buffer, splitter = _Buffer(stream, path, block), _Splitter(counts, path)
    while stop := buffer.fill():
        fields = splitter.split(buffer.data, stop, buffer.line)
        if group is not None and len(fields):
            changes = fields.changes(group)
            cut = len(fields) if buffer.ended else int(changes[-1])
            if not cut:
                buffer.grow()
                continue
            stop = int(fields.ends[-1][cut - 1]) + 1
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
    found = len(lines[:LONGEST_LINE].tobytes().lstrip().partition(b"\n")[0].split())
    return found if not found or found in counts else counts[0]


class _Splitter:
    """Finds the fields of block after block, by the lengths that fields have had so far."""

    def __init__(self, counts: tuple[int, ...], path: str) -> None:
        self.counts, self.path = counts, path
        self.count = 0
        self.lengths: list[list[int]] = []
        """By field, the lengths to try, in that order; nothing where trying them would not pay."""

    def split(self, data: Bytes, stop: int, line: int) -> Fields:
        """Find the fields of the lines in data[PAD:stop]."""
        view = data[PAD:stop]
        self.count = self.count or _first_count(view, self.counts)
        count = self.count or self.counts[0]
        if view.max(initial=0) >= 128:
            _refuse_other_encodings(view, line, self.path)
        ends = self._plain_ends(data, stop, count)
        if ends is None:
            return _split_freely(data, stop, count, line, self.path)
        return Fields(data=data, ends=ends, starts=None, lines=np.arange(line, line + len(ends[-1])), path=self.path)

    def _plain_ends(self, data: Bytes, stop: int, count: int) -> list[Ints] | None:
        """Where fields end if a single blank stands between two of them and a newline after the last, else None."""
        newlines = np.flatnonzero(data[:stop] == _NEWLINE)
        white = data[PAD:stop] <= _SPACE
        if np.count_nonzero(white) != count * len(newlines):
            return None
        tried = _tried(data, newlines, self.lengths) if self.lengths else None
        if tried is not None:
            return tried
        ends = _scanned(data, newlines, white, count)
        if ends is not None:
            self._learn(ends)
        return ends

    def _learn(self, ends: list[Ints]) -> None:
        starts = [_line_starts(ends[-1]), *(end + 1 for end in ends[:-1])]
        found = [np.bincount(end - start) for start, end in zip(starts, ends, strict=True)]
        known = self.lengths or [[] for _ in ends]
        lengths = [sorted({*np.flatnonzero(each).tolist(), *old}) for each, old in zip(found, known, strict=True)]
        few = len(lengths[-1]) == 1 and all(len(each) <= _MOST_LENGTHS for each in lengths[:-2])
        # All tries then stay within the bytes before and after the lines.
        near = sum(each[-1] + 1 for each in lengths) < PAD
        self.lengths = lengths if few and near else []
        if self.lengths and len(found) > 2:
            # This one has a known end on either side, so that it may be looked for in any order: the likely first.
            often = found[-3]
            self.lengths[-3].sort(key=lambda length: -often[length] if length < len(often) else 0)


def _line_starts(newlines: Ints) -> Ints:
    starts = np.empty_like(newlines)
    starts[:1] = PAD
    np.add(newlines[:-1], 1, out=starts[1:])
    return starts


def _tried(data: Bytes, newlines: Ints, lengths: list[list[int]]) -> list[Ints] | None:
    """Where fields end if each has one of its lengths, else None.

    The caller knows that there is just enough white space for a byte after each field. So when every row has as many
    white bytes at distinct places, these are all there are, and no field has another within it.
    """
    last = newlines - (lengths[-1][0] + 1)
    if not (data[last] == _SPACE).all():
        return None
    ends: list[Ints] = []
    start = _line_starts(newlines)
    for field, tries in enumerate(lengths[:-2]):
        # The field after this one has a byte at least.
        limit = last - 1 if field == len(lengths) - 3 else None
        end = _first_hit(data, start, limit, tries)
        if end is None:
            return None
        ends.append(end)
        start = end + 1
    return [*ends, last, newlines]


def _first_hit(data: Bytes, start: Ints, limit: Ints | None, lengths: list[int]) -> Ints | None:
    """Where a blank follows each start at one of the distances, before the limit; None where one lacks it."""
    end = start + lengths[0]
    missed = data[end] != _SPACE
    if limit is not None:
        missed |= end >= limit
    rows = np.flatnonzero(missed)
    for length in lengths[1:]:
        if not len(rows):
            break
        again = start[rows] + length
        end[rows] = again
        missed = data[again] != _SPACE
        if limit is not None:
            missed |= again >= limit[rows]
        rows = rows[missed]
    return None if len(rows) else end


def _scanned(data: Bytes, newlines: Ints, white: NDArray[np.bool_], count: int) -> list[Ints] | None:
    """Where fields end, from one pass over all bytes; there is as much white space as plain lines have."""
    blanks = np.count_nonzero(data[PAD : PAD + len(white)] == _SPACE)
    if white[:1].any() or blanks != (count - 1) * len(newlines) or (white[1:] & white[:-1]).any():
        return None
    ends = (np.flatnonzero(white) + PAD).reshape(len(newlines), count).T
    return list(np.ascontiguousarray(ends)) if np.array_equal(ends[-1], newlines) else None


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
    by_field = [np.ascontiguousarray(edges.reshape(len(kept), count).T) + PAD for edges in (starts, ends)]
    return Fields(data=data, ends=list(by_field[1]), starts=list(by_field[0]), lines=kept + line, path=path)


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
