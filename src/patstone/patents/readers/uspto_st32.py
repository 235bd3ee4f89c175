"""Grants of the US office from 2001 to 2004: ST.32, tags by INID code (B110 is the number), as XML and as SGML.

The SGML of the weekly files leaves empty elements open, which is closed before parsing.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Citation, CitedBy, Claim, Publication, Rejected, Text
from patstone.patents.readers import uspto
from patstone.patents.readers.markup import Element, read_documents, space_out, text
from patstone.patents.readers.reader import Reader

NAME = "uspto-st32"
_BLOCKS = ("PARA", "H", "entry")
_NESTED = ("CLMSTEP", "LI", "DD", "DT")
_CITED_BY: dict[str, CitedBy] = {"CITED-BY-EXAMINER": "examiner", "CITED-BY-APPLICANT": "applicant"}
_EMPTY = re.compile(
    rb"<(CITED-BY-[A-Z]+|EMI|B473US|B597US|B598US|B221US|colspec|spanspec|COLSPEC|SPANSPEC)\b([^<>]*?)/?>(?:</\1>)?"
)


def convert(root: Element) -> Publication:
    bibliographic = root.find("SDOBI")
    if bibliographic is None:
        raise DataError("A document has bibliographic data (SDOBI).", value=root.tag)
    space_out(root, _NESTED, ends=_BLOCKS)
    said = _Said(bibliographic)
    number, kind = said.first("B110"), said.first("B130")
    country, date = said.first("B190") or "US", uspto.day(said.first("B140"))
    application, filed = said.first("B210"), uspto.day(said.first("B220"))
    priorities = list(chain(_claimed(bibliographic), _parents(bibliographic)))
    return Publication(
        number=uspto.publication_number(country, number, kind, date),
        raw=f"{country} {number} {kind}".rstrip(),
        source=NAME,
        country=country,
        kind=kind,
        date=date,
        application=uspto.application_number(country, application, filed) if application else "",
        filed=filed,
        priorities=tuple(dict.fromkeys(number for number, _ in priorities)),
        priority_date=min(filter(None, (date for _, date in priorities)), default=""),
        language=uspto.LANGUAGE,
        titles=_texts(said.first("B540")),
        abstracts=_texts(text(root.find("SDOAB"))),
        description=text(root.find("SDODE")),
        claims=uspto.claim_set(list(_claims(root))),
        # Blanks count in the columns of a symbol, so that they must not be folded.
        ipc=uspto.symbols((node.text or "" for node in bibliographic.iterfind("B500/B510/*/PDAT")), columns=True),
        applicants=uspto.applicants(_names(bibliographic, "B731", "ONM"), _names(bibliographic, "B721", "FNM")),
        citations=tuple(_citations(bibliographic)),
    )


class _Said:
    """What the fields of an element say, by tag."""

    def __init__(self, node: Element) -> None:
        self._node = node

    def first(self, tag: str) -> str:
        return text(next(self._node.iter(tag), None))


def _texts(words: str) -> tuple[Text, ...]:
    return (Text(language=uspto.LANGUAGE, text=words),) if words else ()


def _claimed(bibliographic: Element) -> Iterator[tuple[str, str]]:
    for node in bibliographic.iterfind("B300"):
        said = _Said(node)
        date = uspto.day(said.first("B320"))
        yield uspto.application_number(said.first("B330"), said.first("B310"), date), date


def _parents(bibliographic: Element) -> Iterator[tuple[str, str]]:
    """Earlier applications that the document continues (B600), provisional ones, and the international one (B860)."""
    for path in (".//PDOC/DOC", ".//B680US/DOC", ".//B861/DOC"):
        for node in bibliographic.iterfind(path):
            said = _Said(node)
            date = uspto.day(said.first("DATE"))
            if number := said.first("DNUM"):
                yield uspto.application_number(said.first("CTRY") or "US", number, date), date


def _names(bibliographic: Element, party: str, sign: str) -> Iterable[str]:
    """Organisations have an ONM; a person has a first name."""
    for node in bibliographic.iter(party):
        said = _Said(node)
        yield said.first("ONM") if sign == "ONM" else uspto.person(said.first("SNM"), said.first("FNM"))


def _citations(bibliographic: Element) -> Iterator[Citation]:
    for node in bibliographic.iter("B561", "B562"):
        cited_by: CitedBy = next((_CITED_BY[child.tag] for child in node if child.tag in _CITED_BY), "unknown")
        said = _Said(node)
        if node.tag == "B562":
            yield uspto.cited_text(said.first("NCIT"), cited_by=cited_by)
        else:
            date = uspto.day(said.first("DATE"))
            country = said.first("CTRY") or "US"
            yield uspto.cited_patent(country, said.first("DNUM"), said.first("KIND"), date, cited_by=cited_by)


def _claims(root: Element) -> Iterator[Claim | None]:
    for place, node in enumerate(root.iterfind("SDOCL/CL/CLM"), start=1):
        own = uspto.references([node.get("ID", "")])
        parents = uspto.references(mark.get("ID", "") for mark in node.iter("CLREF"))
        yield uspto.claim(own[0] if own else place, text(node), parents)


def _closed(body: bytes) -> bytes:
    # `<CITED-BY-EXAMINER>` is written without an end in SGML and with one in XML; both become empty elements.
    return _EMPTY.sub(rb"<\1\2/>", body)


def _knows(head: bytes, _: str) -> bool:
    return b"<PATDOC" in head


def _read(source: Rewindable) -> Iterator[Publication | Rejected]:
    return read_documents(source, convert, prepare=_closed)


READER = Reader(name=NAME, about="US grants 2001-2004 (ST.32, XML or SGML)", knows=_knows, read=_read)
