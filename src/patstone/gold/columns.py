"""From columns of judgments to a gold standard: group by topic, find duplicates, fold subtopics into documents.

A duplicate judgment is an error that names both rows: keeping either one would be a silent choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.files.index import first_places
from patstone.gold.qrels import Floats, Ints, Qrels, Subtopics


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgments:
    """Columns as a reader finds them: one row for each judgment, in any order."""

    topics: tuple[str, ...]
    topic: Ints
    docs: ids.Ids
    grades: Floats
    subtopics: ids.Ids | None = None
    inventions: ids.Ids | None = None
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
    columns = (topics, docs, grades, subtopics, inventions)
    sizes = {len(column) for column in columns if column is not None}
    if len(sizes) > 1:
        lengths = ", ".join(map(str, sorted(sizes)))
        raise UsageError(f"Columns of judgments must be equally long. Got lengths {lengths}.")
    codes, names = coded(topics)
    return assemble(
        Judgments(
            topics=names,
            topic=codes,
            docs=ids.pack(docs),
            grades=np.array(grades, dtype=np.float64),
            subtopics=None if subtopics is None else ids.pack(subtopics),
            inventions=None if inventions is None else ids.pack(inventions),
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
    if rows.subtopics is None:
        _refuse_duplicates(rows, order, group, "topic")
    source = order[first]
    grades = rows.grades[source]
    if len(source) < len(order):
        np.maximum.at(grades, group, rows.grades[order])
    counts = np.bincount(rows.topic[source], minlength=len(rows.topics))
    return Qrels(
        topics=rows.topics,
        starts=offsets(counts),
        docs=rows.docs[source],
        grades=grades,
        inventions=_inventions(rows, order, first, group),
        subtopics=_subtopics(rows, order, group),
    )


def offsets(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _documents(rows: Judgments, order: Ints) -> tuple[Ints, Ints]:
    """Number the distinct (topic, document) pairs along `order`: where each first stands, and each row's number."""
    first = first_places(rows.docs[order], rows.topic[order])
    fresh = first == np.arange(len(first))
    return np.flatnonzero(fresh), (np.cumsum(fresh) - 1)[first]


def _refuse_duplicates(rows: Judgments, order: Ints, keys: Ints, what: str) -> None:
    """`keys` number what may stand once, along `order`."""
    if (np.diff(np.sort(keys)) != 0).all():
        return
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[number] != np.arange(len(keys)))
    place = int(again[np.argmin(order[again])])
    row, twin = int(order[place]), int(order[first[number[place]]])
    doc = ids.texts(rows.docs[[row]])[0]
    topic = rows.topics[rows.topic[row]]
    rule = f"A document is judged once for a {what}; {topic!r} has it on line {rows.line(twin)} too."
    raise rows.refuse(rule, row, doc)


def _inventions(rows: Judgments, order: Ints, first: Ints, group: Ints) -> Ints | None:
    """A document judged for several subtopics is one invention under all of them."""
    if rows.inventions is None:
        return None
    code = first_places(rows.inventions)[order]
    wrong = np.flatnonzero(code != code[first][group])
    if len(wrong):
        row, twin = int(order[wrong[0]]), int(order[first[group[wrong[0]]]])
        here, there = ids.texts(rows.inventions[[row, twin]])
        raise rows.refuse(f"A document belongs to one invention; line {rows.line(twin)} says {there!r}.", row, here)
    return code[first]


def _subtopics(rows: Judgments, order: Ints, group: Ints) -> Subtopics | None:
    if rows.subtopics is None:
        return None
    names, name = _in_natural_order(rows.subtopics[order])
    aspects, subtopic = np.unique(rows.topic[order] * len(names) + name, return_inverse=True)
    _refuse_duplicates(rows, order, group * len(aspects) + subtopic, "subtopic")
    return Subtopics(
        names=tuple(names[code] for code in (aspects % len(names)).tolist()),
        starts=offsets(np.bincount(aspects // len(names), minlength=len(rows.topics))),
        judged=group,
        subtopic=subtopic,
        grades=rows.grades[order],
    )


def _in_natural_order(column: ids.Ids) -> tuple[list[str], Ints]:
    """The distinct names, so that claim 10 follows claim 9 (decaying importance goes by it), and each row's number."""
    first = first_places(column)
    places = np.flatnonzero(first == np.arange(len(first)))
    names = ids.texts(column[places])
    ordered = sorted(range(len(names)), key=lambda number: natural(names[number]))
    number = np.empty(len(column), dtype=np.int64)
    number[places[ordered]] = np.arange(len(names))
    return [names[each] for each in ordered], number[first]


def natural(text: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Sort key that reads runs of digits as numbers; the text itself decides between 1 and 01."""
    from re import findall

    # A longer number is larger, so numbers need not be made, which Python refuses beyond some thousand digits.
    numbers = [(digits.lstrip("0"), rest) for digits, rest in findall(r"([0-9]+)|([^0-9]+)", text)]
    return tuple((1, 0, rest) if rest else (0, len(number), number) for number, rest in numbers), text
