"""WIPO ST.96 as Rospatent's research code writes it: a document with its cluster, and the mark-up in its JSON.

A cluster holds, beside the base document, the documents that field (56) cites, the members of their families, and the
members of the base document's own family; each is a publication. The base document's family has no number and is
called after the first of its members. Numbers are padded with zeros. Field (56) is free text: patents are read out of
it, what follows a comma belongs to the patent before it, and the rest is other literature.
"""

import re
from collections.abc import Iterable, Iterator

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Citation, Claim, Publication, Rejected, Text
from patstone.patents.readers import markup
from patstone.patents.readers.answers import read_answers
from patstone.patents.readers.claimtext import claims_of
from patstone.patents.readers.classes import symbols
from patstone.patents.readers.exchange import unqualified
from patstone.patents.readers.fields import any_day, day, text
from patstone.patents.readers.markup import Element
from patstone.patents.readers.numbering import applied, cited, published
from patstone.patents.readers.reader import Reader

_NAME = "st96"
_BLOCKS = ("p", "P", "div", "br", "li", "td", "tr", "Claim", "ClaimText", "Heading")
_BAGS = ("DocumentCitationBag/DocumentCitation", "AnalogOfCitationBag/AnalogOfCitation")
_ANALOGS = "DocumentAnalogBag/DocumentAnalog"
# A kind's letter is often typed in Cyrillic, where it looks the same.
_LOOKALIKES = str.maketrans("АВСЕТУ", "ABCETY")
_PATENT = re.compile(
    r"\b(?P<country>[A-Z]{2})[ -]*(?P<number>[HS]?\d(?:[\d/-]*\d)?(?: \d{3})*)[ -]*(?P<kind>[A-ZАВСЕТУ]\d?)?"
    r"(?:,? *(?P<date>\d{1,2}\.\d{1,2}\.\d{4}|\d{4}[./]\d{2}[./]\d{2}))?(?=[\s.,;)]|$)",
    re.ASCII,
)
_DEPARTMENT = re.compile(r"(?<=\d{9})/\d\d$", re.ASCII)
_MARKS = " .,;:()"
_SHORTEST = 8


def read(source: Rewindable) -> Iterator[Publication | Rejected]:
    return read_answers(source, _cluster)


def knows(head: bytes, _: str) -> bool:
    return b"PatentPublication" in head and b"ST96" in head and b"PatentDocumentKindCode" in head


def field_56(said: str) -> Iterator[Citation]:
    """Read the patents and the other literature that the field names."""
    found = [*_PATENT.finditer(said)]
    starts = [match.start() for match in found] + [len(said)]
    yield from _literature(said[: starts[0]])
    for match, end in zip(found, starts[1:], strict=True):
        rest = said[match.end() : end]
        # `, columns 3-5. Smith, 1999`: up to the full stop it is the patent's, behind it another work's.
        passages, _, other = rest.partition(". ") if rest.startswith(",") else ("", "", rest)
        kind = (match["kind"] or "").translate(_LOOKALIKES)
        date = any_day(match["date"])
        yield Citation(
            cited=cited(match["country"], match["number"], kind, date),
            raw=" ".join(filter(None, (match["country"], match["number"], kind))),
            passages=passages.strip(_MARKS),
            date=date,
        )
        yield from _literature(other)


def _literature(said: str) -> Iterator[Citation]:
    words = said.strip(_MARKS)
    # Shorter rests are abbreviations and page numbers, which name nothing.
    if len(words) >= _SHORTEST:
        yield Citation(raw=words, patent=False)


def united(*lists: Iterable[Citation]) -> tuple[Citation, ...]:
    """Put lists of the same citations together, each document once."""
    found: dict[str, Citation] = {}
    for citations in lists:
        for citation in citations:
            # The list comes first, so that its dates win over those of the free text.
            found.setdefault(citation.cited or citation.raw, citation)
    return tuple(found.values())


def russian(office: str, number: str, filed: str) -> str:
    """Give an application's number; what follows the slash in 2014103924/11 is the department that examined it."""
    return applied(office, _DEPARTMENT.sub("", number), "", filed)


def marked_up(value: str) -> Element | None:
    """Parse a text that is mark-up; None for plain text."""
    # The same field is mark-up in one document and plain words in the next.
    if not value.lstrip().startswith("<"):
        return None
    root = unqualified(markup.parse(value.strip().encode(errors="replace")).root)
    markup.space_out(root, _BLOCKS)
    return root


def words(value: object, what: str) -> str:
    """Give the words of a text, with or without mark-up."""
    root = marked_up(value) if isinstance(value, str) else None
    return text(value, what) if root is None else markup.text(root)


def claims_in(value: object, language: str) -> tuple[Claim, ...]:
    """Give the claims in mark-up or in a plain text."""
    if not isinstance(value, str):
        raise DataError("The claims must be a text.", value=value)
    root = marked_up(value)
    return claims_of([value], language) if root is None else marked_claims(root, language)


def marked_claims(root: Element, language: str) -> tuple[Claim, ...]:
    each = root.findall("Claim") or [node for node in root if node.get("pNumber")] or list(root) or [root]
    return claims_of([markup.text(node) for node in each], language)


def _cluster(root: Element) -> Iterator[Publication | DataError]:
    unqualified(root)
    markup.space_out(root, _BLOCKS)
    if root.tag != "PatentPublication":
        raise DataError("The document must be a PatentPublication.", value=root.tag)
    # The base document names no family, but its analogs are its members: any name will do if all agree on it.
    kin = [_own(node)[0] for node in (root, *root.iterfind(_ANALOGS))]
    family = min(kin) if len(kin) > 1 else ""
    yield _publication(root, family)
    for path, of in ((_BAGS[0], ""), (_BAGS[1], ""), (_ANALOGS, family)):
        for node in root.iterfind(path):
            try:
                yield _publication(node, of)
            except DataError as error:
                yield error


def _own(node: Element) -> tuple[str, str, str, str, str]:
    """Give canonical number, country, number, kind and date, which stand in the document or in an identification."""
    forms = node.findall("BibliographicData/PatentPublicationIdentification")
    # Of several identifications DOCDB's is the one whose parts are apart.
    forms.sort(key=lambda form: form.get("dataFormat") != "docdb")
    for place in (node, *forms):
        country, number, kind, date = (
            markup.text(place.find(name))
            for name in ("IPOfficeCode", "PublicationNumber", "PatentDocumentKindCode", "PublicationDate")
        )
        if country and number:
            on, kind = day(date, "The publication date"), kind.translate(_LOOKALIKES)
            return published(country, number.lstrip("0"), kind, on), country, number, kind, on
    raise DataError("A document must have an office and a number.")


def _publication(node: Element, family: str) -> Publication:
    number, country, raw, kind, date = _own(node)
    biblio = node.find("BibliographicData")
    application = node.find("BibliographicData/ApplicationIdentification")
    filed = "" if application is None else any_day(markup.text(application.find("FilingDate")))
    free = node.iterfind("BibliographicData/ReferenceCitationBag/ReferenceCitationFreeFormat")
    claims = [claim for part in node.iterfind("Claims") for claim in marked_claims(part, _language(part))]
    description = node.find("Description")
    return Publication(
        number=number,
        raw=" ".join(filter(None, (country, raw, kind))),
        source=_NAME,
        country=country,
        kind=kind,
        date=date,
        application="" if application is None else _application(country, application, filed),
        filed=filed,
        family=family,
        language=next((one for one in map(_language, node.xpath("Description | Claims")) if one), ""),
        titles=_texts(() if biblio is None else biblio.iter("InventionTitle")),
        abstracts=_texts(node.iterfind("Abstract")),
        description=markup.text(description),
        claims=tuple(claims),
        ipc=symbols(_classes(biblio, "IPCRClassification", "IPCClassification"), "ipc"),
        cpc=symbols(_classes(biblio, "CPCClassification"), "cpc"),
        applicants=_applicants(biblio),
        citations=united(_bagged(node), (one for part in free for one in field_56(markup.text(part)))),
    )


def _application(country: str, application: Element, filed: str) -> str:
    number = markup.text(next(application.iter("ApplicationNumberText", "ApplicationNumber"), None))
    office = markup.text(application.find("IPOfficeCode")) or country
    return russian(office, number, filed) if number else ""


def _language(node: Element) -> str:
    language: str = node.get("languageCode", "")
    return language.lower()


def _texts(nodes: Iterable[Element]) -> tuple[Text, ...]:
    found = ((_language(node), markup.text(node)) for node in nodes)
    return tuple(Text(language=language, text=said) for language, said in found if said)


def _classes(biblio: Element | None, *names: str) -> Iterator[str]:
    """Give classes, which may stand in parts."""
    for node in () if biblio is None else biblio.iter(*names):
        section, number, letter, group, subgroup = (
            markup.text(node.find(part)) for part in ("Section", "Class", "Subclass", "MainGroup", "Subgroup")
        )
        yield f"{section}{number}{letter}{group}/{subgroup}" if section else markup.text(node)


def _applicants(biblio: Element | None) -> tuple[str, ...]:
    if biblio is None:
        return ()
    parties = [*biblio.iter("Applicant")] or [*biblio.iter("PatentGrantee", "Assignee")]
    names = (party.iter("OrganizationStandardName", "EntityName", "PersonFullName") for party in parties)
    return markup.texts(name for each in names for name in each)


def _bagged(node: Element) -> Iterator[Citation]:
    for cited_one in node.iterfind(_BAGS[0]):
        number, country, raw, kind, date = _own(cited_one)
        yield Citation(cited=number, raw=" ".join((country, raw, kind)), date=date)


READER = Reader(
    name=_NAME, about="ST.96 documents with their clusters, of Rospatent's research code", knows=knows, read=read
)
