"""Random small worlds for the engine: judgments, runs in any order and from any source, and rules of every kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import numpy as np

from patstone.gold.qrels import Qrels
from patstone.measures.policies import Policies
from patstone.patents.families import Families
from patstone.systems.lengths import Lengths
from patstone.systems.run import Run
from patstone.systems.trec import TrecRun
from plain import Row, Rules, by_topic

TOPICS = ("t0", "t1", "EP7", "t10", "t1x")
DOCS = ("EP1", "EP10", "EP7", "US2", "US2A", "JP-a-long-number-3", "JP-a-long-number-4", "t0", "t1", "WO9", "EP1A", "é")
# Many ties, zeros of both signs, and scores that only 64 bits tell apart.
SCORES = (2.5, 2.5, 1.0, 1.0 + 1e-9, 0.0, -0.0, -3.0, 1e300, float("inf"), float("-inf"))
CHOICES: dict[str, tuple[Any, ...]] = {
    "ties": ("docid", "input", "expected"),
    "missing": ("zero", "skip"),
    "norel": ("zero", "skip"),
    "duplicates": ("first", "first", "error"),
    "self": ("family", "document", "keep"),
    "scores": ("float64", "float32"),
    "rel": (1, 2),
    "depth": (None, None, 1, 3, 8),
    "offices": ((), (), ("EP",), ("EP", "JP")),
}


@dataclass(frozen=True, kw_only=True)
class World:
    gold: Qrels
    rows: tuple[Row, ...]
    """In the order of the source."""
    rules: Rules

    @property
    def families(self) -> Families | None:
        return None if self.rules.families is None else Families.from_dict(self.rules.families)

    @property
    def lengths(self) -> Lengths | None:
        known, default = self.rules.lengths, self.rules.default_length
        return None if known is None else Lengths.from_dict(known, default=default)

    def file(self) -> TrecRun:
        """The run as a TREC file."""
        return run_file(self.rows)

    def columns(self) -> Run:
        """The run in memory, each topic's rows together, with the order in which documents were viewed."""
        lists = by_topic(self.rows)
        rows = [row for found in lists.values() for row in found]
        return Run(
            name="run",
            topics=tuple(lists),
            starts=np.cumsum([0, *map(len, lists.values())]),
            docs=np.array([row.doc.encode() for row in rows], dtype="S24"),
            scores=np.array([row.score for row in rows]),
            given=np.array([row.given for row in rows], dtype=np.int64),
            order=np.array([row.view for row in rows], dtype=np.float64),
            lines=np.array([row.line for row in rows], dtype=np.int64),
        )


def run_file(rows: Sequence[Row], *, name: str = "run") -> TrecRun:
    text = "".join(f"{row.topic} Q0 {row.doc} {row.given or 0} {row.score!r} tag\n" for row in rows).encode()
    return TrecRun(name=name, path="a.run", open=lambda: BytesIO(text))


def world(seed: int, **fixed: Any) -> World:
    rng = np.random.default_rng(seed)
    rules = _rules(rng, fixed)
    rows = _rows(rng, distinct=rules.policies.duplicates == "error" and rng.random() < 0.7)
    return World(gold=_gold(rng), rows=rows, rules=rules)


def _rules(rng: np.random.Generator, fixed: dict[str, Any]) -> Rules:
    picked = {name: choices[rng.integers(len(choices))] for name, choices in CHOICES.items()} | fixed
    if picked["ties"] == "expected":
        picked["depth"] = None
    related = rng.choice(["f1", "f2", ""], len(DOCS)).tolist()
    families = {doc: name for doc, name in zip(DOCS, related, strict=True) if rng.random() < 0.8}
    lengths = {doc: float(rng.integers(1, 900)) for doc in DOCS if rng.random() < 0.7}
    return Rules(
        policies=Policies(**picked),
        families=families if rng.random() < 0.7 else None,
        lengths=lengths if rng.random() < 0.6 else None,
        default_length=100.0,
        cutoffs=(1, 3),
    )


def _gold(rng: np.random.Generator) -> Qrels:
    pairs = [(topic, doc) for topic in TOPICS[:4] for doc in DOCS if rng.random() < 0.4] or [("t0", "EP1")]
    grades = rng.choice([-1, 0, 0, 1, 1, 2, 3], len(pairs)).tolist()
    gold = [pairs[place] for place in rng.permutation(len(pairs)).tolist()]
    return Qrels.from_columns([topic for topic, _ in gold], [doc for _, doc in gold], grades)


def _rows(rng: np.random.Generator, *, distinct: bool) -> tuple[Row, ...]:
    rows = []
    for topic in rng.permutation(TOPICS).tolist()[: rng.integers(1, 6)]:
        size = int(rng.integers(1, 13))
        docs = rng.permutation(DOCS)[:size] if distinct or rng.random() < 0.6 else rng.choice(DOCS, size)
        scores: Callable[[], float] = lambda: SCORES[rng.integers(len(SCORES))]  # noqa: E731
        found = [
            Row(topic=topic, doc=doc, score=scores(), given=int(rng.integers(-3, 9)), view=float(rng.integers(0, 6)))
            for doc in docs.tolist()
        ]
        rows += sorted(found, key=lambda row: -row.score) if rng.random() < 0.4 else found
    if rng.random() < 0.3:
        rows = [rows[place] for place in rng.permutation(len(rows)).tolist()]
    return tuple(replace(row, line=line) for line, row in enumerate(rows, start=1))
