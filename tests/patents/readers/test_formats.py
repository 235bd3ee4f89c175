import gzip
import io
import os
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from patstone.errors import DataError, UsageError
from patstone.files.streams import Rewindable, rewindable
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers import formats
from patstone.patents.readers.formats import files, open_source, reader_of
from patstone.patents.readers.reader import Reader


def lines(source: Rewindable) -> Iterator[Publication | Rejected]:
    with source.open() as stream:
        for line in stream.read().split()[1:]:
            if line == b"stop":
                raise DataError("The file stops here.", path=source.name)
            yield Publication(number=line.decode(), raw="", source="lines", country="US")


LINES = Reader(name="lines", about="A number a line", knows=lambda head, _: head.startswith(b"LINES"), read=lines)


@pytest.fixture(autouse=True)
def only_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_loaded", lambda: (LINES,))


def found(path: Path) -> list[str]:
    return [one.number if isinstance(one, Publication) else f"{one.path}: {one.reason}" for one in open_source(path)]


def archive(members: dict[str, bytes]) -> bytes:
    memory = io.BytesIO()
    with ZipFile(memory, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    return memory.getvalue()


def test_a_file_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(gzip.compress(b"LINES US1 US2"))
    assert found(tmp_path / "x.pdf") == ["US1", "US2"]


def test_a_folder_is_read_in_order_and_pictures_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b/2.txt").write_text("LINES US2")
    (tmp_path / "a.txt").write_text("LINES US1")
    (tmp_path / "c.zip").write_bytes(archive({"1.TIF": b"", "in.zip": archive({"x": b"LINES US3"})}))
    (tmp_path / ".hidden").write_text("LINES US9")
    (tmp_path / "page.tif").write_text("no data")
    assert found(tmp_path) == ["US1", "US3", "US2"]
    assert [os.path.relpath(name, tmp_path) for name in files(tmp_path)] == ["a.txt", "c.zip", "b/2.txt"]


def test_a_bad_file_among_others_is_rejected_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("LINES US1 stop")
    (tmp_path / "b").write_text("nothing known")
    (tmp_path / "c.zip").write_bytes(archive({"x": b"", "y": b"LINES US2"}))
    (tmp_path / "d.zip").write_bytes(archive({"x": b""})[:-10])
    seen = found(tmp_path)
    assert seen[:2] == ["US1", f"{tmp_path}/a: The file stops here."]
    assert seen[2].startswith(f"{tmp_path}/b: The format is none of those known (lines): the file begins with 'nothing")
    assert seen[3].endswith(
        "c.zip/x: The format is none of those known (lines): the file begins with nothing: it is empty."
    )
    assert seen[4] == "US2"
    assert seen[5].startswith(f"{tmp_path}/d.zip: The zip archive is damaged")


def test_a_bad_file_alone_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.write_text("nothing known")
    with pytest.raises(DataError, match="none of those known"):
        found(path)


def test_a_format_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.write_text("other US1")
    assert [one.number for one in open_source(path, "lines")] == ["US1"]
    with pytest.raises(UsageError, match="must be auto or one of lines"):
        list(open_source(path, "docx"))


def test_a_plug_in_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Point:
        name = "lines"

        def load(self) -> Reader:
            return LINES

    monkeypatch.undo()
    monkeypatch.setattr(formats, "entry_points", lambda *, group: [Point()] if group == "patstone.readers" else [])
    formats._loaded.cache_clear()
    try:
        assert list(formats.readers()) == [*formats.MODULES, "lines"]
        (tmp_path / "x").write_text("LINES")
        assert reader_of(rewindable(tmp_path / "x")) is LINES
    finally:
        formats._loaded.cache_clear()
