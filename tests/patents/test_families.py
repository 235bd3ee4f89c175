"""Families: documents that are one invention, and those that nobody can say it of."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.errors import DataError
from patstone.files import ids
from patstone.patents.families import Families, read_families


def test_members_share_a_code() -> None:
    families = Families.from_dict({"EP1": "F1", "US1": "F2", "WO1": "F1"})
    assert families.of(ids.pack(["WO1", "US1", "EP1", "JP1"])).tolist() == [0, 1, 0, -1]
    assert ids.texts(families.members(0)) == ["EP1", "WO1"]
    assert ids.texts(families.members(1)) == ["US1"]
    assert families.members(2).tolist() == []
    assert families.members(-1).tolist() == []
    assert families.singletons == 0


@pytest.mark.parametrize("none", ["", "0", "-1", "NaN", "null", "None", "-1.0"])
def test_no_family_never_groups(none: str) -> None:
    families = Families.from_dict({"EP1": none, "EP2": none, "EP3": "00"})
    codes = families.of(ids.pack(["EP1", "EP2", "EP3"])).tolist()
    assert len(set(codes)) == 3
    assert ids.texts(families.members(codes[1])) == ["EP2"]
    assert families.singletons == 2


def test_no_documents() -> None:
    families = Families.from_dict({})
    assert families.of(ids.pack(["EP1"])).tolist() == [-1]
    assert (len(families), families.singletons) == (0, 0)


@given(st.dictionaries(st.text("EPUS0123", min_size=1, max_size=20), st.sampled_from(["A", "B", "C", "0"])))
def test_partition(families: dict[str, str]) -> None:
    found = Families.from_dict(families)
    codes = dict(zip(families, found.of(ids.pack(families)).tolist(), strict=True))
    for doc, family in families.items():
        together = [other for other in families if families[other] == family] if family != "0" else [doc]
        assert ids.texts(found.members(codes[doc])) == together
        assert [other for other in families if codes[other] == codes[doc]] == together
    assert found.singletons == list(families.values()).count("0")


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "families.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize("header", ["document,family", "publication,docdb_family_id", "Doc ID,Family-ID"])
def test_reading_a_table(tmp_path: Path, header: str) -> None:
    families = read_families(write(tmp_path, f"{header}\nEP1,7\nEP2,7\nEP3,\nEP4,0\nEP1,7\nEP3,\n"))
    assert families.of(ids.pack(["EP1", "EP2", "EP3", "EP4"])).tolist() == [0, 0, 1, 2]
    assert len(families) == 4
    assert families.singletons == 2


@pytest.mark.parametrize("family", ["8", ""])
def test_a_document_with_two_families_is_refused(tmp_path: Path, family: str) -> None:
    path = write(tmp_path, f"document,family\nEP1,7\nEP2,7\nEP1,{family}\n")
    with pytest.raises(DataError, match=r"line 4: A document has one family; 'EP1' has '7' on line 2 too"):
        read_families(path)


def test_who_stands_alone_is_noted(tmp_path: Path) -> None:
    families = read_families(write(tmp_path, "document,family\nEP1,7\nEP2,\nEP3,0\n"))
    assert families.notes == (f"{tmp_path / 'families.csv'}: documents without a family: 2; each stands alone",)


def test_the_digest_is_of_who_belongs_together() -> None:
    digest = Families.from_dict({"EP1": "A", "US1": "A", "EP2": "B"}).digest
    assert digest == Families.from_dict({"EP2": "x", "US1": "y", "EP1": "y"}).digest
    assert digest != Families.from_dict({"EP1": "A", "US1": "B", "EP2": "B"}).digest
    assert digest != Families.from_dict({"EP1": "A", "US1": "A"}).digest
    assert len(Families.from_dict({}).digest) == 12


def test_numbers_as_ids_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "families.jsonl"
    path.write_text('{"document":"EP1","family":7}\n{"document":"EP2","family":"7"}\n{"document":"EP3","family":-1}\n')
    families = read_families(path)
    assert families.of(ids.pack(["EP1", "EP2", "EP3"])).tolist() == [0, 0, 1]
    assert "column 'family' stores 2 ids as numbers" in families.notes[0]


def test_a_column_map(tmp_path: Path) -> None:
    path = write(tmp_path, "pub,fam\nEP1,7\n")
    assert len(read_families(path, columns={"document": "pub", "family": "fam"})) == 1
