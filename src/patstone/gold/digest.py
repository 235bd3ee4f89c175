"""A gold standard's fingerprint: topics, documents, grades, inventions, subtopics and what is said of these."""

import numpy as np

from patstone.files import ids
from patstone.files.fingerprint import bits, hexed, sums, together
from patstone.gold.qrels import Qrels, Subtopics


def digest(gold: Qrels) -> str:
    topics = ids.hashed(list(ids.words(ids.pack(gold.topics)).T))
    topic = topics[gold.topic]
    row = ids.hashed([topic, bits(gold.grades), *ids.words(gold.docs).T])
    parts = sums(row)
    if gold.inventions is not None:
        parts += sums(ids.hashed([row, together(row, gold.inventions)]))
    if gold.subtopics is not None:
        names = ids.words(ids.pack("_".join(name.split()) or "_" for name in gold.subtopics.names))
        aspects = ids.hashed(list(names.T))
        aspect = aspects[gold.subtopics.subtopic]
        parts += sums(ids.hashed([row[gold.subtopics.judged], aspect, bits(gold.subtopics.grades)]))
        owned = [aspects, np.repeat(topics, np.diff(gold.subtopics.starts))]
        parts += [part for said in _said(gold.subtopics) for part in sums(ids.hashed([*owned, said]))]
    return hexed(parts)


def _said(aspects: Subtopics) -> list[ids.Words]:
    """What a side table says of each subtopic, each column marked by its place."""
    columns = [aspects.independent, aspects.weights]
    said = [(place, column) for place, column in enumerate(columns) if column is not None]
    return [ids.hashed([bits(column.astype(np.float64))], place) for place, column in said]
