"""Scores: per-topic values of measures for systems, with the policies and counts that shaped them.

The mean is a fold over the per-topic rows; a topic that a policy left out is NaN in its row and is not counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from patstone.gold.qrels import Floats, Ints
from patstone.measures.measure import Measure
from patstone.measures.policies import Policies


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores:
    systems: tuple[str, ...]
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    values: Floats
    """systems × measures × topics; NaN where a policy left the topic out."""
    policies: Policies = field(default_factory=Policies)
    gold: str = ""
    """The gold standard's digest."""
    families: str | None = None
    lengths: str | None = None
    scheme: str | None = None
    """Digests of what else the numbers depend on, where it was given."""
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By system: what each policy touched."""
    metadata: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Topic columns that results can be sliced by: a value for each of `topics`."""

    @cached_property
    def means(self) -> Floats:
        """Systems × measures; NaN where no topic counts."""
        counted = ~np.isnan(self.values)
        total = np.where(counted, self.values, 0.0).sum(axis=2)
        with np.errstate(invalid="ignore"):
            return np.asarray(total / counted.sum(axis=2), dtype=np.float64)

    @cached_property
    def topics_counted(self) -> Ints:
        """Systems × measures: how many topics stand behind each mean."""
        return np.asarray((~np.isnan(self.values)).sum(axis=2), dtype=np.int64)

    def of(self, measure: Measure) -> Floats:
        """Systems × topics."""
        return self.values[:, self.measures.index(measure), :]

    def by_topic(self) -> Iterator[dict[str, Any]]:
        keys = ("system", "measure", "topic", "value")
        return (dict(zip(keys, row, strict=True)) for row in self.rows())

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """System, measure, topic and value."""
        for system, by_measure in zip(self.systems, self.values, strict=True):
            for measure, row in zip(map(str, self.measures), by_measure, strict=True):
                for topic, value in zip(self.topics, row.tolist(), strict=True):
                    yield system, measure, topic, value
