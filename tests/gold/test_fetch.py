"""Fetching a published gold standard: only files with the known digest are written, all of them or none."""

import os
from collections.abc import Callable
from email.message import Message
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from urllib.error import HTTPError

import pytest

from patstone.errors import DataError, UsageError
from patstone.gold import fetch as module
from patstone.gold import sample
from patstone.gold.fetch import fetch, names

CONTENT = {"a.tsv": b"Class\tSerial no.\npositive\tEP1\n", "a.txt": b"Everything.\n"}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue with one gold standard of two files, at addresses that `downloads` answers."""
    files = [
        {"name": name, "url": f"https://example.org/{name}", "sha256": sha256(content).hexdigest()}
        for name, content in CONTENT.items()
    ]
    entry = {"title": "A", "licence": "MIT", "terms": "https://example.org/LICENSE", "files": files}
    monkeypatch.setattr(module, "_catalogue", lambda: {"a": entry})


def answering(monkeypatch: pytest.MonkeyPatch, answer: Callable[[str], BytesIO]) -> None:
    monkeypatch.setattr("urllib.request.urlopen", lambda url, **_: answer(url))


@pytest.mark.usefixtures("known")
def test_what_is_published_is_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, lambda url: BytesIO(CONTENT[url.rpartition("/")[2]]))
    found = fetch("a", tmp_path / "new")
    assert [path.name for path in found.files] == ["a.tsv", "a.txt"]
    assert [path.read_bytes() for path in found.files] == list(CONTENT.values())
    assert (found.licence, found.terms) == ("MIT", "https://example.org/LICENSE")


@pytest.mark.usefixtures("known")
def test_another_content_is_refused_and_nothing_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, lambda _: BytesIO(CONTENT["a.tsv"]))
    with pytest.raises(DataError, match=r"a\.txt should have the SHA-256"):
        fetch("a", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("known")
def test_no_internet_is_told_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(url: str) -> BytesIO:
        raise HTTPError(url, 404, "Not Found", Message(), None)

    answering(monkeypatch, refuse)
    with pytest.raises(DataError, match=r"can't be downloaded: Not Found\. With a copy of the file, use --from FILE"):
        fetch("a", tmp_path)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("beside", [True, False])
def test_a_copy_is_as_good(tmp_path: Path, *, beside: bool) -> None:
    (tmp_path / "mine.tsv").write_bytes(CONTENT["a.tsv"])
    if beside:
        (tmp_path / "a.txt").write_bytes(CONTENT["a.txt"])
    found = fetch("a", tmp_path / "out", origin=tmp_path / "mine.tsv")
    assert [path.name for path in found.files] == (["a.tsv", "a.txt"] if beside else ["a.tsv"])


@pytest.mark.usefixtures("known")
def test_a_folder_of_copies_needs_all(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(CONTENT["a.tsv"])
    with pytest.raises(DataError, match=r"a\.txt: There is no such file"):
        fetch("a", tmp_path / "out", origin=tmp_path)
    assert not (tmp_path / "out").exists()


def test_the_sample_comes_from_the_package(tmp_path: Path) -> None:
    found = fetch("sample", tmp_path)
    assert [path.name for path in found.files] == list(sample.FILES)
    assert found.files[0].read_bytes() == sample.LABELS.read_bytes()
    with pytest.raises(UsageError, match="leave --from out"):
        fetch("sample", tmp_path, origin=tmp_path)


def test_an_unknown_name_is_refused_with_those_known(tmp_path: Path) -> None:
    assert names() == ("sample", "collection", "quantum")
    with pytest.raises(UsageError, match=r"are sample, collection, quantum\. Got 'qantum'"):
        fetch("qantum", tmp_path)


@pytest.mark.samples
def test_the_real_quantum_gold_standard_is_the_one_that_is_known(tmp_path: Path) -> None:
    shared = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data"))
    found = fetch("quantum", tmp_path, origin=shared / "quantum-gold-standard")
    assert [path.name for path in found.files] == ["quantum-qubit-generation.tsv", "quantum-qubit-generation.txt"]


def test_the_bundled_collection_is_written(tmp_path: Path) -> None:
    found = fetch("collection", tmp_path / "world")
    assert all(path.is_file() for path in found.files)
    assert {path.name for path in (tmp_path / "world").iterdir()} == {path.name for path in found.files}
    with pytest.raises(UsageError, match="The collection comes with patstone"):
        fetch("collection", tmp_path, origin=tmp_path)
