"""Applications published by the US office from 2001 to 2004: the PAP layout."""

from collections.abc import Iterator
from itertools import chain

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Claim, Publication, Rejected, Text
from patstone.patents.readers import uspto
from patstone.patents.readers.markup import Element, fold, read_documents, space_out, text
from patstone.patents.readers.reader import Reader

NAME = "uspto-pap"
_BLOCKS = ("paragraph", "heading", "entry", "br")
_NESTED = ("claim-text", "li", "in-line-formula")
_REFERENCE = "dependent-claim-reference"


def convert(root: Element) -> Publication:
    known = root.find("subdoc-bibliographic-information")
    if known is None:
        raise DataError("A document has bibliographic data.", value=root.tag)
    _lay_out(root)
    number, kind = text(known.find("document-id/doc-number")), text(known.find("document-id/kind-code"))
    date = uspto.day(text(known.find("document-id/document-date")))
    filing = known.find("domestic-filing-data")
    filed = uspto.day(_under(filing, "filing-date"))
    application = _under(filing, "application-number/doc-number")
    priorities = list(chain(_claimed(known), _parents(known)))
    return Publication(
        number=uspto.publication_number("US", number, kind, date),
        raw=f"US {number} {kind}".rstrip(),
        source=NAME,
        country="US",
        kind=kind,
        date=date,
        application=uspto.application_number("US", application, filed) if application else "",
        filed=filed,
        priorities=tuple(dict.fromkeys(number for number, _ in priorities)),
        priority_date=min(filter(None, (date for _, date in priorities)), default=""),
        language=uspto.LANGUAGE,
        titles=_texts(text(known.find("technical-information/title-of-invention"))),
        abstracts=_texts(_abstract(root)),
        description=text(root.find("subdoc-description")),
        claims=uspto.claim_set(list(_claims(root))),
        ipc=uspto.symbols(text(node) for node in known.iterfind("technical-information/classification-ipc//ipc")),
        applicants=uspto.applicants(
            (text(node) for node in known.iterfind("assignee/organization-name")),
            (_person(node) for node in known.iterfind("inventors/*/name")),
        ),
    )


def _lay_out(root: Element) -> None:
    # A reference holds a claim-text of its own inside the sentence: it is no block.
    for node in root.iter(_REFERENCE):
        for child in node:
            child.tag = "claim"
    # Paragraphs print their numbers as text.
    for node in root.iterfind("subdoc-description//paragraph/number"):
        node.text = None
    space_out(root, _NESTED, ends=_BLOCKS)


def _texts(words: str) -> tuple[Text, ...]:
    return (Text(language=uspto.LANGUAGE, text=words),) if words else ()


def _under(node: Element | None, path: str) -> str:
    return text(node.find(path)) if node is not None else ""


def _abstract(root: Element) -> str:
    return fold(" ".join(text(node) for node in root.iterfind("subdoc-abstract/paragraph")))


def _claimed(known: Element) -> Iterator[tuple[str, str]]:
    for node in known.iterfind("foreign-priority-data"):
        date = uspto.day(_under(node, "filing-date"))
        number = _under(node, "priority-application-number/doc-number")
        yield uspto.application_number(_under(node, "country-code"), number, date), date


def _parents(known: Element) -> Iterator[tuple[str, str]]:
    for related in known.iterfind("continuity-data"):
        for node in related.iter("parent", "non-provisional-of-provisional"):
            date = uspto.day(_under(node, "document-id/document-date"))
            if number := _under(node, "document-id/doc-number"):
                yield uspto.application_number(_under(node, "document-id/country-code") or "US", number, date), date


def _person(node: Element) -> str:
    return uspto.person(_under(node, "family-name"), _under(node, "given-name"))


def _claims(root: Element) -> Iterator[Claim | None]:
    for place, node in enumerate(root.iterfind("subdoc-claims/claim"), start=1):
        own = uspto.references([node.get("id", "")])
        parents = uspto.references(mark.get("depends_on", "") for mark in node.iter(_REFERENCE))
        yield uspto.claim(own[0] if own else place, text(node), parents)


def _knows(head: bytes, _: str) -> bool:
    return b"<patent-application-publication" in head


def _read(source: Rewindable) -> Iterator[Publication | Rejected]:
    return read_documents(source, convert)


READER = Reader(name=NAME, about="US applications 2001-2004 (PAP)", knows=_knows, read=_read)
