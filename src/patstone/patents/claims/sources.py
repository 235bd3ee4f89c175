"""Claim sets from whatever holds claims: documents in any format that is read, tables of claims, and plain text.

A document has a claim set for each language. A table of claims has a row for each claim (`text`, and perhaps
`document`, `claim`, `language`, `references`) or for each set (`claims`). Anything else is one set in plain text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from patstone.errors import DataError, UsageError
from patstone.files.archives import is_archive
from patstone.files.formats import format_of
from patstone.files.header import Wanted, plain
from patstone.files.streams import Rewindable, rewindable
from patstone.files.tables import Table, read_table
from patstone.files.text import read_text
from patstone.patents.claims.splitting import split
from patstone.patents.publication import Claim, Publication, Rejected
from patstone.patents.readers import tables
from patstone.patents.readers.formats import open_source, open_whole, reader_of

TEXT, TABLE = "text", "claims"
_COLUMNS = (
    Wanted(name="text", synonyms=("claim_text",), kind="text", required=False, blank=True),
    Wanted(name="claims", synonyms=("claim_set", "claims_text"), kind="text", required=False, blank=True),
    Wanted(
        name="document",
        synonyms=("doc", "id", "patent", "patent_id", "publication", "publication_number", "number"),
        kind="text",
        required=False,
        blank=True,
    ),
    Wanted(name="claim", synonyms=("claim_number", "claim_no", "no", "num"), kind="integer", required=False),
    Wanted(name="language", synonyms=("lang",), kind="text", required=False, blank=True),
    Wanted(name="references", synonyms=("depends_on", "parents", "refers_to"), kind="text", required=False, blank=True),
)


@dataclass(frozen=True, kw_only=True)
class Sourced:
    """The claims of one document in one language, as their source has them."""

    document: str
    """Its number or its id; empty where the source names none."""
    language: str
    claims: tuple[Claim, ...]


def claim_sets(
    path: str | Path,
    *,
    format: str = "auto",  # noqa: A002 - the option's name
    language: str = "",
    columns: Mapping[str, str] | None = None,
) -> Iterator[Sourced | Rejected]:
    """Read the claim sets of a file, a folder or an archive; `language` is that of claims whose source tells none."""
    # Standard input can be opened only once, a folder not at all.
    source = None if str(path) != "-" and Path(path).is_dir() else rewindable(path)
    # Whoever names columns says that there is a table.
    if format == "auto" and columns:
        format = TABLE  # noqa: A001
    chosen = _format(source) if format == "auto" and source else format
    if columns and chosen != TABLE:
        raise UsageError("Columns are named for a table of claims. The claims of documents are found without.")
    if chosen == TEXT:
        yield _of_text(source or rewindable(path), language)
    elif chosen == TABLE:
        yield from _of_table(read_table(_named(path), _COLUMNS, columns=columns), language)
    else:
        for found in open_whole(source, chosen) if source else open_source(path, chosen):
            yield from [found] if isinstance(found, Rejected) else _of_document(found, language)


def _named(path: str | Path) -> str | Path:
    if str(path) == "-":
        raise UsageError("A table of claims needs a file, whose name tells its kind. Text and patents may be piped.")
    return path


def _format(source: Rewindable) -> str:
    """Documents where a reader knows the file; else a table where the name says so; else text."""
    try:
        reader = None if is_archive(source) else reader_of(source)
    except DataError:
        return TABLE if format_of(source.name) else TEXT
    return TABLE if reader and reader.name == "table" and _is_of_claims(source) else "auto"


def _is_of_claims(source: Rewindable) -> bool:
    """Whether a table has a claim in each row, or claim sets of documents that no number names."""
    header = {*map(plain, tables.header(source))}
    sets, number = header & _names("claims"), {plain(name) for name in tables.NUMBERS}
    return bool(header & _names("text")) or bool(sets and not header & number)


def _names(column: str) -> set[str]:
    return {name for wanted in _COLUMNS if wanted.name == column for name in (column, *wanted.synonyms)}


def _of_text(source: Rewindable, language: str) -> Sourced:
    claims = split(read_text(source), language)
    if not claims:
        raise DataError("The file holds no text, and so no claims.", path=source.name)
    return Sourced(document="", language=language, claims=claims)


def _of_document(found: Publication, language: str) -> Iterator[Sourced]:
    # A grant of the European office has its claims in three languages, one set behind the other.
    for said, claims in groupby(found.claims, key=lambda claim: claim.language):
        yield Sourced(document=found.number, language=said or language, claims=tuple(claims))


def _of_table(table: Table, language: str) -> Iterator[Sourced]:
    columns = table.columns
    # With both, nobody could tell which holds the claims; with neither, nothing does.
    if ("text" in columns) == ("claims" in columns):
        rule = "A table of claims has a column text, with a claim in each row, or claims, with a whole set in each."
        raise DataError(rule, path=table.path)
    rows = range(len(table))
    documents, languages = (_texts(columns, name, len(table)) for name in ("document", "language"))
    if "claims" in columns:
        for row in rows:
            said = languages[row] or language
            yield Sourced(document=documents[row], language=said, claims=split(str(columns["claims"][row]), said))
        return
    for (document, said), places in groupby(rows, key=lambda row: (documents[row], languages[row] or language)):
        claims = tuple(_claims(table, [*places], said))
        yield Sourced(document=document, language=said, claims=claims)


def _texts(columns: Mapping[str, Any], name: str, size: int) -> Sequence[str]:
    return [str(cell) for cell in columns[name]] if name in columns else [""] * size


def _claims(table: Table, rows: Sequence[int], language: str) -> Iterator[Claim]:
    """The claims of one document; without numbers of their own they count from 1."""
    columns = table.columns
    for place, row in enumerate(rows, start=1):
        yield Claim(
            number=int(columns["claim"][row]) if "claim" in columns else place,
            text=str(columns["text"][row]),
            language=language,
            references=_references(table, row) if "references" in columns else None,
        )


def _references(table: Table, row: int) -> tuple[int, ...]:
    said = str(table.columns["references"][row])
    numbers = re.findall(r"\d+", said)
    if re.sub(r"[\d\s,;|\[\]]", "", said) or any(len(number) > 4 for number in numbers):
        raise table.refuse("References are the numbers of claims, such as 1 or 1;2.", row, said)
    return tuple(map(int, numbers))
