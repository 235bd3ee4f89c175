"""Answers of the EPO's Open Patent Services, in XML or JSON: bibliographic data, abstracts, texts, families, searches.

In an answer to `/family` the members are INPADOC's extended family, while each member's `family-id` is the simple
one. An answer with an error, of the register or of a service without documents is rejected by name. JSON is XML under
other brackets (`$` is text, `@` an attribute, a list of one its member), so it becomes elements and is read alike.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Claim, Publication, Rejected
from patstone.patents.readers import answers, badgerfish, documents, markup
from patstone.patents.readers.answers import Found
from patstone.patents.readers.claimtext import claims_of
from patstone.patents.readers.exchange import (
    Reference,
    active_priorities,
    earliest,
    exchange_publication,
    reference,
    unqualified,
)
from patstone.patents.readers.fields import Record, any_day, day, family
from patstone.patents.readers.markup import Element, text
from patstone.patents.readers.numbering import cited, published
from patstone.patents.readers.reader import Reader

_NAME = "ops"
_BLOCKS = ("p", "heading", "claim-text", "br")


def read(source: Rewindable) -> Iterator[Publication | Rejected]:
    with source.open() as stream:
        head = stream.read(64)
    if documents.is_json(head):
        return documents.read_answers(source, _from_json)
    return answers.read_answers(source, _answered)


def knows(head: bytes, _: str) -> bool:
    return b"world-patent-data" in head or (b"<fault" in head and b"ops.epo.org" in head)


def _from_json(answer: Record) -> Found:
    return _answered(markup.parse(badgerfish.to_xml(answer)).root)


def _answered(answer: Element) -> Found:
    unqualified(answer)
    if answer.tag == "fault":
        said = ", ".join(filter(None, (text(answer.find(part)) for part in ("code", "message", "description"))))
        raise DataError(f"OPS answered with an error: {said}.")
    empty = True
    for convert, node in _documents(answer):
        empty = False
        try:
            yield convert(node)
        except DataError as error:
            yield error
    if empty:
        service = next((part.tag for part in answer if part.tag != "meta"), answer.tag)
        raise DataError(f"An answer of OPS to {service} holds no documents.")


def _documents(answer: Element) -> Iterator[tuple[Callable[[Element], Publication], Element]]:
    for path in ("exchange-documents/exchange-document", "biblio-search//exchange-document"):
        yield from ((_exchanged, node) for node in answer.iterfind(path))
    yield from ((_fulltext, node) for node in answer.iterfind("fulltext-documents/fulltext-document"))
    yield from ((_referred, node) for node in answer.iterfind("biblio-search/search-result/publication-reference"))
    for node in answer.iterfind("patent-family"):
        members = node.findall("family-member")
        numbers = [reference(member.iterfind("publication-reference")) for member in members]
        # The extended family has no number of its own: it is called after the first of its members.
        known = {cited(one.country, one.number, one.kind, any_day(one.date)) for one in numbers} - {""}
        # An answer about one document's legal status has that one alone.
        convert = partial(_member, extended=min(known) if len(known) > 1 else "")
        yield from ((convert, member) for member in members)


def _exchanged(node: Element) -> Publication:
    # A search answers with a stub for what it has no copy of; a stub with empty fields is no document.
    if said := node.get("status"):
        wanted = " ".join(node.get(name, "") for name in ("country", "doc-number", "kind"))
        raise DataError(f"OPS has no such document ({said}).", value=wanted)
    return exchange_publication(node, _NAME)


def _referred(node: Element) -> Publication:
    return Publication(**_identity(reference([node])), family=family(node.get("family-id")))


def _member(member: Element, *, extended: str) -> Publication:
    simple = family(member.get("family-id"))
    whole = member.find("exchange-document")
    if whole is not None:
        return exchange_publication(whole, _NAME, simple=simple, extended=extended)
    application = reference(member.iterfind("application-reference"))
    priorities = active_priorities(member.iterfind("priority-claim"))
    return Publication(
        **_identity(reference(member.iterfind("publication-reference"))),
        application=application.application,
        filed=any_day(application.date),
        priorities=tuple(dict.fromkeys(found.application for found in priorities)),
        priority_date=earliest(priorities),
        family=simple,
        extended=extended,
    )


def _fulltext(node: Element) -> Publication:
    # Lines and paragraphs of a text have no white space between them.
    markup.space_out(node, _BLOCKS)
    own = reference(node.iterfind("bibliographic-data/publication-reference"))
    # Texts name their document on themselves or in a reference, by the service that was asked.
    if not own.number:
        own = Reference(country=node.get("country", ""), number=node.get("doc-number", ""), kind=node.get("kind", ""))
    languages = [
        part.get("lang", "").lower() for part in (*node.iterfind("claims"), *node.iterfind("description"), node)
    ]
    return Publication(
        **_identity(own),
        language=next(filter(None, languages), ""),
        description=text(node.find("description")),
        claims=tuple(claim for part in node.iterfind("claims") for claim in _claims(part)),
    )


def _claims(part: Element) -> tuple[Claim, ...]:
    return claims_of([text(one) for one in part.iterfind("claim/claim-text")], part.get("lang", "").lower())


def _identity(own: Reference) -> dict[str, Any]:
    date = day(own.date, "The publication date")
    return {
        "number": published(own.country, own.number, own.kind, date),
        "raw": own.raw,
        "source": _NAME,
        "country": own.country,
        "kind": own.kind,
        "date": date,
    }


READER = Reader(name=_NAME, about="Answers of the EPO's Open Patent Services, in XML or JSON", knows=knows, read=read)
