"""Bytes in, whatever they come wrapped in, and files out, completely or not at all.

Compression is told by the first bytes, never by the name. What can't be opened twice (standard input, a pipe, a
shell's `<(…)`) is kept in an unlinked temporary file as it is read, so that every source can be read again from
its start. A source that is missing, unreadable, truncated or corrupt is a `DataError` that names it, also when
that turns out in the middle of reading.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import SEEK_CUR, SEEK_END, SEEK_SET, BufferedReader, RawIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, cast
from weakref import finalize

from patstone.errors import DataError, shorten

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BUFFER = 1 << 18
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = b"\x2a\x4d\x18"


@dataclass(frozen=True)
class Rewindable:
    """A source of bytes; each `open` gives a fresh stream from its start, decompressed."""

    name: str
    """What to call it in messages."""
    packed: Callable[[], BinaryIO]
    """The bytes as they are stored."""

    def open(self) -> BinaryIO:
        raw = self.packed()
        try:
            magic = raw.read(4)
            raw.seek(0)
        except OSError as error:
            raise unreadable(self.name, error) from error
        if magic[:2] == _GZIP:
            return _guarded(_gunzipped(raw), raw, self.name)
        if magic == _ZSTD or magic[1:] == _ZSTD_SKIPPABLE:
            return _guarded(_unzstd(raw), raw, self.name)
        return raw


def open_bytes(path: str | Path) -> BinaryIO:
    """Open a file, a pipe or standard input ("-") and take gzip or Zstandard off."""
    return rewindable(path).open()


def rewindable(path: str | Path) -> Rewindable:
    """Make a source that can be opened again and again."""
    if str(path) == "-":
        return recorded(sys.stdin.buffer, "standard input", owned=False)
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if stat.S_ISDIR(mode):
        raise DataError("A file is needed here, and this is a folder.", path=path)
    if not stat.S_ISREG(mode):
        return recorded(_opened(path), str(path))
    return Rewindable(str(path), lambda: _opened(path))


def recorded(stream: IO[bytes], name: str, *, owned: bool = True) -> Rewindable:
    """Make a stream that can be read once, or only forwards, a source; an owned one is closed in the end."""
    return Rewindable(name, _Tape(stream, name, owned=owned).play)


def unreadable(path: str | Path, error: Exception) -> DataError:
    if isinstance(error, FileNotFoundError):
        return DataError("There is no such file.", path=path)
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return DataError(f"The file can't be read: {reason.rstrip('.')}.", path=path)


def _opened(path: str | Path) -> BinaryIO:
    try:
        return Path(path).open("rb", buffering=_BUFFER)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


class _Tape:
    """A stream that can be read once, recorded while it is read and played any number of times."""

    def __init__(self, source: IO[bytes], name: str, *, owned: bool) -> None:
        from tempfile import TemporaryFile

        self.source, self.name = source, name
        self.spool = TemporaryFile()  # noqa: SIM115 - open as long as the tape is, and already unlinked
        self.recorded = 0
        for stream in (self.spool, source) if owned else (self.spool,):
            finalize(self, stream.close)

    def play(self) -> BinaryIO:
        return cast(BinaryIO, BufferedReader(_Player(self), _BUFFER))

    def read(self, place: int, size: int) -> bytes:
        if place < self.recorded:
            self.spool.seek(place)
            return self.spool.read(min(size, self.recorded - place))
        try:
            chunk = self.source.read(size)
            self.spool.seek(self.recorded)
            self.spool.write(chunk)
        except (OSError, ValueError) as error:
            raise unreadable(self.name, error) from error
        self.recorded += len(chunk)
        return chunk


class _Player(RawIOBase):
    def __init__(self, tape: _Tape) -> None:
        self._tape, self._place = tape, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        chunk = self._tape.read(self._place, len(view))
        view[: len(chunk)] = chunk
        self._place += len(chunk)
        return len(chunk)

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        if whence == SEEK_END:
            self._place = self._tape.recorded
            while chunk := self._tape.read(self._place, _BUFFER):
                self._place += len(chunk)
        base = {SEEK_SET: 0, SEEK_CUR: self._place, SEEK_END: self._place}[whence]
        self._place = max(base + offset, 0)
        return self._place

    def tell(self) -> int:
        return self._place


class _Guard(RawIOBase):
    """A decompressor whose complaints, which come in many types, name the file."""

    def __init__(self, inner: IO[bytes], raw: BinaryIO, name: str) -> None:
        self._inner, self._raw, self._name = inner, raw, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        import zlib

        view = memoryview(buffer).cast("B")
        try:
            chunk = self._inner.read(len(view))
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise DataError(
                f"The compressed file is damaged or cut short: {shorten(str(error))}.", path=self._name
            ) from error
        view[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
            self._raw.close()
        super().close()


def _guarded(inner: IO[bytes], raw: BinaryIO, name: str) -> BinaryIO:
    return cast(BinaryIO, BufferedReader(_Guard(inner, raw, name), _BUFFER))


def _gunzipped(raw: BinaryIO) -> IO[bytes]:
    from gzip import GzipFile

    return cast(IO[bytes], GzipFile(fileobj=raw))


def _unzstd(raw: BinaryIO) -> IO[bytes]:
    import pyarrow as pa

    return cast(IO[bytes], pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd"))


def ensured_folder(path: str | Path) -> Path:
    """The folder, which need not exist yet."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise DataError(f"The folder can't be made: {error}.", path=path) from None
    return Path(path)


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Give a temporary name in the same folder to write to; it becomes `path` at the end, or vanishes on an error."""
    try:
        target = _writable(path)
        # A device or a pipe, such as /dev/stdout, must never be replaced by a file.
        if target.exists() and not target.is_file():
            yield target
        else:
            yield from _replacing(target)
    except OSError as error:
        raise DataError(f"The file can't be written: {error.strerror or error}.", path=path) from error


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Give a temporary folder beside `path` to fill; it becomes `path` at the end, or vanishes on an error."""
    from shutil import rmtree

    target = Path(path)
    temporary = target.with_name(f".{os.urandom(8).hex()}")
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise DataError("Something is there already; remove it first, or name another folder.", path=path)
        temporary.mkdir(parents=True)
        yield temporary
        # An empty folder gives way; were it filled meanwhile, this fails and nothing of it is lost.
        temporary.replace(target)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise DataError(f"The folder can't be written: {reason}.", path=path) from error
    finally:
        rmtree(temporary, ignore_errors=True)


def _writable(path: str | Path) -> Path:
    try:
        named = Path(path)
        # Where /dev/stdout leads to a pipe, the pipe has no name that it could be resolved to.
        target = named if named.exists() and not named.is_file() else named.resolve()
    except ValueError as error:
        raise DataError(f"This can't be the name of a file: {error}.", path=path) from error
    if target.is_dir():
        raise DataError("A file is to be written here, and this is a folder.", path=path)
    if not target.parent.is_dir():
        raise DataError("The folder to write to does not exist; make it first.", path=path)
    return target


def _replacing(target: Path) -> Iterator[Path]:
    # The suffix stays at the end, for writers that go by it.
    temporary = target.with_name(f".{os.urandom(8).hex()}{target.suffix}")
    try:
        yield temporary
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
