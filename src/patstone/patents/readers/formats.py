"""Which readers there are, and which of them a file is for: told by what is in it, whatever it is called.

Readers are modules with a `READER`, loaded only when a source is read; packages add theirs by the entry point group
`patstone.readers`. A file is offered to them in this order and read by the first that knows it. Folders and zip
archives stand for the files in them: pictures and schemas there are passed over, and a file of no known format is
`Rejected`, while one that was asked for by its own name is a `DataError`.
"""

import os
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path, PurePath

from patstone.errors import DataError, UsageError, shorten
from patstone.files.archives import is_archive, members
from patstone.files.streams import Rewindable, rewindable
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers.reader import Reader

HEAD = 1 << 16
MODULES: dict[str, str] = {
    "uspto-xml": "uspto_xml",
    "uspto-st32": "uspto_st32",
    "uspto-pap": "uspto_pap",
    "green-book": "green_book",
    "uspto-file-wrapper": "uspto_wrapper",
    "uspto-citations": "uspto_citations",
    "docdb": "docdb",
    "ops": "ops",
    "ep-fulltext": "epfulltext",
    "st96": "st96",
    "google-patents": "google",
    "lens": "lens",
    "rospatent": "rospatent",
    "table": "tables",
}
"""Our own readers: name and module under `patstone.patents.readers`."""
NOT_DATA = frozenset(
    {".tif", ".tiff", ".gif", ".png", ".jpg", ".jpeg", ".bmp", ".svg", ".pdf", ".nb", ".cdx", ".mol"}
    | {".dtd", ".ent", ".mod", ".xsd", ".xsl", ".css", ".html", ".htm", ".md"}
)
"""Endings of what lies beside documents: pictures, drawings of molecules, schemas, pages to read."""


def readers() -> dict[str, Reader]:
    """All readers by name, ours first."""
    return {reader.name: reader for reader in _loaded()}


def reader_of(source: Rewindable, format: str = "auto") -> Reader:  # noqa: A002 - the option's name
    """The reader for a file, which must not be an archive."""
    known = readers()
    if format != "auto":
        if format not in known:
            raise UsageError(f"The format must be auto or one of {', '.join(known)}. Got {format!r} instead.")
        return known[format]
    with source.open() as stream:
        head = stream.read(HEAD)
    # In the order of the table: the narrow formats before the table of anything.
    for reader in known.values():
        if reader.knows(head, source.name):
            return reader
    raise DataError(
        f"The format is none of those known ({', '.join(known)}): the file begins with {_seen(head)}.", path=source.name
    )


def files(path: str | Path) -> Iterator[str]:
    """The files that a path stands for: itself, or those of a folder in the order of their names."""
    if str(path) == "-" or not Path(path).is_dir():
        yield str(path)
        return
    for parent, folders, names in os.walk(path):
        # Hidden folders are a version control's or an archive's, and the order must not be the disk's.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and _may_be_data(name):
                yield str(Path(parent, name))


def parts(source: Rewindable) -> Iterator[Rewindable]:
    """What a file holds: itself, or the members of an archive."""
    if is_archive(source):
        yield from (member for member in members(source) if _may_be_data(member.name))
    else:
        yield source


def open_source(path: str | Path, format: str = "auto") -> Iterator[Publication | Rejected]:  # noqa: A002
    """Read whatever lies at a path, one publication at a time."""
    for file in files(path):
        try:
            yield from open_file(file, format)
        except DataError as error:
            if file == str(path):
                raise
            yield Rejected(path=file, offset=0, reason=error.rule)


def open_file(file: str, format: str = "auto") -> Iterator[Publication | Rejected]:  # noqa: A002
    """Read a file; what is wrong with one member of an archive leaves the others be."""
    yield from open_whole(rewindable(file), format)


def open_whole(whole: Rewindable, format: str = "auto") -> Iterator[Publication | Rejected]:  # noqa: A002
    """Read what is open already, such as standard input, which nobody can open twice."""
    for source in parts(whole):
        try:
            yield from reader_of(source, format).read(source)
        except DataError as error:
            if source is whole:
                raise
            yield Rejected(path=source.name, offset=0, reason=error.rule)


@cache
def _loaded() -> tuple[Reader, ...]:
    own = [import_module(f"patstone.patents.readers.{module}").READER for module in MODULES.values()]
    added = [point.load() for point in sorted(entry_points(group="patstone.readers"), key=lambda point: point.name)]
    return (*own, *added)


def _may_be_data(name: str) -> bool:
    return PurePath(name).suffix.lower() not in NOT_DATA


def _seen(head: bytes) -> str:
    return repr(shorten(head[:80].decode(errors="replace"), 60)) if head else "nothing: it is empty"
