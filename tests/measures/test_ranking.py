"""The ranking measures against their formulas, one rank at a time; trec_eval's own are in test_oracles."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import plain
from patstone.errors import DataError
from patstone.gold.qrels import Qrels
from patstone.measures.measure import parse
from patstone.measures.ranking import product_above

Gold = dict[str, dict[str, float]]
Run = dict[str, dict[str, float]]
Formula = Callable[[list[float], dict[str, float]], float]
"""From the grades down the ranking and the judgments."""


def world(seed: int) -> tuple[Gold, Run]:
    rng = np.random.default_rng(seed)
    gold, run = {}, {}
    for topic in map(str, range(30)):
        docs = rng.permutation(40)
        gold[topic] = {f"d{doc}": float(rng.choice([-1, 0, 0.5, 1, 2, 3])) for doc in docs[: rng.integers(1, 30)]}
        run[topic] = {f"d{doc}": float(rng.normal()) for doc in rng.permutation(40)[: rng.integers(0, 40)]}
    return gold, run


def grades(gold: dict[str, float], docs: dict[str, float]) -> list[float]:
    """Grades down the ranking; unjudged documents as 0."""
    return [gold.get(doc, 0.0) for doc in sorted(docs, key=lambda doc: -docs[doc])]


def values(text: str, gold: Gold, run: Run) -> list[float]:
    return list(parse(text).compute(plain.ranked(Qrels.from_dict(gold), run)))


def value(text: str, gold: dict[str, float], docs: dict[str, float]) -> float:
    return values(text, {"t": gold}, {"t": docs})[0]


@pytest.mark.parametrize("cutoff", [None, 1, 5, 100])
@pytest.mark.parametrize("seed", range(3))
def test_by_the_formula(seed: int, cutoff: int | None) -> None:
    gold, run = world(seed)
    at = f"@{cutoff}" if cutoff else ""
    formulas: dict[str, Formula] = {
        f"ERR(gmax=3){at}": lambda ranked, _: cascade(ranked[:cutoff], 3),
        f"RBP(p=0.6, rel=2){at}": lambda ranked, _: (
            0.4 * sum(0.6**place for place, grade in enumerate(ranked[:cutoff]) if grade >= 2)
        ),
        f"nDCG(gains=exp){at}": lambda ranked, docs: (
            dcg(ranked[:cutoff]) / (dcg(sorted(docs.values(), reverse=True)[:cutoff]) or 1)
        ),
        f"F(beta=2, rel=0.5){at}": lambda ranked, docs: harmonic(ranked, docs, cutoff, level=0.5, beta=2),
    }
    for text, formula in formulas.items():
        expected = [formula(grades(gold[topic], run[topic]), gold[topic]) for topic in gold]
        assert values(text, gold, run) == pytest.approx(expected, rel=1e-12, abs=1e-13), text


def cascade(ranked: list[float], highest: float) -> float:
    total, going_on = 0.0, 1.0
    for rank, grade in enumerate(ranked, start=1):
        satisfied = (2 ** max(grade, 0) - 1) / 2**highest
        total += going_on * satisfied / rank
        going_on *= 1 - satisfied
    return total


def dcg(ranked: list[float]) -> float:
    return sum((2 ** max(grade, 0) - 1) / math.log2(rank + 1) for rank, grade in enumerate(ranked, start=1))


def harmonic(ranked: list[float], docs: dict[str, float], cutoff: int | None, *, level: float, beta: float) -> float:
    hits = sum(grade >= level for grade in ranked[:cutoff])
    known = sum(grade >= level for grade in docs.values())
    if not hits:
        return 0.0
    precision, recall = hits / (cutoff or len(ranked)), hits / known
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def test_the_two_gains_differ_as_the_documentation_says() -> None:
    gold, docs = {"a": 1.0, "b": 2.0, "c": 3.0}, {"b": 3.0, "a": 2.0, "c": 1.0}
    assert value("nDCG", gold, docs) < 1
    assert value("nDCG(gains=exp)", gold, docs) < value("nDCG", gold, docs)


def test_err_refuses_a_grade_above_its_scale() -> None:
    with pytest.raises(DataError, match=r"say ERR\(gmax=5\)"):
        value("ERR", {"a": 5.0}, {"a": 1.0})
    assert value("ERR(gmax=5)", {"a": 5.0}, {"a": 1.0}) == 31 / 32


def test_err_of_a_very_long_scale_stays_a_number() -> None:
    assert value("ERR(gmax=1000)", {"a": 1000.0, "b": 1000.0}, {"a": 2.0, "b": 1.0}) == 1.0


@pytest.mark.parametrize(("gains", "grade"), [("exp", 1001.0), ("linear", 1e308)])
def test_ndcg_refuses_grades_that_would_overflow(gains: str, grade: float) -> None:
    with pytest.raises(DataError, match=f"With gains={gains} a grade may be at most"):
        value(f"nDCG(gains={gains})", {"a": grade}, {"a": 1.0})


def test_judged_only_negatively_is_zero_for_all() -> None:
    for text in ("AP", "nDCG", "Rprec", "RR", "Bpref", "ERR", "RBP", "F", "P@5", "R@5", "Success@5"):
        assert value(text, {"a": -1.0, "b": -2.0}, {"a": 2.0, "b": 1.0}) == 0.0, text


def test_product_above_starts_anew_with_each_topic() -> None:
    topic = np.repeat([0, 3, 4], [7, 1, 12])
    factors = np.random.default_rng(0).random(20)
    expected = [np.prod(factors[np.flatnonzero(topic == t)[0] : row]) for row, t in enumerate(topic)]
    assert product_above(topic, factors) == pytest.approx(expected, rel=1e-14)
    assert product_above(topic[:0], factors[:0]).tolist() == []
