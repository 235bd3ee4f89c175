"""File wrappers of the US Open Data Portal in JSON: what the office knows of an application, without its texts."""

from collections.abc import Iterator

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.numbers import identify
from patstone.patents.publication import Publication, Rejected, Text
from patstone.patents.readers import uspto
from patstone.patents.readers.documents import read_answers
from patstone.patents.readers.fields import Record, optional, records, text, texts
from patstone.patents.readers.reader import Reader

NAME = "uspto-file-wrapper"
_PRIORITIES = (
    ("foreignPriorityBag", "applicationNumberText", "filingDate"),
    ("parentContinuityBag", "parentApplicationNumberText", "parentApplicationFilingDate"),
)


def wrapped(answer: Record) -> Iterator[Publication | DataError]:
    """The application as published and the grant, where there are such, of each file wrapper."""
    for wrapper in records(answer.get("patentFileWrapperDataBag", answer), "A file wrapper"):
        said = optional(wrapper.get("applicationMetaData"), "The metadata")
        early, late = (
            text(said.get("earliestPublicationNumber"), "A number"),
            text(said.get("patentNumber"), "A number"),
        )
        # One wrapper is two publications where the application came out before the grant.
        if early:
            yield _published(wrapper, said, early, "earliestPublicationDate")
        if late:
            yield _published(wrapper, said, f"US {late} {_grant_kind(early, late)}".rstrip(), "grantDate")
        if not early and not late:
            yield DataError("An application must have been published.", value=wrapper.get("applicationNumberText"))


def _grant_kind(early: str, late: str) -> str:
    """A patent is a B2 if its application was published before, else a B1; other rights have letters of their own."""
    # The wrapper has no kind code of the grant.
    return ("B2" if early.startswith("US") else "" if early else "B1") if late.isdecimal() else ""


def _published(wrapper: Record, said: Record, raw: str, dated: str) -> Publication | DataError:
    found = identify(raw, role="publication")
    if not found.canonical:
        return DataError("The document's number can't be read.", value=raw)
    filed, title = uspto.day(text(said.get("filingDate"), "A date")), text(said.get("inventionTitle"), "A title")
    application = text(wrapper.get("applicationNumberText"), "An application's number")
    priorities = list(_priorities(wrapper))
    applicants = records(said.get("applicantBag"), "An applicant")
    return Publication(
        number=found.canonical,
        raw=raw,
        source=NAME,
        country="US",
        kind=found.readings[0].kind,
        date=uspto.day(text(said.get(dated), "A date")),
        application=uspto.application_number("US", application, filed) if application else "",
        filed=filed,
        priorities=tuple(dict.fromkeys(number for number, _ in priorities)),
        priority_date=min(filter(None, (date for _, date in priorities)), default=""),
        language=uspto.LANGUAGE,
        titles=(Text(language=uspto.LANGUAGE, text=title),) if title else (),
        cpc=uspto.symbols(texts(said.get("cpcClassificationBag"), "A class"), "cpc"),
        applicants=texts([one.get("applicantNameText") for one in applicants], "A name"),
    )


def _priorities(wrapper: Record) -> Iterator[tuple[str, str]]:
    for bag, key, filing in _PRIORITIES:
        for one in records(wrapper.get(bag), "A priority"):
            date = uspto.day(text(one.get(filing), "A date"))
            # Foreign offices are given by name (CHINA), which is kept beside the number.
            country = text(one.get("ipOfficeName", "US"), "An office")
            if number := text(one.get(key), "A number"):
                yield uspto.application_number(country, number, date), date


def _knows(head: bytes, _: str) -> bool:
    return b'"patentFileWrapperDataBag"' in head and b'"applicationMetaData"' in head


def _read(source: Rewindable) -> Iterator[Publication | Rejected]:
    return read_answers(source, wrapped)


READER = Reader(name=NAME, about="US file wrappers (Open Data Portal, JSON, bibliographic)", knows=_knows, read=_read)
