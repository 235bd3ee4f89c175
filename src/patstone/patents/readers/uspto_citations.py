"""Citations in US office actions, as the Open Data Portal answers in JSON: an overlay over the documents themselves.

They carry an application's number, which stands here for its publications (the collection puts all publications of one
application into one family), and grade what was cited by X, Y and A with the claims rejected over it. A record that
names no document is `Rejected`.
"""

import re
from collections.abc import Iterator
from itertools import groupby

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.numbers import canonical
from patstone.patents.publication import Citation, CitedBy, Publication, Rejected
from patstone.patents.readers import uspto
from patstone.patents.readers.citing import claim_numbers
from patstone.patents.readers.documents import read_answers
from patstone.patents.readers.fields import Record, optional, records, text, texts
from patstone.patents.readers.reader import Reader

NAME = "uspto-citations"
_MARKS = (b'"citationCategoryCode"', b'"parsedReferenceIdentifier"')
_IDENTIFIER = re.compile(r"(?:(?P<country>[A-Z]{2})\s)?\s*(?P<number>.*?[0-9])(?:\s+(?P<kind>[A-Z][0-9]?))?")


def overlaid(answer: Record) -> Iterator[Publication | DataError]:
    """What the records of one application in a row cite."""
    body = optional(answer.get("response"), "The response") or answer
    for application, same in groupby(records(body.get("docs", body), "A record"), _application):
        citations = list(map(_citation, same))
        yield from (one for one in citations if isinstance(one, DataError))
        if found := tuple(one for one in citations if isinstance(one, Citation)):
            number = uspto.application_number("US", application)
            yield Publication(
                number=number, raw=application, source=NAME, country="US", application=number, citations=found
            )


def _application(record: Record) -> str:
    number = text(record.get("patentApplicationNumber"), "An application's number")
    if not number:
        raise DataError("A record must name its application (patentApplicationNumber).")
    return number


def _citation(record: Record) -> Citation | DataError:
    raw = text(record.get("citedDocumentIdentifier", record.get("referenceIdentifier")), "The cited document")
    if not raw:
        return DataError("A record must name what is cited.", value=record.get("patentApplicationNumber"))
    other = record.get("nplIndicator") is True
    plain = record.get("publicationNumber", record.get("parsedReferenceIdentifier"))
    return Citation(
        cited="" if other else _cited(raw, text(plain, "The cited number")),
        raw=raw,
        patent=not other,
        cited_by=_cited_by(record),
        category=text(record.get("citationCategoryCode"), "The category"),
        phase=text(record.get("officeActionCategory", record.get("legalSectionCode")), "The phase"),
        claims=claim_numbers(text(record.get("relatedClaimNumberText"), "The claims")),
        passages="; ".join(texts(record.get("passageLocationText"), "A passage")),
    )


def _cited(raw: str, plain: str) -> str:
    """By the identifier as such (`US 2013/0341529 A1`), or by the number picked out of a reference with names."""
    match = _IDENTIFIER.fullmatch(raw)
    # Without a country the office means itself.
    if match and (found := canonical(match["country"] or "US", match["number"], match["kind"] or "")):
        return found
    kind = re.search(r"\b([A-Z][0-9])$", raw)
    return canonical("US", plain, kind[1] if kind else "") if plain else ""


def _cited_by(record: Record) -> CitedBy:
    """The examiner used it; else the applicant gave it. Where neither is said, nobody knows."""
    if record.get("examinerCitedReferenceIndicator") is True:
        return "examiner"
    return "applicant" if record.get("applicantCitedExaminerReferenceIndicator") is True else "unknown"


def _knows(head: bytes, _: str) -> bool:
    return b'"patentApplicationNumber"' in head and any(mark in head for mark in _MARKS)


def _read(source: Rewindable) -> Iterator[Publication | Rejected]:
    return read_answers(source, overlaid, lists=("docs",))


READER = Reader(
    name=NAME,
    about="citations in US office actions (Open Data Portal, JSON): X/Y/A and claims",
    knows=_knows,
    read=_read,
)
