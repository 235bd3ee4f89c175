"""Ranked answers of one system: for each topic, documents with scores.

Rows are grouped by topic, in whatever order they were given within it: the engine makes the ranking, by rules
that the user names. A large run is a sequence of such runs, each holding whole topics.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids

_PIECE = 1 << 15


@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    name: str
    topics: tuple[str, ...]
    starts: NDArray[np.int64]
    """Topic t owns rows starts[t]:starts[t + 1]."""
    docs: ids.Ids
    scores: NDArray[np.float64]
    given: NDArray[np.int64] | None = None
    """The rank column, where the source has one; `ties="input"` ranks by it."""
    order: NDArray[np.float64] | None = None
    """The order in which documents were viewed, where it is not the ranking."""
    assigned: NDArray[np.bool_] | None = None
    """Whether a class is among those that the system assigned, where it says so beside the ranking."""
    path: str | None = None
    lines: NDArray[np.int64] | None = None
    """The source's line of each row, where it is known, for error messages."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know about how this was read."""

    def __len__(self) -> int:
        return len(self.docs)

    @cached_property
    def hashes(self) -> ids.Words:
        """One for each row, of its id: worked out once, as a string of Python keeps its own."""
        words = ids.words(self.docs)
        hashes = np.empty(len(self), dtype=np.uint64)
        for low in range(0, len(self), _PIECE):
            rows = slice(low, low + _PIECE)
            hashes[rows] = ids.hashed(list(words[rows].T))
        return hashes

    def parts(self, *, ranks: bool = True) -> Iterator["Run"]:  # noqa: ARG002 - they are here already
        """Pieces of whole topics, small enough for the processor's cache."""
        piece = np.maximum(self.starts[1:] - 1, 0) // _PIECE
        borders = np.concatenate([[0], np.flatnonzero(np.diff(piece)) + 1, [len(self.topics)]])
        for low, high in zip(borders[:-1].tolist(), borders[1:].tolist(), strict=True):
            yield self._topics(low, high)

    def _topics(self, low: int, high: int) -> "Run":
        if high - low == len(self.topics):
            return self
        rows = slice(int(self.starts[low]), int(self.starts[high]))
        piece = replace(
            self,
            topics=self.topics[low:high],
            starts=self.starts[low : high + 1] - self.starts[low],
            **{name: column[rows] for name, column in self._columns().items()},
        )
        # Where the property would keep what it works out: a piece has the ids of its rows, and so their hashes.
        vars(piece)["hashes"] = self.hashes[rows]
        return piece

    def take(self, rows: NDArray[np.int64] | NDArray[np.bool_], starts: NDArray[np.int64]) -> "Run":
        """The same topics with other rows."""
        return replace(self, starts=starts, **{name: column[rows] for name, column in self._columns().items()})

    def _columns(self) -> dict[str, Any]:
        names = ("docs", "scores", "given", "order", "assigned", "lines")
        return {name: column for name in names if (column := getattr(self, name)) is not None}

    def whole(self, *, ranks: bool = True) -> "Run":  # noqa: ARG002 - they are here already
        """The run with each topic's rows together."""
        return self if len(set(self.topics)) == len(self.topics) else gathered([self])

    @classmethod
    def from_dict(cls, answers: Mapping[str, Mapping[str, float]], *, name: str = "run") -> "Run":
        """Build from {topic: {document: score}}, as pytrec_eval takes it."""
        sizes = [len(docs) for docs in answers.values()]
        return cls(
            name=name,
            topics=tuple(answers),
            starts=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
            docs=ids.pack(doc for docs in answers.values() for doc in docs),
            scores=np.array([score for docs in answers.values() for score in docs.values()], dtype=np.float64),
        )


def gathered(parts: Iterable[Run]) -> Run:
    """One run in which the rows of a topic stand together, in the order of the parts.

    Each column is let go as soon as it is put in order, so that no more than one is held twice.
    """
    names: dict[str, int] = {}
    codes: list[NDArray[np.int32]] = []
    columns: dict[str, list[Any]] = {}
    for part in parts:
        numbers = np.array([names.setdefault(topic, len(names)) for topic in part.topics], dtype=np.int32)
        codes.append(np.repeat(numbers, np.diff(part.starts)))
        for name, column in part._columns().items():
            columns.setdefault(name, []).append(column)
    topic = np.concatenate(codes)
    codes.clear()
    order = np.argsort(topic, kind="stable")
    starts = np.searchsorted(topic, np.arange(len(names) + 1), sorter=order)
    del topic
    joined: dict[str, Any] = {name: np.concatenate(columns.pop(name))[order] for name in list(columns)}
    return replace(part, topics=tuple(names), starts=starts, **joined)


class Answers(Protocol):
    """A run, or a source that can be read as one piece by piece: `parts` cuts between topics.

    `parts` may raise `ScatteredTopics` when a topic's rows turn out not to be contiguous; `whole` then reads the
    source again and gathers them. The rank column need be read only with `ranks`: few policies look at it.
    """

    @property
    def name(self) -> str: ...
    def parts(self, *, ranks: bool = ...) -> Iterator[Run]: ...
    def whole(self, *, ranks: bool = ...) -> Run: ...


class ScatteredTopics(Exception):
    """A topic came back after another one had begun; caught by the engine, never seen by a user."""
