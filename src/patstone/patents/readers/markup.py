"""XML in, safely: a document's elements, without anything that its DTD could make a parser do.

The DOCTYPE is cut off before the parser sees the document, so that no entity is expanded, no file or address opened
and no default fetched. One that declares entities of its own (other than pictures: NDATA) is refused by name: a
document whose text hides in its DTD can't be read without expanding it. A document that is then not well-formed is
mended (`patstone.patents.readers.entities`) or refused, never half read.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from patstone.errors import DataError, MissingExtra, shorten
from patstone.files.streams import Rewindable
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers import entities, pieces

Element = Any
"""An element of lxml, which has no types of its own."""
Convert = Callable[[Element], Publication | None]
"""What a reader makes of a document's root; None for a document that is no publication."""

_PROLOG = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?P<declaration><\?xml\s[^>]*\?>)?"
    rb"(?P<misc>(?:\s++|<!--.*?-->|<\?(?!xml\s).*?\?>)*+)"
    rb"(?:<!DOCTYPE(?:[^\"'\[>]|\"[^\"]*\"|'[^']*')*+"
    rb"(?:\[(?P<subset>(?:[^\]\"'<]++|\"[^\"]*+\"|'[^']*+'|<!--.*?-->|<(?!!--))*+)\]\s*+)?+>"
    rb"(?:\s++|<!--.*?-->|<\?(?!xml\s).*?\?>)*+)?+",
    re.DOTALL,
)
_ENTITY = re.compile(rb"<!ENTITY\s+(?:%\s+)?(?P<name>[^\s\"'>]*)(?P<rest>(?:[^\"'>]|\"[^\"]*\"|'[^']*')*+)")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_STRING = re.compile(rb"\"[^\"]*\"|'[^']*'")
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")
_ROOT = re.compile(rb"<[A-Za-z_:\x80-\xff]")
# Cutting and mending go by bytes, which two-byte encodings interleave with zeros.
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")


@dataclass(frozen=True, slots=True)
class Document:
    root: Element
    repairs: tuple[str, ...] = ()
    """What had to be mended, by the names in `patstone.patents.readers.entities`."""


def parse(data: bytes, prepare: Callable[[bytes], bytes] | None = None) -> Document:
    """Parse one document; `prepare` may change its text first, as for SGML."""
    head, body = _without_prolog(data)
    if prepare:
        body = prepare(body)
    etree, parser = _parser()
    try:
        return Document(etree.fromstring(head + body, parser))
    except (etree.XMLSyntaxError, LookupError, ValueError):
        pass
    # Mending costs a pass over the text, so that it is tried only on what does not parse.
    declared = _ENCODING.search(head)
    utf8 = declared is None or declared[1].lower() in (b"utf-8", b"utf8")
    mended, repairs = entities.mend(body, utf8=utf8)
    try:
        return Document(etree.fromstring(head + mended, parser), repairs)
    except (etree.XMLSyntaxError, LookupError, ValueError) as error:
        raise DataError(f"The document is not well-formed: {_first_line(error)}.") from error


def read_documents(
    source: Rewindable,
    convert: Convert,
    *,
    element: str | None = None,
    prepare: Callable[[bytes], bytes] | None = None,
) -> Iterator[Publication | Rejected]:
    """Read each document of a file, or each `element` of it; what can't be read is rejected and reading goes on."""
    with source.open() as stream:
        for piece in pieces.elements(stream, element) if element else pieces.documents(stream):
            try:
                if not piece.whole:
                    raise DataError(f"A document is larger than {pieces.LARGEST >> 20} MB.")
                document = parse(piece.data, prepare)
                found = convert(document.root)
            except DataError as error:
                yield Rejected(path=source.name, offset=piece.offset, reason=error.rule)
            else:
                if found is not None:
                    yield replace(found, repairs=document.repairs) if document.repairs else found


def text(node: Element | None) -> str:
    """All text in an element, XML's white space folded; `H<sub>2</sub>O` is H2O."""
    return str(_folded()(node)) if node is not None else ""


def texts(nodes: Iterable[Element]) -> tuple[str, ...]:
    """The texts of elements that have any, each once, in their order."""
    return tuple(dict.fromkeys(filter(None, map(text, nodes))))


def fold(words: str) -> str:
    return " ".join(words.split())


def space_out(root: Element, tags: Iterable[str], *, ends: Iterable[str] = ()) -> None:
    """Keep the words of blocks apart, whatever the file's lines are; at `ends` only from what follows."""
    for node in root.iter(*ends, *tags):
        tail = node.tail
        if tail is None or not tail[0].isspace():
            node.tail = f" {tail or ''}"
    for node in root.iter(*tags) if tags else ():
        node.text = f" {node.text or ''}"


def _without_prolog(data: bytes) -> tuple[bytes, bytes]:
    if data.startswith(_WIDE):
        raise DataError("The document is in UTF-16; convert it to UTF-8 first.")
    prolog = _PROLOG.match(data)
    # The pattern matches the empty string, so it always matches.
    assert prolog is not None
    body = data[prolog.end() :]
    if not _ROOT.match(body):
        raise DataError(
            "An XML document begins with its declaration, its DOCTYPE or its root element.", value=body[:40]
        )
    _check_entities(prolog["subset"] or b"")
    # Lines are counted as in the file, for the parser's complaints.
    return (prolog["declaration"] or b"") + b"\n" * prolog[0].count(b"\n"), body


def _check_entities(subset: bytes) -> None:
    for match in _ENTITY.finditer(_COMMENT.sub(b"", subset)):
        if b"NDATA" not in _STRING.sub(b"", match["rest"]):
            name = match["name"].decode(errors="replace")
            raise DataError(
                f"The document declares the entity {shorten(name)!r}; declared entities are never expanded."
            )


@cache
def _parser() -> tuple[Any, Any]:
    try:
        from lxml import etree
    except ImportError as error:
        raise MissingExtra("patents", "Reading XML") from error
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        # lxml's own limits on depth and size of text stay on: a bomb that needs no entity meets them.
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        # Without the dictionary of ids parsing is quicker, and hostile ids can't collide in it.
        collect_ids=False,
    )
    return etree, parser


@cache
def _folded() -> Any:  # noqa: ANN401 - lxml has no types
    """In C, since this is most of what is done to a document beside parsing it."""
    return _parser()[0].XPath("normalize-space()", smart_strings=False)


def _first_line(error: Exception) -> str:
    return shorten(str(error).partition(" (<string>")[0].partition("\n")[0].rstrip("."))
