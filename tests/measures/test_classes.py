"""Measures of classes against a plain reading of the paper, over random schemes, rankings and assigned sets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from patstone.errors import DataError, UsageError
from patstone.gold.qrels import Qrels
from patstone.measures import vocabulary as module
from patstone.measures.engine import score
from patstone.measures.hierarchy import Hierarchy
from patstone.measures.policies import Policies
from patstone.measures.scores import Scores
from patstone.measures.vocabulary import Vocabulary
from patstone.patents.schemes.scheme import Scheme
from patstone.systems.run import Run
from terms import scheme_of

COSTS = ("bdm-high", "bdm-low", "path", "ancestor", "learning-accuracy")


class Plain:
    """One topic by the paper's words: sets, sums and no arrays."""

    def __init__(self, scheme: Scheme, true: Sequence[str], ranking: Sequence[str]) -> None:
        self.hierarchy, self.true, self.ranking = Hierarchy.of(scheme), sorted(true), ranking
        self.known = {scheme.symbol(term) for term in range(len(scheme.symbols))}

    def near(self, cost: str, key: str, response: str) -> float:
        if key == response:
            return 1.0
        if key not in self.known or response not in self.known:
            return 0.0
        return float(self.hierarchy.similarity(cost.removesuffix("-high").removesuffix("-low"), [key], [response])[0])

    def credit(self, cost: str, assigned: Sequence[str]) -> float:
        if cost != "bdm-low":
            return sum(max(self.near(cost, g, f) for g in self.true) for f in assigned)
        hits = [f for f in assigned if f in self.true]
        pairs = sorted(
            (-self.near(cost, g, f), g, f) for g in self.true for f in assigned if g not in hits and f not in hits
        )
        total = float(len(hits))
        used: set[tuple[str, str]] = set()
        for value, g, f in pairs:
            if not {("g", g), ("f", f)} & used:
                used |= {("g", g), ("f", f)}
                total -= value
        return total

    def precision(self, cost: str, assigned: Sequence[str]) -> float:
        return self.credit(cost, assigned) / len(assigned) if assigned else 0.0

    def recall(self, cost: str, assigned: Sequence[str]) -> float:
        if cost == "bdm-low" or not assigned:
            return self.credit(cost, assigned) / len(self.true) if assigned else 0.0
        return sum(max(self.near(cost, g, f) for f in assigned) for g in self.true) / len(self.true)

    def f1(self, cost: str, assigned: Sequence[str]) -> float:
        p, r = self.precision(cost, assigned), self.recall(cost, assigned)
        return 2 * p * r / (p + r) if p + r else 0.0

    def ap(self, cost: str) -> float:
        hits = [rank for rank, f in enumerate(self.ranking, start=1) if f in self.true]
        return sum(self.precision(cost, self.ranking[:rank]) for rank in hits) / len(self.true)

    def rprec(self, cost: str) -> float:
        return self.credit(cost, self.ranking[: len(self.true)]) / len(self.true)


def made_scheme(rng: np.random.Generator, *, several: bool) -> Scheme:
    """A random tree of twenty terms; with `several` some have two parents."""
    pairs = ["t0:root", "t1:root"]
    for term in range(2, 20):
        parents = rng.choice(term, 2 if several and term > 3 and rng.random() < 0.3 else 1, replace=False)
        pairs += [f"t{term}:t{parent}" for parent in parents]
    return scheme_of(" ".join(pairs))


def made_world(rng: np.random.Generator) -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, set[str]]]:
    names = [f"t{term}" for term in range(20)] + ["strange", "odd"]
    gold = {f"d{topic}": rng.permutation(names)[: rng.integers(1, 6)].tolist() for topic in range(6)}
    run = {topic: rng.permutation(names)[: rng.integers(1, 15)].tolist() for topic in gold}
    return gold, run, {topic: {doc for doc in docs if rng.random() < 0.4} for topic, docs in run.items()}


def scored(
    scheme: Scheme,
    gold: Mapping[str, Sequence[str]],
    run: Mapping[str, Sequence[str]],
    measures: Sequence[str],
    assigned: Mapping[str, set[str]] | None = None,
    **words: Any,
) -> Scores:
    answers = Run.from_dict({topic: {doc: -float(place) for place, doc in enumerate(run[topic])} for topic in run})
    if assigned is not None:
        flags = np.array([doc in assigned[topic] for topic in run for doc in run[topic]])
        answers = replace(answers, assigned=flags)
    judged = Qrels.from_dict({topic: dict.fromkeys(docs, 1) for topic, docs in gold.items()})
    level = words.pop("level", None)
    return score(
        judged,
        [answers],
        measures,
        policies=Policies(**words),
        vocabulary=Vocabulary(schemes=(scheme,), level=level),
    )


@pytest.mark.parametrize("table", [3_000, 0], ids=["from a table", "pair by pair"])
@pytest.mark.parametrize("seed", range(12))
def test_the_paper_s_measures(seed: int, table: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGEST_TABLE", table)
    rng = np.random.default_rng(seed)
    scheme = made_scheme(rng, several=seed % 2 == 1)
    gold, run, assigned = made_world(rng)
    for cost in COSTS:
        names = [f"{name}(cost={cost})" for name in ("AP", "Rprec", "P", "R", "F1")]
        values = scored(scheme, gold, run, [*names, f"F1(cost={cost})@3"], assigned).values[0]
        for place, topic in enumerate(gold):
            plain = Plain(scheme, gold[topic], run[topic])
            chosen = [doc for doc in run[topic] if doc in assigned[topic]]
            expected = [plain.ap(cost), plain.rprec(cost), plain.precision(cost, chosen), plain.recall(cost, chosen)]
            np.testing.assert_allclose(values[:5, place], [*expected, plain.f1(cost, chosen)], atol=1e-12)
            assert (values[:, place] <= 1 + 1e-12).all()
    whole = scored(scheme, gold, run, ["P(cost=bdm-low)", "P(cost=bdm-high)", "P"]).values[0]
    assert (whole[0] <= whole[1] + 1e-12).all()
    assert (whole[2] <= whole[0] + 1e-12).all()


def test_a_topic_alone_has_the_same_last_digit() -> None:
    rng = np.random.default_rng(5)
    scheme, (gold, run, assigned) = made_scheme(rng, several=True), made_world(rng)
    measures = [f"{name}(cost={cost})" for name in ("AP", "Rprec", "F1") for cost in COSTS]
    together = scored(scheme, gold, run, measures, assigned).values[0]
    for place, topic in enumerate(gold):
        one = scored(scheme, {topic: gold[topic]}, {topic: run[topic]}, measures, assigned).values[0]
        assert one[:, 0].tolist() == together[:, place].tolist()


CPC = "A:r B:r A01:A A01B:A01 A01B1/00:A01B A01B1/02:A01B1/00 A01B1/04:A01B1/00 B60:B B60K:B60"


def test_levels_make_terms_equal_and_count_it() -> None:
    gold, run = {"p": ["A01B1/02", "B60K"]}, {"p": ["A01B1/04", "a01b 1/02", "B60"]}
    values = {
        level: scored(scheme_of(CPC), gold, run, ["P", "R", "AP"], level=level) for level in ("subgroup", "subclass")
    }
    assert values["subgroup"].values[0, :, 0].tolist() == [1 / 3, 1 / 2, 1 / 4]
    # A01B once, then B60, which stands above the level and stays what it is.
    assert values["subclass"].values[0, :, 0].tolist() == [1 / 2, 1 / 2, 1 / 2]
    assert values["subclass"].counts["run"]["merged_terms"] == 1


def test_a_term_twice_is_left_to_the_policy() -> None:
    run = replace(Run.from_dict({"p": {"A01B1/02": 2.0, "x": 1.0}}), docs=np.array([b"A01B1/02"] * 2, dtype="S8"))
    gold, terms = Qrels.from_dict({"p": {"A01B1/02": 1}}), Vocabulary(level="subclass")
    with pytest.raises(DataError, match="stands once in a topic's list"):
        score(gold, [run], ["P"], vocabulary=terms)
    found = score(gold, [run], ["P"], vocabulary=terms, policies=Policies(duplicates="first"))
    assert (found.values.tolist(), found.counts["run"]["duplicates"]) == ([[[1.0]]], 1)


def test_unknown_classes_are_counted_or_refused() -> None:
    gold, run = {"p": ["A01B", "Q1"]}, {"p": ["Q1", "Q2", "A01"]}
    counts = scored(scheme_of(CPC), gold, run, ["hF"]).counts["run"]
    assert (counts["unknown_terms"], counts["gold_unknown_terms"]) == (2, 1)
    with pytest.raises(DataError, match=r"gold standard must be a term of its scheme \(unknown=error\). Got 'Q1'"):
        scored(scheme_of(CPC), gold, run, ["hF"], unknown="error")
    with pytest.raises(DataError, match=r"must be a term of its scheme \(unknown=error\). Got 'Q2'"):
        scored(scheme_of(CPC), {"p": ["A01B"]}, {"p": ["A01", "Q2"]}, ["hF"], unknown="error")


def test_each_theme_has_its_scheme() -> None:
    first, second = (replace(scheme_of(pairs), name=name, kind="f-term") for name, pairs in THEMES.items())
    gold = Qrels.from_dict({"p/2C088": {"AA02": 1}, "p/5B001": {"AA02": 1}})
    run = Run.from_dict({topic: {"AA01": 1.0} for topic in (*gold.topics, "q/9Z999")})
    near = score(gold, [run], ["P(cost=path)"], vocabulary=Vocabulary(schemes=(first, second))).values[0, 0]
    assert near.tolist() == [1 / 2, 1 / 3]
    with pytest.raises(UsageError, match="'p/5B001' is of theme 5B001, and the schemes are 2C088"):
        score(gold, [run], ["P(cost=path)"], vocabulary=Vocabulary(schemes=(first,)))


THEMES = {"2C088": "AA:2C088 AA01:AA AA02:AA01", "5B001": "AA:5B001 AA01:AA AA02:AA"}


def test_what_needs_a_scheme_says_so() -> None:
    gold, run = Qrels.from_dict({"p": {"a": 1}}), Run.from_dict({"p": {"a": 1.0}})
    for measure in ("AP(cost=path)", "hF", "Pcost"):
        with pytest.raises(UsageError, match="needs the scheme of the classes: name its file with --scheme"):
            score(gold, [run], [measure])
    with pytest.raises(UsageError, match="no closed form over all orders of ties"):
        score(
            gold,
            [run],
            ["AP(cost=path)"],
            vocabulary=Vocabulary(schemes=(scheme_of("a:r"),)),
            policies=Policies(ties="expected"),
        )
