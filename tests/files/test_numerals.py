"""Numbers out of bytes: the very double that Python's `float` gives, for every way of writing one."""

import io
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patstone.errors import DataError
from patstone.files.lines import read_fields
from patstone.files.numerals import Floats, numbers

ROWS = 3000
Write = Callable[[np.random.Generator], list[str]]


def read(texts: Sequence[str], *, block: int = 1 << 16) -> Floats:
    """The second field of each line; fields of other lengths around it shift it in memory."""
    raw = "".join(f"{'x' * (row % 11 + 1)} {text} {row}\n" for row, text in enumerate(texts)).encode()
    found = [numbers(fields, 1) for fields in read_fields(io.BytesIO(raw), counts=(3,), path="f", block=block)]
    return np.concatenate([np.empty(0), *found])


def same_bits(texts: Sequence[str]) -> None:
    mine, python = read(texts), np.array([float(text) for text in texts])
    wrong = np.flatnonzero(mine.view(np.uint64) != python.view(np.uint64))
    assert not len(wrong), [(texts[row], mine[row], python[row]) for row in wrong[:5].tolist()]


def digits(rng: np.random.Generator, count: int) -> str:
    return "".join(map(str, rng.integers(0, 10, count).tolist()))


def pointed(rng: np.random.Generator, most: int = 26) -> str:
    """Digits with a point anywhere among them, or none, and perhaps a sign."""
    text = digits(rng, int(rng.integers(1, most)))
    place = int(rng.integers(0, len(text) + 2))
    sign = str(rng.choice(["", "", "", "-", "+"]))
    return sign + (text if place > len(text) else f"{text[:place]}.{text[place:]}")


def midway(rng: np.random.Generator) -> str:
    """The exact middle between a double of 54 bits and the next, where the rounding is decided by the last digit."""
    odd = int(rng.integers(1 << 53, 1 << 54)) | 1
    value = Fraction(odd, 2 ** int(rng.integers(40, 54)))
    places = int(rng.integers(10, 20))
    whole, rest = divmod(value.numerator * 10**places // value.denominator, 10**places)
    return f"{whole}.{rest:0{places}d}"


def bits(rng: np.random.Generator) -> list[float]:
    values = rng.integers(0, 1 << 64, ROWS, dtype=np.uint64).view(np.float64)
    return [float(value) for value in values[np.isfinite(values)]]


SHAPES: dict[str, Write] = {
    "six decimals": lambda rng: [f"{value:.6f}" for value in rng.normal(0, 20, ROWS)],
    "four decimals, positive": lambda rng: [f"{value:.4f}" for value in rng.random(ROWS)],
    "seventeen digits": lambda rng: [repr(value) for value in rng.random(ROWS).tolist()],
    "seventeen digits, large": lambda rng: [repr(value) for value in (rng.random(ROWS) * 30).tolist()],
    "float32 written in full": lambda rng: [repr(float(value)) for value in rng.random(ROWS, dtype=np.float32)],
    "whole numbers": lambda rng: [str(value) for value in rng.integers(-1000, 1000, ROWS).tolist()],
    "eight digits": lambda rng: [str(value) for value in rng.integers(10**7, 10**8, ROWS).tolist()],
    "large whole numbers": lambda rng: [str(value) for value in rng.integers(-(2**62), 2**62, ROWS).tolist()],
    "any bits": lambda rng: [repr(value) for value in bits(rng)],
    "any bits, seventeen digits": lambda rng: [f"{value:.17g}" for value in bits(rng)],
    "exponents": lambda rng: [f"{value:.3e}" for value in bits(rng)],
    "points anywhere": lambda rng: [text for _ in range(ROWS) if (text := pointed(rng)).strip("+-") != "."],
    "up to forty digits": lambda rng: [text for _ in range(ROWS) if (text := pointed(rng, 40)).strip("+-") != "."],
    "midway between doubles": lambda rng: [midway(rng) for _ in range(ROWS)],
    "near 2 to the 64": lambda _: [
        f"{text[:at]}.{text[at:]}" for at in range(4, 9) for k in range(-300, 300) if (text := str(2**64 + k))
    ],
    "leading zeros": lambda rng: ["0" * int(rng.integers(1, 20)) + digits(rng, 6) for _ in range(ROWS)],
    "sixteen decimals": lambda rng: [f"{rng.integers(0, 10**8)}.{digits(rng, 16)}" for _ in range(ROWS)],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_equals_float_to_the_bit(shape: str) -> None:
    same_bits(SHAPES[shape](np.random.default_rng(5)))


@pytest.mark.parametrize("decimals", range(20))
def test_every_number_of_decimals(decimals: int) -> None:
    rng = np.random.default_rng(decimals)
    same_bits([f"{value:.{decimals}f}" for value in np.concatenate([rng.random(500), rng.normal(0, 1e4, 500)])])


@pytest.mark.parametrize("block", [64, 256, 1 << 20])
def test_shapes_may_be_mixed_in_a_block(block: int) -> None:
    rng = np.random.default_rng(11)
    texts = [text for write in SHAPES.values() for text in write(rng)[:40]]
    mixed = [texts[row] for row in rng.permutation(len(texts)).tolist()]
    assert read(mixed, block=block).tolist() == [float(text) for text in mixed]


FEW = "0 -0 +0 0.0 -0.0 -.0 .5 -.5 +.5 5. -5. 1 9 00.10 1e5 1E5 1e-5 -1e+5 .5e1 5.e1 1e308 1e309 -1e309 5e-324 2e-324"
MORE = (
    "1e400 inf -inf Infinity +infinity INF 2.2250738585072014e-308 9007199254740993 9007199254740992.5 0." + "1" * 500
)


@pytest.mark.parametrize("text", [*FEW.split(), *MORE.split(), "9" * 400, "0" * 300 + ".5"])
def test_unusual_numbers(text: str) -> None:
    same_bits([text])
    same_bits(["1.5", text, "-2.25"])


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(texts=st.lists(st.text("0123456789.+-eE_ninfxa٣", min_size=1, max_size=22), min_size=1, max_size=4))
def test_reads_what_float_reads_of_ascii_without_underscores(texts: list[str]) -> None:
    def meant(text: str) -> float | None:
        try:
            value = float(text)
        except ValueError:
            return None
        return value if text.isascii() and "_" not in text and value == value else None

    values = [meant(text) for text in texts]
    if None in values:
        with pytest.raises(DataError) as caught:
            read(texts)
        assert caught.value.line == values.index(None) + 1
    else:
        same_bits(texts)


WORDS = "nan NaN -nan +nan 1_000 _1 1_ 0x10 0b1 1e e1 1e+ 1e1.5 1,5 1/2 x infin ٣ १ ３ ²"
SIGNS = ". - + +-1 --1 -+1 1-1 1+ 1- 1..2 1.2.3 ..1 .-1 -. +."
LONG = ["12345678x", "1234567.12345678x", "x" * 30, "1" * 20 + "x"]


@pytest.mark.parametrize("text", [*WORDS.split(), *SIGNS.split(), *LONG])
@pytest.mark.parametrize("row", [0, 2])
def test_refuses_what_is_no_number(text: str, row: int) -> None:
    texts = ["1.25", "2.50", "-3.75"]
    texts[row] = text
    with pytest.raises(DataError, match=r"f: line \d+: A score must be a number") as caught:
        read(texts)
    assert (caught.value.line, caught.value.value) == (row + 1, text)


def test_each_place_of_a_wrong_digit_is_seen() -> None:
    """Every byte but a digit, at every place of a number."""
    good = "1234567.1234567"
    for place in range(len(good)):
        if place != 7:
            for odd in "/:;.,~ü\u0131":
                with pytest.raises(DataError):
                    read(["1.5", good[:place] + odd + good[place + 1 :]])


def test_a_point_before_a_number_is_no_part_of_it() -> None:
    """With two decimals in the first row, the point of the field before stands where a number's point would."""
    (fields,) = read_fields(io.BytesIO(b"a 1.25 z\nb. 5 z\nc.. 5 z\n"), counts=(3,), path="f")
    assert numbers(fields, 1).tolist() == [1.25, 5, 5]


def test_no_rows_no_numbers() -> None:
    assert read([]).tolist() == []
