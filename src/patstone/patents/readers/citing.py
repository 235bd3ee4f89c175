"""Who cited a document, in which phase, for which claims: the codes of search reports, read the same in every source.

DOCDB, Google and Lens write phases as three letters, OPS in words; the phase tells who cited. Categories (X, Y, A, …)
are letters, several of them where one document counts differently for different claims.
"""

import re

from patstone.patents.publication import CitedBy

_PHASES: dict[str, CitedBy] = {
    "SEA": "examiner",
    "ISR": "examiner",
    "SUP": "examiner",
    "PRS": "examiner",
    "EXA": "examiner",
    "CH2": "examiner",
    "APP": "applicant",
    "APL": "applicant",
    "DES": "applicant",
    "OPP": "third-party",
    "FOP": "third-party",
    "TPO": "third-party",
}
_WORDS = {
    "search": "SEA",
    "national-search-report": "SEA",
    "international-search-report": "ISR",
    "supplementary-international-search-report": "SUP",
    "supplementary-search-report": "SUP",
    "pre-search": "PRS",
    "pre-grant-pre-search": "PRS",
    "examination": "EXA",
    "international-examination": "CH2",
    "chapter-2": "CH2",
    "applicant": "APP",
    "appeal": "APL",
    "description": "DES",
    "opposition": "OPP",
    "filed-opposition": "FOP",
    "third-party-observation": "TPO",
}
_SAID: dict[str, CitedBy] = {
    "examiner": "examiner",
    "applicant": "applicant",
    "third-party": "third-party",
    "third party": "third-party",
    "opponent": "third-party",
}
# Google writes UNKNOWN for most Chinese rows: a phase that says nothing is none.
_UNKNOWN = {"unknown", "undefined"}
_TOLD_SINCE = "2001"
_CATEGORY = re.compile(r"[A-Z&]")
_MOST_CLAIMS = 2_000


def phase(words: str) -> str:
    """Three letters where the source's words have some; else its words, unless they say that it is not known."""
    said = words.strip()
    return "" if said.casefold() in _UNKNOWN else _WORDS.get(said.casefold(), said)


def cited_by(code: str, *, country: str = "", date: str = "", said: str = "") -> CitedBy:
    """Tell who cited by what the source says outright, else by the phase."""
    if plain := _SAID.get(said.strip().casefold()):
        return plain
    # American patents did not mark the examiner's citations before 2001, whatever databases made of them.
    if country == "US" and date and date < _TOLD_SINCE:
        return "unknown"
    return _PHASES.get(code, "unknown")


def category(*letters: str) -> str:
    """Join the letters that a source gives one by one or together, in its order, each once."""
    return "".join(dict.fromkeys(_CATEGORY.findall(" ".join(letters).upper())))


def claim_numbers(*texts: str) -> tuple[int, ...]:
    """Read `1-4,7-9` as claims 1, 2, 3, 4, 7, 8, 9; a range that no set of claims can have is passed over."""
    found: set[int] = set()
    for first, last in re.findall(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?", " ".join(texts), re.ASCII):
        low, high = int(first), int(last or first)
        if 1 <= low <= high <= _MOST_CLAIMS:
            found.update(range(low, high + 1))
    return tuple(sorted(found))
