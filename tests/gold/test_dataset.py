"""Test collections: what is written is read again, and what is wrong is named."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

import small_collection as small
from patstone.api import score
from patstone.errors import DataError
from patstone.files.streams import atomic_folder
from patstone.gold import schemas
from patstone.gold.beir import write_beir
from patstone.gold.dataset import Dataset, open_dataset, write_clusters, write_documents, write_judgments
from patstone.gold.sources import read_qrels
from patstone.systems.run import Run


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return small.write(tmp_path / "small")


def test_what_is_written_is_read(dataset: Dataset) -> None:
    assert dataset.name == "small"
    found = pa.Table.from_batches(dataset.documents(rows=3))
    assert found.schema == schemas.DOCUMENTS
    assert found.column("id").to_pylist() == [one["id"] for one in small.DOCUMENTS]
    assert found.column("description").null_count == 7
    assert dataset.queries.column("topic").to_pylist() == ["US6B2", "W1"]
    assert dataset.queries.column("claims").to_pylist()[0][1]["number"] == 2


def test_documents_are_streamed_by_column(dataset: Dataset) -> None:
    sizes = [(batch.schema.names, batch.num_rows) for batch in dataset.documents("title", "id", rows=4)]
    assert sizes == [(["title", "id"], 4), (["title", "id"], 3)]


def test_claims_are_judged_as_subtopics(dataset: Dataset) -> None:
    gold = dataset.qrels()
    assert gold.subtopics is not None
    assert gold.subtopics.names == ("1", "2", "1")
    assert gold.subtopics.independent is not None
    assert gold.subtopics.independent.tolist() == [True, False, True]
    assert gold.inventions is not None
    assert len(set(gold.inventions.tolist())) == 5


def test_documents_are_judged_where_claims_are_not(tmp_path: Path) -> None:
    gold = small.write(tmp_path / "plain", claims=False).qrels()
    assert gold.subtopics is None
    assert gold.grades.tolist() == [2, 1, 2, 1, 2]


def test_a_document_without_a_family_is_an_invention_of_its_own(dataset: Dataset) -> None:
    assert (dataset.path / "qrels.txt").read_text().splitlines()[-1] == "W1 0 US7B2 2 US7B2"
    assert (dataset.path / "qrels-claims.txt").read_text().splitlines()[0] == "US6B2 1 EP1A1 2 F1"


def test_families_of_documents_and_topics(dataset: Dataset) -> None:
    families = dataset.families()
    assert len(families) == 7
    assert families.singletons == 1


def test_a_collection_is_a_gold_standard_and_knows_who_is_family(dataset: Dataset) -> None:
    run = Run.from_dict({"US6B2": {"US6B2": 3.0, "EP1A1": 2.0}, "W1": {"US7B2": 1.0}})
    found = score(dataset.path, run, ["RR", "alpha_nDCG@5"])
    # The topic's own document is no answer.
    assert found.means[0].tolist()[0] == 1.0
    assert found.families is not None


def test_a_family_said_in_two_ways_is_refused(tmp_path: Path) -> None:
    dataset = small.write(tmp_path / "small")
    twisted = [{**one, "family": "F9"} if one["topic"] == "US6B2" else one for one in small.QUERIES]
    parquet.write_table(pa.Table.from_batches(small.rows(twisted, schemas.QUERIES)), dataset.path / "queries.parquet")
    with pytest.raises(DataError, match="has one family"):
        open_dataset(dataset.path).families()


def test_further_columns_do_not_count_and_missing_ones_are_null(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"topic": ["q"], "title": pa.array(["x"], pa.large_string())}),
                        tmp_path / "queries.parquet")  # fmt: skip
    parquet.write_table(pa.table({"id": ["d"], "colour": ["red"]}), tmp_path / "documents.parquet")
    dataset = open_dataset(tmp_path)
    assert [batch.to_pylist() for batch in dataset.documents("id", "title")] == [[{"id": "d", "title": None}]]
    assert dataset.queries.column("title").to_pylist() == ["x"]


@pytest.mark.parametrize(
    ("table", "rule"),
    [
        (pa.table({"title": ["x"]}), "must have a column 'topic'"),
        (pa.table({"topic": ["a", "a"]}), "stands once among the queries. Got 'a'"),
        (pa.table({"topic": ["a"], "claims": [1]}), "Column 'claims' must be list"),
        (pa.table({"topic": pa.array([], pa.string())}), "at least one query"),
    ],
)
def test_wrong_queries_are_named(dataset: Dataset, table: pa.Table, rule: str) -> None:
    parquet.write_table(table, dataset.path / "queries.parquet")
    with pytest.raises(DataError, match=rule):
        _ = open_dataset(dataset.path).queries


def test_a_damaged_table_is_named(dataset: Dataset) -> None:
    (dataset.path / "documents.parquet").write_bytes(b"PAR1 no table")
    with pytest.raises(DataError, match="not readable Parquet"):
        list(dataset.documents())


@pytest.mark.parametrize("text", ["[1]", "{"])
def test_a_wrong_card_is_named(dataset: Dataset, text: str) -> None:
    (dataset.path / "card.json").write_text(text)
    with pytest.raises(DataError, match=r"card\.json: The card"):
        open_dataset(dataset.path)


def test_a_folder_that_is_no_collection(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"documents\.parquet and queries\.parquet"):
        open_dataset(tmp_path)


def test_ids_with_white_space_are_refused(tmp_path: Path) -> None:
    wrong = [{**small.JUDGMENTS[0], "document": "EP 1 A1"}]
    with pytest.raises(DataError, match=r"without white space\. Got 'EP 1 A1'"):
        write_judgments(tmp_path, small.rows(wrong, schemas.JUDGMENTS))
    assert not list(tmp_path.iterdir())


def test_columns_are_written_in_one_order(tmp_path: Path) -> None:
    batch = pa.RecordBatch.from_pydict({"title": ["x"], "id": ["d"]})
    write_documents(tmp_path, [batch])
    assert parquet.read_schema(tmp_path / "documents.parquet").names == schemas.DOCUMENTS.names


def test_clusters_are_written(tmp_path: Path) -> None:
    cluster = {"topic": "US6B2", "document": "EP1A1", "role": "cited", "category": "X", "grade": 2.0, "claims": [1]}
    write_clusters(tmp_path, small.rows([cluster], schemas.CLUSTERS))
    assert parquet.read_table(tmp_path / "clusters.parquet").to_pylist() == [{**cluster, "family": None}]


def test_beir_and_back(dataset: Dataset, tmp_path: Path) -> None:
    write_beir(dataset, tmp_path / "beir")
    first = json.loads((tmp_path / "beir" / "corpus.jsonl").read_text().splitlines()[0])
    assert (first["_id"], first["text"]) == ("EP1A1", "a separator film")
    again = open_dataset(tmp_path / "beir")
    assert again.queries.column("priority").to_pylist() == ["2010-03-01", None]
    assert [batch.column("family").to_pylist()[1] for batch in again.documents("id", "family")] == ["F2"]
    ours, theirs = read_qrels(dataset.path / "qrels.txt"), read_qrels(tmp_path / "beir")
    assert (ours.grades.tolist(), ours.docs.tolist()) == (theirs.grades.tolist(), theirs.docs.tolist())
    assert len(again.families()) == 7


def test_a_line_that_is_no_beir_record(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "x"}\n{"id": 1}\n')
    with pytest.raises(DataError, match="line 2: A line must be an object with a text under _id"):
        list(open_dataset(tmp_path).documents())


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(DataError), atomic_folder(tmp_path / "new") as made:
        (made / "none" / "half").write_text("x")
    assert not list(tmp_path.iterdir())
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    with pytest.raises(DataError, match="there already"), atomic_folder(tmp_path / "full"):
        pass
    assert (tmp_path / "full" / "mine").exists()
