"""Scheme files of the CPC (class-scheme) and of the IPC (ipcEntry), one document each.

Headings that only gather main groups are no terms: the CPC's levels 3 and 6, the IPC's subsections, guidance headings,
notes and indexes. A file of one subclass gets its section and class above it, told by its symbol and noted, so that
depths are those of the whole scheme. References within a title are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.streams import Rewindable
from patstone.patents.readers import markup
from patstone.patents.schemes.outline import Outline, Root, planted
from patstone.patents.schemes.scheme import Kind, Scheme, Titles
from patstone.patents.schemes.spelling import spelled
from patstone.patents.schemes.title_list import MAIN_GROUP

Element = Any
"""An element of lxml, which has no types of its own."""

CPC_HEADINGS = {3, 6}
_CPC_DEPTHS = {2: 1, 4: 2, 5: 3}
_CPC_MAIN_GROUP = 7
_IPC_DEPTHS = {"s": 1, "c": 2, "u": 3, "m": MAIN_GROUP} | {
    kind: MAIN_GROUP + dots for dots, kind in enumerate("123456789ABC", start=1)
}
IPC_HEADINGS = set("tign")


@dataclass(frozen=True, kw_only=True)
class _Term:
    symbol: str
    depth: int
    title: str
    line: int


def read_scheme_xml(source: Rewindable, name: str) -> Scheme:
    with source.open() as stream:
        data = stream.read()
    try:
        document = markup.parse(data)
    except DataError as error:
        raise DataError(error.rule, path=source.name, value=error.value) from None
    root = document.root
    tag = markup_name(root)
    kind: Kind = "cpc" if tag == "class-scheme" else "ipc"
    terms = list(_cpc(root, source.name) if kind == "cpc" else _ipc(root, source.name))
    if not terms:
        rule = "A scheme in XML is the CPC's class-scheme or holds the IPC's ipcEntry; this document has no term."
        raise DataError(rule, path=source.name, value=tag)
    added = list(_above(terms[0]))
    note = f"{source.name}: {' and '.join(term.symbol for term in added)} stand above {terms[0].symbol} by its symbol"
    repaired = [f"{source.name}: the document had to be mended: {', '.join(document.repairs)}"]
    notes = (*([note] if added else ()), *(repaired if document.repairs else ()))
    return planted(_outline([*added, *terms], kind, source.name), Root(name=name, kind=kind, notes=notes))


def markup_name(node: Element) -> str:
    """The element's name without its namespace."""
    return str(node.tag).rpartition("}")[2]


def _named(node: Element, name: str) -> Iterator[Element]:
    found: Iterator[Element] = node.iter("{*}" + name)
    return found


def _cpc(root: Element, path: str) -> Iterator[_Term]:
    for item in _named(root, "classification-item"):
        level = item.get("level", "")
        line = item.sourceline
        if not level.isdecimal() or not 2 <= int(level) <= 99:
            raise DataError("A classification-item has a level from 2 to 99.", path=path, line=line, value=level)
        if int(level) in CPC_HEADINGS:
            continue
        symbol = markup.text(item.find("{*}classification-symbol"))
        depth = _CPC_DEPTHS.get(int(level), int(level) - _CPC_MAIN_GROUP + MAIN_GROUP)
        yield _Term(symbol=symbol, depth=depth, title=_title(item.find("{*}class-title"), "title-part"), line=line)


def _ipc(root: Element, path: str) -> Iterator[_Term]:
    for entry in _named(root, "ipcEntry"):
        kind, line = entry.get("kind", ""), entry.sourceline
        if kind in IPC_HEADINGS:
            continue
        if kind not in _IPC_DEPTHS:
            raise DataError("An ipcEntry has a kind: s, c, u, m or its dots.", path=path, line=line, value=kind)
        body = entry.find("{*}textBody")
        title = "" if body is None else _title(body.find("{*}title"), "titlePart")
        yield _Term(symbol=entry.get("symbol", ""), depth=_IPC_DEPTHS[kind], title=title, line=line)


def _title(node: Element | None, part: str) -> str:
    """The parts' texts; what the CPC adds to the IPC stands in braces, as in its title lists."""
    written = [] if node is None else [_part(each) for each in _named(node, part)]
    return "; ".join(filter(None, written))


def _part(part: Element) -> str:
    words = []
    for text in _named(part, "text"):
        around = [markup_name(each) for each in text.iterancestors()]
        if not any("reference" in name.lower() for name in around):
            words.append(f"{{{markup.text(text)}}}" if "CPC-specific-text" in around else markup.text(text))
    return " ".join(words)


def _above(first: _Term) -> Iterator[_Term]:
    """What stands above a file that begins with a class or a subclass."""
    for depth, length in ((1, 1), (2, 3)):
        if depth < first.depth <= MAIN_GROUP - 1:
            yield _Term(symbol=first.symbol[:length], depth=depth, title="", line=first.line)


def _outline(terms: list[_Term], kind: Kind, path: str) -> Outline:
    wrong = next((term for term in terms if not term.symbol.strip()), None)
    if wrong is not None:
        raise DataError("A term has a symbol.", path=path, line=wrong.line, value=wrong.title)
    return Outline(
        path=path,
        symbols=ids.pack(spelled([term.symbol for term in terms], kind)),
        depths=np.array([term.depth for term in terms], dtype=np.int32),
        titles=Titles.of([term.title for term in terms]),
        lines=np.array([term.line for term in terms], dtype=np.int64),
    )
