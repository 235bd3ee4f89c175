"""Google Patents Public Data: rows of the table `publications`, nested as BigQuery exports them or flat.

Some exports hold lists as texts of JSON, some a list of rows under `sample_rows`. Dates are whole numbers, 0 where
there is none. A citation's `category` is its phase (SEA, ISR, APP, …; UNKNOWN for most Chinese ones) and its `type` the
category X, Y or A. Numbers are DOCDB's, joined by hyphens.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Citation, Claim, Publication, Rejected, Text
from patstone.patents.readers import citing
from patstone.patents.readers.claimtext import split_claims
from patstone.patents.readers.classes import symbols
from patstone.patents.readers.documents import is_json, read_documents, read_table
from patstone.patents.readers.fields import (
    Record,
    any_day,
    clean,
    day,
    family,
    items,
    records,
    text,
    texts,
)
from patstone.patents.readers.numbering import applied, cited, published
from patstone.patents.readers.reader import Reader
from patstone.patents.symbols import Scheme

_NAME = "google-patents"
_NUMBER = re.compile(r"([A-Z]{2})-?([^-]+?)-?([A-Z]\d?)?", re.ASCII)
_COLUMNS = ("publication_number", "title_localized")
# Parquet's own lists, as three different writers spell them.
_WRAPPERS = ({"list"}, {"element"}, {"item"})


def read(source: Rewindable) -> Iterator[Publication | Rejected]:
    with source.open() as stream:
        parquet = stream.read(4) == b"PAR1"
    if not parquet:
        return read_documents(source, publication, name="publication_number", lists=("sample_rows", "rows"))
    return read_table(source, publication, all_columns, name="publication_number", format="parquet")


def knows(head: bytes, _: str) -> bool:
    return is_json(head) and b'"publication_number"' in head and b'_localized"' in head


def all_columns(header: Sequence[str], _: int) -> dict[str, int]:
    return {name: place for place, name in enumerate(header)}


def is_google(columns: Sequence[str]) -> bool:
    return all(column in columns for column in _COLUMNS)


def publication(row: Record) -> Publication:
    raw = text(row.get("publication_number"), "publication_number")
    country, number, kind = _parts(raw)
    date = day(row.get("publication_date"), "publication_date")
    descriptions, claims = _texts(row, "description_localized"), _claims(row)
    languages = [found.language for found in descriptions] + [claim.language for claim in claims]
    filed = day(row.get("filing_date"), "filing_date")
    claimed = _records(row, "priority_claim")
    priorities = [_application(claim.get("application_number"), any_day(claim.get("filing_date"))) for claim in claimed]
    return Publication(
        number=published(country, number, kind, date),
        raw=raw,
        source=_NAME,
        country=country,
        kind=kind,
        date=date,
        application=_application(row.get("application_number"), filed),
        filed=filed,
        priorities=texts(priorities, "priority_claim"),
        priority_date=day(row.get("priority_date"), "priority_date"),
        family=family(row.get("family_id"), "family_id"),
        language=next(iter(languages), ""),
        titles=_texts(row, "title_localized"),
        abstracts=_texts(row, "abstract_localized"),
        description=next((found.text for found in descriptions), ""),
        claims=claims,
        applicants=_applicants(row),
        citations=tuple(filter(None, (_citation(entry, country, date) for entry in _records(row, "citation")))),
        ipc=_codes(row, "ipc"),
        cpc=_codes(row, "cpc"),
        fi=_codes(row, "fi"),
        fterm=_codes(row, "fterm"),
    )


def _parts(raw: str) -> tuple[str, str, str]:
    found = _NUMBER.fullmatch(raw)
    if not found:
        raise DataError("publication_number must be like US-7650331-B1.", value=raw)
    country, number, kind = found.groups(default="")
    return country, number, kind


def _listed(row: Record, column: str) -> list[object]:
    """Give a list however an export writes it: as itself, as JSON text, or in the wrappers that Parquet needs."""
    value: Any = row.get(column)
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise DataError(f"{column} must hold a list, or a list as JSON text.", value=value) from None
    return [_unwrapped(item) for item in items(_unwrapped(value))]


def _unwrapped(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    return next(iter(value.values())) if isinstance(value, dict) and value.keys() in _WRAPPERS else value


def _records(row: Record, column: str) -> list[Record]:
    return records(_listed(row, column), column)


def _localized(row: Record, column: str) -> Iterator[tuple[str, str]]:
    """Give each text with its language, line ends and all."""
    for entry in _records(row, column):
        words = entry.get("text") or ""
        if not isinstance(words, str):
            raise DataError(f"{column} must hold texts.", value=words)
        if words.strip():
            yield text(entry.get("language"), column).lower(), words


def _texts(row: Record, column: str) -> tuple[Text, ...]:
    return tuple(Text(language=language, text=clean(words)) for language, words in _localized(row, column))


def _claims(row: Record) -> tuple[Claim, ...]:
    return tuple(
        claim for language, words in _localized(row, "claims_localized") for claim in split_claims(words, language)
    )


def _application(value: object, filed: str) -> str:
    raw = text(value, "application_number")
    # A foreign priority in free form is kept as it is: it links nothing, but it is not lost.
    if not (found := _NUMBER.fullmatch(raw)):
        return raw
    country, number, kind = found.groups(default="")
    return applied(country, number, kind, filed)


def _applicants(row: Record) -> tuple[str, ...]:
    """Give the harmonised names, which are the same in all of an applicant's documents, or else the printed ones."""
    harmonised = [entry.get("name") for entry in _records(row, "assignee_harmonized")]
    return texts(harmonised, "assignee_harmonized") or texts(_listed(row, "assignee"), "assignee")


def _codes(row: Record, scheme: Scheme) -> tuple[str, ...]:
    return symbols(texts([entry.get("code") for entry in _records(row, scheme)], scheme), scheme)


def _citation(entry: Record, country: str, date: str) -> Citation | None:
    number = text(entry.get("publication_number"), "citation")
    # Some rows name a cited document by its application alone; it is a patent document all the same.
    patent = number or text(entry.get("application_number"), "citation")
    raw = patent or text(entry.get("npl_text"), "citation")
    phase = citing.phase(text(entry.get("category"), "citation"))
    found = _NUMBER.fullmatch(number)
    # An entry without a number and without a text cites nothing.
    if not raw:
        return None
    return Citation(
        cited=cited(*found.groups(default="")) if found else "",
        raw=raw,
        patent=bool(patent),
        cited_by=citing.cited_by(phase, country=country, date=date),
        category=citing.category(text(entry.get("type"), "citation")),
        phase=phase,
        date=any_day(entry.get("filing_date")),
    )


READER = Reader(
    name=_NAME,
    about="Google Patents Public Data: rows of the BigQuery table publications, as JSON Lines, JSON or Parquet",
    knows=knows,
    read=read,
)
