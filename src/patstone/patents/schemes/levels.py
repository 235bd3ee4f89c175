"""Symbols cut back to a level of their scheme, by how they are written: A01B1/02 is A01B as a subclass.

CPC and IPC have sections, classes, subclasses, main groups and subgroups, F-terms have viewpoints. A symbol that
stands above the level stays as it is, and so does one that is no symbol of such a scheme.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

# The command line needs the levels' names, and not what a scheme imports.
if TYPE_CHECKING:
    from patstone.patents.schemes.scheme import Kind

Level: TypeAlias = Literal["section", "class", "subclass", "group", "subgroup", "viewpoint"]
LEVELS: tuple[str, ...] = get_args(Level)

_SYMBOL = re.compile(r"([A-HY])(?:([0-9]{2})(?:([A-Z])(?:([0-9]{1,4})(/[0-9]{2,6}))?)?)?")
_F_TERM = re.compile(r"([A-Z]{2})[0-9]{2}")
_KEPT = {"section": 1, "class": 2, "subclass": 3, "group": 4, "subgroup": 5}
"""How many of a symbol's parts are kept."""


def at_level(symbols: Sequence[str], level: str) -> list[str]:
    """Each symbol, as its scheme writes it, at that level or above."""
    return [_viewpoint(symbol) if level == "viewpoint" else _cut(symbol, _KEPT[level]) for symbol in symbols]


def kind_at(level: str) -> "Kind":
    """The kind of scheme that has the level."""
    return "f-term" if level == "viewpoint" else "cpc"


def _viewpoint(symbol: str) -> str:
    found = _F_TERM.fullmatch(symbol)
    return found[1] if found else symbol


def _cut(symbol: str, parts: int) -> str:
    found = _SYMBOL.fullmatch(symbol)
    if found is None:
        return symbol
    kept = [part or "" for part in found.groups()[:parts]]
    # A main group is written with a subgroup of zeros.
    return "".join(kept) + ("/00" if parts == 4 and found[5] else "")
