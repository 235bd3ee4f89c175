"""Title lists of the CPC and the IPC: lines of symbol, level and title, or of symbol and title, parted by tabs.

Sections, classes and subclasses have an empty level, main groups 0, subgroups as many as they have dots. The IPC's
lists say no level: there the dots that a title begins with count, and a list without dots is read as flat below its
main groups, which a note says. Everything goes by columns: the CPC has 260,000 lines.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.text import decoded
from patstone.patents.schemes.dots import dots_of
from patstone.patents.schemes.outline import Outline, Root, planted
from patstone.patents.schemes.scheme import Ints, Kind, Long, Scheme, Titles
from patstone.patents.schemes.spelling import spelled

MAIN_GROUP = 4
"""The depth of a main group, below section, class and subclass; a subgroup has its dots more."""
_TAB, _NEWLINE, _SPACE, _ZERO = b"\t\n 0"
_LONGEST, _SUBCLASS = 24, 4
_BY_LENGTH = np.zeros(_LONGEST + 1, dtype=np.int32)
_BY_LENGTH[[1, 3, 4]] = 1, 2, 3
_FLAT = "no levels and no dots are given: every subgroup is read as standing directly below its main group"


@dataclass(frozen=True, eq=False, kw_only=True)
class _Text:
    """A list's bytes, and where its lines that are not blank begin and end."""

    path: str
    letters: NDArray[np.uint8]
    starts: Long
    ends: Long
    numbers: Long

    @classmethod
    def of(cls, raw: bytes, path: str) -> "_Text":
        text = np.frombuffer(raw if raw.endswith(b"\n") else raw + b"\n", dtype=np.uint8)
        ends = np.flatnonzero(text == _NEWLINE)
        starts = np.concatenate([[0], ends[:-1] + 1])
        kept = np.flatnonzero(ends > starts)
        return cls(path=path, letters=text, starts=starts[kept], ends=ends[kept], numbers=kept + 1)

    def refuse(self, rule: str, row: int) -> DataError:
        line = self.letters[self.starts[row] : self.ends[row]].tobytes().decode()
        return DataError(rule, path=self.path, line=int(self.numbers[row]), value=line)

    def next_tab(self, tabs: Long, places: Long) -> Long:
        """The first tab at or after each place; a line that has none is refused."""
        found = np.append(tabs, len(self.letters))[np.searchsorted(tabs, places)]
        wrong = np.flatnonzero(found >= self.ends)
        if len(wrong):
            rule = "A line of a title list is SYMBOL, LEVEL and TITLE, or SYMBOL and TITLE, parted by tabs."
            raise self.refuse(rule, int(wrong[0]))
        return found


def read_title_list(raw: bytes, path: str, name: str) -> Scheme:
    decoded(raw, path)
    text = _Text.of(raw.removeprefix("\ufeff".encode()).replace(b"\r\n", b"\n"), path)
    if not len(text.starts):
        raise DataError("There is not one term in this scheme.", path=path)
    tabs = np.flatnonzero(text.letters == _TAB)
    levelled = bool(np.searchsorted(tabs, text.ends[0]) >= 2)
    kind: Kind = "cpc" if levelled else "ipc"
    first = text.next_tab(tabs, text.starts)
    last = text.next_tab(tabs, first + 1) if levelled else first
    outline = Outline(
        path=path,
        symbols=_symbols(text, first, kind),
        depths=np.zeros(len(first), dtype=np.int32),
        titles=Titles(text=text.letters, starts=last + 1, ends=text.ends),
        lines=text.numbers,
    )
    if levelled:
        depths, titles, flat = _levels(text, first + 1, last), outline.titles, False
    else:
        depths, titles, flat = _dotted(outline)
    groups = depths > 0
    depths = np.where(groups, depths + MAIN_GROUP - 1, _ranks(text, outline, groups)).astype(np.int32)
    planned = replace(outline, depths=depths, titles=titles)
    scheme = planted(planned, Root(name=name, kind=kind, notes=(f"{path}: {_FLAT}",) if flat else ()))
    _refuse_strangers(planned, scheme)
    return scheme


def _symbols(text: _Text, ends: Long, kind: Kind) -> ids.Ids:
    sizes = ends - text.starts
    wrong = np.flatnonzero((sizes == 0) | (sizes > _LONGEST))
    if len(wrong):
        raise text.refuse("A line of a title list begins with a symbol.", int(wrong[0]))
    places = np.arange(int(sizes.max()))
    letters = text.letters[np.minimum(text.starts[:, None] + places, len(text.letters) - 1)]
    letters[places >= sizes[:, None]] = 0
    column = ids.widen(np.ascontiguousarray(letters).view(f"S{len(places)}").reshape(-1))
    # The IPC writes A01B0001020000, and some lists A01B 1/02.
    plain = kind == "cpc" and not (letters == _SPACE).any()
    return column if plain else ids.pack(spelled(ids.texts(column), kind))


def _levels(text: _Text, starts: Long, ends: Long) -> Ints:
    """One more than the level; 0 where there is none."""
    sizes = ends - starts
    tens, units = text.letters[np.maximum(ends - 2, 0)] - _ZERO, text.letters[ends - 1] - _ZERO
    level = np.where(sizes == 2, tens.astype(np.int32) * 10, 0) + units
    wrong = np.flatnonzero((sizes > 2) | ((sizes > 0) & (units > 9)) | ((sizes == 2) & (tens > 9)))
    if len(wrong):
        raise text.refuse("A level is empty or a number of dots from 0 to 99.", int(wrong[0]))
    return np.where(sizes == 0, 0, level + 1).astype(np.int32)


def _dotted(outline: Outline) -> tuple[Ints, Titles, bool]:
    """One more than the dots of each group's title, 0 for what is no group; the titles without dots; whether flat."""
    texts = [outline.titles[row] for row in range(len(outline.titles))]
    counted = [dots_of(title) for title in texts]
    dots = np.array([number for number, _ in counted])
    group = np.char.find(outline.symbols, b"/") >= 0
    main = np.char.endswith(outline.symbols, b"/00")
    flat = not dots.any()
    below = np.maximum(dots, 1) if flat else dots
    depths = np.where(group, np.where(main, 0, below) + 1, 0).astype(np.int32)
    return depths, Titles.of([title for _, title in counted]), flat and bool((group & ~main).any())


def _ranks(text: _Text, outline: Outline, groups: NDArray[np.bool_]) -> Ints:
    """The depth of sections, classes and subclasses, told by the length of their symbols."""
    ranks = _BY_LENGTH[np.char.str_len(outline.symbols)]
    wrong = np.flatnonzero(~groups & (ranks == 0))
    if len(wrong):
        raise text.refuse("Only a section, a class or a subclass has no level.", int(wrong[0]))
    return ranks


def _refuse_strangers(outline: Outline, scheme: Scheme) -> None:
    """An orphan: what is not called after the term that it stands below."""
    letters = scheme.symbols.view(np.uint8).reshape(len(scheme.symbols), -1)
    # Groups of one subclass may be called anything: A01C2001/048 stands below A01C1/04.
    above, own = letters[scheme.parent[1:], :_SUBCLASS], letters[1:, :_SUBCLASS]
    wrong = np.flatnonzero(((above != 0) & (above != own)).any(axis=1))
    if len(wrong):
        row = int(wrong[0])
        parent = scheme.symbol(int(scheme.parent[row + 1]))
        rule = f"A term stands below the term that it is called after; by its level this one is below {parent}."
        raise outline.refuse(rule, row)
