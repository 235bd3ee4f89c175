"""Small random topics with subtopics, for comparing kernels with plain definitions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import plain
from patstone.gold.qrels import Floats, Qrels
from patstone.measures.measure import parse
from patstone.measures.ranked import Ranked

ByDoc = dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Topic:
    """One topic as a plain definition sees it."""

    ranking: list[str]
    judged: dict[str, ByDoc]
    """By subtopic in natural order: its documents' grades."""
    weight: ByDoc
    independent: dict[str, bool]
    highest: float
    """The highest grade of the whole gold standard, or 1."""

    def relevant(self, doc: str) -> dict[str, float]:
        return {name: docs[doc] for name, docs in self.judged.items() if docs.get(doc, 0) > 0}

    @property
    def answerable(self) -> list[str]:
        return [name for name, docs in self.judged.items() if max(docs.values()) > 0]

    @property
    def docs(self) -> set[str]:
        return {doc for docs in self.judged.values() for doc in docs}

    def shares(self, importance: str) -> ByDoc:
        names = list(self.judged)
        n = len(names)
        weigh: dict[str, Callable[[str], float]] = {
            "uniform": lambda _: 1.0,
            "decay": lambda name: 2 ** (n - names.index(name)) / sum(2**k for k in range(1, n + 1)),
            "claims": lambda name: 1.0 if self.independent[name] else 0.5,
            "given": lambda name: self.weight[name],
        }
        total = sum(weigh[importance](name) for name in self.answerable)
        return {name: weigh[importance](name) / total for name in self.answerable}


@dataclass(frozen=True, kw_only=True)
class World:
    judged: dict[str, dict[str, ByDoc]]
    run: dict[str, ByDoc]
    weight: dict[str, ByDoc]
    independent: dict[str, dict[str, bool]]

    @classmethod
    def random(cls, seed: int, *, topics: int = 12, lowest: int = -1) -> "World":
        rng = np.random.default_rng(seed)
        docs = np.array([f"d{number}" for number in range(14)])
        judged, run = {}, {}
        for topic in (f"t{number}" for number in range(topics)):
            names = rng.permutation(["1", "2", "3", "10", "11"])[: rng.integers(1, 6)].tolist()
            judged[topic] = {
                name: {
                    doc: float(rng.integers(lowest, 4)) for doc in rng.permutation(docs)[: rng.integers(1, 9)].tolist()
                }
                for name in sorted(names, key=int)
            }
            ranked = rng.permutation([*docs, "x", "y", "z"])[: rng.integers(0, 18)].tolist()
            if ranked:
                run[topic] = {doc: float(rng.integers(0, 6)) for doc in ranked}
        return cls(
            judged=judged,
            run=run,
            weight={t: {name: float(rng.integers(1, 5)) for name in names} for t, names in judged.items()},
            independent={t: {name: bool(rng.random() < 0.5) for name in names} for t, names in judged.items()},
        )

    @property
    def rows(self) -> list[tuple[str, str, str, float]]:
        return [
            (topic, name, doc, grade)
            for topic, names in self.judged.items()
            for name, docs in names.items()
            for doc, grade in docs.items()
        ]

    def qrels(self) -> Qrels:
        topics, names, docs, grades = zip(*self.rows, strict=True)
        gold = Qrels.from_columns(topics, docs, grades, subtopics=names)
        assert gold.subtopics is not None
        owner = np.repeat(np.arange(len(gold.topics)), np.diff(gold.subtopics.starts))
        named = [(gold.topics[t], name) for t, name in zip(owner, gold.subtopics.names, strict=True)]
        said = replace(
            gold.subtopics,
            independent=np.array([self.independent[t][name] for t, name in named]),
            weights=np.array([self.weight[t][name] for t, name in named]),
        )
        return replace(gold, subtopics=said)

    @cached_property
    def ranked(self) -> Ranked:
        return plain.ranked(self.qrels(), self.run)

    def values(self, measure: str) -> Floats:
        return parse(measure).compute(self.ranked)

    def topics(self) -> Iterator[Topic]:
        for topic, judged in self.judged.items():
            docs = sorted(self.run.get(topic, {}).items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
            yield Topic(
                ranking=[doc for doc, _ in docs],
                judged=judged,
                weight=self.weight[topic],
                independent=self.independent[topic],
                highest=max(1.0, *(grade for *_, grade in self.rows)),
            )


def one_topic(judged: dict[str, ByDoc], ranking: str) -> World:
    names = dict.fromkeys(judged, 1.0)
    return World(
        judged={"t": judged},
        run={"t": {doc: -float(place) for place, doc in enumerate(ranking.split())}} if ranking else {},
        weight={"t": names},
        independent={"t": dict.fromkeys(judged, True)},
    )
