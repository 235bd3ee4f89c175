"""What lies in a zip archive, streamed: nothing is written under a member's name, and nothing is unpacked as a whole.

Each member is a `Rewindable` named `week.zip/week.xml`; archives in archives are opened as well, kept meanwhile in an
unlinked temporary file. An archive that promises far more than it holds is refused before its first byte is read:
zipfile never reads more than a member's declared size, so declared sizes bound the real ones. The limits are
`RATIO` (unpacked to packed, once `HARMLESS` is passed), `LARGEST` (one archive, unpacked) and `DEEPEST` (nesting).
"""

from collections.abc import Iterator
from io import SEEK_END, SEEK_SET, BufferedReader, RawIOBase
from typing import TYPE_CHECKING, BinaryIO, cast
from weakref import finalize
from zipfile import BadZipFile, ZipFile, ZipInfo

from patstone.errors import DataError, shorten
from patstone.files.formats import format_of
from patstone.files.streams import Rewindable, recorded

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
RATIO = 200
HARMLESS = 64 << 20
LARGEST = 64 << 30
DEEPEST = 3
_BUFFER = 1 << 18
_ENCRYPTED = 0x1
# What zipfile raises for damage, encryption and unknown compressions, by the way of its decompressors.
_COMPLAINTS = (BadZipFile, OSError, EOFError, ValueError, RuntimeError, NotImplementedError)


def is_archive(source: Rewindable) -> bool:
    """A workbook is stored as an archive, and is none to anyone who reads it."""
    if format_of(source.name) == "xlsx":
        return False
    with source.open() as stream:
        return stream.read(4) in MAGIC


def members(source: Rewindable, *, depth: int = 1) -> Iterator[Rewindable]:
    """Name what an archive holds, in the order it is stored; archives inside it are replaced by their members."""
    archive = _opened(source)
    for info in archive.infolist():
        if info.is_dir():
            continue
        member = _member(archive, info, f"{source.name}/{info.filename}")
        if not _holds_more(member):
            yield member
        elif depth == DEEPEST:
            raise DataError(f"Archives are read {DEEPEST} deep, and this one is deeper.", path=member.name)
        else:
            # An archive is read from its end, so that an inner one has to be kept as a file.
            yield from members(recorded(member.open(), member.name), depth=depth + 1)


def _opened(source: Rewindable) -> ZipFile:
    """Read the directory once; the file stays open as long as one of the members is in use."""
    stream = source.open()
    try:
        archive = ZipFile(stream)
        packed = stream.seek(0, SEEK_END)
        _check_sizes(source.name, packed, sum(info.file_size for info in archive.infolist()))
    except _COMPLAINTS as error:
        stream.close()
        raise _damaged(source.name, error) from error
    except DataError:
        stream.close()
        raise
    finalize(archive, stream.close)
    return archive


def _check_sizes(name: str, packed: int, unpacked: int) -> None:
    if unpacked > LARGEST:
        raise DataError(
            f"An archive holds at most {LARGEST >> 30} GB; this one unpacks to {unpacked} bytes.", path=name
        )
    if unpacked > max(HARMLESS, RATIO * packed):
        raise DataError(
            f"This looks like a zip bomb: {packed} bytes unpack to {unpacked}, more than {RATIO} times as many.",
            path=name,
        )


def _member(archive: ZipFile, info: ZipInfo, name: str) -> Rewindable:
    def packed() -> BinaryIO:
        if info.flag_bits & _ENCRYPTED:
            raise DataError("The archive's member is encrypted; unpack it first.", path=name)
        return cast(BinaryIO, BufferedReader(_Member(archive, info, name), _BUFFER))

    return Rewindable(name, packed)


def _holds_more(member: Rewindable) -> bool:
    try:
        return is_archive(member)
    except DataError:
        # It will say so when it is read; the other members can still be.
        return False


class _Member(RawIOBase):
    """A member's bytes; whatever goes wrong names it."""

    def __init__(self, archive: ZipFile, info: ZipInfo, name: str) -> None:
        self._name = name
        try:
            self._inner = archive.open(info)
        except _COMPLAINTS as error:
            raise _damaged(name, error) from error

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        import zlib

        view = memoryview(buffer).cast("B")
        try:
            chunk = self._inner.read(len(view))
        except (*_COMPLAINTS, zlib.error) as error:
            raise _damaged(self._name, error) from error
        view[: len(chunk)] = chunk
        return len(chunk)

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        return self._inner.seek(offset, whence)

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
        super().close()


def _damaged(name: str, error: Exception) -> DataError:
    return DataError(f"The zip archive is damaged or cut short: {shorten(str(error)).rstrip('.')}.", path=name)
