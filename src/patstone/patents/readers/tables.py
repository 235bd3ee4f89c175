"""Tables of documents, a row each: CSV, TSV, XLSX, Parquet and JSON (Lines, or a list of objects).

Columns are found by name or synonym; only the number is required. A cell that holds several things separates them by
`;`, `|` or line ends (literature by `|` and line ends only); JSON and Parquet may hold lists instead, of claims and
citations also as objects. Rows come one at a time, so that no table is too long. Parquet with the columns of Google's
patent tables is read as such.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from patstone.errors import DataError, UsageError
from patstone.files.delimited import delimiter_of
from patstone.files.formats import format_of
from patstone.files.header import Wanted, choose
from patstone.files.rows import Choose, read_rows
from patstone.files.streams import Rewindable
from patstone.patents.numbers import Identified, identify
from patstone.patents.publication import Citation, CitedBy, Claim, Publication, Rejected, Text
from patstone.patents.readers import citing, google
from patstone.patents.readers.claimtext import claims_of
from patstone.patents.readers.classes import symbols
from patstone.patents.readers.documents import is_json, read_documents, read_table
from patstone.patents.readers.fields import Record, any_day, day, family, items, record, text, texts
from patstone.patents.readers.reader import Reader

_NAME = "table"
# Cells of spreadsheets hold lists in one of three ways; a comma parts nothing, since names have commas.
_BREAKS = re.compile(r"\s*[;|\n]+\s*")
# A citation of a paper is full of semicolons.
_LINES = re.compile(r"\s*[|\n]+\s*")


def _column(name: str, *synonyms: str) -> Wanted:
    return Wanted(name=name, synonyms=synonyms, kind="text", required=name == "number", blank=True)


COLUMNS = (
    _column("number", "publication_number", "patent_number", "publication_no", "display_key", "document_number"),
    _column("country", "country_code", "jurisdiction", "office", "publishing_office"),
    _column("kind", "kind_code", "document_kind"),
    _column("date", "publication_date", "date_published", "pub_date"),
    _column("application", "application_number", "application_no", "app_number"),
    _column("filed", "filing_date", "application_date", "date_filed"),
    _column("priorities", "priority_numbers", "priority_number"),
    _column("priority_date", "earliest_priority_date"),
    _column("family", "family_id", "simple_family", "simple_family_id", "docdb_family_id"),
    _column("extended", "extended_family", "extended_family_id", "inpadoc_family", "inpadoc_family_id"),
    _column("language", "lang", "publication_language"),
    _column("title", "invention_title"),
    _column("abstract"),
    _column("description", "description_text"),
    _column("claims", "claims_text"),
    _column("ipc", "ipcr", "ipc_codes", "ipc_classifications", "ipcr_classifications"),
    _column("cpc", "cpc_codes", "cpc_classifications"),
    _column("fi", "fi_codes"),
    _column("fterm", "fterms", "f_term", "f_terms"),
    _column("applicants", "applicant", "assignee", "assignees"),
    _column("citations", "cited_patents", "patent_citations", "cited_documents"),
    _column("examiner_citations", "cited_by_examiner"),
    _column("applicant_citations", "cited_by_applicant"),
    _column("literature", "npl_citations", "non_patent_literature", "non_patent_citations"),
)
NUMBERS = ("number", *COLUMNS[0].synonyms)
_CITED_BY: dict[str, CitedBy] = {
    "citations": "unknown",
    "examiner_citations": "examiner",
    "applicant_citations": "applicant",
}


def reader(columns: Mapping[str, str] | None = None) -> Reader:
    """Make a reader; `columns` says which column of the table holds what, where its name does not."""
    return Reader(
        name=_NAME,
        about="Tables with a document in each row: CSV, TSV, XLSX, Parquet, JSON and JSON Lines",
        knows=partial(_knows, columns=columns),
        read=partial(_read, columns=columns),
    )


def _knows(head: bytes, name: str, *, columns: Mapping[str, str] | None) -> bool:
    """Binary formats tell by their names, texts by their headers too."""
    format_ = _format(head, name)
    if format_ in ("parquet", "xlsx"):
        return True
    with suppress(DataError, UsageError):
        return len(_places(_first_names(head, format_), 1, columns=columns, path=name)) > 1
    return False


def header(source: Rewindable) -> list[str]:
    """The names of a table's columns; of JSON, the keys near its start."""
    with source.open() as stream:
        head = stream.read(1 << 16)
    format_ = _format(head, source.name)
    if format_ not in ("parquet", "xlsx"):
        return _first_names(head, format_)
    names: list[str] = []

    def see(columns: Sequence[str], _line: int) -> dict[str, int]:
        names.extend(columns)
        return {columns[0]: 0} if columns else {}

    next(iter(read_rows(source, see, format=format_)), None)
    return names


def _first_names(head: bytes, format_: str) -> list[str]:
    words = head.decode("utf-8-sig", errors="replace").lstrip()
    if format_ == "json":
        return list(dict.fromkeys(re.findall(r'"([^"\\\n]{1,80})"\s*:', words[:4096])))
    line = words.partition("\n")[0]
    cells = line.split("\t" if format_ == "tsv" else delimiter_of(line))
    return list(dict.fromkeys(cell.strip(' "\r') for cell in cells))


def _format(head: bytes, name: str) -> str:
    if head[:4] == b"PAR1":
        return "parquet"
    return "json" if is_json(head) else format_of(name) or "csv"


def _places(header: Sequence[str], line: int, *, columns: Mapping[str, str] | None, path: str) -> dict[str, int]:
    # An export of Google's table is a table too; its nested columns need their own reader.
    if google.is_google(header):
        return google.all_columns(header, line)
    return choose(header, COLUMNS, columns, path=path, line=line)


def _read(source: Rewindable, *, columns: Mapping[str, str] | None) -> Iterator[Publication | Rejected]:
    with source.open() as stream:
        head = stream.read(16)
    format_ = _format(head, source.name)
    places = partial(_places, columns=columns, path=source.name)
    if format_ == "json":
        yield from read_documents(source, lambda found: _document(_named(found, places)), name="number")
        return
    yield from read_table(source, _document, places, name="number", format=format_)


def _named(found: Record, places: Choose) -> Record:
    keys = [*found]
    return {name: found[keys[place]] for name, place in places(keys, 1).items()}


def _document(cells: Record) -> Publication:
    if google.is_google([*cells]):
        return google.publication(cells)
    raw = text(cells.get("number"), "number")
    language = text(cells.get("language"), "language").lower()
    date = day(cells.get("date"), "date")
    own = _own(raw, text(cells.get("country"), "country"), text(cells.get("kind"), "kind"), date)
    return Publication(
        number=own.canonical,
        raw=raw,
        source=_NAME,
        country=own.readings[0].country,
        kind=own.readings[0].kind,
        date=date,
        application=_application(text(cells.get("application"), "application")),
        filed=day(cells.get("filed"), "filed"),
        priorities=tuple(map(_application, _several(cells, "priorities"))),
        priority_date=day(cells.get("priority_date"), "priority_date"),
        family=family(cells.get("family")),
        extended=family(cells.get("extended")),
        language=language,
        titles=_texts(cells, "title", language),
        abstracts=_texts(cells, "abstract", language),
        description=text(cells.get("description"), "description"),
        claims=_claims(cells.get("claims"), language),
        ipc=symbols(_several(cells, "ipc"), "ipc"),
        cpc=symbols(_several(cells, "cpc"), "cpc"),
        fi=symbols(_several(cells, "fi"), "fi"),
        fterm=symbols(_several(cells, "fterm"), "fterm"),
        applicants=_several(cells, "applicants"),
        citations=(*_patents(cells), *_literature(cells)),
    )


def _own(raw: str, country: str, kind: str, date: str) -> Identified:
    # A column of publications holds no applications, which settles most numbers without a kind.
    own = identify(raw, country=country, kind=kind, date=date, role="publication")
    if not own.canonical:
        either = " or ".join(reading.canonical for reading in own.readings)
        reason = f"it may be {either}; columns for country, kind and date can tell" if either else own.reason
        raise DataError(f"A document must have a number that can be read without a guess: {reason}.", value=raw)
    return own


def _application(raw: str) -> str:
    return identify(raw, role="application").canonical or raw


def _several(cells: Record, column: str, breaks: re.Pattern[str] = _BREAKS) -> tuple[str, ...]:
    value = cells.get(column)
    return texts(breaks.split(value) if isinstance(value, str) else value, column)


def _texts(cells: Record, column: str, language: str) -> tuple[Text, ...]:
    said = text(cells.get(column), column)
    return (Text(language=language, text=said),) if said else ()


def _claims(value: object, language: str) -> tuple[Claim, ...]:
    given = items(value)
    if not any(isinstance(one, dict) for one in given):
        return claims_of([one if isinstance(one, str) else text(one, "claims") for one in given], language)
    return tuple(_claim(record(one, "claims"), place, language) for place, one in enumerate(given, start=1))


def _claim(entry: Record, place: int, language: str) -> Claim:
    named = entry.get("references")
    return Claim(
        number=_whole(entry.get("number", place)),
        text=text(entry.get("text"), "claims"),
        language=text(entry.get("language"), "claims").lower() or language,
        # Without the key nothing is known; an empty list says that the claim stands alone.
        references=None if named is None else tuple(map(_whole, items(named))),
    )


def _whole(value: object) -> int:
    if type(value) is not int:
        raise DataError("Claims must be numbered by whole numbers.", value=value)
    return value


def _patents(cells: Record) -> Iterator[Citation]:
    for column, cited_by in _CITED_BY.items():
        value = cells.get(column)
        for one in _BREAKS.split(value) if isinstance(value, str) else items(value):
            if isinstance(one, dict):
                yield _citation(one, cited_by)
            elif raw := text(one, column):
                yield Citation(cited=identify(raw, role="publication").canonical, raw=raw, cited_by=cited_by)


def _citation(entry: Record, cited_by: CitedBy) -> Citation:
    raw, literature = (text(entry.get(name), "citations") for name in ("number", "text"))
    date, phase = any_day(entry.get("date")), citing.phase(text(entry.get("phase"), "citations"))
    known = citing.cited_by(phase, said=text(entry.get("cited_by"), "citations"))
    return Citation(
        cited=identify(raw, date=date, role="publication").canonical if raw else "",
        raw=raw or literature,
        patent=bool(raw),
        cited_by=known if known != "unknown" else cited_by,
        category=citing.category(text(entry.get("category"), "citations")),
        phase=phase,
        claims=citing.claim_numbers(*(text(one, "citations") for one in items(entry.get("claims")))),
        passages=text(entry.get("passages"), "citations"),
        date=date,
    )


def _literature(cells: Record) -> Iterator[Citation]:
    for raw in _several(cells, "literature", _LINES):
        yield Citation(raw=raw, patent=False)


READER = reader()
