"""A table as a value, and how one cell of it reads: every format prints the same words for people.

People get rounded numbers in a shape that fits a page; machines get exact ones, one a row. A table that is wide for
people carries the other shape in `data`, so that a command hands over one value whatever format is asked for.
"""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite, isnan
from typing import Literal, TypeAlias, TypeGuard

Kind: TypeAlias = Literal["text", "prose", "count", "score", "difference", "p", "interval"]
"""Text is never folded and prose may be; the rest are numbers."""
Cell: TypeAlias = str | int | float | tuple[float, float] | None

ABSENT = "–"
_SMALLEST_P = 0.0001
# Format characters include those that turn the writing direction: a name must not rewrite the line it stands in.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_NO_CHARACTERS = "\ufffe\uffff"


@dataclass(frozen=True, kw_only=True)
class Column:
    key: str
    """The name that machines see; stable."""
    kind: Kind = "text"
    label: str = ""
    """The name that people see; the key without one."""
    better: Literal["high", "low", ""] = ""
    """Which end of the column is marked as the best."""
    joined: bool = False
    """Belongs to the column before it and is never torn from it."""
    decimals: int = 4

    @property
    def heading(self) -> str:
        return self.label or self.key

    @property
    def numeric(self) -> bool:
        return self.kind not in ("text", "prose")


@dataclass(frozen=True, kw_only=True)
class Table:
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    keys: int = 1
    """How many columns, from the first, say what a row is about."""
    data: Callable[[], "Table"] | None = field(default=None, repr=False, compare=False)
    """The same numbers for machines, where people need another shape."""

    @property
    def for_machines(self) -> "Table":
        return self.data() if self.data else self

    @cached_property
    def best(self) -> frozenset[tuple[int, int]]:
        """The (row, column) of the best value in each column that has a better end; all of them when several tie."""
        found = [(row, place) for place, column in enumerate(self.columns) for row in self._best_rows(place, column)]
        return frozenset(found)

    def _best_rows(self, place: int, column: Column) -> list[int]:
        values = {row: float(cell) for row, cells in enumerate(self.rows) if is_number(cell := cells[place])}
        if not column.better or len(values) < 2:
            return []
        top = max(values.values()) if column.better == "high" else min(values.values())
        return [row for row, value in values.items() if value == top]

    def written(self) -> Iterator[list[str]]:
        """The rows as people read them."""
        return ([shown(cell, column) for cell, column in zip(row, self.columns, strict=True)] for row in self.rows)


def is_number(cell: Cell) -> TypeGuard[int | float]:
    return isinstance(cell, int | float) and not isnan(cell)


def shown(cell: Cell, column: Column) -> str:
    if cell is None or (isinstance(cell, float) and isnan(cell)):
        return ABSENT
    if isinstance(cell, tuple):
        low, high = (rounded(end, column) for end in cell)
        return ABSENT if low == high == ABSENT else f"[{low}, {high}]"
    return printable(cell) if isinstance(cell, str) else rounded(cell, column)


def rounded(value: float, column: Column) -> str:
    if not isfinite(value):
        return ABSENT if isnan(value) else str(value)
    if column.kind == "count":
        return str(int(value))
    if column.kind == "p" and value < _SMALLEST_P:
        return f"<{_SMALLEST_P}"
    if abs(value) >= 1e12:
        return f"{value:.{column.decimals}g}"
    text = f"{value:+.{column.decimals}f}" if column.kind == "difference" else f"{value:.{column.decimals}f}"
    # What rounds to zero has no sign left.
    return text if text.strip("+-0.") else text.lstrip("+-")


def printable(text: str) -> str:
    """Show control characters as escapes, so that a name can neither colour a terminal nor break a line."""
    if text.isprintable():
        return text
    return "".join(char.encode("unicode_escape").decode() if _hidden(char) else char for char in text)


def _hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN or char in _NO_CHARACTERS
