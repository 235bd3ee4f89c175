"""A Word document's running text: paragraphs in their order, with the numbers that Word itself counts.

A claim's number is often no text but a numbered list: it is counted here as Word would, from the list's own start.
What is deleted or moved away in tracked changes is left out, what is inserted is in. The archive and its XML are read
by the house's own readers, which refuse bombs and entities.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from patstone.errors import DataError
from patstone.files.archives import members
from patstone.files.streams import Rewindable
from patstone.patents.readers.markup import parse

LARGEST = 1 << 26
"""Bytes that one part of a document may have unpacked; a claim set of a thousand pages has a tenth."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_VALUE = f"{_W}val"
_GONE = {f"{_W}del", f"{_W}moveFrom", "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}
_DOCUMENT, _NUMBERING = "word/document.xml", "word/numbering.xml"


def is_docx(source: Rewindable) -> bool:
    return source.name.lower().endswith((".docx", ".docm"))


def docx_text(source: Rewindable) -> str:
    """The text, a line for each paragraph."""
    found = {
        name: part for part in members(source) for name in (_DOCUMENT, _NUMBERING) if part.name.endswith(f"/{name}")
    }
    if _DOCUMENT not in found:
        raise DataError("A Word document holds word/document.xml, and this archive does not.", path=source.name)
    lists = _numbered(_root(found[_NUMBERING])) if _NUMBERING in found else {}
    return "\n".join(_lines(_root(found[_DOCUMENT]), lists))


def _root(part: Rewindable) -> Any:  # noqa: ANN401 - lxml has no types
    with part.open() as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise DataError(f"A part of a document may have {LARGEST >> 20} MB.", path=part.name)
    try:
        return parse(data).root
    except DataError as error:
        raise DataError(error.rule, path=part.name) from error


def _numbered(root: Any) -> dict[str, int]:  # noqa: ANN401
    """The numbers at which the lists begin whose outermost level counts."""
    outlines: dict[str, int] = {}
    for outline in root.iter(f"{_W}abstractNum"):
        level = outline.find(f"{_W}lvl[@{_W}ilvl='0']")
        style = level.find(f"{_W}numFmt") if level is not None else None
        if style is not None and style.get(_VALUE) == "decimal":
            start = level.find(f"{_W}start")
            outlines[outline.get(f"{_W}abstractNumId")] = _count(start)
    lists = {}
    for each in root.iter(f"{_W}num"):
        outline = each.find(f"{_W}abstractNumId")
        if outline is not None and outline.get(_VALUE) in outlines:
            lists[each.get(f"{_W}numId")] = outlines[outline.get(_VALUE)]
    return lists


def _count(start: Any) -> int:  # noqa: ANN401
    value = start.get(_VALUE) if start is not None else "1"
    return int(value) if value.isdecimal() and len(value) < 5 else 1


def _lines(root: Any, lists: Mapping[str, int]) -> Iterator[str]:  # noqa: ANN401
    counted: Counter[str] = Counter()
    for paragraph in root.iter(f"{_W}p"):
        words = "".join(_words(paragraph)).strip()
        name = _list(paragraph)
        if words and name in lists:
            words = f"{lists[name] + counted[name]}. {words}"
            counted[name] += 1
        yield words


def _list(paragraph: Any) -> str:  # noqa: ANN401
    """The list whose outermost level it is an item of, if any."""
    numbering = paragraph.find(f"{_W}pPr/{_W}numPr")
    if numbering is None:
        return ""
    level, name = numbering.find(f"{_W}ilvl"), numbering.find(f"{_W}numId")
    return name.get(_VALUE) if name is not None and (level is None or level.get(_VALUE) == "0") else ""


def _words(node: Any) -> Iterator[str]:  # noqa: ANN401
    for child in node:
        if child.tag in _GONE:
            continue
        if child.tag == f"{_W}t":
            yield child.text or ""
        elif child.tag in (f"{_W}tab", f"{_W}noBreakHyphen"):
            yield " " if child.tag == f"{_W}tab" else "-"
        elif child.tag in (f"{_W}br", f"{_W}cr"):
            yield "\n"
        # A text box holds paragraphs of its own, which come by themselves.
        elif child.tag != f"{_W}p":
            yield from _words(child)
