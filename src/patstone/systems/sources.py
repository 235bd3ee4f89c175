"""Ranked answers from any source: TREC runs, tables, JSON, and the research utility's folders.

The name's ending tells the format; what has no known ending is TREC. A table without scores is ranked by its rank
column, and without that by the order of its rows; the run's notes say so.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from patstone.errors import UsageError
from patstone.files import ids
from patstone.files.formats import COMPRESSED, FORMATS, format_of, split_sheet
from patstone.files.header import Wanted
from patstone.files.streams import rewindable
from patstone.gold.columns import coded, offsets
from patstone.gold.sources import DOC, NTCIR, TOPIC, holds_classes, names_themes, refuse_columns
from patstone.systems.mapping import is_mapping, read_mapping
from patstone.systems.run import Answers, Run

if TYPE_CHECKING:
    from patstone.files.tables import Table

RUN_COLUMNS = (
    TOPIC,
    DOC,
    Wanted(name="score", synonyms=("sim", "similarity", "relevance_score", "rsv"), kind="number", required=False),
    Wanted(name="rank", synonyms=("position",), kind="integer", required=False),
    Wanted(name="order", synonyms=("viewed", "viewing_order"), kind="number", required=False),
)
MAPPING = "mapping"
# Endings that are no part of a run's name; any other, as in input.bm25, may be all that tells two runs apart.
_ENDINGS = {*FORMATS, *COMPRESSED, ".run", ".trec", ".txt", ".res", ".results"}


def open_run(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Answers:
    """Open a run; a TREC run is read when it is scored, a table at once. `columns` maps names of RUN_COLUMNS."""
    known = ("trec", NTCIR, MAPPING, *dict.fromkeys(FORMATS.values()))
    if format is not None and format not in known:
        raise UsageError(f"The format of a run must be one of {', '.join(known)}. Got {format!r}.")
    chosen = format or told(path)
    if chosen == MAPPING:
        refuse_columns(columns, chosen)
        return read_mapping(path, name=name or stem(path))
    if chosen in FORMATS.values():
        if holds_classes(path, chosen, columns):
            from patstone.systems.classes import read_class_run

            return read_class_run(path, chosen, columns, name or stem(path))
        from patstone.files.tables import read_table

        return _from_table(read_table(path, RUN_COLUMNS, columns=columns, format=chosen), name or stem(path))
    refuse_columns(columns, chosen)
    source = rewindable(path)
    if chosen == NTCIR:
        from patstone.systems.classes import NtcirRun

        return NtcirRun(name=name or stem(path), path=source.name, open=source.open)
    from patstone.systems.trec import TrecRun

    return TrecRun(name=name or stem(path), path=source.name, open=source.open)


def told(path: str | Path) -> str:
    """What the name or the content tells."""
    if is_mapping(path):
        return MAPPING
    return format_of(path) or (NTCIR if names_themes(path) else "trec")


def stem(path: str | Path) -> str:
    """The run's name: its file's, without endings that only tell the format."""
    if str(path) == "-":
        return "stdin"
    file = Path(split_sheet(path)[0])
    while file.suffix.lower() in _ENDINGS and file.stem:
        file = Path(file.stem)
    return file.name


def _from_table(table: "Table", name: str) -> Run:
    topic, topics = coded(ids.texts(table.columns["topic"]))
    order = np.argsort(topic, kind="stable")
    scores, note = _scores(table)
    rank, viewed = table.columns.get("rank"), table.columns.get("order")
    return Run(
        name=name,
        topics=topics,
        starts=offsets(np.bincount(topic, minlength=len(topics))),
        docs=table.columns["doc"][order],
        scores=scores[order],
        given=None if rank is None else rank[order],
        order=None if viewed is None else viewed[order],
        path=table.path,
        lines=table.lines[order],
        notes=table.notes + note,
    )


def _scores(table: "Table") -> tuple[NDArray[np.float64], tuple[str, ...]]:
    if "score" in table.columns:
        return table.columns["score"], ()
    if "rank" in table.columns:
        return -table.columns["rank"].astype(np.float64), (f"{table.path}: there are no scores; ranked by rank",)
    return -np.arange(len(table), dtype=np.float64), (f"{table.path}: there are no scores; ranked by order of rows",)
