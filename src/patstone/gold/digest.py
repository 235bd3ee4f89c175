"""A short fingerprint of a gold standard: equal content, equal digest, whatever the order of rows or topics."""

import hashlib

import numpy as np

from patstone.files import ids
from patstone.gold.qrels import Qrels


def digest(gold: Qrels) -> str:
    """Twelve hex digits over topics, documents, grades, inventions and subtopics."""
    names = ids.words(ids.pack(gold.topics)) if gold.topics else np.empty((0, 1), dtype=np.uint64)
    topic = ids.hashed(list(names.T))[gold.topic]
    # A column padded wider must not change the fingerprint: words of padding are zero and are left out.
    row = ids.hashed([topic, gold.grades.view(np.uint64)])
    for column in ids.words(gold.docs).T:
        row = np.where(column == 0, row, ids.hashed([row, column]))
    parts = [_folded(row)]
    if gold.inventions is not None:
        parts.append(_folded(ids.hashed([_together(row, gold.inventions), row])))
    if gold.subtopics is not None:
        aspects = ids.words(ids.pack("_".join(name.split()) or "_" for name in gold.subtopics.names))
        aspect = ids.hashed(list(aspects.T))[gold.subtopics.subtopic]
        grades = gold.subtopics.grades.view(np.uint64)
        parts.append(_folded(ids.hashed([row[gold.subtopics.judged], aspect, grades])))
    return hashlib.sha256(b"".join(parts)).hexdigest()[:12]


def _folded(rows: ids.Words) -> bytes:
    """Add up the rows' hashes: addition has no order."""
    again = ids.hashed([rows], 1)
    return np.array([len(rows), rows.sum(), again.sum()], dtype=np.uint64).tobytes()


def _together(row: ids.Words, inventions: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> ids.Words:
    """Replace an invention's code, which depends on the order of rows, by the sum of its members' hashes."""
    _, codes = np.unique(inventions, return_inverse=True)
    total = np.zeros(codes.max(initial=-1) + 1, dtype=np.uint64)
    np.add.at(total, codes, row)
    return total[codes]
