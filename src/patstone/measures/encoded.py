"""A gold standard made ready, once, for having any number of runs looked up in it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from patstone.files import ids
from patstone.gold.qrels import Ints, Qrels
from patstone.measures.index import PairIndex, Rows
from patstone.measures.ranked import Bools
from patstone.patents.families import Families


@dataclass(frozen=True, eq=False, kw_only=True)
class Encoded:
    gold: Qrels
    number: Mapping[str, int]
    pairs: PairIndex
    """Judged documents, and each topic's own ones."""
    row: Ints
    """Per pair: its row in the gold standard, or -1."""
    own: Bools
    """Per pair: whether it is the topic's own document or of its family."""

    @classmethod
    def of(cls, gold: Qrels, *, families: Families | None = None) -> "Encoded":
        topics = len(gold.topics)
        judged = PairIndex.of(gold.docs, gold.topic, topics)
        docs, topic = _own_documents(gold, families)
        mine = Rows.of(docs, topic, seed=judged.seed)
        both, at = judged.find(mine, np.arange(topics))
        unjudged = np.ones(len(mine), dtype=np.bool_)
        unjudged[both] = False
        rest = np.flatnonzero(unjudged)
        own = np.zeros(len(gold) + len(rest), dtype=np.bool_)
        own[at] = True
        own[len(gold) :] = True
        pairs, order = _united(judged, gold.docs, docs[rest], topic[rest], topics)
        row = np.concatenate([np.arange(len(gold)), np.full(len(rest), -1)])
        number = {name: code for code, name in enumerate(gold.topics)}
        return cls(gold=gold, number=number, pairs=pairs, row=row[order], own=own[order])


def _own_documents(gold: Qrels, families: Families | None) -> tuple[ids.Ids, Ints]:
    """Each topic's document, named like the topic, and the members of its family."""
    names = ids.pack(gold.topics)
    docs, topics = [names], [np.arange(len(names))]
    if families is not None:
        codes = families.of(names)
        for topic in np.flatnonzero(codes >= 0).tolist():
            members = families.members(int(codes[topic]))
            members = members[members != names[topic]]
            docs.append(members)
            topics.append(np.full(len(members), topic))
    return ids.concatenate(docs), np.concatenate(topics)


def _united(judged: PairIndex, docs: ids.Ids, more: ids.Ids, topic: Ints, topics: int) -> tuple[PairIndex, Ints]:
    every = np.concatenate([judged.rows.topic, topic])
    order = np.argsort(every, kind="stable")
    return PairIndex.of(ids.concatenate([docs, more])[order], every[order], topics), order
