"""A plain reference engine: dictionaries and sorting, no tricks. The fast one must agree with it."""

from collections.abc import Mapping

import numpy as np

from patstone.files import ids
from patstone.gold.qrels import Qrels
from patstone.measures.ranked import Ranked


def ranked(gold: Qrels, answers: Mapping[str, Mapping[str, float]]) -> Ranked:
    """Rank by score descending, then document id descending; keep the judged documents."""
    names = ids.texts(gold.docs)
    rows = {(int(t), name): row for row, (t, name) in enumerate(zip(gold.topic, names, strict=True))}
    hits: list[tuple[int, int, int]] = []
    for t, topic in enumerate(gold.topics):
        docs = sorted(answers.get(topic, {}).items(), key=lambda pair: (pair[1], pair[0].encode()), reverse=True)
        hits += [(t, k, rows[t, doc]) for k, (doc, _) in enumerate(docs, start=1) if (t, doc) in rows]
    columns = np.array(hits, dtype=np.int64).reshape(len(hits), 3)
    return Ranked(
        gold=gold,
        topic=columns[:, 0],
        rank=columns[:, 1],
        row=columns[:, 2],
        retrieved=np.array([len(answers.get(topic, {})) for topic in gold.topics], dtype=np.int64),
        answered=np.array([topic in answers for topic in gold.topics], dtype=np.bool_),
    )
