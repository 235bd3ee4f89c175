"""Classes that a system ranked or assigned: tables as for the gold standard, and the NTCIR layout.

A table may have a score or a rank, else its order is the ranking, and may say of each class whether it is assigned: the
set that the F-measure looks at. The NTCIR layout has lines of patent, theme, F-term and yes or no, best first, with a
score where there is a fifth field.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.header import Wanted
from patstone.files.lines import Fields, read_fields
from patstone.files.numerals import numbers
from patstone.files.tables import Table, read_table
from patstone.gold.class_sets import answered, exploded
from patstone.gold.columns import offsets
from patstone.gold.sources import CLASSES, PATENT, THEME
from patstone.systems.run import Run, gathered

_PATENT, _TERM, _FLAG, _SCORE = 0, 2, 3, 4
ASSIGNED_CLASS_COLUMNS = (
    PATENT,
    THEME,
    CLASSES,
    Wanted(name="score", synonyms=("probability", "confidence", "sim", "similarity"), kind="number", required=False),
    Wanted(name="rank", synonyms=("position",), kind="integer", required=False),
    Wanted(name="assigned", synonyms=("flag", "selected", "submitted", "in_set"), kind="boolean", required=False),
)
_YES, _NO = (b"yes", b"y", b"true", b"1"), (b"no", b"n", b"false", b"0")


def read_class_run(path: str | Path, format: str, columns: Mapping[str, str] | None, name: str) -> Run:  # noqa: A002
    table = read_table(path, ASSIGNED_CLASS_COLUMNS, columns=columns, format=format)
    rows = exploded(table)
    order = np.argsort(rows.topic, kind="stable")
    row = rows.row[order]
    scores, notes = _scores(table, rows.row)
    assigned, rank = table.columns.get("assigned"), table.columns.get("rank")
    return Run(
        name=name,
        topics=rows.topics,
        starts=offsets(np.bincount(rows.topic, minlength=len(rows.topics))),
        docs=rows.docs[order],
        scores=scores[order],
        given=None if rank is None else rank[row],
        assigned=None if assigned is None else assigned[row],
        path=table.path,
        lines=table.lines[row],
        notes=table.notes + notes,
    )


def _scores(table: Table, row: NDArray[np.int64]) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    several = np.flatnonzero(np.diff(row) == 0)
    for name, sign in (("score", 1.0), ("rank", -1.0)):
        if name in table.columns:
            if len(several):
                rule = f"A table with a column {name!r} has one class a row; this one has several in a cell."
                raise table.refuse(rule, int(row[several[0]]))
            notes = () if name == "score" else (f"{table.path}: there are no scores; ranked by rank",)
            return sign * table.columns[name][row].astype(np.float64), notes
    return -np.arange(len(row), dtype=np.float64), (f"{table.path}: there are no scores; ranked by order of rows",)


@dataclass(frozen=True, kw_only=True)
class NtcirRun:
    name: str
    path: str
    open: Callable[[], BinaryIO]
    """Gives a fresh stream each time it is called."""

    def parts(self, *, ranks: bool = False) -> Iterator[Run]:  # noqa: ARG002 - lines stand in rank order
        with self.open() as stream:
            fields = None
            for fields in read_fields(stream, counts=(4, 5), path=self.path, group=_PATENT):
                yield self._run(fields)
        if fields is None:
            raise DataError("A run must hold at least one line; this file is empty.", path=self.path)

    def whole(self, *, ranks: bool = False) -> Run:  # noqa: ARG002 - lines stand in rank order
        return gathered(self.parts())

    def _run(self, fields: Fields) -> Run:
        changes, topics = answered(fields)
        scored = len(fields.ends) > _SCORE
        return Run(
            name=self.name,
            topics=tuple(topics),
            starts=np.append(changes, len(fields)),
            docs=ids.from_words(fields.ids(_TERM)),
            scores=numbers(fields, _SCORE) if scored else -fields.lines.astype(np.float64),
            assigned=_flags(fields),
            path=self.path,
            lines=fields.lines,
        )


def _flags(fields: Fields) -> NDArray[np.bool_]:
    column = np.char.lower(ids.from_words(fields.ids(_FLAG)))
    yes, no = np.isin(column, _YES), np.isin(column, _NO)
    wrong = np.flatnonzero(~(yes | no))
    if len(wrong):
        raise fields.refuse("A flag says yes or no: whether the F-term is assigned.", int(wrong[0]), _FLAG)
    return yes
