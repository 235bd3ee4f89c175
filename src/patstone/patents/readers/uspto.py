"""What all generations of the US office's files have in common: numbers, dates, symbols, and who is the applicant.

`cited by other`, the office's word until 2012 for what the examiner did not cite, names nobody: such a citation's
`cited_by` is unknown. Files before 2001 don't say who cited at all, which is unknown too.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from patstone.errors import DataError
from patstone.patents.dates import iso_date
from patstone.patents.numbers import canonical
from patstone.patents.publication import Citation, CitedBy, Claim
from patstone.patents.readers.markup import fold
from patstone.patents.symbols import Scheme
from patstone.patents.symbols import read as read_symbol

LANGUAGE = "en"
CITED_BY: dict[str | None, CitedBy] = {
    "cited by examiner": "examiner",
    "cited by applicant": "applicant",
    "cited by third party": "third-party",
}
_LATE = re.compile(r"((?:6[2-9]|[7-9][0-9])[0-9]{5})()")
_PLAIN = {
    "A": re.compile(r"([1-5][0-9]{6})()"),
    "B1": _LATE,
    "B2": _LATE,
    "A1": re.compile(r"(20(?:0[1-9]|1[0-9]))/(0(?!000000)[0-3][0-9]{5})"),
}
"""Numbers that every rule reads alike: well inside the ranges that their kinds were given out in."""
_CLAIM = re.compile(r"CLM-0*([0-9]{1,6})(?![0-9])")
_LEAD = re.compile(r"(?:claim\s+)?([0-9]{1,6})\s*[.)]\s*", re.IGNORECASE)
_CANCELED = re.compile(r"(?:[0-9]++\s*+[-–.,)]?\s*+)*+\(?\s*cancel+ed\s*\)?\s*\.?", re.IGNORECASE)


@lru_cache(maxsize=1 << 16)
def day(text: str | None) -> str:
    """20150106 as 2015-01-06; a day 00 is not known, and what is no date at all is nothing."""
    return iso_date((text or "").strip()) or ""


def publication_number(country: str, number: str, kind: str, date: str) -> str:
    if not (found := canonical(country, number, kind, date=date)):
        raise DataError("The document's number can't be read.", value=" ".join(filter(None, (country, number, kind))))
    return found


def application_number(country: str, number: str, date: str = "") -> str:
    """Canonical, or as the source writes it where that can't be read without a guess."""
    return canonical(country, number, date=date, role="application") or fold(f"{country} {number}")


def cited_patent(country: str, number: str, kind: str, date: str, *, cited_by: CitedBy = "unknown") -> Citation:
    # Most citations of a grant are these two shapes, which need none of the rules that other numbers do.
    if country == "US" and (plain := _PLAIN.get(kind)) and (match := plain.fullmatch(number)):
        found = f"US{match[1]}{match[2]}{kind}"
    else:
        found = canonical(country, number, kind, date=date)
    # Some citations have the country in the number too (WO WO 2004/…).
    raw = f"{number} {kind}" if number.startswith(country) else f"{country} {number} {kind}"
    return Citation(cited=found, raw=raw.strip(), cited_by=cited_by, date=date)


def cited_text(words: str, *, cited_by: CitedBy = "unknown") -> Citation:
    return Citation(raw=words, patent=False, cited_by=cited_by)


def applicants(organisations: Iterable[str], persons: Iterable[str]) -> tuple[str, ...]:
    """The organisations that own or apply; where there are none, the persons: before 2012 inventors had to apply."""
    return tuple(dict.fromkeys(filter(None, organisations))) or tuple(dict.fromkeys(filter(None, persons)))


def person(last: str, first: str) -> str:
    return fold(f"{last}, {first}" if first and last else last or first)


def symbols(found: Iterable[str], scheme: Scheme = "ipc", *, columns: bool = False) -> tuple[str, ...]:
    """Classes of any era as G06F15/16; what is none, such as a design's Locarno class, is left out."""
    known = (read_symbol(text, scheme, columns=columns) for text in found)
    return tuple(dict.fromkeys(one.text for one in known if one))


def references(marks: Iterable[str]) -> tuple[int, ...]:
    """The claims that marks such as CLM-00001 name."""
    return tuple(dict.fromkeys(int(number) for mark in marks for number in _CLAIM.findall(mark)))


def claim(number: int, words: str, parents: tuple[int, ...] | None) -> Claim | None:
    """A claim without the number printed before it; None for one that was canceled before publication."""
    # Kept, it would count as an independent claim without features.
    if _CANCELED.fullmatch(words):
        return None
    lead = _LEAD.match(words)
    # A number that differs belongs to the text: `2. A device` inside claim 1.
    own = words[lead.end() :] if lead and int(lead[1]) == number else words
    return Claim(number=number, text=own, language=LANGUAGE, references=parents)


def claim_set(found: Sequence[Claim | None]) -> tuple[Claim, ...]:
    """The claims that stand; without a single mark in the document, none is known to be without parents."""
    claims = tuple(one for one in found if one)
    if any(one.references for one in claims):
        return claims
    return tuple(replace(one, references=None) for one in claims)
