"""Schemes as tables with a header: child and parent (several rows for several parents), or code and level in order."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.header import Wanted
from patstone.files.tables import Table, read_table
from patstone.patents.schemes.graph import Edges, unfolded
from patstone.patents.schemes.outline import Outline, Root, planted
from patstone.patents.schemes.scheme import Scheme, Titles
from patstone.patents.schemes.spelling import kind_of, spelled

COLUMNS = (
    Wanted(name="symbol", synonyms=("child", "code", "term", "class", "narrower", "id")),
    Wanted(
        name="parent", synonyms=("broader", "parent_symbol", "parent_code", "parent_id"), required=False, blank=True
    ),
    Wanted(name="level", synonyms=("dots", "dot", "indent", "depth"), kind="integer", required=False),
    Wanted(name="title", synonyms=("label", "text", "description", "name"), kind="text", required=False, blank=True),
)


def read_scheme_table(path: str | Path, name: str, *, columns: Mapping[str, str] | None = None) -> Scheme:
    table = read_table(path, COLUMNS, columns=columns)
    if ("parent" in table.columns) == ("level" in table.columns):
        rule = "A table of a scheme says each term's parent or each term's level, and not both."
        raise DataError(rule, path=table.path, line=1)
    return _pairs(table, name) if "parent" in table.columns else _outline(table, name)


def _titles(table: Table) -> list[str]:
    return table.columns["title"].tolist() if "title" in table.columns else [""] * len(table)


def _pairs(table: Table, name: str) -> Scheme:
    children = ids.texts(table.columns["symbol"])
    kind = kind_of(children)
    children = spelled(children, kind)
    titles: dict[str, str] = {}
    for child, title in zip(children, _titles(table), strict=True):
        # A term with several parents has several rows, of which one may give the title.
        titles[child] = titles.get(child) or title
    edges = Edges(
        path=table.path,
        children=children,
        parents=spelled(ids.texts(table.columns["parent"]), kind),
        lines=table.lines.tolist(),
        titles=titles,
    )
    return unfolded(edges, name, kind)


def _outline(table: Table, name: str) -> Scheme:
    levels = table.columns["level"]
    above = np.flatnonzero(levels < levels[0])
    if len(above):
        rule = f"No term stands above the level of the first one, {levels[0]}."
        raise table.refuse(rule, int(above[0]), int(levels[above[0]]))
    symbols = ids.texts(table.columns["symbol"])
    kind = kind_of(symbols)
    outline = Outline(
        path=table.path,
        symbols=ids.pack(spelled(symbols, kind)),
        depths=(levels - levels[0] + 1).astype(np.int32),
        titles=Titles.of(_titles(table)),
        lines=table.lines,
    )
    return planted(outline, Root(name=name, kind=kind))
