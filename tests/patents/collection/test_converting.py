"""Converting: what may go wrong, what is refused, and that being killed changes nothing."""

import fcntl
import json
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import patstone as ps
from collections_made import files, grants, rows, table
from console import shell
from patstone.errors import DataError, UsageError
from patstone.patents.collection import parts

GRANT = Path(__file__).parents[1] / "readers/uspto/grant.xml"


@pytest.fixture(scope="module")
def week() -> list[bytes]:
    """Four grants, as they stand in a row in a weekly file."""
    grant = GRANT.read_bytes().rstrip() + b"\n"
    return [grant.replace(b"<doc-number>09123456<", b"<doc-number>0912345%d<" % place) for place in range(4)]


def test_a_weekly_file_zipped_with_a_broken_document(tmp_path: Path, week: list[bytes]) -> None:
    broken = week[1].replace(b"</abstract>", b"")
    with zipfile.ZipFile(tmp_path / "week.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("week.xml", b"".join([week[0], broken, *week[2:]]))
        archive.writestr("drawing.tif", b"II*")
    found = ps.convert(tmp_path / "week.zip", tmp_path / "collection")
    assert rows(found, "documents", "number") == ["US9123450B2", "US9123452B2", "US9123453B2"]
    (rejected,) = found.rejected()
    assert rejected["file"] == str(tmp_path / "week.zip/week.xml")
    assert rejected["offset"] == len(week[0])
    assert "not well-formed" in rejected["reason"]
    assert found.manifest["rejected"]["records"] == 1


def test_strict_stops_at_the_first(tmp_path: Path) -> None:
    source = table(tmp_path / "some.jsonl", {"number": "EP1000001A1"}, {"number": "nonsense"})
    with pytest.raises(DataError, match=r"some.jsonl: line 2: A document can't be read, and --strict stops there"):
        ps.convert(source, tmp_path / "collection", strict=True)
    assert not (tmp_path / "collection").exists()
    assert len(ps.convert(source, tmp_path / "collection")) == 1
    with pytest.raises(DataError, match="other"):
        ps.convert(source, tmp_path / "collection", strict=True)


def test_strict_minds_what_was_rejected_before_it_was_killed(tmp_path: Path) -> None:
    source = table(tmp_path / "some.jsonl", {"number": "nonsense"}, {"number": "EP1000001A1"})
    (tmp_path / ".collection.unfinished/parts").mkdir(parents=True)
    file = parts.SourceFile(path=str(source), source=0, asked=True)
    assert parts.part(file, tmp_path / ".collection.unfinished/parts", strict=False).facts["rejected"] == 1
    with pytest.raises(DataError, match="line 1"):
        ps.convert(source, tmp_path / "collection", strict=True)


def test_what_is_refused(tmp_path: Path) -> None:
    source = table(tmp_path / "some.jsonl", {"number": "EP1000001A1"})
    out = tmp_path / "collection"
    with pytest.raises(DataError, match=r"nothere.xml: There is no such file"):
        ps.convert([source, tmp_path / "nothere.xml"], out)
    with pytest.raises(UsageError, match="must be auto or one of uspto-xml"):
        ps.convert(source, out, format="uspto")
    with pytest.raises(UsageError, match="at least 1"):
        ps.convert(source, out, jobs=0)
    with pytest.raises(DataError, match="does not exist; make it first"):
        ps.convert(source, tmp_path / "no/collection")
    with pytest.raises(DataError, match="something else here"):
        ps.convert(source, tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="no files"):
        ps.convert(tmp_path / "empty", out)
    with pytest.raises(DataError, match="No document in the sources can be read; the first"):
        ps.convert(table(tmp_path / "bad.jsonl", {"number": "nonsense"}), out)
    assert not out.exists()


def test_a_file_that_is_named_must_be_readable_and_one_in_a_folder_may_not(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    table(folder / "good.jsonl", {"number": "EP1000001A1"})
    (folder / "odd.bin").write_bytes(b"\x01\x02")
    found = ps.convert(folder, tmp_path / "collection")
    assert [(one["file"], one["offset"]) for one in found.rejected()] == [(str(folder / "odd.bin"), 0)]
    with pytest.raises(DataError, match=r"odd.bin: The format is none of those known"):
        ps.convert([folder / "good.jsonl", folder / "odd.bin"], tmp_path / "other")


def test_an_empty_folder_is_filled_and_a_collection_is_not_replaced(tmp_path: Path) -> None:
    source = table(tmp_path / "some.jsonl", {"number": "EP1000001A1"})
    out = tmp_path / "collection"
    out.mkdir()
    ps.convert(source, out)
    before = files(out)
    # The same again is no work.
    assert len(ps.convert(source, out)) == 1
    table(source, {"number": "EP1000002A1"})
    with pytest.raises(DataError, match="of other sources"):
        ps.convert(source, out)
    assert files(out) == before


def test_one_conversion_at_a_time(tmp_path: Path) -> None:
    source = table(tmp_path / "some.jsonl", {"number": "EP1000001A1"})
    (tmp_path / ".collection.unfinished").mkdir()
    with (tmp_path / ".collection.unfinished/lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(DataError, match="Another conversion is writing here"):
            ps.convert(source, tmp_path / "collection")
    assert len(ps.convert(source, tmp_path / "collection")) == 1
    assert not (tmp_path / ".collection.unfinished").exists()


def test_standard_input(tmp_path: Path) -> None:
    text = json.dumps({"number": "EP1000001A1", "title": "A part"}) + "\n"
    ran = shell("patents", "convert", "-", "--out", str(tmp_path / "collection"), "--json", stdin=text)
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["counts"]["documents"] == 1


def test_several_processes_make_the_same_bytes(tmp_path: Path) -> None:
    sources = grants(tmp_path, 4)
    ps.convert(sources, tmp_path / "one")
    ps.convert(sources, tmp_path / "two", jobs=2)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_an_error_in_another_process_is_told(tmp_path: Path) -> None:
    sources = [*grants(tmp_path, 2), tmp_path / "odd.bin"]
    sources[-1].write_bytes(b"\x01\x02")
    with pytest.raises(DataError, match=r"odd.bin: The format is none of those known"):
        ps.convert(sources, tmp_path / "collection", jobs=2)


# The process kills itself with the signal that nothing can catch, so that it always happens at the same point.
CHILD = """
import os, signal, sys
from patstone.cli.main import main
from patstone.patents.collection import converting, counts, plan, writing

def die(*given):
    os.kill(os.getpid(), signal.SIGKILL)

def first_few(workers, *given, **words):
    for place, part in enumerate(whole(workers, *given, **words), start=1):
        yield part
        if place == 3:
            die()

whole = converting._Workers.parts
stage = sys.argv[1]
if stage == "reading":
    converting._Workers.parts = first_few
else:
    steps = {"planning": (plan, "copy"), "writing": (writing, "resolved"), "counting": (counts, "counted")}
    setattr(*steps[stage], die)
main(sys.argv[2:])
"""


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("stage", ["reading", "planning", "writing", "counting"])
def test_killed_and_called_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, jobs: int) -> None:
    """A process that is killed without warning, at each stage."""
    sources = grants(tmp_path, 6, 40)
    out, work = tmp_path / "collection", tmp_path / ".collection.unfinished"
    words = ["patents", "convert", *map(str, sources), "--out", str(out), "--jobs", str(jobs)]
    child = subprocess.run([sys.executable, "-c", CHILD, stage, *words], stdout=subprocess.DEVNULL)
    assert child.returncode == -signal.SIGKILL
    assert not out.exists()
    finished = list(work.glob("parts/[!.]*/part.json"))
    assert len(finished) >= 3
    assert (work / "tables/documents.parquet").exists() == (stage in ("writing", "counting"))
    read: list[str] = []
    write = parts._write

    def watched(file: parts.SourceFile, *given: Any, **words: Any) -> None:
        read.append(file.path)
        write(file, *given, **words)

    monkeypatch.setattr(parts, "_write", watched)
    ps.convert(sources, out)
    # What was finished is not read again; a process that outlived its parent for a moment may have finished more.
    assert len(read) <= len(sources) - len(finished)
    monkeypatch.undo()
    ps.convert(sources, tmp_path / "uninterrupted")
    assert files(out) == files(tmp_path / "uninterrupted")


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    source = table(tmp_path / "some.jsonl", {"number": "EP1000001A1"})
    kept = tmp_path / ".collection.unfinished/parts"
    kept.mkdir(parents=True)
    parts.part(parts.SourceFile(path=str(source), source=0, asked=True), kept, strict=False)
    table(source, {"number": "EP1000002A1"}, {"number": "EP1000003A1"})
    assert rows(ps.convert(source, tmp_path / "collection"), "documents", "number") == ["EP1000002A1", "EP1000003A1"]


def test_progress_is_told(tmp_path: Path) -> None:
    seen: list[tuple[int, int, int]] = []
    ps.convert(grants(tmp_path, 2), tmp_path / "collection", watch=lambda *told: seen.append(told))
    assert seen[-1] == (2, 2, 6)
    assert seen == sorted(seen)
