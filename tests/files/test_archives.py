import gzip
import io
import struct
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from patstone.errors import DataError
from patstone.files import archives
from patstone.files.streams import rewindable


def zipped(members: dict[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    memory = io.BytesIO()
    with ZipFile(memory, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return memory.getvalue()


def contents(path: Path) -> dict[str, bytes]:
    found = {}
    for member in archives.members(rewindable(path)):
        with member.open() as stream:
            found[member.name.removeprefix(f"{path}/")] = stream.read()
    return found


def write(folder: Path, data: bytes) -> Path:
    path = folder / "week.zip"
    path.write_bytes(data)
    return path


def test_members_come_in_their_order_and_can_be_opened_again(tmp_path: Path) -> None:
    path = write(tmp_path, zipped({"b/": b"", "b/two.xml": b"<two/>", "a.xml": b"<a/>"}))
    first, second = list(archives.members(rewindable(path)))
    assert first.name == f"{path}/b/two.xml"
    with second.open() as one, first.open() as other, second.open() as again:
        assert (one.read(), other.read(), again.read()) == (b"<a/>", b"<two/>", b"<a/>")


def test_what_is_compressed_inside_is_taken_out(tmp_path: Path) -> None:
    inner = zipped({"x.xml": b"<x/>", "y.xml.gz": gzip.compress(b"<y/>")})
    path = write(tmp_path, zipped({"inner.zip": inner, "z.xml": b"<z/>"}))
    assert contents(path) == {"inner.zip/x.xml": b"<x/>", "inner.zip/y.xml.gz": b"<y/>", "z.xml": b"<z/>"}


def test_names_that_climb_out_are_only_names(tmp_path: Path) -> None:
    path = write(tmp_path, zipped({"../../evil.xml": b"<evil/>"}))
    assert contents(path) == {"../../evil.xml": b"<evil/>"}
    assert [file.name for file in tmp_path.iterdir()] == ["week.zip"]


def test_a_bomb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, zipped({"bomb.xml": bytes(archives.HARMLESS + 1)}))
    with pytest.raises(DataError, match="looks like a zip bomb"):
        list(archives.members(rewindable(path)))


def test_a_bomb_in_an_archive_is_refused_too(tmp_path: Path) -> None:
    path = write(tmp_path, zipped({"fine.xml": b"<a/>", "in.zip": zipped({"b": bytes(archives.HARMLESS + 1)})}))
    members = archives.members(rewindable(path))
    assert next(members).name.endswith("fine.xml")
    with pytest.raises(DataError, match=r"in\.zip: This looks like a zip bomb"):
        next(members)


def test_an_archive_that_claims_to_hold_a_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST", 1 << 10)
    path = write(tmp_path, zipped({"a.xml": bytes(2_000)}))
    with pytest.raises(DataError, match="unpacks to 2000 bytes"):
        list(archives.members(rewindable(path)))


def test_a_size_that_lies_ends_the_reading(tmp_path: Path) -> None:
    """The directory says 10 bytes where 1,000 are packed: no more than 10 are read, and their sum is wrong."""
    data = zipped({"a.xml": b"<a/>" * 250})
    directory = data.rindex(b"PK\x01\x02")
    data = data[: directory + 24] + struct.pack("<L", 10) + data[directory + 28 :]
    with pytest.raises(DataError, match="damaged"):
        contents(write(tmp_path, data))


def test_nesting_ends(tmp_path: Path) -> None:
    data = zipped({"a.xml": b"<a/>"})
    for _ in range(archives.DEEPEST):
        data = zipped({"in.zip": data})
    with pytest.raises(DataError, match="3 deep"):
        list(archives.members(rewindable(write(tmp_path, data))))


@pytest.mark.parametrize("kept", [0.05, 0.5, 0.99])
def test_a_truncated_archive_is_named(tmp_path: Path, kept: float) -> None:
    data = zipped({f"{number}.xml": b"<a/>" * number for number in range(20)})
    path = write(tmp_path, data[: int(len(data) * kept)])
    with pytest.raises(DataError, match=r"week\.zip: The zip archive is damaged or cut short"):
        list(archives.members(rewindable(path)))


def test_a_damaged_member_is_named(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.xml": b"<a/>" * 100}, ZIP_STORED))
    data[60] ^= 0xFF
    with pytest.raises(DataError, match=r"week\.zip/a\.xml: The zip archive is damaged"):
        contents(write(tmp_path, bytes(data)))


def test_an_encrypted_member_is_named_and_others_are_read(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.xml": b"<a/>", "b.xml": b"<b/>"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    secret, plain = archives.members(rewindable(write(tmp_path, bytes(data))))
    with plain.open() as stream:
        assert stream.read() == b"<b/>"
    with pytest.raises(DataError, match=r"a\.xml: The archive's member is encrypted"):
        secret.open()


def test_an_unknown_compression_is_an_error(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.xml": b"<a/>" * 9}))
    data[data.index(b"PK\x01\x02") + 10] = 97
    with pytest.raises(DataError, match=r"a\.xml: The zip archive is damaged or cut short"):
        contents(write(tmp_path, bytes(data)))
