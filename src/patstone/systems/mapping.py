"""The research utility's folder of results: mapping.txt names a list for each document asked about.

A line of mapping.txt is `RU2550867C1_20150520 result_list0.txt`; a line of a list, in order of rank, is
`US; 7875293; B2; 2011.01.25`. Ids are country, number and kind as a whole: the utility itself compares digits alone, by
which EP1234567 and US1234567 were one document. A date behind a document's name is no part of its id.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.streams import atomic_folder, rewindable
from patstone.files.text import read_text
from patstone.systems.run import Run

if TYPE_CHECKING:
    from patstone.gold.dataset import Dataset

MAPPING = "mapping.txt"
_DATED = re.compile(r"_[0-9]{8}$")
_HIT = re.compile(r"\s*([A-Z]{2})\s*;\s*([^;\s]+)\s*;\s*([A-Z][0-9]?)?\s*(?:;\s*([0-9.]*)\s*)?")
_NUMBER = re.compile(r"([A-Z]{2})(.*?[0-9])([A-Z][0-9]?)?")


def is_mapping(path: str | Path) -> bool:
    # Path.is_file would raise for a name that is too long.
    return os.path.isfile(os.path.join(path, MAPPING))  # noqa: PTH113, PTH118


def read_mapping(path: str | Path, *, name: str) -> Run:
    """Read the folder; the place in a list is the rank."""
    folder, answers = Path(path), {}
    for line, topic, file in _mapped(folder / MAPPING):
        if topic in answers:
            raise DataError("A document is mapped to one list.", path=folder / MAPPING, line=line, value=topic)
        answers[topic] = list(_hits(folder / file))
    sizes = [len(hits) for hits in answers.values()]
    if not sum(sizes):
        raise DataError("A run must hold at least one answer; the lists are empty.", path=folder)
    return Run(
        name=name,
        topics=tuple(answers),
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        docs=ids.pack(doc for hits in answers.values() for doc in hits),
        scores=np.concatenate([-np.arange(1.0, size + 1) for size in sizes]),
        given=np.concatenate([np.arange(1, size + 1) for size in sizes]),
        path=str(folder),
        notes=(f"{folder}: there are no scores; ranked by the order of the lists",),
    )


def _mapped(path: Path) -> Iterator[tuple[int, str, str]]:
    for line, text in enumerate(read_text(rewindable(path)).splitlines(), start=1):
        fields = text.split()
        if not fields:
            continue
        # A list outside the folder would let a stranger's mapping read any file.
        if len(fields) != 2 or Path(fields[1]).name != fields[1]:
            raise DataError("A line names a document and the file of its list.", path=path, line=line, value=text)
        yield line, _DATED.sub("", fields[0]), fields[1]


def _hits(path: Path) -> Iterator[str]:
    seen: dict[str, int] = {}
    for line, text in enumerate(read_text(rewindable(path)).splitlines(), start=1):
        if not text.strip():
            continue
        match = _HIT.fullmatch(text)
        if match is None:
            rule = "A line of a list is country; number; kind; date."
            raise DataError(rule, path=path, line=line, value=text)
        doc = f"{match[1]}{match[2]}{match[3] or ''}"
        if doc in seen:
            rule = f"A document stands once in a list; this one is on line {seen[doc]} too."
            raise DataError(rule, path=path, line=line, value=doc)
        seen[doc] = line
        yield doc


def write_mapping(run: Run, path: str | Path, dataset: "Dataset | None" = None) -> None:
    """Write a run, whose rows are in order of rank; dates come from the test collection."""
    dates = {} if dataset is None else _dates(dataset)
    whole = run.whole()
    with atomic_folder(path) as folder:
        lines = []
        for place, topic in enumerate(whole.topics):
            low, high = whole.starts[place : place + 2].tolist()
            hits = [_line(doc, dates) for doc in ids.texts(whole.docs[low:high])]
            (folder / f"result_list{place}.txt").write_text("".join(hits), encoding="utf-8")
            date = dates.get(topic, "").replace("-", "")
            lines.append(f"{topic}{f'_{date}' if len(date) == 8 else ''} result_list{place}.txt\n")
        (folder / MAPPING).write_text("".join(lines), encoding="utf-8")


def _dates(dataset: "Dataset") -> dict[str, str]:
    known = zip(*(dataset.queries.column(name).to_pylist() for name in ("topic", "date")), strict=True)
    dates = {topic: date for topic, date in known if date}
    for batch in dataset.documents("id", "date"):
        dates.update(pair for pair in zip(*(column.to_pylist() for column in batch.columns), strict=True) if pair[1])
    return dates


def _line(doc: str, dates: dict[str, str]) -> str:
    match = _NUMBER.fullmatch(doc)
    if match is None:
        raise DataError("The layout with mapping.txt takes ids of country, number and kind.", value=doc)
    return f"{match[1]}; {match[2]}; {match[3] or ''}; {dates.get(doc, '').replace('-', '.')}\n"
