"""Independent tools give the same numbers on random data with ties, missing topics, negative and huge scores.

pytrec_eval keeps scores as 32-bit floats, and so takes two scores that differ in the 40th bit as equal; every score
here is one that 32 bits hold exactly, so that both tools see the same ties (`scores=float32` is for the others).
"""

from collections.abc import Sequence
from typing import Any

import ir_measures
import numpy as np
import pyndeval
import pytest
import pytrec_eval

from patstone.gold.qrels import Qrels
from patstone.measures.engine import score
from patstone.measures.measure import parse
from patstone.measures.policies import Policies
from patstone.systems.run import Run

Judged = dict[str, dict[str, int]]
Answers = dict[str, dict[str, float]]
SEEDS = range(25)
CUTOFFS = (1, 3, 5, 10, 50)


def judgments(rng: np.random.Generator, *, topics: int = 8, lowest: int = 0) -> Judged:
    docs = np.array([f"doc{i}" for i in range(30)])
    gold = {
        f"q{topic}": {doc: int(rng.integers(lowest, 4)) for doc in rng.choice(docs, rng.integers(1, 25), replace=False)}
        for topic in range(topics)
    }
    # A topic judged only 0, and one with a single relevant document.
    return gold | {"none": {"doc1": 0, "doc2": 0}, "one": {"doc3": 2}}


def answers(rng: np.random.Generator, gold: Judged, *, distinct: bool = False) -> Answers:
    """Scores of any size and sign with many ties; every fourth topic is missing."""
    values = np.array([-3e38, -1e20, -2.5, -0.0, 0.0, 1e-30, 0.5, 1.0, 1e20, 3e38], dtype=np.float32).astype(np.float64)
    run: Answers = {}
    for topic in gold:
        chosen = rng.choice([f"doc{i}" for i in range(60)], rng.integers(1, 45), replace=False).tolist()
        scores = rng.permutation(len(chosen)) - 9.0 if distinct else rng.choice(values, len(chosen))
        if rng.random() > 0.25:
            run[topic] = dict(zip(chosen, scores.tolist(), strict=True))
    return run or {"one": {"doc3": 1.0}}


def ours(texts: Sequence[str], gold: Judged, run: Answers) -> list[dict[str, float]]:
    """For each measure its values by topic."""
    scores = score(Qrels.from_dict(gold), [Run.from_dict(run)], texts, policies=Policies(self="keep"))
    return [dict(zip(scores.topics, row, strict=True)) for row in scores.values[0].tolist()]


def one(text: str, gold: Judged, run: Answers) -> dict[str, float]:
    return ours([text], gold, run)[0]


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_pytrec_eval(seed: int, level: int) -> None:
    rng = np.random.default_rng(seed)
    gold = judgments(rng)
    run = answers(rng, gold)
    names = ["map", "ndcg", "recip_rank", "Rprec", "bpref", "set_F"]
    cut = [f"{name}_{k}" for name in ("map_cut", "ndcg_cut", "P", "recall", "success") for k in CUTOFFS]
    theirs = pytrec_eval.RelevanceEvaluator(gold, {*names, *cut}, relevance_level=level).evaluate(run)
    assert theirs.keys() == run.keys()
    texts = [str(parse(name).with_default("rel", level)) for name in [*names, *cut]]
    for name, values in zip([*names, *cut], ours(texts, gold, run), strict=True):
        expected = {topic: theirs[topic][name] if topic in run else 0.0 for topic in gold}
        assert values == pytest.approx(expected, rel=1e-12, abs=1e-12), name


def test_pytrec_eval_to_the_last_bit() -> None:
    """Adding up in rank order makes these equal, not only near; nDCG's logarithm may differ between libraries."""
    rng = np.random.default_rng(99)
    gold = judgments(rng, topics=200)
    run = answers(rng, gold)
    names = ["map", "map_cut_5", "recip_rank", "Rprec", "bpref", "P_5", "recall_5", "success_5"]
    theirs = pytrec_eval.RelevanceEvaluator(gold, names).evaluate(run)
    for name, values in zip(names, ours(names, gold, run), strict=True):
        assert [values[topic] for topic in run] == [theirs[topic][name] for topic in run], name


@pytest.mark.parametrize("seed", SEEDS)
def test_ir_measures(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    gold = judgments(rng)
    run = answers(rng, gold)
    names = "AP AP(rel=2) AP@5 nDCG nDCG@5 P@3 P(rel=2)@10 R@5 RR RR(rel=3) Rprec Bpref Bpref(rel=2) Success@3 SetF"
    same(names.split(), gold, run)


@pytest.mark.parametrize("seed", SEEDS)
def test_ir_measures_without_ties(seed: int) -> None:
    """What other providers compute orders equal scores the other way round, so there are none here."""
    rng = np.random.default_rng(2000 + seed)
    gold = judgments(rng, lowest=-1)
    same(["Judged@3", "Judged@100", "RR@3", "RR(rel=2)@5"], gold, answers(rng, gold, distinct=True))


def same(names: list[str], gold: Judged, run: Answers) -> None:
    theirs = {name: ir_measures.parse_measure(name) for name in names}
    found: dict[Any, dict[str, float]] = {measure: {} for measure in theirs.values()}
    for metric in ir_measures.iter_calc(list(theirs.values()), gold, run):
        found[metric.measure][metric.query_id] = metric.value
    for (name, measure), values in zip(theirs.items(), ours(names, gold, run), strict=True):
        expected = dict.fromkeys(gold, 0.0) | found[measure]
        assert values == pytest.approx(expected, rel=1e-12, abs=1e-12), name


@pytest.mark.parametrize("seed", SEEDS)
def test_err_is_ndevals_for_a_topic_with_one_aspect(seed: int) -> None:
    """Its documents satisfy with a half, as ours do with grade 1 of 1; it divides by the best that could be."""
    rng = np.random.default_rng(3000 + seed)
    gold = {topic: {doc: min(grade, 1) for doc, grade in docs.items()} for topic, docs in judgments(rng).items()}
    run = answers(rng, gold, distinct=True)
    rows = [pyndeval.SubtopicQrel(t, "1", doc, grade) for t, docs in gold.items() for doc, grade in docs.items()]
    docs = [pyndeval.ScoredDoc(topic, doc, score) for topic, found in run.items() for doc, score in found.items()]
    theirs = pyndeval.ndeval(rows, docs, measures=["ERR-IA@10"])
    best = float(np.sum(0.5 ** np.arange(1, 11) / np.arange(1, 11)))
    values = one("ERR(gmax=1)@10", gold, run)
    relevant = [topic for topic in run if any(gold[topic].values())]
    assert {topic: values[topic] / best for topic in relevant} == pytest.approx(
        {topic: theirs[topic]["ERR-IA@10"] for topic in relevant}, rel=1e-12, abs=1e-12
    )


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_trec_eval_squares_no_beta(beta: float) -> None:
    """Where we differ by design: van Rijsbergen's β is the root of trec_eval's parameter."""
    gold = {"q": {"a": 1, "b": 1, "c": 1, "d": 0}}
    run = {"q": {"a": 4.0, "x": 3.0}}
    name = f"set_F_{beta**2}"
    theirs = pytrec_eval.RelevanceEvaluator(gold, {name}).evaluate(run)["q"]["set_F"]
    assert one(f"F(beta={beta})", gold, run)["q"] == pytest.approx(theirs, rel=1e-12)


def test_negative_grades_as_trec_eval_takes_them() -> None:
    """Judged and not relevant: they gain nothing, and Bpref passes them over."""
    gold = {"q": {"a": 1, "b": -1, "c": 0, "d": 2, "e": -2}}
    run = {"q": {"b": 5.0, "c": 4.0, "d": 3.0, "e": 2.0, "a": 1.0}}
    names = {"map", "ndcg", "bpref", "P_5", "Rprec"}
    theirs = pytrec_eval.RelevanceEvaluator(gold, names).evaluate(run)["q"]
    for name in names:
        assert one(name, gold, run)["q"] == pytest.approx(theirs[name], rel=1e-12), name
