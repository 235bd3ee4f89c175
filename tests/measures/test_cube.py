"""The Cube Test against a plain definition, its variants among each other, and paper 5's claim about gamma."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aspect_worlds import ByDoc, Topic, World, one_topic
from patstone.errors import UsageError
from patstone.measures.measure import parse
from patstone.measures.ranked import Reading

SEEDS = range(4)
CUTOFFS = (1, 3, 12)
IMPORTANCES = ("uniform", "decay", "claims", "given")
COVERS = ("paper", "capped", "none")


def flows(topic: Topic, *, importance: str, cover: str, gamma: float, height: float, scale: float) -> list[float]:
    """What each document pours into the cube."""
    shares = topic.shares(importance) if topic.answerable else {}
    filled: ByDoc = defaultdict(float)
    earlier: ByDoc = defaultdict(int)
    gains = []
    for doc in topic.ranking:
        gain = 0.0
        for name, grade in topic.relevant(doc).items():
            relevance = grade / (scale or topic.highest)
            water = relevance * gamma ** earlier[name]
            if cover == "paper":
                water = water if filled[name] < height * (1 - 1e-9) else 0.0
                filled[name] += relevance
            elif cover == "capped":
                water = min(water, height - filled[name])
                filled[name] += water
            gain += shares[name] * water / height
            earlier[name] += 1
        gains.append(gain)
    return gains


def speed(_: Topic, gains: list[float], k: int) -> float:
    return sum(gains[:k]) / len(gains[:k])


def per_second(topic: Topic, gains: list[float], k: int) -> float:
    opened = [0.65 if topic.relevant(doc) else 0.39 for doc in topic.ranking[:k]]
    return sum(gains[:k]) / sum(4.4 + (0.018 * 500 + 7.8) * chance for chance in opened)


def mean_speed(topic: Topic, gains: list[float], k: int) -> float:
    moments = range(1, len(gains[:k]) + 1)
    return sum(speed(topic, gains, moment) for moment in moments) / len(moments)


PLAINLY: dict[str, Callable[[Topic, list[float], int], float]] = {
    "CT({said})@{k}": speed,
    "CT({said}, time=top10)@{k}": lambda topic, gains, k: speed(topic, gains, min(k, 10)),
    "CT({said}, time=reading)@{k}": per_second,
    "ACT({said})@{k}": mean_speed,
    "ACT({said}, time=top10)@{k}": lambda topic, gains, k: mean_speed(topic, gains, min(k, 10)),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("importance", IMPORTANCES)
@pytest.mark.parametrize("cover", COVERS)
def test_definition(seed: int, importance: str, cover: str) -> None:
    world = World.random(seed)
    for k, (gamma, lid, scale) in product(CUTOFFS, [(0.5, 1, 0), (0.8, 0.7, 4), (1, 1.4, 2)]):
        height = 1 if cover == "none" else lid
        said = f"importance={importance}, cover={cover}, gamma={gamma}, height={height}, scale={scale}"
        pour: dict[str, Any] = {
            "importance": importance,
            "cover": cover,
            "gamma": gamma,
            "height": height,
            "scale": scale,
        }
        for kind, plainly in PLAINLY.items():
            expected = [plainly(topic, flows(topic, **pour), k) if topic.ranking else 0.0 for topic in world.topics()]
            measure = kind.format(said=said, k=k)
            assert world.values(measure) == pytest.approx(expected, rel=1e-12, abs=1e-15), measure


@pytest.mark.parametrize("seed", SEEDS)
def test_viewing_order_takes_the_place_of_the_ranking(seed: int) -> None:
    world = World.random(seed)
    rng = np.random.default_rng(seed)
    seen = {topic: dict(zip(docs, rng.permutation(len(docs)), strict=True)) for topic, docs in world.run.items()}
    as_seen = replace(world, run={t: {doc: -float(place) for doc, place in docs.items()} for t, docs in seen.items()})
    ranked = world.ranked
    texts = [doc.decode() for doc in ranked.gold.docs[ranked.row].tolist()]
    place = [seen[ranked.gold.topics[t]][doc] + 1 for t, doc in zip(ranked.topic, texts, strict=True)]
    viewed = replace(ranked, view=np.array(place, dtype=np.int64))
    for measure in ("CT@5", "CT(cover=capped)@3", "CT(time=top10)@30", "CT(time=reading)@4", "ACT@5"):
        assert parse(measure).compute(viewed).tolist() == as_seen.values(measure).tolist()
    long = Reading(own=np.ones(len(place)), before=np.ones(len(place)), until={4: np.ones(ranked.size)})
    with pytest.raises(UsageError, match="leave out the viewing order or the lengths"):
        parse("CT(time=reading)@4").compute(replace(viewed, reading=long))


@pytest.mark.parametrize("seed", SEEDS)
def test_without_discount_and_lid_it_is_a_plain_sum(seed: int) -> None:
    world = World.random(seed)
    expected = [
        sum(
            grade / topic.highest / len(topic.answerable)
            for doc in topic.ranking[:9]
            for grade in topic.relevant(doc).values()
        )
        / max(min(9, len(topic.ranking)), 1)
        for topic in world.topics()
    ]
    assert world.values("CT(gamma=1, cover=none)@9") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gamma", [0, 0.3, 0.5, 1])
def test_a_lid_never_adds(seed: int, gamma: float) -> None:
    world = World.random(seed)
    paper, capped, none = (world.values(f"CT(cover={cover}, gamma={gamma})@20") for cover in COVERS)
    assert (paper <= none + 1e-12).all()
    assert (capped <= none + 1e-12).all()
    # No more than the whole cube flows in where a lid cuts it off.
    retrieved = np.maximum(np.minimum(world.ranked.retrieved, 20), 1)
    assert (capped * retrieved <= 1 + 1e-12).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_yes_or_no_without_lid_is_the_novelty_of_err_ia(seed: int) -> None:
    """With gamma = 1 - alpha, a document gains what it does in alpha-DCG, over the number of subtopics."""
    yes = {
        topic: {name: {doc: float(grade > 0) for doc, grade in docs.items()} for name, docs in names.items()}
        for topic, names in World.random(seed).judged.items()
    }
    world = replace(World.random(seed), judged=yes)
    assert world.values("CT(cover=none, gamma=0.3)@1") == pytest.approx(world.values("ERR_IA(alpha=0.7)@1"), rel=1e-12)


def test_the_dynamic_domain_tools_value() -> None:
    """Its gain is rating · gamma^(1 + earlier ones), cut at height 5, over 5, over the number of iterations.

    As gamma multiplies every rating once more than in the paper, scale = 1 / gamma gives its value.
    """
    for seed in SEEDS:
        world = World.random(seed, lowest=0)
        expected = []
        for topic in world.topics():
            height: ByDoc = defaultdict(float)
            count: ByDoc = defaultdict(int)
            total = 0.0
            for doc in topic.ranking[:10]:
                for name, rating in topic.relevant(doc).items():
                    poured = min(0.5 ** (count[name] + 1) * rating, 5 - height[name])
                    height[name] += poured
                    count[name] += 1
                    total += poured / len(topic.answerable)
            time = min(10, len(topic.ranking))
            expected.append(total / 5 / time if time else 0.0)
        assert world.values("CT(cover=capped, height=5, scale=2)@10") == pytest.approx(expected, rel=1e-12)


def test_gamma_moves_between_coverage_and_precision() -> None:
    """Paper 5, figures 5 and 6: a run in turn by claims wins at low gamma, a run claim after claim at high gamma."""
    judged = {"1": ["a1", "a2", "a3", "a4"], "2": ["b1", "b2"], "3": ["c1", "c2"], "4": ["d1"]}
    one_claim_is_independent = {"t": {"1": True, "2": False, "3": False, "4": False}}

    def value(ranking: str, gamma: float) -> float:
        world = one_topic({claim: dict.fromkeys(docs, 1.0) for claim, docs in judged.items()}, ranking)
        said = replace(world, independent=one_claim_is_independent)
        return float(said.values(f"CT_lgc(gamma={gamma}, scale=4)@4")[0])

    gammas = [step / 10 for step in range(1, 10)]
    coverage = [value("a1 b1 c1 d1 a2 b2 c2 a3 a4", gamma) for gamma in gammas]
    precision = [value("a1 a2 a3 a4 b1 b2 c1 c2 d1", gamma) for gamma in gammas]
    ahead = [wide - deep for wide, deep in zip(coverage, precision, strict=True)]
    assert ahead[0] > 0 > ahead[-1]
    assert ahead == sorted(ahead, reverse=True)


def test_every_name_of_the_paper() -> None:
    importances = {"": "", "d": "importance=decay", "l": "importance=claims", "p": "importance=claims"}
    times = {"t": "time=top10", "a": "", "g": "time=reading"}
    covers = {"c": "", "c'": "cover=capped", "c’": "cover=capped"} | dict.fromkeys(("¬c", "!c", "nc"), "cover=none")
    for (i, importance), (t, time), (c, cover) in product(importances.items(), times.items(), covers.items()):
        inner = ", ".join(filter(None, (importance, time, cover)))
        assert str(parse(f"CT_{i}{t}{c}@20")) == (f"CT({inner})@20" if inner else "CT@20")
        extra = ", ".join(filter(None, (inner, "gamma=0.3")))
        assert str(parse(f"CT_{i}{t}{c}(gamma=0.3)@20")) == f"CT({extra})@20"
    with pytest.raises(UsageError, match="Unknown measure"):
        parse("CT_xc@20")


def test_the_paper_gives_no_cutoff() -> None:
    assert [str(parse(text)) for text in ("CT", "ACT", "CT_ac", "CT_lgc(gamma=0.3)")] == [
        "CT@20",
        "ACT@20",
        "CT@20",
        "CT(importance=claims, time=reading, gamma=0.3)@20",
    ]


@pytest.mark.parametrize(
    "text", ["CT(gamma=1.1)@5", "CT(gamma=-0.1)@5", "CT(height=0)@5", "CT(scale=-1)@5", "CT(words=-1)@5"]
)
def test_parameters_out_of_bounds(text: str) -> None:
    with pytest.raises(UsageError, match="must be a number in"):
        parse(text)


@pytest.mark.parametrize("text", ["CT(time=slow)@5", "CT(cover=lid)@5", "CT(importance=area)@5", "ACT(time=reading)@5"])
def test_words_that_are_not_offered(text: str) -> None:
    with pytest.raises(UsageError, match="must be one of"):
        parse(text)


def test_a_height_needs_a_lid() -> None:
    with pytest.raises(UsageError, match="cover=none has no lid, so height must stay 1"):
        one_topic({"c": {"a": 1}}, "a").values("CT(cover=none, height=2)@5")


@pytest.mark.parametrize("measure", ["CT@9", "CT(time=reading)@9", "CT(time=top10)@9", "ACT@9"])
def test_nothing_to_find_and_nothing_found_are_zero(measure: str) -> None:
    assert one_topic({"c": {"a": 0, "b": -1}}, "a b").values(measure).tolist() == [0.0]
    assert one_topic({"c": {"a": 1}}, "").values(measure).tolist() == [0.0]
    assert one_topic({"c": {"a": 1}}, "x").values(measure).tolist() == [0.0]


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=12),
    st.sampled_from(COVERS),
    st.floats(0, 1),
    st.integers(1, 15),
)
def test_values_stay_within_bounds(grades: list[int], cover: str, gamma: float, k: int) -> None:
    docs = {f"d{number}": float(grade) for number, grade in enumerate(grades)}
    world = one_topic({"c": docs}, " ".join(docs))
    for name in ("CT", "ACT"):
        (value,) = world.values(f"{name}(cover={cover}, gamma={gamma!r})@{k}").tolist()
        assert 0 <= value <= 1 + 1e-12
