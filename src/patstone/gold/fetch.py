"""Brings a published gold standard into a folder: the sample from the package, others from where they are published.

A file is written only when its SHA-256 is the one in `catalogue.toml`, so that a number reckoned on it can be
repeated. Where there is no internet, a file or folder that someone brought is checked and copied the same way.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from patstone.errors import DataError, UsageError, shorten
from patstone.files.streams import atomic, ensured_folder, rewindable
from patstone.gold import sample

SAMPLE, COLLECTION = "sample", "collection"
COLLECTION_FILES = ("card.json", "documents.parquet", "qrels-claims.txt", "qrels.txt", "queries.parquet")
_LARGEST = 64 << 20
_PATIENCE = 60.0


@dataclass(frozen=True, kw_only=True)
class Source:
    """One file of a published gold standard."""

    name: str
    url: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Fetched:
    title: str
    licence: str
    terms: str
    """Where the licence can be read."""
    files: tuple[Path, ...]
    """The first one holds the labels."""


def names() -> tuple[str, ...]:
    return (SAMPLE, COLLECTION, *_catalogue())


def fetch(name: str, folder: str | Path, *, origin: str | Path | None = None) -> Fetched:
    """Write a gold standard's files into a folder; `origin` is a file, or a folder of files, to take them from."""
    if name in (SAMPLE, COLLECTION):
        if origin is not None:
            raise UsageError(f"The {name} comes with patstone; leave --from out.")
        return _sample(Path(folder)) if name == SAMPLE else _collection(Path(folder))
    found = _catalogue().get(name)
    if found is None:
        raise UsageError(f"Gold standards to fetch are {', '.join(names())}. Got {shorten(repr(name))}.")
    sources = [Source(**each) for each in found["files"]]
    # All are checked before the first is written.
    contents = [(each, _checked(each, origin)) for each in _wanted(sources, origin)]
    written = tuple(_write(ensured_folder(folder) / each.name, content) for each, content in contents)
    return Fetched(title=found["title"], licence=found["licence"], terms=found["terms"], files=written)


def _sample(folder: Path) -> Fetched:
    written = tuple(_write(ensured_folder(folder) / name, (sample.HERE / name).read_bytes()) for name in sample.FILES)
    title = "Soft gripping: 900 families with made-up titles and numbers, for demonstrations and tests"
    return Fetched(title=title, licence="MIT License, as patstone.", terms="", files=written)


def _collection(folder: Path) -> Fetched:
    from patstone.gold.world.make import make_world, write_world

    write_world(make_world(), ensured_folder(folder))
    title = "A made-up world of inventions: a test collection for prior-art search"
    files = tuple(sorted(folder / name for name in COLLECTION_FILES))
    return Fetched(title=title, licence="MIT License, as patstone.", terms="", files=files)


def _catalogue() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("catalogue.toml").read_text(encoding="utf-8"))


def _wanted(sources: list[Source], origin: str | Path | None) -> list[Source]:
    """All of them; from one file only that one, and what lies beside it."""
    if origin is None or Path(origin).is_dir():
        return sources
    return [sources[0], *(each for each in sources[1:] if (Path(origin).parent / each.name).is_file())]


def _checked(source: Source, origin: str | Path | None) -> bytes:
    place = source.url if origin is None else _local(source, Path(origin))
    content = _downloaded(source.url) if origin is None else _read(place)
    found = sha256(content).hexdigest()
    if found != source.sha256:
        raise DataError(f"{source.name} should have the SHA-256 {source.sha256}.", path=place, value=found)
    return content


def _local(source: Source, origin: Path) -> str:
    if origin.is_dir():
        return str(origin / source.name)
    return str(origin if source.name.endswith(".tsv") else origin.parent / source.name)


def _read(path: str) -> bytes:
    with rewindable(path).open() as stream:
        return stream.read()


def _downloaded(url: str) -> bytes:
    from urllib.error import URLError
    from urllib.request import urlopen

    try:
        # The address is one of our own catalogue, and begins with https.
        with urlopen(url, timeout=_PATIENCE) as answer:  # noqa: S310
            content: bytes = answer.read(_LARGEST)
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        rule = f"It can't be downloaded: {reason}. With a copy of the file, use --from FILE."
        raise DataError(rule, path=url) from None
    return content


def _write(path: Path, content: bytes) -> Path:
    with atomic(path) as temporary:
        temporary.write_bytes(content)
    return path
