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
    """The judged documents, as in the gold standard; after them each topic's own one and those of its family."""
    own_starts: Ints
    """Topic t owns pairs own_starts[t]:own_starts[t + 1] of the latter."""

    @classmethod
    def of(cls, gold: Qrels, *, families: "Families | None" = None) -> "Encoded":
        own, starts = _own_documents(ids.pack(gold.topics), families)
        topics = np.arange(len(gold.topics))
        return cls(
            gold=gold,
            number={name: place for place, name in enumerate(gold.topics)},
            pairs=Rows.of(
                ids.concatenate([gold.docs, own]),
                np.concatenate([topics, topics]),
                np.concatenate([np.diff(gold.starts), np.diff(starts)]),
            ),
            own_starts=starts + len(gold),
        )

    def found(self, topics: Ints, piece: Lookup) -> tuple[Ints, Ints, Ints]:
        """Rows of the piece that are judged, their rows in the gold standard, and rows that are a topic's own."""
        judged = spans(self.gold.starts[topics], self.gold.starts[topics + 1])
        own = spans(self.own_starts[topics], self.own_starts[topics + 1])
        row = piece.find(self.pairs.take(np.concatenate([judged, own])))
        hits, mine = row[: len(judged)], row[len(judged) :]
        return hits[hits >= 0], judged[hits >= 0], mine[mine >= 0]


def _own_documents(names: ids.Ids, families: "Families | None") -> tuple[ids.Ids, Ints]:
    """A topic's own document is named like it; say too where each topic's begin."""
    if families is None:
        return names, np.arange(len(names) + 1)
    members = []
    for name, code in zip(names, families.of(names).tolist(), strict=True):
        family = families.members(code) if code >= 0 else names[:0]
        members.append(ids.concatenate([ids.pack([name]), family[family != name]]))
    return ids.concatenate(members), offsets(np.array([len(own) for own in members], dtype=np.int64))
