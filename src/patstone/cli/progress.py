"""A line on the terminal that tells how far a long scoring has come; nothing at all where nobody is watching."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from patstone.systems.run import Answers, Run

if TYPE_CHECKING:
    from patstone.experiments.journal import Done

PATIENCE = 0.5
"""Seconds before the first line and between two lines."""
_ERASE = "\r\x1b[K"


def watched(runs: Sequence[Answers]) -> list[Answers]:
    """The same runs; where standard error is a terminal, reading them shows how much has been read."""
    if not sys.stderr.isatty():
        return list(runs)
    return [Watched(run, f"{run.name} ({place} of {len(runs)})") for place, run in enumerate(runs, start=1)]


@dataclass(frozen=True)
class Watched:
    run: Answers
    label: str

    @property
    def name(self) -> str:
        return self.run.name

    def parts(self, *, ranks: bool = False) -> Iterator[Run]:
        rows, due = 0, monotonic() + PATIENCE
        try:
            for part in self.run.parts(ranks=ranks):
                yield part
                rows += len(part)
                if monotonic() >= due:
                    sys.stderr.write(f"{_ERASE}{self.label}: {rows:,} rows")
                    sys.stderr.flush()
                    due = monotonic() + PATIENCE
        finally:
            # Also when a line turns out to be wrong: the message must not stand behind a count.
            sys.stderr.write(_ERASE)

    def whole(self, *, ranks: bool = False) -> Run:
        sys.stderr.write(f"{_ERASE}{self.label}: its topics are scattered; gathering them")
        sys.stderr.flush()
        return self.run.whole(ranks=ranks)


@contextmanager
def counting(unit: str) -> Iterator[Callable[[int, int, int], None]]:
    """A line that tells how many files, and documents in them, are done; silent where nobody is watching."""
    if not sys.stderr.isatty():
        yield lambda _done, _all, _documents: None
        return
    start = due = monotonic() + PATIENCE

    def show(done: int, whole: int, documents: int) -> None:
        nonlocal due
        now = monotonic()
        if now >= due:
            pace = documents / (now - start + PATIENCE)
            sys.stderr.write(f"{_ERASE}{done:,} of {whole:,} {unit}, {documents:,} documents, {pace:,.0f} a second")
            sys.stderr.flush()
            due = now + PATIENCE

    try:
        yield show
    finally:
        sys.stderr.write(_ERASE)


def runs_watched(finished: "Iterator[Done]", total: int) -> "Iterator[Done]":
    """The same runs of a training; where standard error is a terminal, they are counted, with the time that is left."""
    if not sys.stderr.isatty():
        yield from finished
        return
    start = due = monotonic()
    try:
        for number, done in enumerate(finished, start=1):
            yield done
            if monotonic() >= due:
                left = (monotonic() - start) / number * (total - number)
                sys.stderr.write(f"{_ERASE}run {number:,} of {total:,}, {left:,.0f} s left")
                sys.stderr.flush()
                due = monotonic() + PATIENCE
    finally:
        sys.stderr.write(_ERASE)
