"""Bytes in and files out: compression by content, sources that open again, errors that name the file."""

import gzip
import io
import os
import stat
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.errors import DataError, PatstoneError
from patstone.files.streams import atomic, open_bytes, rewindable

TEXT = b"T1 Q0 EP1 1 0.5 tag\n" * 500
SKIPPABLE = b"\x50\x2a\x4d\x18\x04\x00\x00\x00note"


def zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


def read(path: Path | str) -> bytes:
    with open_bytes(path) as stream:
        return stream.read()


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(data))))


PACKED = {
    "plain": TEXT,
    "gzip": gzip.compress(TEXT),
    "gzip in two members": gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]),
    "zstd": zstd(TEXT),
    "zstd in two frames": zstd(TEXT[:100]) + zstd(TEXT[100:]),
    "zstd after a skippable frame": SKIPPABLE + zstd(TEXT),
}


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED.keys())
@pytest.mark.parametrize("name", ["run", "run.gz", "run.zst"])
def test_content_not_name_tells_the_compression(tmp_path: Path, packed: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(packed)
    assert read(path) == TEXT
    assert read(str(path)) == TEXT


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_short_files_are_plain(tmp_path: Path, size: int) -> None:
    path = tmp_path / "short"
    path.write_bytes(b"abc"[:size])
    assert read(path) == b"abc"[:size]


def test_streams_fill_a_buffer(tmp_path: Path) -> None:
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(TEXT))
    buffer = bytearray(len(TEXT))
    with open_bytes(path) as stream:
        assert stream.readinto(buffer) == len(TEXT)  # type: ignore[attr-defined]
    assert bytes(buffer) == TEXT


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED.keys())
def test_standard_input_opens_again_and_again(monkeypatch: pytest.MonkeyPatch, packed: bytes) -> None:
    feed(monkeypatch, packed)
    source = rewindable("-")
    with source.open() as first:
        start = first.read(7)
    with source.open() as second, source.open() as third:
        assert (start, third.read(), second.read()) == (TEXT[:7], TEXT, TEXT)
    assert source.name == "standard input"


def test_standard_input_is_seekable_from_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, TEXT)
    with rewindable("-").open() as stream:
        assert stream.seek(-4, io.SEEK_END) == len(TEXT) - 4
        assert stream.read() == TEXT[-4:]
        assert stream.tell() == len(TEXT)


def test_a_pipe_opens_again_and_again() -> None:
    end, start = os.pipe()

    def write() -> None:
        with open(start, "wb") as pipe:  # noqa: PTH123 - a file descriptor
            pipe.write(gzip.compress(TEXT))

    writer = threading.Thread(target=write)
    writer.start()
    source = rewindable(f"/dev/fd/{end}")
    os.close(end)
    assert [source.open().read() for _ in range(2)] == [TEXT, TEXT]
    writer.join()


def test_a_missing_file_is_named() -> None:
    with pytest.raises(DataError, match=r"nowhere/run\.txt: There is no such file"):
        open_bytes("nowhere/run.txt")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="this is a folder"):
        open_bytes(tmp_path)


@pytest.mark.parametrize("name", ["nul\0byte", "x" * 5000])
def test_impossible_names_are_refused(name: str) -> None:
    with pytest.raises(DataError, match="can't be read"):
        open_bytes(name)


def test_a_file_without_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "locked"
    path.write_bytes(TEXT)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match="locked: The file can't be read: Permission denied"):
        open_bytes(path)


@pytest.mark.parametrize("packed", [gzip.compress(TEXT), zstd(TEXT)], ids=["gzip", "zstd"])
def test_a_file_cut_short_is_named(tmp_path: Path, packed: bytes) -> None:
    path = tmp_path / "cut"
    path.write_bytes(packed[:-3])
    with pytest.raises(DataError, match=r"cut: The compressed file is damaged or cut short") as caught:
        read(path)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("packed", [gzip.compress(TEXT), zstd(TEXT)], ids=["gzip", "zstd"])
def test_rubbish_after_the_end_is_refused(tmp_path: Path, packed: bytes) -> None:
    path = tmp_path / "more"
    path.write_bytes(packed + b"junk")
    with pytest.raises(DataError, match="damaged"):
        read(path)


@given(st.sampled_from([gzip.compress(TEXT), zstd(TEXT)]), st.data())
def test_a_damaged_file_is_read_or_refused(packed: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(packed) - 1))
    damaged = packed[:place] + bytes([data.draw(st.integers(0, 255))]) + packed[place + 1 :]
    with pytest.MonkeyPatch.context() as monkeypatch:
        feed(monkeypatch, damaged)
        try:
            read("-")
        except PatstoneError as error:
            named = error
        else:
            return
    assert "standard input" in str(named)


def test_atomic_replaces_at_the_end_and_keeps_permissions(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("old")
    path.chmod(0o640)
    with atomic(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".csv"
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_atomic_leaves_nothing_on_an_error(tmp_path: Path, error: type[BaseException]) -> None:
    def write() -> None:
        with atomic(tmp_path / "scores.csv") as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        write()
    assert list(tmp_path.iterdir()) == []


def test_atomic_follows_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    with atomic(link) as temporary:
        temporary.write_text("new")
    assert target.read_text() == "new"
    assert link.is_symlink()


def test_atomic_never_replaces_a_device() -> None:
    with atomic("/dev/null") as temporary:
        temporary.write_text("gone")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("name", [".", "no/such/folder/out.csv", "nul\0byte"])
def test_atomic_refuses_what_cannot_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError), atomic(f"{tmp_path}/{name}") as temporary:
        temporary.write_text("never")
    assert list(tmp_path.iterdir()) == []


def test_atomic_names_the_file_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "full"
    with pytest.raises(DataError, match=r"full: The file can't be written: No space left"), atomic(path):
        raise OSError(28, "No space left on device")
