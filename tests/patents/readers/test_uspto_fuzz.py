"""Damaged files of the US office: a document that can't be read is rejected, and nothing else ever happens."""

import io
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers.formats import reader_of, readers

FILES = {path.name: path.read_bytes() for path in sorted((Path(__file__).parent / "uspto").iterdir())}
OURS = [name for name in readers() if name.startswith("uspto") or name == "green-book"]


def check(data: bytes, format: str = "auto") -> None:  # noqa: A002
    source = Rewindable("damaged", lambda: io.BytesIO(data))
    with suppress(DataError):
        for found in reader_of(source, format).read(source):
            assert isinstance(found, Publication | Rejected)
            assert isinstance(found, Rejected) or found.number


@pytest.mark.parametrize("name", FILES)
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_cut_short(name: str, data: st.DataObject) -> None:
    check(FILES[name][: data.draw(st.integers(0, len(FILES[name])))])


@pytest.mark.parametrize("name", FILES)
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_bytes_changed(name: str, data: st.DataObject) -> None:
    damaged = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place : place + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=8))
    check(bytes(damaged))


@pytest.mark.parametrize("format", OURS)
@pytest.mark.parametrize("name", FILES)
def test_read_as_what_it_is_not(name: str, format: str) -> None:  # noqa: A002
    check(FILES[name], format)


@pytest.mark.parametrize("name", FILES)
def test_numbers_of_any_length(name: str) -> None:
    check(re.sub(rb"[0-9]+", b"7" * 5_000, FILES[name]))


@pytest.mark.parametrize("format", OURS)
@given(st.binary(max_size=300))
@settings(max_examples=30, deadline=None)
def test_noise(format: str, data: bytes) -> None:  # noqa: A002
    check(data, format)
