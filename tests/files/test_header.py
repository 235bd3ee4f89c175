"""Which column holds what: names, synonyms and the user's map."""

import pytest

from patstone.errors import DataError, UsageError
from patstone.files.header import Wanted, choose, plain

TOPIC = Wanted(name="topic", synonyms=("query", "query_id", "qid"))
DOC = Wanted(name="doc", synonyms=("docid", "corpus_id"))
SCORE = Wanted(name="score", synonyms=("sim",), kind="number", required=False)
WANTED = (TOPIC, DOC, SCORE)


def find(*header: str, **columns: str) -> dict[str, int]:
    return choose(header, WANTED, columns, path="run.csv", line=1)


@pytest.mark.parametrize(
    "header",
    [
        ("topic", "doc", "score"),
        ("QID", "DocID", "Sim"),
        ("query-id", "corpus-id", "score"),
        ("Query ID", "doc", "SIM"),
    ],
)
def test_names_and_synonyms_in_any_spelling(header: tuple[str, ...]) -> None:
    assert find(*header) == {"topic": 0, "doc": 1, "score": 2}


def test_optional_columns_may_be_absent_and_others_are_ignored() -> None:
    assert find("", "doc", "", "topic") == {"topic": 3, "doc": 1}


def test_the_very_name_wins_over_synonyms() -> None:
    assert find("query", "topic", "doc") == {"topic": 1, "doc": 2}


def test_two_synonyms_are_a_choice_for_the_user() -> None:
    with pytest.raises(DataError, match=r"run\.csv: line 1: Several columns could be 'topic' \('query', 'qid'\)"):
        find("query", "qid", "doc")
    assert find("query", "qid", "doc", topic="qid") == {"topic": 1, "doc": 2}


def test_a_wanted_column_twice_is_refused() -> None:
    with pytest.raises(DataError, match="Several columns could be 'doc'"):
        find("topic", "doc", "Doc")


def test_a_missing_column_is_named_with_the_names_it_goes_by() -> None:
    with pytest.raises(DataError, match=r"no column for 'doc' \(doc, docid, corpus_id\).* Got 'topic, score'"):
        find("topic", "score")


def test_a_mapped_column_serves_no_other() -> None:
    assert find("qid", "query", doc="query") == {"topic": 0, "doc": 1}
    assert find("Patent no.", "cited", topic="Patent no.", doc=" cited ") == {"topic": 0, "doc": 1}


def test_a_map_to_no_column_or_to_two_is_refused() -> None:
    with pytest.raises(DataError, match="has no column 'Patent'"):
        find("topic", "doc", topic="Patent")
    with pytest.raises(DataError, match="has 2 columns 'x'"):
        find("x", "x", "doc", topic="x")


def test_a_map_of_an_unknown_name_is_a_wrong_call() -> None:
    with pytest.raises(UsageError, match=r"no column 'tpoic' .* topic, doc, score"):
        find("topic", "doc", tpoic="topic")


def test_an_empty_header_is_refused() -> None:
    with pytest.raises(DataError, match="empty"):
        find()


def test_plain_names() -> None:
    assert [plain(name) for name in ("Query-ID", " doc_id ", "Ähnlichkeit", "№", "a.b")] == [
        "query_id",
        "doc_id",
        "ähnlichkeit",
        "",
        "a_b",
    ]
