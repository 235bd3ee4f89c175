"""Claim sets from whatever holds them: plain text, Word documents, JSON, and every source of patents that is read.

A text may be a whole specification: the claims then begin at their heading. In JSON an object is a claim set: under
`claims` or `text`, as one text or as a list; the layout of comparisons (`gold_claim`, `A`, `B`) gives a set for each.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from patstone.errors import DataError, UsageError
from patstone.files.streams import Rewindable, rewindable
from patstone.files.text import read_text
from patstone.patents import claims as claim_sets
from patstone.patents.publication import Claim, Publication, Rejected
from patstone.patents.readers import formats
from patstone.patents.readers.documents import is_json, read_answers
from patstone.patents.readers.docx import docx_text, is_docx

MANIFEST = "manifest.json"
"""What a folder has that is a collection."""
FORMATS = ("auto", "text", "docx", "json", "patents")
_HEADING = re.compile(
    r"^[ \t]*(?:claims?|(?:what is|i|we|the inventors?) claim(?:ed)?(?: is)?|patentansprüche|ansprüche|revendications)"
    r"[ \t]*:?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_BEHIND = re.compile(
    r"^[ \t]*(?:abstract(?: of the disclosure)?|zusammenfassung|abrégé)[ \t]*:?[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_NAMES = ("id", "document", "doc", "number", "name", "publication_number", "application_number")
_TEXTS = ("claims", "claim", "claims_text", "text", "candidate")
_COMPARED = ("gold_claim", "gold", "A", "B")


@dataclass(frozen=True, kw_only=True)
class NamedClaims:
    name: str
    path: str
    claims: tuple[Claim, ...]
    starts: tuple[tuple[int, int], ...] = ()
    """Line and column, from 1, of each claim's text in the file, where that is a plain text."""


def read_claim_sets(path: str | Path, *, format: str = "auto", language: str = "") -> Iterator[NamedClaims | Rejected]:  # noqa: A002
    """Read each claim set that lies at a path; `language` is for claims whose source does not tell theirs."""
    if format not in FORMATS:
        raise UsageError(f"The format must be one of {', '.join(FORMATS)}. Got {format!r} instead.")
    if str(path) != "-" and Path(path).is_dir():
        known = (Path(path) / MANIFEST).is_file()
        yield from _published(_collected(path) if known else formats.open_source(path), str(path))
        return
    source = rewindable(path)
    kind = _kind(source) if format == "auto" else format
    if kind == "text":
        yield from _from_text(read_text(source), source.name, language, placed=True)
    elif kind == "docx":
        yield from _from_text(docx_text(source), source.name, language, placed=False)
    elif kind == "json":
        yield from _from_json(source, language)
    else:
        yield from _published(formats.open_source(path), str(path))


def _kind(source: Rewindable) -> str:
    if is_docx(source):
        return "docx"
    with source.open() as stream:
        head = stream.read(formats.HEAD)
    knowing = {name for name, reader in formats.readers().items() if reader.knows(head, source.name)}
    # JSON with claims may pass for a table of patents, which needs numbers: here a set without a number is one, too.
    if is_json(head) and knowing <= {"table"}:
        return "json"
    return "patents" if knowing or head[:2] == b"PK" else "text"


def _collected(path: str | Path) -> Iterator[Publication]:
    """The documents of a collection that have claims, of which nothing else is read."""
    from patstone.patents.collection.collection import read_collection

    collection = read_collection(path)
    documents = collection.table("documents", ["doc", "number"])
    numbers = dict(zip(*(documents.column(name).to_pylist() for name in ("doc", "number")), strict=True))
    rows = (row for batch in collection.batches("claims") for row in batch.to_pylist())
    for doc, own in groupby(rows, key=itemgetter("doc")):
        claims = tuple(
            Claim(
                number=row["number"],
                text=row["text"],
                language=row["language"] or "",
                references=tuple(row["depends_on"]),
            )
            for row in own
        )
        yield Publication(number=numbers[doc], raw=numbers[doc], source="collection", country="", claims=claims)


def _published(found: Iterator[Publication | Rejected], path: str) -> Iterator[NamedClaims | Rejected]:
    for one in found:
        if isinstance(one, Rejected):
            yield one
            continue
        # A European patent prints its claims in three languages: three sets.
        languages = dict.fromkeys(claim.language for claim in one.claims)
        for language in languages:
            own = tuple(claim for claim in one.claims if claim.language == language)
            name = one.number or one.raw
            yield NamedClaims(name=f"{name} {language}" if len(languages) > 1 else name, path=path, claims=own)


def _from_text(text: str, path: str, language: str, *, placed: bool) -> Iterator[NamedClaims]:
    part, offset = _claims_part(text)
    found = claim_sets.split(part, language)
    if not found:
        raise DataError("There are no claims: the text is empty.", path=path)
    starts = tuple(_places(part, found, text, offset)) if placed else ()
    yield NamedClaims(name=Path(path).name, path=path, claims=found, starts=starts)


def _claims_part(text: str) -> tuple[str, int]:
    """The text between the heading of the claims and that of the abstract, and where it begins."""
    headings = list(_HEADING.finditer(text))
    start = headings[-1].end() if headings else 0
    behind = _BEHIND.search(text, start) if headings else None
    return text[start : behind.start() if behind else len(text)], start


def _places(part: str, found: tuple[Claim, ...], text: str, offset: int) -> Iterator[tuple[int, int]]:
    at = 0
    for claim in found:
        place = part.find(claim.text, at)
        at = place + len(claim.text) if place >= 0 else at
        whole = offset + max(place, 0)
        yield text.count("\n", 0, whole) + 1, whole - (text.rfind("\n", 0, whole) + 1) + 1


def _from_json(source: Rewindable, language: str) -> Iterator[NamedClaims | Rejected]:
    count = 0
    for found in read_answers(source, lambda row: list(_sets(row, language)), lists=("documents", "pairs")):
        if isinstance(found, Rejected):
            count += 1
            yield found
            continue
        count += not found.kind or found.kind == _COMPARED[0]
        name = found.number or str(count)
        yield NamedClaims(name=f"{name} {found.kind}".strip(), path=source.name, claims=found.claims)


def _sets(row: Mapping[str, Any], language: str) -> Iterator[Publication]:
    """The claim sets of an object, each as a publication whose kind is the key of a comparison's side."""
    name = next((str(row[key]) for key in _NAMES if row.get(key) not in (None, "")), "")
    spoken = row.get("language")
    code = spoken if isinstance(spoken, str) else language
    own = next((key for key in _TEXTS if row.get(key) is not None), None)
    sides = {"": own} if own is not None else {key: key for key in _COMPARED if row.get(key) is not None}
    if not sides:
        raise DataError(f"An object must hold its claims under {', '.join((*_TEXTS, *_COMPARED))}.")
    for side, key in sides.items():
        numbered = tuple(_claims(row[key], code))
        if not numbered:
            raise DataError(f"There are no claims under {key!r}.")
        yield Publication(number=name, raw=name, source="json", country="", kind=side, claims=numbered)


def _claims(value: object, language: str) -> Iterator[Claim]:
    if isinstance(value, str):
        yield from claim_sets.split(value, language)
        return
    if not isinstance(value, list):
        raise DataError("Claims are a text or a list.", value=value)
    for place, one in enumerate(value, start=1):
        if isinstance(one, dict):
            yield _claim(one, place, language)
        elif isinstance(one, str):
            split = claim_sets.split(one, language)
            # A list of texts that carry their numbers keeps them.
            labelled = len(split) == 1 and split[0].text != one.strip()
            yield split[0] if labelled else Claim(number=place, text=one.strip(), language=language)
        else:
            raise DataError("A claim is a text or an object with number and text.", value=one)


def _claim(row: Mapping[str, Any], place: int, language: str) -> Claim:
    number = next((row[key] for key in ("number", "num", "claim", "claim_number") if key in row), place)
    text, parents = row.get("text", row.get("claim_text")), row.get("depends_on")
    if not isinstance(text, str) or isinstance(number, bool) or not str(number).isdecimal():
        raise DataError("A claim is an object with number and text.", value=dict(row))
    found = Claim(number=int(number), text=text, language=language)
    if not isinstance(parents, list):
        return found
    if not all(isinstance(each, int) and not isinstance(each, bool) for each in parents):
        raise DataError("A claim depends on a list of numbers.", value=parents)
    return replace(found, references=tuple(parents))
