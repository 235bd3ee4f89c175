"""Lengths of documents: exact look-up, a stated default, one length for a document."""

from pathlib import Path

import pytest

from patstone.errors import DataError
from patstone.files import ids
from patstone.systems.lengths import DEFAULT_WORDS, Lengths, read_lengths


def test_known_and_unknown_documents() -> None:
    lengths = Lengths.from_dict({"EP1": 120, "EP2": 0})
    docs = ids.pack(["EP2", "EP3", "EP1", "a document with a much longer id than the others"])
    assert lengths.of(docs).tolist() == [0.0, DEFAULT_WORDS, 120.0, DEFAULT_WORDS]
    assert lengths.unknown(docs) == 2
    assert len(lengths) == 2


def test_another_default() -> None:
    assert Lengths.from_dict({"EP1": 120}, default=7).of(ids.pack(["EP2"])).tolist() == [7.0]


def test_the_digest_is_of_lengths_and_default() -> None:
    digest = Lengths.from_dict({"EP1": 120, "EP2": 0}).digest
    assert digest == Lengths.from_dict({"EP2": 0, "EP1": 120}).digest
    assert digest != Lengths.from_dict({"EP1": 0, "EP2": 120}).digest
    assert digest != Lengths.from_dict({"EP1": 120, "EP2": 0}, default=7).digest


def test_without_documents_all_are_unknown() -> None:
    assert Lengths.from_dict({}).of(ids.pack(["EP2"])).tolist() == [DEFAULT_WORDS]


@pytest.mark.parametrize("words", [-1.0, float("nan"), float("inf")])
def test_impossible_lengths_are_refused(words: float) -> None:
    with pytest.raises(DataError, match="'EP2'"):
        Lengths.from_dict({"EP1": 1, "EP2": words})


def test_reading_a_table(tmp_path: Path) -> None:
    path = tmp_path / "lengths.csv"
    path.write_text("docno,word count\nEP1,100\nEP2,250\nEP1,100\n")
    lengths = read_lengths(path)
    assert lengths.of(ids.pack(["EP2", "EP1"])).tolist() == [250.0, 100.0]
    assert len(lengths) == 2


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("EP1,101", r"lengths\.csv: line 3: A document has one length; 'EP1' has another on line 2"),
        ("EP2,-1", r"line 3: A length is a number of words from 0 to 1,000,000,000\. Got -1"),
        ("EP2,inf", "number of words from 0"),
        ("EP2,1e308", "number of words from 0"),
        ("EP2,many", "must hold numbers"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "lengths.csv"
    path.write_text(f"document,words\nEP1,100\n{row}\n")
    with pytest.raises(DataError, match=message):
        read_lengths(path)


def test_a_column_map(tmp_path: Path) -> None:
    path = tmp_path / "lengths.tsv"
    path.write_text("id\tn\nEP1\t100\n")
    assert read_lengths(path, columns={"document": "id", "words": "n"}).words.tolist() == [100.0]
