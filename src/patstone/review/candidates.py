"""The families to be judged, as a reviewer reads them, from the table that a search or a gold standard gave.

A row is a publication; its family collects titles, dates, texts and codes. What a table says of a label is not read:
a reviewer must not meet it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.header import Wanted
from patstone.files.tables import Table, read_table
from patstone.gold.labels import LABEL_COLUMNS

_BY_NAME = {column.name: column for column in LABEL_COLUMNS}
COLUMNS = (
    _BY_NAME["family"],
    _BY_NAME["document"],
    _BY_NAME["title"],
    _BY_NAME["date"],
    Wanted(name="language", synonyms=("lang",), kind="text", required=False, blank=True),
    Wanted(name="abstract", synonyms=("summary",), kind="text", required=False, blank=True),
    Wanted(name="claims", synonyms=("claim", "first_claim"), kind="text", required=False, blank=True),
    Wanted(name="codes", synonyms=("cpc", "ipc", "class_codes"), kind="text", required=False, blank=True),
    Wanted(name="applicants", synonyms=("applicant", "assignee", "assignees"), kind="text", required=False, blank=True),
)
TEXTS = ("title", "abstract", "claims", "codes", "applicants")
LONGEST = 20_000
"""Letters of one text that are kept: a page that a person reads."""


@dataclass
class Candidate:
    """A family while its publications are gathered; `said` is what is stored and shown."""

    id: str
    publications: list[dict[str, str]] = field(default_factory=list)
    texts: dict[str, dict[str, dict[str, str]]] = field(default_factory=lambda: {kind: {} for kind in TEXTS})

    @property
    def said(self) -> dict[str, Any]:
        kept: dict[str, Any] = {kind: list(found.values()) for kind, found in self.texts.items()}
        return {"publications": self.publications, **kept}


def read_candidates(path: str | Path, *, columns: Mapping[str, str] | None = None) -> list[Candidate]:
    table = read_table(path, COLUMNS, columns=columns)
    if not {"family", "document"} & set(table.columns):
        raise DataError("Candidates need a column of publications or of families.", path=table.path, line=1)
    if not {"title", "abstract", "claims"} & set(table.columns):
        raise DataError("Candidates need something to read: a title, an abstract or claims.", path=table.path, line=1)
    found: dict[str, Candidate] = {}
    for row, (family, number) in enumerate(_named(table)):
        gather(found.setdefault(family, Candidate(family)), number, _cells(table, row))
    return list(found.values())


def gather(candidate: Candidate, number: str, cells: Mapping[str, str]) -> None:
    """Add a publication; a text that another publication has too is said once."""
    if all(one["number"] != number for one in candidate.publications):
        office = number[:2] if number[:2].isalpha() else ""
        known = {"number": number, "office": office, "date": cells.get("date", ""), "title": cells.get("title", "")}
        candidate.publications.append(known)
    for kind in TEXTS:
        text = cells.get(kind, "").strip()
        if text:
            said = {"text": text[:LONGEST], "language": cells.get("language", "")}
            candidate.texts[kind].setdefault(" ".join(text.casefold().split()), said)


def _named(table: Table) -> list[tuple[str, str]]:
    families = ids.texts(table.columns["family"]) if "family" in table.columns else []
    numbers = ids.texts(table.columns["document"]) if "document" in table.columns else families
    # A family that is empty, 0 or -1 is none: its publication stands alone.
    named = [family if family not in ("", "0", "-1") else "" for family in families] or [""] * len(table)
    return [(family or number, number) for family, number in zip(named, numbers, strict=True)]


def _cells(table: Table, row: int) -> dict[str, str]:
    return {
        name: str(table.columns[name][row]).strip() for name in (*TEXTS, "date", "language") if name in table.columns
    }
