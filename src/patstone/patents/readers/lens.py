"""Patents of The Lens, as its API and its exports give them: JSON Lines, a list, or an answer that holds the list.

The Lens numbers no families: it lists their members. A family is called after the first of its members' Lens ids, in
the order of their letters, which is the same for every member of one snapshot and of no use across snapshots.
"""

from collections.abc import Iterator

from patstone.files.streams import Rewindable
from patstone.patents.publication import Citation, Claim, Publication, Rejected, Text
from patstone.patents.readers import citing
from patstone.patents.readers.claimtext import claims_of
from patstone.patents.readers.classes import symbols
from patstone.patents.readers.documents import is_json, read_documents
from patstone.patents.readers.fields import Record, any_day, day, items, optional, records, text, texts
from patstone.patents.readers.numbering import applied, cited, published
from patstone.patents.readers.reader import Reader

_NAME = "lens"


def read(source: Rewindable) -> Iterator[Publication | Rejected]:
    return read_documents(source, publication, name="doc_key", lists=("data", "results"))


def knows(head: bytes, _: str) -> bool:
    return is_json(head) and b'"lens_id"' in head and b'"jurisdiction"' in head


def publication(document: Record) -> Publication:
    biblio = optional(document.get("biblio"), "biblio")
    country, number, kind = _parts(document)
    date = day(document.get("date_published"), "date_published")
    application = optional(biblio.get("application_reference"), "application_reference")
    priorities = optional(biblio.get("priority_claims"), "priority_claims")
    earliest = optional(priorities.get("earliest_claim"), "earliest_claim")
    families = optional(document.get("families"), "families")
    description = optional(document.get("description"), "description")
    return Publication(
        number=published(country, number, kind, date),
        raw=" ".join(filter(None, (country, number, kind))),
        source=_NAME,
        country=country,
        kind=kind,
        date=date,
        application=_application(application),
        filed=day(application.get("date"), "application_reference"),
        priorities=texts([_application(claim) for claim in records(priorities.get("claims"), "claims")], "claims"),
        priority_date=day(earliest.get("date"), "earliest_claim"),
        family=_family(document, families, "simple_family"),
        extended=_family(document, families, "extended_family"),
        language=_language(document),
        titles=_texts(biblio.get("invention_title"), "invention_title"),
        abstracts=_texts(document.get("abstract"), "abstract"),
        description=text(description.get("text"), "description"),
        claims=_claims(document),
        ipc=symbols(_classes(biblio, "classifications_ipcr"), "ipc"),
        cpc=symbols(_classes(biblio, "classifications_cpc"), "cpc"),
        applicants=_applicants(biblio),
        citations=_citations(biblio, country, date),
    )


def _parts(reference: Record) -> tuple[str, str, str]:
    country, number, kind = (text(reference.get(key), key) for key in ("jurisdiction", "doc_number", "kind"))
    return country, number, kind


def _language(entry: Record) -> str:
    return text(entry.get("lang"), "lang").lower()


def _texts(value: object, what: str) -> tuple[Text, ...]:
    found = (Text(language=_language(entry), text=text(entry.get("text"), what)) for entry in records(value, what))
    return tuple(entry for entry in found if entry.text)


def _application(reference: Record) -> str:
    return applied(*_parts(reference), any_day(reference.get("date")))


def _family(document: Record, families: Record, key: str) -> str:
    members = records(optional(families.get(key), key).get("members"), key)
    # The Lens gives members but no number: all members agree on the least of their ids.
    return min(texts([member.get("lens_id") for member in (*members, document)], key), default="") if members else ""


def _claims(document: Record) -> tuple[Claim, ...]:
    found: list[Claim] = []
    for group in records(document.get("claims"), "claims"):
        entries = records(group.get("claims"), "claims")
        each = [" ".join(texts(entry.get("claim_text"), "claim_text")) for entry in entries]
        found += claims_of(each, _language(group))
    return tuple(found)


def _classes(biblio: Record, key: str) -> tuple[str, ...]:
    entries = records(optional(biblio.get(key), key).get("classifications"), key)
    return texts([entry.get("symbol") for entry in entries], key)


def _applicants(biblio: Record) -> tuple[str, ...]:
    entries = records(optional(biblio.get("parties"), "parties").get("applicants"), "applicants")
    names = [optional(entry.get("extracted_name"), "extracted_name").get("value") for entry in entries]
    return texts(names, "applicants")


def _citations(biblio: Record, country: str, date: str) -> tuple[Citation, ...]:
    entries = records(optional(biblio.get("references_cited"), "references_cited").get("citations"), "citations")
    return tuple(_citation(entry, country, date) for entry in entries)


def _citation(entry: Record, country: str, date: str) -> Citation:
    phase = citing.phase(text(entry.get("cited_phase"), "cited_phase"))
    patent = optional(entry.get("patcit"), "patcit")
    # The document id may be a list of the same number in several forms; the first is DOCDB's.
    reference = next(iter(records(patent.get("document_id"), "document_id")), {})
    number = _parts(reference)
    on = any_day(reference.get("date"))
    literature = text(optional(entry.get("nplcit"), "nplcit").get("text"), "nplcit")
    return Citation(
        cited=cited(*number, on),
        raw=" ".join(filter(None, number)) or literature,
        patent=bool(patent),
        cited_by=citing.cited_by(phase, country=country, date=date),
        category=citing.category(*map(str, items(entry.get("category")))),
        phase=phase,
        claims=citing.claim_numbers(*map(str, items(entry.get("rel_claims")))),
        date=on,
    )


READER = Reader(name=_NAME, about="Patents of The Lens: its API's answers and its JSON exports", knows=knows, read=read)
