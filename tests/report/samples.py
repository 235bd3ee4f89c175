"""Scores to show: three systems whose numbers can be checked by eye, and worlds of any size."""

import numpy as np

from patstone.measures.measure import Measure, parse
from patstone.measures.policies import Policies
from patstone.measures.scores import Scores

HOSTILE = '<script>alert("1")</script>'
MEASURES = (
    "nDCG@10",
    "AP",
    "P@10",
    "RR",
    "R@100",
    "bpref",
    "Rprec",
    "P@5",
    "nDCG@5",
    "nDCG@100",
    "P(rel=2)@10",
    "P@20",
)


def measures(count: int) -> tuple[Measure, ...]:
    return tuple(map(parse, MEASURES[:count]))


def three() -> Scores:
    """Means: bm25 0.5 and 0.25, dense 0.75 and 0.125, an empty run 0 and undefined."""
    values = np.array(
        [
            [[0.25, 0.75, 0.5, 0.5], [0.25, 0.25, 0.25, 0.25]],
            [[1.0, 0.5, 1.0, 0.5], [0.125, 0.125, 0.125, 0.125]],
            [[0.0, 0.0, 0.0, 0.0], [np.nan, np.nan, np.nan, np.nan]],
        ]
    )
    return Scores(
        systems=("bm25", "dense", "empty"),
        measures=measures(2),
        topics=("q1", "q2", "q3", "q4"),
        values=values,
        gold="0123456789ab",
        counts={"bm25": {"missing_topics": 3, "tied": 0}, "dense": {"tied": 1}, "empty": {"tied": 2}},
        metadata={"office": ["EP", "US", "EP", "US"]},
    )


def world(systems: int, topics: int, count: int, *, seed: int = 0, names: tuple[str, ...] = ()) -> Scores:
    """Random scores in which the systems become worse one by one."""
    rng = np.random.default_rng(seed)
    hard = rng.beta(1.3, 1.6, size=(1, 1, topics))
    shift = np.linspace(0.15, -0.15, systems)[:, None, None]
    values = np.clip(hard + shift + rng.normal(0, 0.15, size=(systems, count, topics)), 0, 1)
    return Scores(
        systems=names or tuple(f"system {number}" for number in range(systems)),
        measures=measures(count),
        topics=tuple(f"EP{1_000_000 + 37 * number}" for number in range(topics)),
        values=values,
        policies=Policies(missing="skip", offices=("EP", "WO")),
        gold="0123456789ab",
    )
