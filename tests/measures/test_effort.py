"""PRES and TBG against their formulas, and the model of reading time."""

import math
from dataclasses import replace

import numpy as np
import pytest

import plain
from patstone.gold.qrels import Floats, Qrels
from patstone.measures.effort import seconds_before, seconds_until
from patstone.measures.measure import parse
from patstone.measures.ranked import Ranked, Reading

RNG = np.random.default_rng(3)
DOCS = [f"d{i}" for i in range(25)]
GOLD = {
    str(topic): {doc: float(RNG.choice([-1, 0, 1, 2])) for doc in RNG.permutation(DOCS)[: RNG.integers(1, 25)]}
    for topic in range(40)
}
FOUND = {topic: RNG.permutation(DOCS)[: RNG.integers(1, 26)].tolist() for topic in list(GOLD)[:-2]}
WORDS = {doc: float(RNG.integers(0, 20_000)) for doc in DOCS}
RANKED = plain.ranked(
    Qrels.from_dict(GOLD),
    {topic: {doc: float(-place) for place, doc in enumerate(docs)} for topic, docs in FOUND.items()},
)


def reading() -> Reading:
    """Lengths as the engine hands them over."""
    found = [FOUND.get(topic, []) for topic in GOLD]
    hits = list(zip(RANKED.topic.tolist(), (RANKED.rank - 1).tolist(), strict=True))
    return Reading(
        own=np.array([WORDS[found[topic][place]] for topic, place in hits]),
        before=np.array([sum(WORDS[doc] for doc in found[topic][:place]) for topic, place in hits]),
        until={k: np.array([sum(WORDS[doc] for doc in docs[:k]) for docs in found]) for k in (1, 5, 100)},
    )


READ = replace(RANKED, reading=reading())


def seconds(topic: str, count: int, rel: float, words: dict[str, float]) -> float:
    """Time as the paper adds it up, one document at a time."""
    chance = {doc: 0.65 if GOLD[topic].get(doc, -math.inf) >= rel else 0.39 for doc in DOCS}
    return sum(4.4 + (0.018 * words[doc] + 7.8) * chance[doc] for doc in FOUND.get(topic, [])[:count])


@pytest.mark.parametrize("rel", [1, 2])
def test_pres_as_published(rel: int) -> None:
    for cutoff in (1, 3, 10, 40):
        expected = []
        for topic, docs in FOUND.items():
            known = sum(grade >= rel for grade in GOLD[topic].values())
            ranks = [rank for rank, doc in enumerate(docs[:cutoff], start=1) if GOLD[topic].get(doc, -1) >= rel]
            ranks += range(cutoff + len(ranks) + 1, cutoff + known + 1)
            expected.append(1 - (sum(ranks) / known - (known + 1) / 2) / cutoff if known else 0.0)
        values = values_of(f"PRES(rel={rel})@{cutoff}")[: len(FOUND)]
        assert values == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_pres_is_at_most_recall_and_at_most_nmax_over_n() -> None:
    gold = Qrels.from_dict({"q": {f"d{i}": 1 for i in range(50)}})
    best = plain.ranked(gold, {"q": {f"d{i}": float(-i) for i in range(50)}})
    assert parse("PRES@20").compute(best).tolist() == [20 / 50]
    assert (values_of("PRES@10") <= values_of("R@10") + 1e-12).all()


@pytest.mark.parametrize("cutoff", [None, 1, 5])
@pytest.mark.parametrize("ranked", [RANKED, READ], ids=["default length", "lengths"])
def test_tbg_one_document_at_a_time(ranked: Ranked, cutoff: int | None) -> None:
    words = WORDS if ranked.reading else dict.fromkeys(DOCS, 300.0)
    expected = [
        sum(
            0.4928 * math.exp(-seconds(topic, place, 1, words) * math.log(2) / 100)
            for place, doc in enumerate(FOUND.get(topic, [])[:cutoff])
            if GOLD[topic].get(doc, 0) >= 1
        )
        for topic in GOLD
    ]
    text = "TBG(h=100, words=300)" + (f"@{cutoff}" if cutoff else "")
    assert parse(text).compute(ranked) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("ranked", [RANKED, READ], ids=["default length", "lengths"])
def test_seconds(ranked: Ranked) -> None:
    words = WORDS if ranked.reading else dict.fromkeys(DOCS, 300.0)
    names = list(GOLD)
    hits = zip(ranked.topic.tolist(), ranked.rank.tolist(), strict=True)
    before = [seconds(names[topic], rank - 1, 2, words) for topic, rank in hits]
    assert seconds_before(ranked, 2, 300) == pytest.approx(before, rel=1e-12)
    for cutoff in (1, 5, 100):
        until = [seconds(topic, cutoff, 2, words) for topic in names]
        assert seconds_until(ranked, cutoff, 2, 300) == pytest.approx(until, rel=1e-12)


def test_relevant_documents_take_longer() -> None:
    assert (seconds_until(RANKED, 5, 1, 500) >= seconds_until(RANKED, 5, 2, 500)).all()


def values_of(text: str) -> Floats:
    return parse(text).compute(RANKED)
