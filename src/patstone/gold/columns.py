"""From columns of judgments to a gold standard: group by topic, find duplicates, fold subtopics into documents.

A duplicate judgment is an error that names both rows: keeping either one would be a silent choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.gold.qrels import Floats, Ints, Qrels, Subtopics


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgments:
    """Columns as a reader finds them: one row for each judgment, in any order."""

    topics: tuple[str, ...]
    topic: Ints
    docs: ids.Ids
    grades: Floats
    subtopics: Sequence[str] | None = None
    inventions: Sequence[str] | None = None
    path: str | None = None
    lines: Ints | None = None
    """Where each row came from; counts from 1 without it."""

    def line(self, row: int) -> int:
        return int(self.lines[row]) if self.lines is not None else row + 1

    def refuse(self, rule: str, row: int, value: object = None) -> DataError:
        return DataError(rule, path=self.path, line=self.line(row), value=value)


def build(
    topics: Sequence[str],
    docs: Sequence[str],
    grades: Sequence[float],
    *,
    subtopics: Sequence[str] | None = None,
    inventions: Sequence[str] | None = None,
) -> Qrels:
    codes, names = coded(topics)
    return assemble(
        Judgments(
            topics=names,
            topic=codes,
            docs=ids.pack(docs),
            grades=np.array(grades, dtype=np.float64),
            subtopics=subtopics,
            inventions=inventions,
        )
    )


def coded(texts: Sequence[str]) -> tuple[Ints, tuple[str, ...]]:
    """Number the distinct texts in order of first appearance."""
    codes: dict[str, int] = {}
    column = np.fromiter((codes.setdefault(text, len(codes)) for text in texts), dtype=np.int64, count=len(texts))
    return column, tuple(codes)


def assemble(rows: Judgments) -> Qrels:
    """Make the gold standard; rows of one topic may be apart in the source."""
    bad = np.flatnonzero(~np.isfinite(rows.grades))
    if len(bad):
        raise rows.refuse("A grade must be a finite number.", int(bad[0]), float(rows.grades[bad[0]]))
    order = np.argsort(rows.topic, kind="stable")
    first, group = _documents(rows, order)
    if rows.subtopics is None and len(first) < len(order):
        _refuse_duplicate(rows, order, group)
    grades = np.full(len(first), -np.inf)
    np.maximum.at(grades, group, rows.grades[order])
    source = order[first]
    counts = np.bincount(rows.topic[source], minlength=len(rows.topics))
    return Qrels(
        topics=rows.topics,
        starts=offsets(counts),
        docs=rows.docs[source],
        grades=grades,
        inventions=_inventions(rows, source),
        subtopics=_subtopics(rows, order, group),
    )


def offsets(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _documents(rows: Judgments, order: Ints) -> tuple[Ints, Ints]:
    """Number the distinct (topic, document) pairs along `order`: where each first stands, and each row's number."""
    words = ids.words(rows.docs)[order]
    salt = rows.topic[order].astype(np.uint64)
    keys = ids.hashed([salt, *words.T])
    if (np.diff(np.sort(keys)) != 0).all():
        return np.arange(len(keys)), np.arange(len(keys))
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    if not (words[first][inverse] == words).all() or not (salt[first][inverse] == salt).all():
        # Two documents share 64 bits of hash: once in a lifetime, but exact all the same.
        pairs = np.column_stack([salt, words])
        _, first, inverse = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    by_place = np.argsort(first)
    rank[by_place] = np.arange(len(first))
    return first[by_place], rank[inverse.reshape(-1)]


def _refuse_duplicate(rows: Judgments, order: Ints, group: Ints) -> None:
    _, first = np.unique(group, return_index=True)
    again = np.setdiff1d(np.arange(len(group)), first)
    earliest = int(again[np.argmin(order[again])])
    twin = int(order[first[group[earliest]]])
    row = int(order[earliest])
    doc = ids.texts(rows.docs[[row]])[0]
    topic = rows.topics[rows.topic[row]]
    rule = f"A document is judged once for a topic; {topic!r} has it on line {rows.line(twin)} too."
    raise rows.refuse(rule, row, doc)


def _inventions(rows: Judgments, source: Ints) -> Ints | None:
    if rows.inventions is None:
        return None
    return coded([rows.inventions[row] for row in source.tolist()])[0]


def _subtopics(rows: Judgments, order: Ints, group: Ints) -> Subtopics | None:
    if rows.subtopics is None:
        return None
    pairs = [(int(rows.topic[row]), rows.subtopics[row]) for row in order.tolist()]
    # Natural order, so that claim 10 follows claim 9: decaying importance depends on it.
    distinct = sorted(set(pairs), key=lambda pair: (pair[0], natural(pair[1])))
    code = {pair: number for number, pair in enumerate(distinct)}
    subtopic = np.array([code[pair] for pair in pairs], dtype=np.int64)
    _refuse_repeated_aspect(rows, order, group, subtopic)
    owners = np.array([topic for topic, _ in distinct], dtype=np.int64)
    return Subtopics(
        names=tuple(name for _, name in distinct),
        starts=offsets(np.bincount(owners, minlength=len(rows.topics))),
        judged=group,
        subtopic=subtopic,
        grades=rows.grades[order],
    )


def natural(text: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Sort key that reads runs of digits as numbers; the text itself decides between 1 and 01."""
    from re import findall

    # A longer number is larger, so numbers need not be made, which Python refuses beyond some thousand digits.
    numbers = [(digits.lstrip("0"), rest) for digits, rest in findall(r"([0-9]+)|([^0-9]+)", text)]
    return tuple((1, 0, rest) if rest else (0, len(number), number) for number, rest in numbers), text


def _refuse_repeated_aspect(rows: Judgments, order: Ints, group: Ints, subtopic: Ints) -> None:
    keys = group * (subtopic.max(initial=0) + 1) + subtopic
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) == len(keys):
        return
    again = np.setdiff1d(np.arange(len(keys)), first)
    place = int(again[np.argmin(order[again])])
    row, twin = int(order[place]), int(order[first[inverse[place]]])
    doc = ids.texts(rows.docs[[row]])[0]
    topic = rows.topics[rows.topic[row]]
    rule = f"A document is judged once for a subtopic; {topic!r} has it on line {rows.line(twin)} too."
    raise rows.refuse(rule, row, doc)
