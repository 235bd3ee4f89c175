"""From columns to a gold standard: rows in any order, subtopics in natural order, duplicates named with both lines."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patstone.errors import DataError
from patstone.files import ids
from patstone.gold.columns import Judgments, assemble, build, coded, natural, offsets
from patstone.gold.qrels import Qrels

Cell = tuple[str, str, str, float]

bounded = settings(max_examples=150, derandomize=True, deadline=None, database=None)
cells = st.lists(
    st.tuples(
        st.sampled_from(("t1", "t2", "topic")),
        st.sampled_from(("a", "b", "a-document-with-a-long-name")),
        st.sampled_from(("1", "2", "10", "x")),
        st.integers(-1, 3).map(float),
    ),
    min_size=1,
    max_size=15,
    unique_by=lambda cell: cell[:3],
)


def columns(found: list[Cell]) -> tuple[list[str], list[str], list[float], list[str]]:
    topics, docs, aspects, grades = map(list, zip(*found, strict=True))
    return topics, docs, grades, aspects


def rows_of(gold: Qrels) -> dict[tuple[str, str], float]:
    names = [gold.topics[topic] for topic in gold.topic.tolist()]
    return dict(zip(zip(names, ids.texts(gold.docs), strict=True), gold.grades.tolist(), strict=True))


@bounded
@given(found=cells)
def test_subtopics_are_folded_into_documents(found: list[Cell]) -> None:
    topics, docs, grades, names = columns(found)
    gold = build(topics, docs, grades, subtopics=names)
    highest: dict[tuple[str, str], float] = {}
    for topic, doc, _, grade in found:
        highest[topic, doc] = max(grade, highest.get((topic, doc), -9))
    assert rows_of(gold) == highest
    assert gold.topics == tuple(dict.fromkeys(topics))
    aspects = gold.subtopics
    assert aspects is not None
    pairs = list(rows_of(gold))
    assert {
        (*pairs[row], aspects.names[at], grade)
        for row, at, grade in zip(
            aspects.judged.tolist(), aspects.subtopic.tolist(), aspects.grades.tolist(), strict=True
        )
    } == set(found)
    for topic, low, high in zip(gold.topics, aspects.starts[:-1], aspects.starts[1:], strict=True):
        mine = {name for each, _, name, _ in found if each == topic}
        assert list(aspects.names[low:high]) == sorted(mine, key=lambda name: (not name.isdigit(), len(name), name))


@bounded
@given(found=cells, again=st.data())
def test_a_duplicate_names_both_lines(found: list[Cell], again: st.DataObject) -> None:
    first = again.draw(st.integers(0, len(found) - 1))
    place = again.draw(st.integers(first + 1, len(found)))
    rows = [*found[:place], (*found[first][:3], 2.5), *found[place:]]
    topics, docs, grades, names = columns(rows)
    rule = f"judged once for a subtopic; {found[first][0]!r} has it on line {first + 1} too"
    with pytest.raises(DataError, match=rule) as caught:
        build(topics, docs, grades, subtopics=names)
    assert (caught.value.line, caught.value.value) == (place + 1, found[first][1])


def test_the_first_duplicate_is_named_in_the_source_s_lines() -> None:
    rows = Judgments(
        topics=("t", "u"),
        topic=np.array([1, 0, 0, 1, 0, 1]),
        docs=ids.pack(["a", "b", "c", "a", "b", "a"]),
        grades=np.ones(6),
        path="gold.csv",
        lines=np.array([2, 4, 6, 8, 10, 12]),
    )
    with pytest.raises(DataError, match="'u' has it on line 2 too") as caught:
        assemble(rows)
    assert (caught.value.path, caught.value.line, caught.value.value) == ("gold.csv", 8, "a")


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_a_grade_is_finite(bad: float) -> None:
    with pytest.raises(DataError, match="finite") as caught:
        build(["t", "t"], ["a", "b"], [1.0, bad])
    assert caught.value.line == 2


NATURAL = ["", "0", "00", "01", "1", "1a", "1a2", "1a10", "1b", "2", "9", "10", "100", "9" * 5000, "1" + "0" * 5000]
WORDS = ["a", "a1", "a2", "a10", "claim 1", "claim 1.2", "claim 1.10", "claim 2", "claim 10", "²", "٣", "漢"]


def test_natural_order() -> None:
    every = [*NATURAL, *WORDS]
    rng = np.random.default_rng(5)
    for _ in range(5):
        assert sorted([every[place] for place in rng.permutation(len(every)).tolist()], key=natural) == every


@pytest.mark.parametrize("names", [["1", "01", "001"], ["²", "1"], ["9" * 5000, "1"], ["٣", "3"]])
def test_subtopics_of_any_name(names: list[str]) -> None:
    """In an order of their own: which is the first subtopic decides what it weighs."""
    found = []
    for order in (names, names[::-1]):
        gold = build(["t"] * len(names), ["a"] * len(names), [1.0] * len(names), subtopics=order)
        assert gold.subtopics is not None
        found.append(gold.subtopics.names)
    assert found[0] == found[1]
    assert sorted(found[0]) == sorted(names)


def test_inventions_stay_with_their_documents() -> None:
    gold = build(["t", "u", "t"], ["a", "b", "c"], [1.0, 1.0, 1.0], inventions=["f", "g", "f"])
    assert ids.texts(gold.docs) == ["a", "c", "b"]
    assert gold.inventions is not None
    assert gold.inventions[0] == gold.inventions[1] != gold.inventions[2]


def test_a_document_is_one_invention_under_all_its_subtopics() -> None:
    topics, docs, aspects = ["t", "t", "t"], ["a", "b", "a"], ["1", "1", "2"]
    gold = build(topics, docs, [1.0] * 3, subtopics=aspects, inventions=["f", "g", "f"])
    assert gold.inventions is not None
    assert gold.inventions[0] != gold.inventions[1]
    with pytest.raises(DataError, match="one invention; line 1 says 'f'") as caught:
        build(topics, docs, [1.0] * 3, subtopics=aspects, inventions=["f", "g", "h"])
    assert (caught.value.line, caught.value.value) == (3, "h")


def test_documents_that_share_a_hash_stay_two(monkeypatch: pytest.MonkeyPatch) -> None:
    def poor(words: list[ids.Words], _salt: int = 0) -> ids.Words:
        return np.asarray(words[0] % np.uint64(2))

    monkeypatch.setattr(ids, "hashed", poor)
    topics, docs = ["t", "u", "t", "u", "v"], ["a", "a", "b", "b", "a"]
    gold = build(topics, docs, [1.0, 2.0, 3.0, 4.0, 5.0])
    assert rows_of(gold) == {
        (topic, doc): float(grade) for grade, (topic, doc) in enumerate(zip(topics, docs, strict=True), 1)
    }
    with pytest.raises(DataError, match="'t' has it on line 1 too") as caught:
        build([*topics, "t"], [*docs, "a"], [1.0] * 6)
    assert caught.value.line == 6


def test_coded_and_offsets() -> None:
    column, names = coded(["b", "a", "b"])
    assert (column.tolist(), names) == ([0, 1, 0], ("b", "a"))
    assert offsets(np.array([2, 0, 3])).tolist() == [0, 2, 2, 5]
