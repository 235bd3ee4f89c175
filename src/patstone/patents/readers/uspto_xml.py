"""Grants and applications of the US office since 2005: XML 4.x, also as the Open Data Portal gives single ones out.

Parents of a continuation, a division or a national phase count as priorities, as they do for families at the EPO.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Citation, Claim, Publication, Rejected, Text
from patstone.patents.readers import uspto
from patstone.patents.readers.markup import Element, read_documents, space_out, text
from patstone.patents.readers.reader import Reader

NAME = "uspto-xml"
_BLOCKS = ("p", "heading", "br", "entry")
_NESTED = ("claim-text", "li", "dt", "dd", "tables", "maths")
_ROOTS = (b"<us-patent-grant", b"<us-patent-application")
Parts = dict[str, Element]


def convert(root: Element) -> Publication:
    # Steps of a claim are nested elements without white space: their words would run together.
    space_out(root, _NESTED, ends=_BLOCKS)
    parts = _parts(root)
    grant = parts.get("us-bibliographic-data-grant")
    bibliographic = grant if grant is not None else parts.get("us-bibliographic-data-application")
    if bibliographic is None:
        raise DataError("A document has bibliographic data.", value=root.tag)
    known = _parts(bibliographic)
    own, application = (
        _document_id(known.get("publication-reference")),
        _document_id(known.get("application-reference")),
    )
    date, filed = uspto.day(own.get("date")), uspto.day(application.get("date"))
    country, kind = own.get("country", "US"), own.get("kind", "")
    priorities = list(_priorities(known))
    return Publication(
        number=uspto.publication_number(country, own.get("doc-number", ""), kind, date),
        raw=" ".join(own[part] for part in ("country", "doc-number", "kind") if part in own),
        source=NAME,
        country=country,
        kind=kind,
        date=date,
        application=_application(application, filed),
        filed=filed,
        priorities=tuple(dict.fromkeys(number for number, _ in priorities)),
        priority_date=min(filter(None, (date for _, date in priorities)), default=""),
        language=(root.get("lang") or uspto.LANGUAGE).lower(),
        titles=_texts(known.get("invention-title")),
        abstracts=_texts(parts.get("abstract")),
        description=text(parts.get("description")),
        claims=uspto.claim_set(list(_claims(parts.get("claims")))),
        ipc=_ipc(known),
        cpc=tuple(_cpc(known.get("classifications-cpc"))),
        applicants=_applicants(known),
        citations=tuple(_citations(known)),
    )


def _parts(node: Element) -> Parts:
    # One walk over the children is quicker than a search for each of a dozen tags.
    return {child.tag: child for child in node}


def _document_id(node: Element | None) -> dict[str, str]:
    """The fields of the document-id in an element."""
    for child in node if node is not None else ():
        if child.tag == "document-id":
            return _fields(child)
    return {}


def _fields(node: Element) -> dict[str, str]:
    return {part.tag: words.strip() for part in node if (words := part.text)}


def _texts(node: Element | None) -> tuple[Text, ...]:
    words = text(node)
    return (Text(language=uspto.LANGUAGE, text=words),) if words else ()


def _application(fields: dict[str, str], filed: str) -> str:
    number = fields.get("doc-number")
    return uspto.application_number(fields.get("country", "US"), number, filed) if number else ""


def _priorities(known: Parts) -> Iterator[tuple[str, str]]:
    claimed = map(_fields, known.get("priority-claims", ()))
    related, international = known.get("us-related-documents"), known.get("pct-or-regional-filing-data")
    # Only parents and provisionals: what was divided out of this document is later than it.
    parents = related.iter("parent-doc", "us-provisional-application") if related is not None else ()
    for fields in chain(claimed, map(_document_id, parents), [_document_id(international)]):
        if number := fields.get("doc-number"):
            date = uspto.day(fields.get("date"))
            yield uspto.application_number(fields.get("country", ""), number, date), date


def _ipc(known: Parts) -> tuple[str, ...]:
    """From 2006 in parts, before that in one word."""
    if (revised := known.get("classifications-ipcr")) is not None:
        return tuple(dict.fromkeys(_symbols(revised)))
    old = known.get("classification-ipc")
    return (
        uspto.symbols(node.text or "" for node in old if node.tag.endswith("classification")) if old is not None else ()
    )


def _cpc(node: Element | None) -> Iterable[str]:
    return dict.fromkeys(_symbols(node.iter("classification-cpc"))) if node is not None else ()


def _symbols(nodes: Iterable[Element]) -> Iterator[str]:
    for node in nodes:
        fields = _fields(node)
        # Design classes (Locarno) have the same wrapper and no groups.
        if "main-group" in fields:
            stem = "".join(fields.get(part, "") for part in ("section", "class", "subclass", "main-group"))
            yield f"{stem}/{fields.get('subgroup', '00')}"


def _applicants(known: Parts) -> tuple[str, ...]:
    books = [
        _fields(book)
        for part in ("assignees", "us-parties", "parties")
        if part in known
        for party in known[part].iter("assignee", "us-applicant", "applicant")
        for book in (party, *party.findall("addressbook"))
    ]
    return uspto.applicants(
        (book.get("orgname", "") for book in books),
        (uspto.person(book.get("last-name", book.get("name", "")), book.get("first-name", "")) for book in books),
    )


def _citations(known: Parts) -> Iterator[Citation]:
    # Older versions call it references-cited.
    references = next((known[tag] for tag in ("us-references-cited", "references-cited") if tag in known), ())
    for node in references:
        parts = _parts(node)
        cited_by = uspto.CITED_BY.get(parts["category"].text, "unknown") if "category" in parts else "unknown"
        if "patcit" in parts:
            fields = _document_id(parts["patcit"])
            date, kind = uspto.day(fields.get("date")), fields.get("kind", "")
            yield uspto.cited_patent(
                fields.get("country", ""), fields.get("doc-number", ""), kind, date, cited_by=cited_by
            )
        elif "nplcit" in parts:
            yield uspto.cited_text(text(parts["nplcit"]), cited_by=cited_by)


def _claims(node: Element | None) -> Iterator[Claim | None]:
    for place, one in enumerate(node.iterfind("claim") if node is not None else (), start=1):
        number = uspto.references([f"CLM-{one.get('num', '')}"])
        parents = uspto.references([reference.get("idref", "") for reference in one.iter("claim-ref")])
        yield uspto.claim(number[0] if number else place, text(one), parents)


def _knows(head: bytes, _: str) -> bool:
    return any(root in head for root in _ROOTS)


def _read(source: Rewindable) -> Iterator[Publication | Rejected]:
    return read_documents(source, convert)


READER = Reader(name=NAME, about="US grants and applications since 2005 (XML 4.x)", knows=_knows, read=_read)
