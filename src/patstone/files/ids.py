"""Document ids as fixed-width bytes, so that a million of them hash, compare and sort without Python strings.

An id column is a NumPy bytes array whose width is a multiple of eight; ids are UTF-8 without control
characters. Byte order of UTF-8 is code point order, so sorting the bytes sorts the ids.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError

Ids: TypeAlias = NDArray[np.bytes_]
Words: TypeAlias = NDArray[np.uint64]


def pack(texts: Iterable[str | bytes]) -> Ids:
    """Turn texts into an id column."""
    try:
        raw = [text.encode() if isinstance(text, str) else text for text in texts]
    except UnicodeEncodeError as error:
        raise DataError("An id must be whole characters, as UTF-8 writes them.", value=error.object) from None
    try:
        joined = np.frombuffer(b"\n".join(raw), dtype=np.uint8)
    except TypeError:
        # Not turned into text here: 7, 7.0 and "7" would become one or three documents, unasked.
        number = next(text for text in raw if not isinstance(text, bytes))
        raise DataError("An id must be text; turn numbers into text first.", value=number) from None
    # NumPy drops trailing NULs, so two ids could silently become one.
    if np.count_nonzero(joined < 32) >= max(len(raw), 1) or not all(text and text.strip() == text for text in raw):
        wrong = next(text for text in raw if not text or text.strip() != text or min(text) < 32)
        rule = "An id must be non-empty, without control characters and without white space around it."
        raise DataError(rule, value=wrong.decode(errors="replace"))
    return widen(np.array(raw, dtype=np.bytes_) if raw else np.empty(0, dtype="S8"))


def widen(ids: Ids, width: int = 8) -> Ids:
    """Pad the column to a multiple of eight bytes, at least `width`."""
    needed = max(-(-ids.dtype.itemsize // 8) * 8, width)
    return ids if ids.dtype.itemsize == needed else ids.astype(f"S{needed}")


def words(ids: Ids) -> Words:
    """View an id column as rows of 64-bit words."""
    column = np.ascontiguousarray(widen(ids))
    return column.view(np.uint64).reshape(len(column), column.dtype.itemsize // 8)


def texts(ids: Ids) -> list[str]:
    return [raw.decode(errors="replace") for raw in ids.tolist()]


def concatenate(columns: Sequence[Ids]) -> Ids:
    width = max((column.dtype.itemsize for column in columns), default=8)
    return np.concatenate([widen(column, width) for column in columns]) if columns else np.empty(0, dtype="S8")


def hashed(columns: Sequence[Words], salt: Words | int = 0) -> Words:
    """Mix each row's words and a salt into 64 bits; that equal hashes mean equal rows is for the caller to check.

    A word of zeros changes nothing, so an id hashes alike in columns of any width.
    """
    mixed: Words = np.asarray(salt, dtype=np.uint64)
    for place, column in enumerate(columns):
        # In place: where an array is made anew, writing it to memory takes longer than the arithmetic.
        term = np.asarray(column >> _HALF)
        term ^= column
        term *= _factor(place)
        mixed = np.add(term, mixed, out=term)
    mixed = _folded(mixed)
    mixed *= _FINISH
    return _folded(mixed)


def _folded(words: Words) -> Words:
    folded = np.asarray(words >> _HALF)
    folded ^= words
    return folded


@cache
def _factor(place: int) -> np.uint64:
    """An odd number for each place; were one a small multiple of another, rows of like words would often collide."""
    bits = (place + 1) * _GOLDEN & _ALL
    bits = ((bits ^ (bits >> 29)) * _SPREAD) & _ALL
    return np.uint64(bits ^ (bits >> 32) | 1)


_GOLDEN, _ALL, _HALF = 0x9E3779B97F4A7C15, (1 << 64) - 1, np.uint64(32)
_SPREAD = 0xD6E8FEB86659FD93
_FINISH = np.uint64(_SPREAD)


def from_words(columns: Words) -> Ids:
    """View rows of words as an id column."""
    return np.ascontiguousarray(columns).view(f"S{8 * columns.shape[1]}").reshape(-1)
