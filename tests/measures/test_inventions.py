"""Paper 3's measures against sets of inventions."""

from dataclasses import dataclass

import numpy as np
import pytest

import plain
from patstone.gold.qrels import Floats, Qrels
from patstone.measures.measure import parse


@dataclass(frozen=True)
class Search:
    relevant: dict[str, str]
    """Relevant documents and their inventions."""
    other: dict[str, str]
    found: list[str]

    @classmethod
    def random(cls, rng: np.random.Generator) -> "Search":
        docs = [f"d{i}" for i in range(9)]
        inventions = {doc: f"i{rng.integers(5)}" for doc in docs}
        relevant = {doc: inventions[doc] for doc in docs if rng.random() < 0.6}
        other = {doc: inventions[doc] for doc in docs if doc not in relevant and rng.random() < 0.7}
        return cls(relevant, other, rng.permutation([*docs, "x"])[: rng.integers(0, 11)].tolist())

    def expected(self, k: int) -> dict[str, float]:
        top = self.found[:k]
        seen = {self.relevant[doc] for doc in top if doc in self.relevant}
        every = set(self.relevant.values())
        only_relevant = len(top) == k and all(doc in self.relevant for doc in top)
        exhaustive = (0 < len(every) <= k and seen == every) or (len(every) >= k and only_relevant)
        return {
            "S": float(bool(seen)),
            "H": float(exhaustive),
            "MP": len(seen) / k,
            "MR": len(seen) / len(every) if every else 0.0,
        }


SEARCHES = [Search.random(np.random.default_rng(seed)) for seed in range(300)]


def values(text: str, *, known: bool = True) -> Floats:
    rows = [
        (str(number), doc, grade, invention)
        for number, search in enumerate(SEARCHES)
        for grade, docs in ((1.0, search.relevant), (0.0, search.other | {"judged": "none"}))
        for doc, invention in docs.items()
    ]
    topics, docs, grades, inventions = zip(*rows, strict=True)
    gold = Qrels.from_columns(topics, docs, grades, inventions=inventions if known else None)
    run = {
        str(number): {doc: float(-place) for place, doc in enumerate(search.found)}
        for number, search in enumerate(SEARCHES)
    }
    return parse(text).compute(plain.ranked(gold, run))


@pytest.mark.parametrize("k", [1, 2, 3, 5, 20])
@pytest.mark.parametrize("name", ["S", "H", "MP", "MR"])
def test_against_sets(name: str, k: int) -> None:
    assert values(f"{name}@{k}").tolist() == [search.expected(k)[name] for search in SEARCHES]


def test_without_inventions_each_document_is_one() -> None:
    assert values("MP@4", known=False).tolist() == values("P@4").tolist()
    assert values("MR@4", known=False).tolist() == values("R@4").tolist()
    assert values("S@4", known=False).tolist() == values("Success@4").tolist()


def test_one_invention_in_two_topics_is_two() -> None:
    gold = Qrels.from_columns(["q", "q", "r"], ["a", "b", "a"], [1, 1, 1], inventions=["i", "i", "i"])
    ranked = plain.ranked(gold, {"q": {"b": 1.0}, "r": {"a": 1.0}})
    assert parse("MR@1").compute(ranked).tolist() == [1.0, 1.0]


def test_a_second_document_of_a_found_invention_adds_nothing() -> None:
    gold = Qrels.from_columns(["q"] * 3, ["a", "b", "c"], [1, 1, 1], inventions=["i", "i", "j"])
    once = plain.ranked(gold, {"q": {"a": 3.0, "x": 2.0}})
    twice = plain.ranked(gold, {"q": {"a": 3.0, "b": 2.0}})
    for text in ("S@2", "MP@2", "MR@2"):
        assert parse(text).compute(once).tolist() == parse(text).compute(twice).tolist(), text
