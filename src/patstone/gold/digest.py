"""A short fingerprint of a gold standard: equal content, equal digest, whatever the order of rows or topics.

Every judgment is hashed, and the hashes are added up, for a sum has no order. It tells collections apart; it is no
defence against someone who wants two of them to look alike.
"""

import numpy as np

from patstone.files import ids
from patstone.gold.qrels import Ints, Qrels, Subtopics


def digest(gold: Qrels) -> str:
    """Twelve hex digits over topics, documents, grades, inventions, subtopics and what is said of these."""
    topics = ids.hashed(list(ids.words(ids.pack(gold.topics)).T))
    topic = topics[gold.topic]
    row = ids.hashed([topic, _bits(gold.grades), *ids.words(gold.docs).T])
    parts = _sums(row)
    if gold.inventions is not None:
        parts += _sums(ids.hashed([row, _together(row, gold.inventions)]))
    if gold.subtopics is not None:
        names = ids.words(ids.pack("_".join(name.split()) or "_" for name in gold.subtopics.names))
        aspects = ids.hashed(list(names.T))
        aspect = aspects[gold.subtopics.subtopic]
        parts += _sums(ids.hashed([row[gold.subtopics.judged], aspect, _bits(gold.subtopics.grades)]))
        owned = [aspects, np.repeat(topics, np.diff(gold.subtopics.starts))]
        parts += [part for said in _said(gold.subtopics) for part in _sums(ids.hashed([*owned, said]))]
    whole = ids.hashed([np.array([part], dtype=np.uint64) for part in parts])
    return f"{int(whole[0]):016x}"[:12]


def _bits(grades: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> ids.Words:
    # Adding zero turns -0.0, which is the same grade, into 0.0, which has other bits.
    return (grades + 0.0).view(np.uint64)


def _said(aspects: Subtopics) -> list[ids.Words]:
    """What a side table says of each subtopic, each column marked by its place."""
    columns = [aspects.independent, aspects.weights]
    said = [(place, column) for place, column in enumerate(columns) if column is not None]
    return [ids.hashed([_bits(column.astype(np.float64))], place) for place, column in said]


def _sums(rows: ids.Words) -> list[int]:
    """How many rows there are, and two sums of their hashes."""
    again = ids.hashed([rows], 1)
    return [len(rows), int(rows.sum()), int(again.sum())]


def _together(row: ids.Words, inventions: Ints) -> ids.Words:
    """Replace an invention's code, which depends on the order of rows, by the sum of its members' hashes."""
    _, codes = np.unique(inventions, return_inverse=True)
    total = np.zeros(codes.max(initial=-1) + 1, dtype=np.uint64)
    np.add.at(total, codes, row)
    return total[codes]
