"""Equation (5) of paper 2 as settled: each assigned term stands for one missed true term at most, the best pair first.

Pairs are taken greedily by similarity, equal ones by the true term's code, then the assigned one's. That order is the
same for both sides, so the greedy pairs are the one stable matching, and a stable matching can grow by one assigned
term at a time: the newcomer proposes to the true terms that it is closest to, and whom it displaces proposes on. So
one pass gives the value of every prefix of a ranking, and all topics take their steps together.
"""

from dataclasses import dataclass, field

import numpy as np

from patstone.gold.qrels import Floats, Ints
from patstone.measures.ranked import Bools


@dataclass(frozen=True, eq=False, kw_only=True)
class Lists:
    """Rows of several topics in rank order; the topics with the longest lists come first."""

    starts: Ints
    """Per topic: its first row."""
    sizes: Ints
    near: Floats
    """Rows × true terms, in the order of their codes: similarities, 0 where a topic has no such term."""
    hit: Ints
    """Per row: which true term it is, or -1."""
    code: Ints
    """Per row: its place in the order of codes."""


def credit_upto(lists: Lists) -> Floats:
    """Per row: true terms hit up to there, and the similarities of the pairs made of the others."""
    state = _Pairs(lists, np.ones((len(lists.sizes), lists.near.shape[1]), dtype=np.bool_))
    found = np.empty(len(lists.hit))
    for step in range(int(lists.sizes.max(initial=0))):
        topic = np.arange(np.searchsorted(-lists.sizes, -step, side="left"))
        row = lists.starts[topic] + step
        exact = lists.hit[row] >= 0
        freed, partner = state.close(topic[exact], lists.hit[row[exact]])
        state.propose(np.concatenate([topic[~exact], freed]), np.concatenate([row[~exact], partner]))
        found[row] = state.total[topic]
    return found


@dataclass(eq=False)
class _Pairs:
    lists: Lists
    open: Bools
    """Topics × true terms: not hit yet."""
    value: Floats = field(init=False)
    partner: Ints = field(init=False)
    """The row that is matched with each true term, or -1."""
    total: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.value = np.zeros(self.open.shape)
        self.partner = np.full(self.open.shape, -1)
        self.total = np.zeros(len(self.open))

    def close(self, topic: Ints, term: Ints) -> tuple[Ints, Ints]:
        """A true term is hit: it counts in full, and the row that was matched with it is free again."""
        partner = self.partner[topic, term]
        self.total[topic] += 1 - self.value[topic, term]
        self.open[topic, term], self.value[topic, term], self.partner[topic, term] = False, 0.0, -1
        return topic[partner >= 0], partner[partner >= 0]

    def propose(self, topic: Ints, row: Ints) -> None:
        """One row a topic looks for a true term that is open and prefers it to its partner, until none is displaced."""
        code = self.lists.code
        while len(topic):
            near = self.lists.near[row] * self.open[topic]
            value = self.value[topic]
            # What equals nothing, 0, is matched with nothing.
            wins = (near > value) | ((near == value) & (near > 0) & (code[row][:, None] < code[self.partner[topic]]))
            near[~wins] = 0
            term = near.argmax(axis=1)
            gain = near[np.arange(len(term)), term]
            some = gain > 0
            topic, row, term, gain = topic[some], row[some], term[some], gain[some]
            displaced = self.partner[topic, term]
            self.total[topic] += gain - self.value[topic, term]
            self.value[topic, term], self.partner[topic, term] = gain, row
            topic, row = topic[displaced >= 0], displaced[displaced >= 0]
