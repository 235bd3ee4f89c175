"""The closed forms for equal scores against the mean over every order, tried one by one."""

import numpy as np
import pytest

import plain
from orders import orders, tied
from patstone.gold.qrels import Floats, Qrels
from patstone.measures.measure import Measure, Value, make, registry
from patstone.measures.ranked import Ranked

WITH_MEAN = [card.name for card in registry().values() if card.expected is not None]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", WITH_MEAN)
def test_mean_over_all_orders(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    docs = [f"d{i}" for i in range(7)]
    scores = {doc: float(score) for doc, score in zip(docs, rng.choice([1, 1, 2, 3], 7), strict=True)}
    grades = {doc: float(rng.choice([-1, 0, 1, 1, 2])) for doc in [*docs[:6], "lost"]}
    rankings = {str(number): order for number, order in enumerate(orders(scores))}
    every = plain.ranked(qrels(grades, list(rankings)), rankings)
    mean = tied(qrels(grades, ["0"]), {"0": scores})
    for measure in variants(name):
        brute = measure.compute(every).mean()
        assert expected(measure, mean) == pytest.approx([brute], rel=1e-12, abs=1e-14), str(measure)


@pytest.mark.parametrize("name", WITH_MEAN)
def test_without_ties_it_is_the_measure_itself(name: str) -> None:
    grades = {"a": 1.0, "b": 0.0, "c": 2.0, "d": 1.0}
    ranked = plain.ranked(qrels(grades, ["0"]), {"0": {"x": 5.0, "a": 4.0, "b": 3.0, "c": 1.0}})
    for measure in variants(name):
        assert expected(measure, ranked) == pytest.approx(measure.compute(ranked), rel=1e-12), str(measure)


@pytest.mark.parametrize("name", WITH_MEAN)
def test_nothing_retrieved(name: str) -> None:
    ranked = plain.ranked(qrels({"a": 1.0}, ["0"]), {})
    for measure in variants(name):
        assert expected(measure, ranked).tolist() == [0.0], str(measure)


def test_a_thousand_equal_scores() -> None:
    """Large groups: recall at half of the documents is a half, however many are relevant."""
    grades = {f"d{i}": float(i % 10 == 0) for i in range(1000)}
    ranked = tied(qrels(grades, ["0"]), {"0": dict.fromkeys(grades, 1.0)})
    assert expected(make("R", cutoff=500), ranked) == pytest.approx([0.5], rel=1e-12)
    assert expected(make("P", cutoff=7), ranked) == pytest.approx([0.1], rel=1e-12)
    none = np.prod([(990 - i) / (1000 - i) for i in range(100 - 90)])
    few = tied(qrels({f"d{i}": float(i < 10) for i in range(1000)}, ["0"]), {"0": dict.fromkeys(grades, 1.0)})
    assert expected(make("Success", cutoff=10), few) == pytest.approx([1 - none], rel=1e-12)


def variants(name: str) -> list[Measure]:
    """With and without a cutoff, at two levels of relevance."""
    card = registry()[name]
    levels: list[dict[str, Value]] = [{}, {"rel": 2}] if card.has_rel else [{}]
    cutoffs = [None] * (card.cutoff != "required") + [1, 2, 4, 9] * (card.cutoff != "none")
    return [make(name, level, cutoff) for level in levels for cutoff in cutoffs]


def expected(measure: Measure, ranked: Ranked) -> Floats:
    assert measure.card.expected is not None
    return measure.card.expected(ranked, **measure.arguments)


def qrels(grades: dict[str, float], topics: list[str]) -> Qrels:
    """The same judgments for every topic; d0 and d1, d2 and d3 are one invention, and each has its aspects."""
    rows = [(topic, doc, grade) for topic in topics for doc, grade in grades.items()]
    invention = {"d1": "d0", "d3": "d2"}
    return Qrels.from_columns(
        [topic for topic, _, _ in rows],
        [doc for _, doc, _ in rows],
        [grade for _, _, grade in rows],
        subtopics=[str(ord(doc[-1]) % 2) for _, doc, _ in rows],
        inventions=[invention.get(doc, doc) for _, doc, _ in rows],
    )
