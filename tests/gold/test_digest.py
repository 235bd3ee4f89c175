"""The digest: the same for the same judgments in any order, another one after any change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from patstone.files import ids
from patstone.gold.qrels import Qrels

LONG = "EP-a-document-number-of-many-bytes-"


@dataclass(frozen=True)
class Row:
    topic: str
    doc: str
    grade: float
    aspect: str = "1"
    invention: str = "f"


def rows() -> list[Row]:
    rng = np.random.default_rng(6)
    pairs = [(f"t{t}", f"{LONG if d % 3 == 0 else 'd'}{d}") for t in range(4) for d in range(6)]
    return [
        Row(topic, doc, float(rng.integers(-1, 4)), aspect, f"f{rng.integers(5)}")
        for topic, doc in pairs
        for aspect in ("1", "2", "x")[: rng.integers(1, 4)]
    ]


def digest(found: Sequence[Row], *, aspects: bool = False, inventions: bool = False) -> str:
    if not aspects:
        found = list({(row.topic, row.doc): row for row in found}.values())
    return Qrels.from_columns(
        [row.topic for row in found],
        [row.doc for row in found],
        [row.grade for row in found],
        subtopics=[row.aspect for row in found] if aspects else None,
        inventions=[row.invention for row in found] if inventions else None,
    ).digest


KINDS = [{}, {"aspects": True}, {"inventions": True}]


@pytest.mark.parametrize("kind", KINDS)
def test_order_does_not_count(kind: dict[str, bool]) -> None:
    found = list({(row.topic, row.doc): row for row in rows()}.values()) if "aspects" not in kind else rows()
    rng = np.random.default_rng(7)
    mixed = [[found[place] for place in rng.permutation(len(found)).tolist()] for _ in range(20)]
    assert {digest(each, **kind) for each in mixed} == {digest(found, **kind)}


def test_the_shape_is_stable() -> None:
    assert {len(digest(rows(), **kind)) for kind in KINDS} == {12}
    assert all(set(digest(rows(), **kind)) <= set("0123456789abcdef") for kind in KINDS)
    # Written down so that a signature printed today can be compared with one printed by a later version.
    assert Qrels.from_dict({"t": {"a": 1, "b": 0}, "u": {"a": 2}}).digest == "86918903db69"


def test_names_of_inventions_do_not_count_but_their_members_do() -> None:
    found = list({(row.topic, row.doc): row for row in rows()}.values())
    renamed = [replace(row, invention=f"other-{row.invention}") for row in found]
    assert digest(renamed, inventions=True) == digest(found, inventions=True)
    alone = [replace(row, invention="alone") if place == 3 else row for place, row in enumerate(found)]
    assert digest(alone, inventions=True) != digest(found, inventions=True)


CHANGES: dict[str, Callable[[Row], Row]] = {
    "topic": lambda row: replace(row, topic="t99"),
    "document": lambda row: replace(row, doc=row.doc + "0"),
    "grade": lambda row: replace(row, grade=row.grade + 1),
    "a little of the grade": lambda row: replace(row, grade=row.grade + 1e-9),
    "aspect": lambda row: replace(row, aspect="99"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("change", CHANGES)
def test_every_change_counts(change: str, kind: dict[str, bool]) -> None:
    found = rows() if "aspects" in kind else list({(row.topic, row.doc): row for row in rows()}.values())
    if change == "aspect" and "aspects" not in kind:
        return
    changed = {
        digest([*found[:place], CHANGES[change](row), *found[place + 1 :]], **kind) for place, row in enumerate(found)
    }
    left_out = {digest([*found[:place], *found[place + 1 :]], **kind) for place in range(len(found))}
    assert len(changed | left_out | {digest(found, **kind)}) == 2 * len(found) + 1


def test_swapping_grades_or_documents_counts() -> None:
    base = {"t": {"a": 1, "b": 0}, "u": {"a": 0, "b": 1}}
    others = [
        {"t": {"a": 0, "b": 1}, "u": {"a": 1, "b": 0}},
        {"t": {"a": 1, "b": 1}, "u": {"a": 0, "b": 0}},
        {"a": {"t": 1, "u": 0}, "b": {"t": 0, "u": 1}},
        {"t": {"b": 1, "a": 0}, "u": {"a": 0, "b": 1}},
        {"t": {"a": 1, "b": 0}},
    ]
    assert len({Qrels.from_dict(each).digest for each in (base, *others)}) == 6


def test_the_same_judgments_with_and_without_subtopics_or_inventions_differ() -> None:
    found = [Row("t", "a", 1.0), Row("t", "b", 1.0)]
    assert len({digest(found, **kind) for kind in KINDS}) == 3


def test_zero_has_one_sign_and_padding_is_no_content() -> None:
    gold = Qrels.from_dict({"t": {"a": 0.0}})
    assert Qrels.from_dict({"t": {"a": -0.0}}).digest == gold.digest
    assert replace(gold, docs=ids.widen(gold.docs, 64)).digest == gold.digest


def test_what_a_side_table_says_counts() -> None:
    """It changes what subtopics weigh, and so the scores."""
    gold = Qrels.from_columns(["t", "t"], ["a", "a"], [1.0, 1.0], subtopics=["1", "2"])
    assert gold.subtopics is not None
    said = [
        {},
        {"independent": np.array([True, False])},
        {"independent": np.array([False, True])},
        {"independent": np.array([True, True])},
        {"weights": np.array([1.0, 1.0])},
        {"weights": np.array([1.0, 0.5])},
        {"weights": np.array([1.0, 0.0])},
        {"weights": np.array([1.0, 0.0]), "independent": np.array([True, False])},
    ]
    digests = {replace(gold, subtopics=replace(gold.subtopics, **columns)).digest for columns in said}  # type: ignore[arg-type]
    assert len(digests) == len(said)


def test_what_a_side_table_says_belongs_to_its_topic() -> None:
    gold = Qrels.from_columns(["t", "u"], ["a", "a"], [1.0, 1.0], subtopics=["1", "1"])
    assert gold.subtopics is not None
    weights = [np.array([1.0, 0.5]), np.array([0.5, 1.0])]
    assert len({replace(gold, subtopics=replace(gold.subtopics, weights=column)).digest for column in weights}) == 2
