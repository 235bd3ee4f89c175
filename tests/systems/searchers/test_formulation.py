"""What is asked with: texts, terms, dates; and which documents may answer."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import small_collection as small
from patstone.errors import UsageError
from patstone.gold.dataset import Dataset
from patstone.systems.searchers.analysis import words
from patstone.systems.searchers.filters import Filters
from patstone.systems.searchers.formulation import Formulation, first_day, forms, is_no_noun, questions
from patstone.systems.searchers.index import Index, build, last_days


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return small.write(tmp_path / "small")


@pytest.fixture
def index(dataset: Dataset) -> Index:
    return build(dataset)


def asked(dataset: Dataset, index: Index, text: str) -> list[tuple[str, list[str]]]:
    """For each question of the first topic its part and its terms, repeated as often as they count."""
    names = list(index.vocabulary.codes)
    found = [one for one in questions(dataset.queries, Formulation.parse(text), index) if one.topic == "US6B2"]
    return [(one.part, sorted(names[term] for term in one.terms.repeat(one.counts).tolist())) for one in found]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("title", [("", ["and", "separator", "valve"])]),
        ("abstract", [("", ["and", "battery", "separator", "valve"])]),
        ("first-claim", [("", ["battery", "separator"])]),
        ("claims", [("", ["battery", "battery", "separator", "valve"])]),
        ("each-claim", [("1", ["battery", "separator"]), ("2", ["battery", "valve"])]),
        ("first-claim+title", [("", ["and", "battery", "separator", "separator", "valve"])]),
        ("abstract,nouns", [("", ["battery", "separator", "valve"])]),
        # Of seven documents four have battery, four valve, two separator: idf 0.56, 0.56, 1.25; `and` has 1.95.
        ("claims,top=1", [("", ["separator"])]),
        ("claims,top=2", [("", ["battery", "battery", "separator"])]),
        ("abstract,idf=0.6..1.5", [("", ["separator"])]),
    ],
)
def test_what_is_asked_with(dataset: Dataset, index: Index, text: str, terms: list[tuple[str, list[str]]]) -> None:
    assert asked(dataset, index, text) == terms


def test_key_sentences_are_those_of_the_rarest_terms(
    dataset: Dataset, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("patstone.systems.searchers.formulation.key_sentences.__defaults__", (1,))
    assert asked(dataset, index, "key-sentences") == [("", ["film"])]


def test_a_choice_of_terms_is_also_one_of_text(dataset: Dataset, index: Index) -> None:
    first = questions(dataset.queries, Formulation.parse("abstract,nouns"), index)[0]
    assert sorted(first.text.split()) == ["battery", "separator", "valve"]


def test_formulations_print_as_they_are_read() -> None:
    text = "claims+title,idf=0.5..8,nouns,top=20"
    assert str(Formulation.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("claim", "A query is made of title, abstract"),
        ("each-claim+title", "joins no other text"),
        ("claims,verbs", "idf=LOW..HIGH, nouns and top=N"),
        ("claims,idf=3..1", "Got 'idf=3..1'"),
        ("claims,top=0", "Got 'top=0'"),
    ],
)
def test_wrong_formulations_are_named(text: str, rule: str) -> None:
    with pytest.raises(UsageError, match=rule):
        Formulation.parse(text)


@pytest.mark.parametrize("word", ["comprises", "comprising", "permitted", "whereby", "slowly", "varies", "is"])
def test_verbs_adverbs_and_function_words_are_no_nouns(word: str) -> None:
    assert is_no_noun(word)


@pytest.mark.parametrize("word", ["battery", "valve", "assembly", "fly", "control", "process", "switch"])
def test_nouns_are(word: str) -> None:
    assert not is_no_noun(word)


def test_forms_of_verbs() -> None:
    assert forms("stop*") == ("stop", "stops", "stopped", "stopping")
    assert forms("vary") == ("vary", "varies", "varied", "varying")
    assert forms("attach") == ("attach", "attaches", "attached", "attaching")


def test_words_of_any_script() -> None:
    found = words(pa.array(["Ionic-liquid, α-Säure №5", "電池の 弁", None, "ＬＥＤ x_y"])).to_pylist()
    assert [[word for word in one if word] for one in found] == [
        ["ionic", "liquid", "α", "säure", "no5"], ["電", "池", "の", "弁"], [], ["led", "x", "y"],
    ]  # fmt: skip


def test_a_date_that_is_known_in_part_is_taken_at_its_worst() -> None:
    dates = pa.chunked_array([pa.array(["2001-05-02", "2003-05", "2004", None, "soon"])])
    assert last_days(dates).tolist() == [20010502, 20030531, 20041231, 0, 0]
    assert [first_day(one) for one in ("2001-05-02", "2003-05", "2004", None, "soon")] == [
        20010502, 20030501, 20040101, 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        # Shelves go by id descending: US7B2, US6B2, US5B2, US4B2, JP3A, EP2B1, EP1A1.
        (Filters(), [3, 4, 5, 6]),
        (Filters(before="publication"), [2, 3, 4, 5, 6]),
        (Filters(before="any"), [0, 2, 3, 4, 5, 6]),
        (Filters(before="any", self="keep"), [0, 1, 2, 3, 4, 5, 6]),
        (Filters(offices=("EP", "JP")), [4, 5, 6]),
    ],
)
def test_who_may_answer(dataset: Dataset, index: Index, filters: Filters, allowed: list[int]) -> None:
    first = questions(dataset.queries, Formulation.parse("claims"), index)[0]
    found = filters.allowed(first, index.shelf)
    assert (list(range(7)) if found is None else np.flatnonzero(found).tolist()) == allowed


def test_family_members_are_kept_out_and_a_twin_document_may_stay(dataset: Dataset, index: Index) -> None:
    first = questions(dataset.queries, Formulation.parse("claims"), index)[0]
    twin = type(first)(**{**vars(first), "family": "F2", "own": b"US5B2"})
    for self, hidden in (("family", [2, 5]), ("document", [2])):
        found = Filters(before="any", self=self).allowed(twin, index.shelf)  # type: ignore[arg-type]
        assert found is not None
        assert np.flatnonzero(~found).tolist() == hidden


def test_what_the_filters_can_not_tell_is_counted(dataset: Dataset, index: Index) -> None:
    notes = Filters().notes(questions(dataset.queries, Formulation.parse("claims"), index), index.shelf)
    assert [note.rpartition(": ")[2] for note in notes] == ["1", "1", "1"]
    assert Filters(before="any", self="keep").notes([], index.shelf) == []
