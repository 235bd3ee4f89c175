"""TREC run files: `topic Q0 document rank score tag`, of any size, as runs of whole topics.

Memory is one block of lines plus the longest topic. A topic that comes back after another one is the engine's to
notice; `whole` then reads the file again and gathers rows by topic, holding for each row its id (padded to eight
bytes), its score and three integers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from patstone.files import ids
from patstone.files.lines import Fields, read_fields
from patstone.files.numerals import numbers
from patstone.systems.run import Run

_TOPIC, _DOC, _RANK, _SCORE = 0, 2, 3, 4


@dataclass(frozen=True, kw_only=True)
class TrecRun:
    name: str
    path: str
    open: Callable[[], BinaryIO]
    """Gives a fresh stream each time it is called."""
    ranks: bool = False
    """Whether the rank column is read; only `ties="input"` looks at it."""

    def parts(self) -> Iterator[Run]:
        with self.open() as stream:
            for fields in read_fields(stream, counts=(6,), path=self.path, group=_TOPIC):
                yield self._run(fields)

    def whole(self) -> Run:
        return gathered(list(self.parts()))

    def _run(self, fields: Fields) -> Run:
        groups = fields.groups if fields.groups is not None else np.empty(0, dtype=np.int64)
        return Run(
            name=self.name,
            topics=tuple(fields.texts(_TOPIC, groups)),
            starts=np.append(groups, len(fields)),
            docs=ids.from_words(fields.ids(_DOC).T),
            scores=numbers(fields, _SCORE),
            given=numbers(fields, _RANK, what="A rank").astype(np.int64) if self.ranks else None,
            path=self.path,
            lines=fields.lines,
        )


def gathered(parts: list[Run]) -> Run:
    """One run in which the rows of a topic stand together, in the order of the parts."""
    names: dict[str, int] = {}
    codes = [names.setdefault(topic, len(names)) for part in parts for topic in part.topics]
    sizes = [size for part in parts for size in np.diff(part.starts).tolist()]
    topic = np.repeat(np.array(codes, dtype=np.int64), sizes)
    order = np.argsort(topic, kind="stable")
    counts = np.bincount(topic, minlength=len(names))
    given = [part.given for part in parts if part.given is not None]
    lines = [part.lines for part in parts if part.lines is not None]
    return Run(
        name=parts[0].name if parts else "",
        topics=tuple(names),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        docs=ids.concatenate([part.docs for part in parts])[order],
        scores=np.concatenate([part.scores for part in parts])[order] if parts else np.empty(0),
        given=np.concatenate(given)[order] if given else None,
        path=parts[0].path if parts else None,
        lines=np.concatenate(lines)[order] if lines else None,
    )
