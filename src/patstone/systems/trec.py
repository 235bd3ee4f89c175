"""TREC run files: `topic Q0 document rank score tag`, of any size, as runs of whole topics.

Memory is one block of lines plus the longest topic. A topic that comes back after another one is the engine's to
notice; `whole` then reads the file again and gathers rows by topic. Then memory grows with the rows: each holds its
id (padded to eight bytes), its score and its line, and at the peak no more than three times that.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.lines import Fields, read_fields
from patstone.files.numerals import numbers
from patstone.files.streams import atomic
from patstone.systems.run import Run, gathered

_TOPIC, _DOC, _RANK, _SCORE = 0, 2, 3, 4
# Beyond this a float can't tell whole numbers apart.
_LARGEST_RANK = 2.0**53


@dataclass(frozen=True, kw_only=True)
class TrecRun:
    name: str
    path: str
    open: Callable[[], BinaryIO]
    """Gives a fresh stream each time it is called."""

    def parts(self, *, ranks: bool = False) -> Iterator[Run]:
        with self.open() as stream:
            fields = None
            for fields in read_fields(stream, counts=(6,), path=self.path, group=_TOPIC):
                # Ranks are not read unless they count; the first one tells whether the columns are where they belong.
                numbers(fields.head(1), _RANK, what="A rank")
                yield self._run(fields, ranks=ranks)
        if fields is None:
            raise DataError("A run must hold at least one line; this file is empty.", path=self.path)

    def whole(self, *, ranks: bool = False) -> Run:
        return gathered(self.parts(ranks=ranks))

    def _run(self, fields: Fields, *, ranks: bool) -> Run:
        groups = fields.groups if fields.groups is not None else np.empty(0, dtype=np.int64)
        return Run(
            name=self.name,
            topics=tuple(fields.texts(_TOPIC, groups)),
            starts=np.append(groups, len(fields)),
            docs=ids.from_words(fields.ids(_DOC)),
            scores=numbers(fields, _SCORE),
            given=_whole_numbers(fields) if ranks else None,
            path=self.path,
            lines=fields.lines,
        )


def _whole_numbers(fields: Fields) -> NDArray[np.int64]:
    ranks = numbers(fields, _RANK, what="A rank")
    wrong = np.flatnonzero((ranks != np.trunc(ranks)) | (np.abs(ranks) >= _LARGEST_RANK))
    if len(wrong):
        raise fields.refuse("A rank must be a whole number.", int(wrong[0]), _RANK)
    return ranks.astype(np.int64)


def write_trec(run: Run, path: str | Path) -> None:
    """Write a run whose rows are in order of rank; scores as 32-bit floats, in as few digits as tell them."""
    with atomic(path) as temporary, temporary.open("wb") as stream:
        for line in trec_lines(run):
            stream.write(line)


def trec_lines(run: Run) -> Iterator[bytes]:
    """The lines of a run, some thousands at a time."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tag = "_".join(run.name.split()) or "run"
    for part in run.parts():
        sizes = np.diff(part.starts)
        rank = np.arange(len(part)) - np.repeat(part.starts[:-1], sizes) + 1
        topics = pa.array(part.topics, pa.string()).take(pa.array(np.repeat(np.arange(len(sizes)), sizes)))
        docs = pa.array(part.docs.tolist(), pa.binary()).cast(pa.string())
        scores = pc.cast(pa.array(part.scores.astype(np.float32)), pa.string())
        numbers = pc.cast(pa.array(rank), pa.string())
        lines = pc.binary_join_element_wise(topics, "Q0", docs, numbers, scores, f"{tag}\n", " ")
        yield b"".join(lines.cast(pa.binary()).to_pylist())
