"""A publication as a reader hands it over: what one document says, in one shape whatever source it came from.

Texts are as the source has them, white space folded and mark-up gone. Numbers are canonical
(`patstone.patents.numbers`) where they can be read without a guess, and the source's own words stand beside them. A
value that the source does not give is empty; dates are `2018-07-03`, or `2018-07` and `2018` where it knows no more.
"""

from dataclasses import dataclass
from typing import Literal

CitedBy = Literal["examiner", "applicant", "third-party", "unknown"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    language: str
    """Two lower-case letters (ISO 639-1); empty where the source does not tell."""
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One claim as printed; which claims its words refer to is the business of `patstone.patents.claims`."""

    number: int
    text: str
    language: str = ""
    references: tuple[int, ...] | None = None
    """The claims that the source's mark-up names as parents; None where the source marks none up at all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    cited: str = ""
    """Canonical number of a cited patent; empty for other literature and for what can't be read without a guess."""
    raw: str = ""
    """What the source says: the number as written, or the text of other literature."""
    patent: bool = True
    cited_by: CitedBy = "unknown"
    category: str = ""
    """X, Y, A, … where the source grades its citations; several letters where it gives several."""
    phase: str = ""
    """Search, examination, opposition, …: SEA, ISR, EXA, OPP, APP in the words of the source."""
    claims: tuple[int, ...] = ()
    """The claims of the citing document that the citation speaks to."""
    passages: str = ""
    date: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Publication:
    number: str
    """Canonical: country, number and kind, such as US10012345B2."""
    raw: str
    """The number as the source writes it."""
    source: str
    """The reader's name, such as uspto-xml."""
    country: str
    kind: str = ""
    date: str = ""
    application: str = ""
    filed: str = ""
    priorities: tuple[str, ...] = ()
    priority_date: str = ""
    """The earliest of the priorities' dates."""
    family: str = ""
    """Simple (DOCDB) family; empty where the source knows none, never 0 or -1."""
    extended: str = ""
    """Extended (INPADOC) family."""
    language: str = ""
    titles: tuple[Text, ...] = ()
    abstracts: tuple[Text, ...] = ()
    description: str = ""
    claims: tuple[Claim, ...] = ()
    ipc: tuple[str, ...] = ()
    cpc: tuple[str, ...] = ()
    fi: tuple[str, ...] = ()
    fterm: tuple[str, ...] = ()
    applicants: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    repairs: tuple[str, ...] = ()
    """What had to be mended to read the document, each kind once, such as `undeclared entity`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejected:
    """A document that could not be read inside a file that otherwise can."""

    path: str
    """The file, and the member of an archive: `week.zip/week.xml`."""
    offset: int
    """Where the document begins: byte of the (decompressed) text, or record from 1 where there are records."""
    reason: str
    number: str = ""
    """What is known of it."""
