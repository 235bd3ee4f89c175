"""Rospatent's search platform: its documents as JSON, and its answers to a search, which hold such documents.

Texts are ST.96 mark-up inside JSON, or cleaned of it (`claims_cleaned`). The platform's list of cited documents lacks
what it has no copy of, such as Chinese ones, so the raw field (56) is read too and the two are united. Field (56) does
not tell who cited.
"""

from collections.abc import Iterator

from patstone.files.streams import Rewindable
from patstone.patents.publication import Citation, Claim, Publication, Rejected, Text
from patstone.patents.readers.classes import symbols
from patstone.patents.readers.documents import is_json, read_documents
from patstone.patents.readers.fields import Record, any_day, day, family, optional, records, text, texts
from patstone.patents.readers.numbering import cited, published
from patstone.patents.readers.reader import Reader
from patstone.patents.readers.st96 import claims_in, field_56, russian, united, words
from patstone.patents.symbols import Scheme

_NAME = "rospatent"
_RUSSIAN = {"RU", "SU"}


def read(source: Rewindable) -> Iterator[Publication | Rejected]:
    return read_documents(source, publication, name="id", lists=("hits", "documents"))


def knows(head: bytes, _: str) -> bool:
    return is_json(head) and all(key in head for key in (b'"common"', b'"publishing_office"', b'"document_number"'))


def publication(document: Record) -> Publication:
    common = optional(document.get("common"), "common")
    country, number, kind = _number(common)
    date = day(common.get("publication_date"), "publication_date")
    application = optional(common.get("application"), "application")
    priorities = records(common.get("priority"), "priority")
    classes = optional(common.get("classification"), "classification")
    return Publication(
        number=published(country, number, kind, date),
        raw=text(document.get("id"), "id") or " ".join(filter(None, (country, number, kind))),
        source=_NAME,
        country=country,
        kind=kind,
        date=date,
        application=_application(country, application),
        filed=any_day(application.get("filing_date")),
        priorities=texts([_application(country, one) for one in priorities], "priority"),
        priority_date=min(filter(None, (any_day(one.get("filing_date")) for one in priorities)), default=""),
        family=family(optional(common.get("family"), "family").get("docdb_family_id")),
        language=_language(document, country),
        titles=_titles(document),
        abstracts=_texts(document, "abstract"),
        description=next((one.text for one in _texts(document, "description")), ""),
        claims=_claims(document),
        applicants=_applicants(document),
        citations=united(_listed(common), field_56(_field(document))),
        ipc=_symbols(classes, "ipc"),
        cpc=_symbols(classes, "cpc"),
    )


def _number(common: Record) -> tuple[str, str, str]:
    country, number, kind = (text(common.get(key), key) for key in ("publishing_office", "document_number", "kind"))
    # The platform pads all numbers to one length, which no office does.
    return country, number.lstrip("0"), kind


def _application(country: str, entry: Record) -> str:
    number, office = text(entry.get("number"), "number"), text(entry.get("publishing_office"), "publishing_office")
    return russian(office or country, number, any_day(entry.get("filing_date"))) if number else ""


def _languages(document: Record, part: str) -> Record:
    """Give what stands for each language, Russian first, as the platform was made for it."""
    found = optional(document.get(part), part)
    return {language: found[language] for language in sorted(found, key=lambda language: language != "ru")}


def _language(document: Record, country: str) -> str:
    # Translations may stand beside the text; the document's own language is Russian.
    if country in _RUSSIAN:
        return "ru"
    return next((language for part in ("description", "claims") for language in _languages(document, part)), "")


def _titles(document: Record) -> tuple[Text, ...]:
    titles = {
        language: text(optional(biblio, "biblio").get("title"), "title")
        for language, biblio in _languages(document, "biblio").items()
    }
    return tuple(Text(language=language, text=title) for language, title in titles.items() if title)


def _texts(document: Record, part: str) -> tuple[Text, ...]:
    # The cleaned text stands in only where there is none with mark-up, which keeps claims apart.
    found = _languages(document, part) or _languages(document, f"{part}_cleaned")
    read = {language: words(value, part) for language, value in found.items()}
    return tuple(Text(language=language, text=said) for language, said in read.items() if said)


def _claims(document: Record) -> tuple[Claim, ...]:
    found = _languages(document, "claims") or _languages(document, "claims_cleaned")
    return tuple(claim for language, value in found.items() for claim in claims_in(value, language))


def _applicants(document: Record) -> tuple[str, ...]:
    """Give the applicants, or the holders of a patent, in the first language that names any."""
    for biblio in _languages(document, "biblio").values():
        for part in ("applicant", "patentee"):
            entries = records(optional(biblio, "biblio").get(part), part)
            if names := texts([entry.get("name") for entry in entries], part):
                return names
    return ()


def _symbols(classes: Record, scheme: Scheme) -> tuple[str, ...]:
    return symbols(texts([entry.get("fullname") for entry in records(classes.get(scheme), scheme)], scheme), scheme)


def _listed(common: Record) -> Iterator[Citation]:
    for entry in records(common.get("citated_docs"), "citated_docs"):
        country, number, kind = _number(entry)
        date = any_day(entry.get("publication_date"))
        raw = " ".join(filter(None, (country, number, kind))) or text(entry.get("id"), "citated_docs")
        yield Citation(cited=cited(country, number, kind, date), raw=raw, date=date)


def _field(document: Record) -> str:
    for biblio in _languages(document, "biblio").values():
        if said := text(optional(biblio, "biblio").get("citations"), "citations"):
            return said
    return ""


READER = Reader(name=_NAME, about="Documents of Rospatent's search platform, as JSON", knows=knows, read=read)
