"""European patent documents in full text (ep-patent-document 1.0 to 1.5.1): applications, search reports and grants.

Bibliographic data stand under INID codes (B110 is the number, B560 field 56). Grants have their claims in three
languages; an A2 that went out as an international application, an A3 and many an A1 hold no text at all. Field 56 names
patents as a person would (`US-A1- 2007 204 872`), so they are read where that leaves one reading, and literature apart.
It does not tell who cited.
"""

from collections.abc import Iterator
from itertools import pairwise

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Citation, Claim, Publication, Rejected, Text
from patstone.patents.readers import markup
from patstone.patents.readers.claimtext import without_number
from patstone.patents.readers.classes import symbols
from patstone.patents.readers.fields import any_day, day
from patstone.patents.readers.markup import Element, text, texts
from patstone.patents.readers.numbering import applied, identified, published
from patstone.patents.readers.reader import Reader

_NAME = "ep-fulltext"
_BLOCKS = ("p", "heading", "claim-text", "br", "li", "row", "entry", "snm", "b542")


def read(source: Rewindable) -> Iterator[Publication | Rejected]:
    return markup.read_documents(source, publication)


def knows(head: bytes, _: str) -> bool:
    return b"<ep-patent-document" in head


def publication(root: Element) -> Publication:
    if root.tag != "ep-patent-document":
        raise DataError("The document must be an ep-patent-document.", value=root.tag)
    markup.space_out(root, _BLOCKS)
    country, number, kind, date = (
        root.get(name) or text(root.find(f"SDOBI/B100/{code}"))
        for name, code in (("country", "B190"), ("doc-number", "B110"), ("kind", "B130"), ("date-publ", "B140/date"))
    )
    date = day(date, "The publication date")
    priorities = [*_priorities(root)]
    return Publication(
        number=published(country, number, kind, date),
        raw=" ".join((country, number, kind)),
        source=_NAME,
        country=country,
        kind=kind,
        date=date,
        application=_application(country, root),
        filed=any_day(text(root.find("SDOBI/B200/B220/date"))),
        priorities=tuple(dict.fromkeys(one for one, _ in priorities)),
        priority_date=min(filter(None, (on for _, on in priorities)), default=""),
        language=root.get("lang", "").lower(),
        titles=_titles(root),
        abstracts=_texts(root.iterfind("abstract")),
        description=text(root.find("description")),
        claims=tuple(claim for part in root.iterfind("claims") for claim in _claims(part)),
        ipc=_classes(root),
        applicants=_applicants(root),
        citations=tuple(_citations(root)),
    )


def _application(country: str, root: Element) -> str:
    # The digit after the point is a check digit.
    number = text(root.find("SDOBI/B200/B210")).partition(".")[0]
    return applied(country, number, "A", any_day(text(root.find("SDOBI/B200/B220/date")))) if number else ""


def _priorities(root: Element) -> Iterator[tuple[str, str]]:
    """Give number and date of each priority; its three fields stand in a row, one priority after another."""
    number = on = ""
    for field in root.iterfind("SDOBI/B300/*"):
        if field.tag == "B310":
            number, on = text(field), ""
        elif field.tag == "B320":
            on = any_day(text(field.find("date")))
        elif field.tag == "B330" and number:
            # The kind of a provisional application stands behind its number: 123456 P.
            digits, _, kind = number.partition(" ")
            yield applied(text(field.find("ctry")), digits, kind, on), on


def _titles(root: Element) -> tuple[Text, ...]:
    fields = [field for field in root.iterfind("SDOBI/B500/B540/*") if field.tag in ("B541", "B542")]
    return tuple(
        Text(language=text(language).lower(), text=text(title))
        for language, title in pairwise(fields)
        if (language.tag, title.tag) == ("B541", "B542") and text(title)
    )


def _texts(nodes: Iterator[Element]) -> tuple[Text, ...]:
    return tuple(Text(language=node.get("lang", "").lower(), text=text(node)) for node in nodes if text(node))


def _claims(part: Element) -> Iterator[Claim]:
    language = part.get("lang", "").lower()
    # Many files mark no claim up, which must not read as a set of independent ones.
    marked = part.find(".//claim-ref") is not None
    # References go by the claim's id, whose digits need not be its number.
    places = {claim.get("id", ""): _number(claim, place) for place, claim in enumerate(part.iterfind("claim"), start=1)}
    for place, claim in enumerate(part.iterfind("claim"), start=1):
        number = _number(claim, place)
        named = {places.get(one) for node in claim.iter("claim-ref") for one in node.get("idref", "").split()}
        yield Claim(
            number=number,
            text=without_number(text(claim), number),
            language=language,
            references=tuple(sorted(one for one in named if one)) if marked else None,
        )


def _number(claim: Element, place: int) -> int:
    # Written 0001, or as a range, 0001-0002, whose first is the claim's own.
    digits = claim.get("num", "").partition("-")[0]
    return int(digits) if digits.isascii() and digits.isdigit() and int(digits) else place


def _classes(root: Element) -> tuple[str, ...]:
    # IPC 8 stands in an element of its own since 2006; the seventh edition and before in numbered fields.
    bags = root.findall("SDOBI/B500/B510EP/classification-ipcr/text") or [
        field for field in root.iterfind("SDOBI/B500/B510/*") if field.tag in ("B511", "B512", "B513")
    ]
    return symbols(map(text, bags), "ipc")


def _applicants(root: Element) -> tuple[str, ...]:
    """Give the applicants, or the proprietors of a grant."""
    for path in ("B710/B711/snm", "B730/B731/snm"):
        if names := texts(root.iterfind(f"SDOBI/B700/{path}")):
            return names
    return ()


def _citations(root: Element) -> Iterator[Citation]:
    for field in root.iterfind("SDOBI/B500/B560/*"):
        raw = text(field.find("text"))
        if raw and field.tag in ("B561", "B562"):
            patent = field.tag == "B561"
            yield Citation(cited=identified(raw) if patent else "", raw=raw, patent=patent)


READER = Reader(
    name=_NAME, about="European patent documents in full text: applications and grants", knows=knows, read=read
)
