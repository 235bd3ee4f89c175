"""Our own small files in the layouts of patent offices, and what a reader makes of them."""

from io import BytesIO
from pathlib import Path
from typing import BinaryIO, cast

from patstone.files.streams import Rewindable
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers.reader import Reader

LAYOUTS = Path(__file__).parent / "patents/readers/layouts"


def layout(name: str) -> bytes:
    return (LAYOUTS / name).read_bytes()


def source(data: bytes, name: str = "here") -> Rewindable:
    return Rewindable(name, lambda: cast(BinaryIO, BytesIO(data)))


def everything(reader: Reader, data: bytes, name: str = "here") -> list[Publication | Rejected]:
    return [*reader.read(source(data, name))]


def read(reader: Reader, data: bytes, name: str = "here") -> list[Publication]:
    return [found for found in everything(reader, data, name) if isinstance(found, Publication)]


def refused(reader: Reader, data: bytes, name: str = "here") -> list[Rejected]:
    return [found for found in everything(reader, data, name) if isinstance(found, Rejected)]
