"""What a row-printing command returns, and how it is printed: data on standard output, notes on standard error."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patstone.errors import UsageError

if TYPE_CHECKING:
    from patstone.report.tables import Table

FORMATS = ("json", "jsonl", "csv", "latex", "markdown")
SUFFIXES = {".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".tex": "latex", ".md": "markdown"}


@dataclass(frozen=True, kw_only=True)
class Answer:
    tables: "Sequence[Table]"
    """What people read."""
    payload: Callable[[], Mapping[str, Any]]
    """The JSON object; made only when it is asked for."""
    data: "Sequence[Table] | None" = None
    """The rows for CSV and JSON lines, where they are not those of `tables`."""
    text: Callable[[], str] | None = None
    """What people read in a terminal, where that is no table."""
    page: Callable[[str], None] | None = None
    """Writes the report; told the command line that made it."""
    notes: Sequence[str] = ()
    """What a reader of the numbers should know, for standard error."""
    out: str | None = None
    """Where the rows go, in place of standard output, by a command that has an --out of its own."""
    failed: str = ""
    """The check that the user asked for and that did not pass: said last, with exit code 1."""


def chosen_format(words: Mapping[str, Any]) -> str:
    """The one format asked for; the name of --out decides when no word does."""
    asked = [name for name in FORMATS if words.get(name)]
    if len(asked) > 1:
        raise UsageError(f"Ask for one format at a time. Got {' '.join('--' + name for name in asked)}.")
    return asked[0] if asked else SUFFIXES.get(Path(words.get("out") or "").suffix, "text")


def suffixed(out: str) -> bool:
    """Whether a name says by its ending that it is a file of rows."""
    return Path(out).suffix in SUFFIXES


def emit(answer: Answer, words: Mapping[str, Any], *, command: Sequence[str]) -> None:
    """Write everything, then say the notes: who reads them knows that the rest went well."""
    words = words if answer.out is None else {**words, "out": answer.out}
    if answer.page is not None:
        from shlex import join

        answer.page(join(command))
    write(rendered(answer, chosen_format(words)), words.get("out", "-"))
    for note in () if words.get("quiet") else answer.notes:
        print(f"patstone: note: {note}", file=sys.stderr)


def write(text: str, out: str) -> None:
    if out == "-":
        # Flushed here, so that a full disk is known before the notes say that all went well.
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    from patstone.files.streams import atomic

    with atomic(out) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")


def rendered(answer: Answer, style: str) -> str:
    if style == "text":
        return answer.text() if answer.text is not None else in_text(answer.tables)
    if style == "json":
        return in_json(answer.payload())
    from patstone.report import tables

    data = answer.tables if answer.data is None else answer.data
    if style == "csv":
        return tables.csv(one_table([table.for_machines for table in data]))
    if style == "jsonl":
        return "".join(map(tables.jsonl, data))
    render: Callable[[Table], str] = getattr(tables, style)
    return "\n".join(map(render, answer.tables))


def in_json(payload: Mapping[str, Any]) -> str:
    """One object, each row of a list on a line of its own: as easy to read as full indentation, ten times as fast."""
    from json import JSONEncoder

    from patstone.report.records import Records, json_lines

    page = JSONEncoder(allow_nan=False, indent=2).encode
    written = []
    for key, value in payload.items():
        rows = ",\n    ".join(json_lines(value, escape=True)) if isinstance(value, list | Records) else ""
        body = f"[\n    {rows}\n  ]" if rows else page(value).replace("\n", "\n  ")
        written.append(f"  {page(key)}: {body}")
    return "{\n" + ",\n".join(written) + "\n}\n"


def in_text(tables: "Sequence[Table]") -> str:
    from patstone.report.text import text

    return "\n".join(map(text, tables))


def one_table(tables: "Sequence[Table]") -> "Table":
    """All rows under all columns, since a CSV file has one header."""
    from patstone.report.tables import Table

    columns = {column.key: column for table in tables for column in table.columns}
    places = [{column.key: place for place, column in enumerate(table.columns)} for table in tables]
    rows = (
        tuple(row[where[key]] if key in where else None for key in columns)
        for table, where in zip(tables, places, strict=True)
        for row in table.rows
    )
    return Table(title="", columns=tuple(columns.values()), rows=tuple(rows))
