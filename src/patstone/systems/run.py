"""Ranked answers of one system: for each topic, documents with scores.

Rows are grouped by topic, in whatever order they were given within it: the engine makes the ranking, by rules
that the user names. A large run is a sequence of such runs, each holding whole topics.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids


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
    path: str | None = None
    lines: NDArray[np.int64] | None = None
    """The source's line of each row, where it is known, for error messages."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know about how this was read."""

    def __len__(self) -> int:
        return len(self.docs)

    def parts(self) -> Iterator["Run"]:
        yield self

    def whole(self) -> "Run":
        return self

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


class Answers(Protocol):
    """A run, or a source that can be read as one piece by piece: `parts` cuts between topics.

    `parts` may raise `ScatteredTopics` when a topic's rows turn out not to be contiguous; `whole` then reads the
    source again and gathers them.
    """

    @property
    def name(self) -> str: ...
    def parts(self) -> Iterator[Run]: ...
    def whole(self) -> Run: ...


class ScatteredTopics(Exception):
    """A topic came back after another one had begun; caught by the engine, never seen by a user."""
