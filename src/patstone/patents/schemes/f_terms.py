"""F-term lists of the Japan Patent Office, as the published page (HTML) or as its text.

A line of codes is followed by as many titles, one a cell or one a line, whose dots say how deep each term stands. A
code of two letters (or with 00) is a viewpoint and hangs below the theme's root; a viewpoint that has no line of its
own is added and noted. What stands before the first line of codes is the theme's heading.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.patents.schemes.dots import dots_of
from patstone.patents.schemes.outline import Outline, Root, planted
from patstone.patents.schemes.scheme import Scheme, Titles

_CODE = re.compile(r"[A-Z]{2}(?:[0-9]{2})?")
_THEME = re.compile(r"([0-9][A-Z][0-9]{3})\b\s*(.*)")
_CELLS = ("td", "th")

Line = tuple[int, list[str]]
"""A line's number, and its cells that are not empty."""


@dataclass(kw_only=True)
class _Terms:
    """Terms as they are collected."""

    path: str
    symbols: list[str] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    added: int = 0

    def add(self, symbol: str, depth: int, title: str, line: int) -> None:
        self.symbols.append(symbol)
        self.depths.append(depth)
        self.titles.append(title)
        self.lines.append(line)

    def refuse(self, rule: str, line: int, value: str) -> DataError:
        return DataError(rule, path=self.path, line=line, value=value)


def has_codes(text: str) -> bool:
    """Whether there is a line of codes, as no other list has."""
    return any(_codes(cells) for _, cells in _cells_of_text(text))


def read_f_terms(text: str, path: str, name: str) -> Scheme:
    lines = list(_cells_of_page(text) if text.lstrip().startswith("<") else _cells_of_text(text))
    terms = _Terms(path=path)
    heading = _collect(lines, terms)
    theme = next(filter(None, (_THEME.match(cell) for _, cells in heading for cell in cells)), None)
    outline = Outline(
        path=path,
        symbols=ids.pack(terms.symbols),
        depths=np.array(terms.depths, dtype=np.int32),
        titles=Titles.of(terms.titles),
        lines=np.array(terms.lines, dtype=np.int64),
    )
    note = f"{path}: {terms.added} viewpoints have no line of their own and are added above their terms"
    root = Root(
        name=theme[1] if theme else name,
        kind="f-term",
        symbol=theme[1] if theme else "",
        title=theme[2].strip() if theme else "",
        notes=(note,) if terms.added else (),
    )
    return planted(outline, root)


def _collect(lines: Sequence[Line], terms: _Terms) -> list[Line]:
    """Give each line of codes the titles that follow it; returns what stands before the first."""
    heading: list[Line] = []
    wanted: list[tuple[str, int]] = []
    found: list[tuple[str, int]] = []
    for number, cells in [*lines, (0, [])]:
        codes = _codes(cells)
        if codes is None and number:
            if wanted:
                found += [(cell, number) for cell in cells]
            else:
                heading.append((number, cells))
            continue
        _match(wanted, found, terms)
        wanted, found = [(code, number) for code in codes or ()], []
    return heading


def _codes(cells: Sequence[str]) -> list[str] | None:
    """The codes of a line that holds nothing else; a viewpoint that its own 00 follows is only their label."""
    words = [word for cell in cells for word in cell.split()]
    if not words or not all(map(_CODE.fullmatch, words)):
        return None
    return words[1:] if len(words) > 1 and words[1] == f"{words[0]}00" else words


def _match(codes: Sequence[tuple[str, int]], titles: Sequence[tuple[str, int]], terms: _Terms) -> None:
    if len(codes) != len(titles):
        rule = f"A line of {len(codes)} codes is followed by as many titles; here are {len(titles)}."
        raise terms.refuse(rule, codes[0][1], " ".join(code for code, _ in codes))
    for (code, line), (text, _) in zip(codes, titles, strict=True):
        dots, title = dots_of(text)
        if len(code) == 2 or code.endswith("00"):
            if dots:
                raise terms.refuse("A viewpoint has no dots before its title.", line, f"{code} {text}")
            terms.add(code[:2], 1, title, line)
            continue
        if not dots:
            raise terms.refuse("A term has at least one dot before its title.", line, f"{code} {text}")
        if not any(symbol == code[:2] for symbol in reversed(terms.symbols)):
            terms.add(code[:2], 1, "", line)
            terms.added += 1
        terms.add(code, dots + 1, title, line)


def _cells_of_text(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines(), start=1):
        yield from _filled([(number, line.split("\t"))])


def _cells_of_page(text: str) -> Iterator[Line]:
    page = _Page()
    page.feed(text)
    page.close()
    return _filled(page.rows)


def _filled(lines: Iterable[Line]) -> Iterator[Line]:
    for number, cells in lines:
        kept = [" ".join(cell.split()) for cell in cells]
        if any(kept):
            yield number, list(filter(None, kept))


class _Page(HTMLParser):
    """The rows of all tables of a page; text outside of tables is a row of one cell."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Line] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag == "tr":
            self.rows.append((self.getpos()[0], []))
        elif tag in _CELLS and self.rows:
            self.rows[-1][1].append("")
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        if tag in _CELLS or tag == "tr":
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.rows[-1][1][-1] += data
        elif data.strip():
            self.rows.append((self.getpos()[0], [data]))
