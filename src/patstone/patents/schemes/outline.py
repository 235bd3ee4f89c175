"""From an outline (terms in printed order, each with its depth) to a scheme.

A term hangs below the nearest one before it that is one level higher. A depth that skips a level, a term that comes
twice, or an outline that begins in the middle is an error with its line.
"""

from dataclasses import dataclass, field

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.index import first_places
from patstone.patents.schemes.scheme import Ints, Kind, Long, Scheme, Titles


@dataclass(frozen=True, eq=False, kw_only=True)
class Outline:
    path: str
    symbols: ids.Ids
    depths: Ints
    """1 for what hangs below the root."""
    titles: Titles
    lines: Long

    def refuse(self, rule: str, row: int, value: object = None) -> DataError:
        shown = ids.texts(self.symbols[[row]])[0] if value is None else value
        return DataError(rule, path=self.path, line=int(self.lines[row]), value=shown)


@dataclass(frozen=True, kw_only=True)
class Root:
    """What stands above an outline."""

    name: str
    kind: Kind
    symbol: str = ""
    title: str = ""
    notes: tuple[str, ...] = field(default=())


def planted(outline: Outline, root: Root) -> Scheme:
    """Hang the outline below a root of its own."""
    if not len(outline.symbols):
        raise DataError("There is not one term in this scheme.", path=outline.path)
    depths = outline.depths
    skips = np.flatnonzero(np.diff(depths, prepend=0) > 1)
    if len(skips):
        row = int(skips[0])
        above = int(depths[row - 1]) if row else 0
        rule = f"A term stands at most one level below the term before it; this one is {depths[row] - above} below."
        raise outline.refuse(rule, row)
    symbols = ids.concatenate([ids.widen(np.array([root.symbol.encode()], dtype=np.bytes_)), outline.symbols])
    _refuse_twins(outline, symbols)
    depth = np.concatenate([[0], depths]).astype(np.int32)
    return Scheme(
        name=root.name,
        kind=root.kind,
        symbols=symbols,
        titles=_with_root(outline.titles, root.title),
        parent=parents(depth),
        depth=depth,
        term=np.arange(len(depth), dtype=np.int32),
        notes=root.notes,
    )


def parents(depth: Ints) -> Ints:
    """The nearest place before each that is one level higher; depths skip no level on the way down."""
    parent = np.full(len(depth), -1, dtype=np.int32)
    above = np.zeros(1, dtype=np.int64)
    for level in range(1, int(depth.max()) + 1):
        here = np.flatnonzero(depth == level)
        parent[here] = above[np.searchsorted(above, here) - 1]
        above = here
    return parent


def _refuse_twins(outline: Outline, symbols: ids.Ids) -> None:
    first = first_places(symbols)
    again = np.flatnonzero(first != np.arange(len(first)))
    if len(again):
        row, twin = int(again[0]) - 1, int(first[again[0]]) - 1
        there = f"line {int(outline.lines[twin])} has it too" if twin >= 0 else "it is the name of the whole scheme"
        raise outline.refuse(f"A term comes once in a scheme; {there}.", row)


def _with_root(titles: Titles, title: str) -> Titles:
    added = np.frombuffer(title.encode(), dtype=np.uint8)
    size = len(titles.text)
    return Titles(
        text=np.concatenate([titles.text, added]) if title else titles.text,
        starts=np.concatenate([[size], titles.starts]).astype(np.int64),
        ends=np.concatenate([[size + len(added)], titles.ends]).astype(np.int64),
    )
