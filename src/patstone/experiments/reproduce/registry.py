"""What can be reproduced: a paper's tables and figures, each declared once, beside the function that runs it again.

A new paper is a module here whose name stands in `MODULES`; it decorates a function for each table with `declare`.
The function takes a `Given` and yields rows. `Row.held` compares with a published value; a finding that the paper
states in words is a row too, whose published value is 1 and whose tolerance is 0. Modules must import cheaply:
listing what there is loads all of them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import Literal, TypeAlias

from patstone.errors import UsageError, shorten

MODULES = ("paper1", "paper2", "paper3", "paper4", "paper5")
ALL = "all"
LINES = "lines over "

Verdict: TypeAlias = Literal["pass", "miss", "shown", "not run"]
"""A value within its tolerance or not; one that nothing published stands against; a table whose data are missing."""


@dataclass(frozen=True, kw_only=True)
class Row:
    paper: str
    table: str
    row: str
    measure: str
    published: float | None
    ours: float | None
    tolerance: float | None
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class Given:
    """What a table may use."""

    data: Path | None = None
    """Where the published data are, if the user has them."""
    seed: int = 0
    dataset: Path | None = None
    """A test collection of the user's, in place of the bundled one."""

    def file(self, name: str) -> Path:
        """A file of the published data, by its path in the folder."""
        if self.data is None:
            raise NoData(f"{name}: name the folder that holds it with --data DIR.")
        if not (self.data / name).exists():
            raise NoData(f"{name}, which is not in {self.data}.")
        return self.data / name


class NoData(UsageError):
    """The published data that a table needs are not here."""


@dataclass(frozen=True, kw_only=True)
class PaperTable:
    paper: str
    name: str
    title: str
    needs: str
    """In words: published data, an extra, or nothing; and how long it takes where that is more than seconds."""
    rows: "Callable[[Given], Iterable[Row]]" = field(repr=False)
    chart: str = ""
    """The measure that is drawn as a bar for each row; `lines over X` where rows are numbers of X, a line a measure."""

    @property
    def key(self) -> str:
        return f"{self.paper}.{self.name}"

    def reproduced(self, given: Given, *, skip: bool) -> list[Row]:
        """All rows; with `skip` a table whose data are missing is one row that says so."""
        try:
            return list(self.rows(given))
        except NoData as error:
            if skip:
                return [self._row("", "", None, None, None, "not run")]
            raise NoData(f"{self.key} needs {error}") from None

    def held(self, row: str, measure: str, published: float, ours: float, tolerance: float) -> Row:
        """A value against the published one; a hair is allowed for rounding in binary."""
        passed = not isnan(ours) and abs(ours - published) <= tolerance + 1e-9
        return self._row(row, measure, published, ours, tolerance, "pass" if passed else "miss")

    def shown(self, row: str, measure: str, ours: float) -> Row:
        """A value that the paper prints no number for."""
        return self._row(row, measure, None, ours, None, "shown")

    def finding(self, row: str, measure: str, *, holds: bool) -> Row:
        """What the paper says in words: 1 where it holds here too."""
        return self.held(row, measure, 1.0, float(holds), 0.0)

    def _row(
        self,
        row: str,
        measure: str,
        published: float | None,
        ours: float | None,
        tolerance: float | None,
        verdict: Verdict,
    ) -> Row:
        return Row(
            paper=self.paper,
            table=self.name,
            row=row,
            measure=measure,
            published=published,
            ours=ours,
            tolerance=tolerance,
            verdict=verdict,
        )


_TABLES: dict[str, PaperTable] = {}
Runs: TypeAlias = Callable[[PaperTable, Given], Iterator[Row]]


def declare(*, paper: str, name: str, title: str, needs: str = "nothing", chart: str = "") -> Callable[[Runs], Runs]:
    """Register the decorated function as what runs a table again; it is handed the table, which makes its rows."""

    def register(function: Runs) -> Runs:
        table = PaperTable(
            paper=paper,
            name=name,
            title=title,
            needs=needs,
            rows=lambda given: function(_TABLES[table.key], given),
            chart=chart,
        )
        if table.key in _TABLES:
            raise UsageError(f"Two tables are called {table.key}.")
        _TABLES[table.key] = table
        return function

    return register


def tables() -> dict[str, PaperTable]:
    """Everything that can be reproduced, by paper."""
    for module in MODULES:
        import_module(f"patstone.experiments.reproduce.{module}")
    return dict(sorted(_TABLES.items()))


def chosen(name: str) -> list[PaperTable]:
    """The tables that a name stands for: one, all of a paper, or everything."""
    known = tables()
    found = [table for key, table in known.items() if name in (ALL, key, table.paper)]
    if not found:
        papers = ", ".join(dict.fromkeys(table.paper for table in known.values()))
        rule = f"There is no {shorten(repr(name))} to reproduce; there are {papers} and {ALL}."
        raise UsageError(f"{rule} `patstone reproduce` lists their tables.")
    return found
