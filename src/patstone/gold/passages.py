"""From judged passages to a grade for each document: Dynamic Domain's highest rating, CLEF-IP's number of paragraphs.

Dynamic Domain rates passages; the best one speaks for its document. CLEF-IP's claims-to-passage task lists the
paragraphs that are relevant; paper 5 scales their number to grades from 1 to 4 over all topics.
"""

from dataclasses import replace

import numpy as np

from patstone.files import ids
from patstone.files.index import first_places
from patstone.gold.columns import Judgments
from patstone.gold.qrels import Floats, Ints

LEVELS = 4


def highest(rows: Judgments) -> tuple[Judgments, tuple[str, ...]]:
    """Keep one row for each topic, subtopic and document: the one with the highest rating; also note how many went."""
    first = _documents(rows)
    # The first row with the highest rating of its group: by group, then by rating, then as they came.
    order = np.lexsort((-rows.grades, first))
    kept = np.sort(order[np.concatenate([[True], np.diff(first[order]) != 0])])
    folded = len(first) - len(kept)
    note = f"{rows.path}: {folded:,} further passages of documents already rated; the highest rating counts"
    return _only(rows, kept, rows.grades[kept]), (note,) if folded else ()


def counted(rows: Judgments, paragraphs: ids.Ids) -> tuple[Judgments, tuple[str, ...]]:
    """Grade each document by its relevant paragraphs n, where N is the most that any has for a subtopic: ⌈4n / N⌉."""
    first = _documents(rows)
    _refuse_twice(rows, first_places(paragraphs, first))
    # Rows judged not relevant count nothing, but keep a document among the judged ones.
    relevant = np.bincount(first[rows.grades > 0], minlength=len(first))
    kept = np.flatnonzero(first == np.arange(len(first)))
    most = max(int(relevant.max(initial=0)), 1)
    grades = -(-LEVELS * relevant[kept] // most)
    note = (
        f"{rows.path}: grades are numbers of relevant paragraphs scaled to 1-{LEVELS}; the most in a document is {most}"
    )
    return _only(rows, kept, grades.astype(np.float64)), (note,)


def _documents(rows: Judgments) -> Ints:
    """For each row, the first one of its topic, subtopic and document."""
    aspect = rows.topic if rows.subtopics is None else first_places(rows.subtopics, rows.topic)
    return first_places(rows.docs, aspect)


def _refuse_twice(rows: Judgments, first: Ints) -> None:
    again = np.flatnonzero(first != np.arange(len(first)))
    if len(again):
        row = int(again[0])
        rule = f"A paragraph is judged once for a subtopic; this one is on line {rows.line(int(first[row]))} too."
        raise rows.refuse(rule, row, ids.texts(rows.docs[[row]])[0])


def _only(rows: Judgments, kept: Ints, grades: Floats) -> Judgments:
    return replace(
        rows,
        topic=rows.topic[kept],
        docs=rows.docs[kept],
        grades=grades,
        subtopics=None if rows.subtopics is None else rows.subtopics[kept],
        inventions=None if rows.inventions is None else rows.inventions[kept],
        lines=None if rows.lines is None else rows.lines[kept],
    )
