"""Decimal numbers out of raw bytes, correctly rounded, eight digits at a time.

The fast way takes an optional sign, digits, an optional point and digits. Its result is the double nearest to what
is written: by one division where the digits and the power of ten are exact doubles, otherwise by a division in
twice the precision whose error bound proves the rounding. What can't be proved, and every other spelling
(exponents, infinities), is left to Python's `float`; NaN, underscores and anything else are refused.
"""

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids
from patstone.files.lines import Fields, Ints

Floats = NDArray[np.float64]

_U = np.uint64
_ZEROS, _ABOVE_NINE, _TOPS = _U(0x3030303030303030), _U(0x7676767676767676), _U(0x8080808080808080)
_PAIRS, _HIGH, _LOW = _U(0x000000FF000000FF), _U(0x000F424000000064), _U(0x0000271000000001)
_KEEP = np.array([0] + [((1 << 8 * n) - 1) << (64 - 8 * n) for n in range(1, 9)], dtype=np.uint64)
_TENS = np.array([10**n for n in range(20)], dtype=np.uint64)
_POWERS = _TENS.astype(np.float64)
_MOST_FRACTION, _SHORT_FRACTION = 16, 6
_EXACT = _U(1 << 53)


def numbers(fields: Fields, field: int, *, what: str = "A score") -> Floats:
    """Read the field of every row as a number; a row that holds none is refused by name."""
    starts, ends = fields.start(field), fields.ends[field]
    if not len(starts):
        return np.empty(0)
    first = fields.data[starts]
    # A sign is rare in scores; without one no array is touched.
    signed = int(first.min()) < ord("0")
    begin = starts + ((first == ord("-")) | (first == ord("+"))) if signed else starts
    values, proven = _unsigned(fields, begin, ends)
    if signed:
        values = np.where(first == ord("-"), -values, values)
    return values if proven.all() else _read_slowly(fields, field, values, np.flatnonzero(~proven), what)


def _unsigned(fields: Fields, begin: Ints, ends: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    """The numbers, and where they are proven to be right."""
    words = fields.sixteen(ends - 16)
    decimals = _common_decimals(fields.data, begin, ends)
    if decimals is not None and decimals <= _SHORT_FRACTION:
        count = ends - begin - (decimals > 0)
        if decimals < int(count.min()) and int(count.max()) <= 8 + decimals:
            values, fine = _short(words, count, decimals)
            if decimals or fine.all():
                return values, fine
    point, pointed = (ends - 1 - decimals, 1) if decimals else _points(fields.data, begin, ends)
    return _long(fields, words, begin, point, ends - point - pointed, pointed)


def _short(words: ids.Words, count: Ints, decimals: int) -> tuple[Floats, NDArray[np.bool_]]:
    """So many digits, at most eight of them before the point: taken out, it leaves little more than one word."""
    low, high = words[:, 0], words[:, 1]
    if not decimals:
        value, fine = _digits(high, count)
        return value.astype(np.float64), fine
    whole = high << _U(8 * decimals + 8)
    whole |= low >> _U(56 - 8 * decimals)
    text = whole >> _U(8 * decimals)
    text |= high & _KEEP[decimals]
    value, fine = _digits(text, count)
    rows = np.flatnonzero(count > 8)
    if len(rows):
        more, more_fine = _digits(whole[rows] << _U(64 - 8 * decimals), count[rows] - 8)
        value[rows] += more * _U(10**8)
        fine[rows] &= more_fine
    return value / _POWERS[decimals], fine


def _long(
    fields: Fields, words: ids.Words, begin: Ints, point: Ints, fraction: Ints, pointed: Ints | int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Digits before the point, and digits after it."""
    whole = point - begin
    left, left_ok = _digits(_before_point(fields, words, point, fraction + pointed), whole)
    right, right_ok = _digits(words[:, 1], np.minimum(fraction, 8))
    proven = left_ok & right_ok & (whole <= 8) & (whole + fraction > 0) & (fraction <= _MOST_FRACTION)
    if int(fraction.max()) > 8:
        middle, middle_ok = _digits(words[:, 0], np.clip(fraction - 8, 0, 8))
        right = right + middle * _U(10**8)
        proven &= middle_ok
    values, sure = _divided(left, right, np.clip(fraction, 0, _MOST_FRACTION))
    return values, proven & sure


def _common_decimals(data: NDArray[np.uint8], begin: Ints, ends: Ints) -> int | None:
    """How many decimals each number has, where it is the same; most files print so throughout.

    A point must stand before them; without decimals there may be one or not, which only the digits tell.
    """
    row = data[begin[0] : ends[0]].tobytes()
    decimals = len(row) - 1 - row.find(b".") if b"." in row else 0
    guess = ends - (decimals + 1)
    if decimals and not (bool((data[guess] == ord(".")).all()) and bool((guess >= begin).all())):
        return None
    return decimals


def _points(data: NDArray[np.uint8], begin: Ints, ends: Ints) -> tuple[Ints, Ints | int]:
    """Where each number's decimal point is, or its end; and whether it has one."""
    point = ends.copy()
    open_rows = np.arange(len(ends))
    for decimals in range(_MOST_FRACTION + 1):
        place = ends[open_rows] - 1 - decimals
        hit = (data[place] == ord(".")) & (place >= begin[open_rows])
        point[open_rows[hit]] = place[hit]
        open_rows = open_rows[~hit]
        if not len(open_rows):
            break
    return point, (point < ends).astype(np.int64)


def _before_point(fields: Fields, words: ids.Words, point: Ints, after: Ints) -> ids.Words:
    """The eight bytes before the decimal point, `after` bytes before the end of the sixteen in `words`."""
    low, high = int(after.min()), int(after.max())
    if high > 7:
        return fields.sixteen(point - 8)[:, 0]
    bits = _U(8 * low) if low == high else (8 * after).astype(np.uint64)
    # Two shifts to the right, as one by all 64 bits is undefined.
    return (words[:, 1] << bits) | ((words[:, 0] >> (_U(63) - bits)) >> _U(1))


def _digits(text: ids.Words, count: Ints) -> tuple[ids.Words, NDArray[np.bool_]]:
    """Read the last `count` of eight bytes, at most eight, as a number; also say where they are digits indeed."""
    low, high = int(count.min()), int(count.max())
    keep = _KEEP[low] if low == high <= 8 else _KEEP.take(count, mode="clip")
    # Zeros in place of what is left out; then each byte is its digit, if it is one.
    value = text ^ _ZEROS
    value &= keep
    odd = value + _ABOVE_NINE
    odd |= value
    odd &= _TOPS
    # Neighbours become pairs, pairs fours, fours one number.
    pairs = value * _U(10)
    pairs += value >> _U(8)
    value = pairs & _PAIRS
    value *= _HIGH
    pairs >>= _U(16)
    pairs &= _PAIRS
    pairs *= _LOW
    value += pairs
    value >>= _U(32)
    return value, odd == 0


def _divided(left: ids.Words, right: ids.Words, decimals: Ints) -> tuple[Floats, NDArray[np.bool_] | bool]:
    """Make left.right of whole numbers; the second result says where the rounding is proven."""
    same = int(decimals.min()) == int(decimals.max())
    power = _TENS[decimals[0]] if same else _TENS[decimals]
    # Beyond 19 digits the sum could wrap around; such rows are counted as unproven.
    fits = left < _U(10**19) // np.maximum(power, _U(1)) if int(decimals.max()) > 10 else True
    mantissa = left * power + right
    scale = power.astype(np.float64)
    if bool((mantissa < _EXACT).all()) and fits is True:
        return mantissa.astype(np.float64) / scale, True
    high = mantissa.astype(np.float64)
    # Rows that are no numbers, and those that don't fit, may round to 2⁶⁴; they are unproven, whatever comes of it.
    with np.errstate(invalid="ignore"):
        low = (mantissa - high.astype(np.uint64)).astype(np.int64).astype(np.float64)
    quotient = high / scale
    rest = (_remainder(high, quotient, scale) + low) / scale
    # The remainder is exact and the last division errs by less than this, so equal sums prove the rounding.
    slack = np.abs(rest) * 2.0**-50
    value = quotient + rest
    return value, (quotient + (rest - slack) == quotient + (rest + slack)) & fits


def _remainder(number: Floats, quotient: Floats, scale: Floats) -> Floats:
    """Take quotient · scale from number without rounding error (Dekker's product)."""
    a, b = _halves(quotient)
    c, d = _halves(scale)
    product = quotient * scale
    error = ((a * c - product) + a * d + b * c) + b * d
    return np.asarray((number - product) - error)


def _halves(number: Floats) -> tuple[Floats, Floats]:
    """Split into two numbers of at most 26 bits each."""
    shifted = number * 134217729.0
    high = shifted - (shifted - number)
    return high, number - high


def _read_slowly(fields: Fields, field: int, values: Floats, rows: Ints, what: str) -> Floats:
    for row in rows.tolist():
        text = fields.text(field, row)
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if value != value or "_" in text or not text.isascii():
            raise fields.refuse(f"{what} must be a number.", row, field)
        values[row] = value
    return values
