"""What each registered measure promises, tried on two hundred small random topics.

`PROMISES` says of every measure which properties it has. Both directions are checked: a property that is claimed
holds on every topic, and one that is not claimed fails on some topic. A measure that is not in the table fails.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Literal
from zlib import crc32

import numpy as np
import pytest

import plain
from patstone.gold.qrels import Floats, Qrels
from patstone.measures.measure import make, parse, registry
from patstone.measures.ranked import Bools, Ranked
from patstone.measures.vocabulary import Vocabulary
from terms import scheme_of, with_terms

Relation = Literal["same", "not lower", "highest"]
OTHER_NAME = "topic "

PROMISES = {
    "AP": "promotion tail best binary unlabelled",
    "AP@4": "promotion tail binary unlabelled",
    "nDCG": "promotion tail best unlabelled",
    "nDCG(gains=exp)@4": "promotion tail best unlabelled",
    "P@4": "promotion tail binary set unlabelled missing",
    "R@4": "promotion tail binary set unlabelled",
    "Rprec": "promotion tail best binary unlabelled",
    "RR": "promotion tail best binary unlabelled missing",
    "RR@4": "promotion tail best binary unlabelled missing",
    "Success@4": "promotion tail best binary set unlabelled missing",
    "Bpref": "promotion tail best binary skips",
    "Judged": "promotion best binary set missing",
    "Judged@4": "promotion best binary set missing",
    "ERR@4": "promotion tail unlabelled missing",
    "RBP": "promotion tail binary unlabelled missing",
    "F": "promotion binary set unlabelled",
    "F@4": "promotion tail binary set unlabelled",
    "S@4": "promotion tail best binary set unlabelled missing",
    "H@4": "promotion tail best binary set unlabelled",
    "MP@4": "promotion tail binary set unlabelled missing",
    "MR@4": "promotion tail binary set unlabelled",
    "PRES@4": "promotion tail binary unlabelled",
    "TBG": "promotion tail binary unlabelled missing",
    "alpha_nDCG@4": "promotion tail binary unlabelled",
    "ERR_IA@4": "promotion tail binary unlabelled",
    "I_rec@4": "promotion tail binary set unlabelled",
    "nERR_IA@4": "promotion tail unlabelled",
    "D_nDCG@4": "promotion tail unlabelled",
    "Dsharp_nDCG@4": "promotion tail unlabelled",
    "CT@4": "promotion unlabelled",
    "CT(time=reading)@4": "unlabelled",
    "ACT@4": "promotion unlabelled",
    "AP(cost=bdm-high)": "tail best binary unlabelled",
    "AP(cost=bdm-low)": "tail best binary unlabelled",
    "Rprec(cost=path)": "promotion tail best binary unlabelled",
    "P(cost=bdm-low)@4": "promotion tail binary set unlabelled",
    "R(cost=bdm-high)@4": "promotion tail binary set unlabelled",
    "F(cost=learning-accuracy)": "promotion binary set unlabelled",
    "F1": "promotion binary set unlabelled",
    "F1(cost=bdm-low)@4": "promotion tail binary set unlabelled",
    "Pcost@4": "promotion tail binary set unlabelled",
    "hP@4": "promotion binary set unlabelled missing",
    "hR@4": "tail binary set unlabelled",
    "hF": "promotion binary set unlabelled",
}
TREE = "d0:r d1:d0 d2:d0 d3:d1 d4:d1 d5:d2 d6:r d7:d6 d8:d7 d9:d8 d9:d2 sure:d7 lost:d7"


VOCABULARY = Vocabulary(schemes=(scheme_of(TREE),))


@dataclass(frozen=True, eq=False)
class World:
    """Topics with judgments and rankings of their own; a document is relevant with a grade above 0."""

    gold: dict[str, dict[str, float]]
    run: dict[str, list[str]]

    @classmethod
    def random(cls, topics: int = 200) -> "World":
        rng = np.random.default_rng(7)
        docs = [f"d{i}" for i in range(10)]
        gold, run = {}, {}
        for topic in map(str, range(topics)):
            chosen = rng.permutation(docs)[: rng.integers(2, 9)].tolist()
            gold[topic] = {doc: float(rng.choice([-1, 0, 0, 1, 2, 3])) for doc in chosen} | {"sure": 1.0}
            run[topic] = rng.permutation([*docs, "sure"])[: rng.integers(1, 12)].tolist()
        return cls(gold, run)

    def qrels(self) -> Qrels:
        """Documents answer one or two aspects, and d0 with d1, d2 with d3 are one invention."""
        rows = [
            (topic, doc, grade, aspect)
            for topic, docs in self.gold.items()
            for doc, grade in docs.items()
            for aspect in aspects_of(topic, doc)
        ]
        topics, docs, grades, aspects = zip(*rows, strict=True)
        invention = {"d1": "d0", "d3": "d2"}
        return Qrels.from_columns(
            topics, docs, grades, subtopics=aspects, inventions=[invention.get(doc, doc) for doc in docs]
        )

    @cached_property
    def ranked(self) -> Ranked:
        answers = {
            topic: {doc: float(-place) for place, doc in enumerate(docs)} for topic, docs in self.run.items() if docs
        }
        return with_terms(plain.ranked(self.qrels(), answers), answers, VOCABULARY)

    def values(self, text: str) -> Floats:
        return parse(text).compute(self.ranked)

    def ranked_by(self, change: Callable[[dict[str, float], list[str]], list[str]]) -> "World":
        return replace(self, run={topic: change(self.gold[topic], docs) for topic, docs in self.run.items()})

    def judged_by(self, change: Callable[[dict[str, float], list[str]], dict[str, float]]) -> "World":
        return replace(self, gold={topic: change(docs, self.run[topic]) for topic, docs in self.gold.items()})


def aspects_of(topic: str, doc: str) -> set[str]:
    """The same for a topic by another name; Python's own hash would differ from run to run."""
    code = crc32(f"{topic.removeprefix(OTHER_NAME)}/{doc}".encode())
    return {str(code % 3), str(code // 3 % 3)}


def promoted(gold: dict[str, float], docs: list[str]) -> list[str]:
    """Swap the last relevant document that stands directly below one that is not relevant with it."""
    for place in range(len(docs) - 1, 0, -1):
        if gold.get(docs[place], 0) > 0 and gold.get(docs[place - 1], 0) <= 0:
            return [*docs[: place - 1], docs[place], docs[place - 1], *docs[place + 1 :]]
    return docs


PROPERTIES: dict[str, tuple[Callable[[World], World], Relation]] = {
    # A relevant document moves up by one: never worse.
    "promotion": (lambda world: world.ranked_by(promoted), "not lower"),
    # Unjudged documents at the end don't matter.
    "tail": (lambda world: world.ranked_by(lambda _, docs: [*docs, "x", "y"]), "same"),
    # All judged documents by grade reach the highest value of the range.
    "best": (lambda world: world.ranked_by(lambda gold, _: sorted(gold, key=lambda doc: -gold[doc])), "highest"),
    # Whether a document is relevant matters, not how much.
    "binary": (
        lambda world: world.judged_by(lambda gold, _: {doc: min(grade, 1.0) for doc, grade in gold.items()}),
        "same",
    ),
    # The order among the first four, or of the whole ranking where the measure has no cutoff, doesn't matter.
    "set": (lambda world: world.ranked_by(lambda _, docs: [*docs[:4][::-1], *docs[4:]]), "same"),
    # Judgments of nonrelevant documents don't matter.
    "unlabelled": (
        lambda world: world.judged_by(lambda gold, _: {doc: grade for doc, grade in gold.items() if grade > 0}),
        "same",
    ),
    # Unjudged documents don't matter, wherever they stand.
    "skips": (lambda world: world.ranked_by(lambda gold, docs: [doc for doc in docs if doc in gold]), "same"),
    # One more relevant document that was not retrieved doesn't matter.
    "missing": (lambda world: world.judged_by(lambda gold, _: gold | {"lost": 2.0}), "same"),
}

WORLD = World.random()
NOTHING_RETRIEVED = WORLD.ranked_by(lambda _gold, _docs: [])


@cache
def changed(name: str) -> World:
    return PROPERTIES[name][0](WORLD)


@pytest.mark.parametrize("name", registry())
def test_every_measure_is_classified(name: str) -> None:
    assert name in {parse(text).name for text in PROMISES}, f"say in PROMISES what {name} promises"


@pytest.mark.parametrize("text", PROMISES)
def test_promises_are_properties(text: str) -> None:
    assert set(PROMISES[text].split()) <= set(PROPERTIES)


@pytest.mark.parametrize("name", PROPERTIES)
@pytest.mark.parametrize("text", PROMISES)
def test_promise(text: str, name: str) -> None:
    before, after = WORLD.values(text), changed(name).values(text)
    broken = int((~kept(PROPERTIES[name][1], before, after, parse(text).card.high)).sum())
    assert (broken == 0) == (name in PROMISES[text].split()), f"{name} is broken on {broken} topics"


def kept(relation: Relation, before: Floats, after: Floats, high: float) -> Bools:
    if relation == "not lower":
        return np.asarray(after >= before - 1e-12)
    return np.isclose(after, before if relation == "same" else high, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("text", PROMISES)
def test_range(text: str) -> None:
    values, card = WORLD.values(text), parse(text).card
    assert np.isfinite(values).all()
    assert (values >= card.low).all()
    assert (values <= card.high + 1e-12).all()
    assert np.ptp(values) > 0


def test_topics_do_not_touch_each_other() -> None:
    """Among fewer others or in reverse order a topic has the same value, to the last bit."""
    backwards = World(dict(reversed(WORLD.gold.items())), WORLD.run)
    # Grades may be read against the highest in the gold standard, which both halves have.
    halves = [World({topic: WORLD.gold[topic] for topic in list(WORLD.gold)[half::2]}, WORLD.run) for half in (0, 1)]
    for text in PROMISES:
        values = WORLD.values(text).tolist()
        assert backwards.values(text).tolist() == values[::-1], text
        for half, world in enumerate(halves):
            assert world.values(text).tolist() == values[half::2], text


def test_names_of_topics_and_of_unjudged_documents_do_not_matter() -> None:
    renamed = World(
        {OTHER_NAME + topic: docs for topic, docs in WORLD.gold.items()},
        {OTHER_NAME + t: [doc if doc in WORLD.gold[t] else f"~{doc}" for doc in docs] for t, docs in WORLD.run.items()},
    )
    # How close an unjudged class is goes by its name.
    for text in (text for text in PROMISES if "scheme" not in parse(text).needs):
        assert renamed.values(text).tolist() == WORLD.values(text).tolist(), text


@pytest.mark.parametrize("text", PROMISES)
def test_nothing_retrieved_is_zero(text: str) -> None:
    assert not NOTHING_RETRIEVED.values(text).any()


def test_nothing_relevant_is_zero_where_relevance_is_judged() -> None:
    barren = WORLD.judged_by(lambda gold, _: {doc: min(grade, 0.0) for doc, grade in gold.items()})
    for text in PROMISES:
        assert barren.values(text).any() != parse(text).card.judges_relevance, text


@pytest.mark.parametrize("text", PROMISES)
def test_computing_changes_nothing(text: str) -> None:
    before = {name: getattr(WORLD.ranked, name).tolist() for name in ("topic", "rank", "row", "retrieved")}
    first, second = WORLD.values(text), WORLD.values(text)
    assert first.tolist() == second.tolist()
    assert before == {name: getattr(WORLD.ranked, name).tolist() for name in before}


@pytest.mark.parametrize("name", registry())
def test_card_is_complete(name: str) -> None:
    card = registry()[name]
    assert card.name == name
    assert min(map(len, (card.title, card.section, card.formula, card.reference, card.undefined))) >= 4
    assert card.low < card.high
    for parameter in card.parameters:
        assert parameter.doc
        assert parameter.check(name, parameter.default) == parameter.default


@pytest.mark.parametrize("name", registry())
def test_kernel_takes_what_the_card_declares(name: str) -> None:
    card = registry()[name]
    values = make(name, {}, 3 if card.cutoff != "none" else None).compute(NOTHING_RETRIEVED.ranked)
    assert values.shape == (len(WORLD.gold),)
    assert values.dtype == np.float64
