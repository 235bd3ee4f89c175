"""A gold standard made ready, once, for being looked up in any number of runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from patstone.files import ids
from patstone.gold.columns import offsets
from patstone.gold.qrels import Ints, Qrels
from patstone.measures.index import Lookup, Rows, spans

if TYPE_CHECKING:
    from patstone.patents.families import Families


@dataclass(frozen=True, eq=False, kw_only=True)
class Encoded:
    gold: Qrels
    number: Mapping[str, int]
    """The place of each topic in the gold standard."""
    pairs: Rows
    """For each topic its judged documents, then its own one and those of its family."""
    starts: Ints
    """Topic t owns pairs starts[t]:starts[t + 1]."""
    row: Ints
    """Per pair: the row in the gold standard, or -1 for a topic's own documents."""

    @classmethod
    def of(cls, gold: Qrels, *, families: "Families | None" = None) -> "Encoded":
        own, own_starts = _own_documents(ids.pack(gold.topics), families)
        own_sizes, sizes = np.diff(own_starts), np.diff(gold.starts)
        place = np.concatenate(
            [
                np.arange(len(gold)) + np.repeat(own_starts[:-1], sizes),
                np.arange(len(own)) + np.repeat(gold.starts[1:], own_sizes),
            ]
        )
        docs = ids.concatenate([gold.docs, own])
        row = np.full(len(docs), -1)
        row[place[: len(gold)]] = np.arange(len(gold))
        mixed = np.empty_like(docs)
        mixed[place] = docs
        return cls(
            gold=gold,
            number={name: place for place, name in enumerate(gold.topics)},
            pairs=Rows.of(mixed, np.arange(len(gold.topics)), sizes + own_sizes),
            starts=gold.starts + own_starts,
            row=row,
        )

    def found(self, topics: Ints, piece: Lookup) -> tuple[Ints, Ints, Ints]:
        """Rows of the piece that are judged, their rows in the gold standard, and rows that are a topic's own."""
        which: slice | Ints
        if len(topics) and (topics[1:] == topics[:-1] + 1).all():
            # Runs nearly always have the gold standard's order, and a slice copies nothing.
            which = slice(int(self.starts[topics[0]]), int(self.starts[topics[-1] + 1]))
        else:
            which = spans(self.starts[topics], self.starts[topics + 1])
        place = piece.find(self.pairs.take(which))
        hits = np.flatnonzero(place >= 0)
        place, row = place[hits], self.row[which][hits]
        judged = row >= 0
        return place[judged], row[judged], place[~judged]


def _own_documents(names: ids.Ids, families: "Families | None") -> tuple[ids.Ids, Ints]:
    """A topic's own document is named like it; say too where each topic's begin."""
    if families is None:
        return names, np.arange(len(names) + 1)
    members = []
    for name, code in zip(names, families.of(names).tolist(), strict=True):
        family = families.members(code) if code >= 0 else names[:0]
        members.append(ids.concatenate([ids.pack([name]), family[family != name]]))
    return ids.concatenate(members), offsets(np.array([len(own) for own in members], dtype=np.int64))
