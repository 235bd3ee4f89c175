"""A collection as a value: opened without reading, queried, checked."""

import json
from pathlib import Path

import pytest

import patstone as ps
from collections_made import grants, made, rows
from patstone.errors import DataError, UsageError
from patstone.patents.collection.schema import TABLES


@pytest.fixture
def collection(tmp_path: Path) -> ps.Collection:
    return ps.convert(grants(tmp_path, 2), tmp_path / "collection")


def test_its_tables_have_the_columns_of_the_schema(collection: ps.Collection) -> None:
    for name, schema in TABLES.items():
        assert collection.table(name).schema.equals(schema)
        batches = list(collection.batches(name, schema.names[:2]))
        assert [batch.schema.names for batch in batches] == [schema.names[:2]]


def test_it_is_queried_with_duckdb(collection: ps.Collection) -> None:
    with collection.connect() as connection:
        query = "SELECT count(*) FROM citations c JOIN documents d ON d.doc = c.cited JOIN claims k ON k.doc = d.doc"
        (found,) = connection.execute(query).fetchall()
    assert found == (sum(row is not None for row in rows(collection, "citations", "cited")) * 2,)


def test_opening_again_is_equal(collection: ps.Collection) -> None:
    again = ps.read_collection(collection.path)
    assert again == collection
    assert (len(again), again.counts["totals"]["claims"]) == (6, 12)
    assert again.counts["by"]["documents"] == {
        "country": {"US": 6},
        "kind": {"B2": 6},
        "year": {"2010": 6},
        "language": {"": 6},
        "source": {"table": 6},
    }
    assert "manifest" not in repr(again)


def test_damage_is_noticed(collection: ps.Collection) -> None:
    assert collection.damaged() == []
    path = collection.file("claims")
    path.write_bytes(path.read_bytes()[:-9] + b"\0" * 9)
    assert collection.damaged() == ["claims.parquet"]
    with pytest.raises(DataError, match=r"claims.parquet: The file is not readable Parquet"):
        collection.table("claims")


def test_what_is_no_collection_is_told(tmp_path: Path, collection: ps.Collection) -> None:
    with pytest.raises(UsageError, match="documents, claims, citations, families"):
        collection.table("pictures")
    with pytest.raises(DataError, match="there is none"):
        ps.read_collection(tmp_path / "nothing")
    with pytest.raises(DataError, match=r"no manifest.json"):
        ps.read_collection(tmp_path)
    manifest = collection.path / "manifest.json"
    told = json.loads(manifest.read_text())
    for wrong, reason in [
        ("{", "can't be read"),
        ("[]", "not the manifest"),
        (json.dumps({**told, "version": 99}), "Got 99"),
    ]:
        manifest.write_text(wrong)
        with pytest.raises(DataError, match=reason):
            ps.read_collection(collection.path)
    manifest.write_text(json.dumps(told))
    collection.file("claims").unlink()
    with pytest.raises(DataError, match=r"lacks claims.parquet"):
        ps.read_collection(collection.path)


def test_years_and_languages_are_counted(tmp_path: Path) -> None:
    found = made(
        tmp_path,
        [
            {"number": "EP1000001A1", "date": "2000-10", "language": "de"},
            {"number": "EP1000002A1", "date": "2001", "language": "en"},
            {"number": "EP1000003B1"},
        ],
    )
    assert found.counts["by"]["documents"]["year"] == {"": 1, "2000": 1, "2001": 1}
    assert found.counts["by"]["documents"]["language"] == {"": 1, "de": 1, "en": 1}
    assert found.manifest["snapshot"] == "2001"
