"""Standards and labels as files: the published TSV layout, CSV, XLSX and Parquet."""

from collections.abc import Callable
from pathlib import Path

from patstone.errors import UsageError
from patstone.files.streams import atomic
from patstone.report import tables
from patstone.report.cells import Table
from patstone.review import standards
from patstone.review.database import Database

CONTENTS: dict[str, Callable[[Database], Table]] = {
    "consensus": lambda database: standards.published(database, "consensus"),
    "generous": lambda database: standards.published(database, "generous"),
    "narrow": lambda database: standards.published(database, "narrow"),
    "labels": standards.labels,
    "events": standards.history,
}
TYPES = {
    ".tsv": "text/tab-separated-values; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".parquet": "application/vnd.apache.parquet",
}


def content(database: Database, what: str) -> Table:
    if what not in CONTENTS:
        raise UsageError(f"There are these to export: {', '.join(CONTENTS)}. Got {what!r}.")
    return CONTENTS[what](database)


def write(table: Table, path: Path) -> None:
    """Write a table in the format that the file's name asks for, completely or not at all."""
    if path.suffix not in TYPES:
        raise UsageError(f"An export is one of {', '.join(TYPES)}. Got {path.name!r}.")
    if path.suffix == ".xlsx":
        tables.write_xlsx([table], path)
        return
    with atomic(path) as temporary:
        if path.suffix == ".parquet":
            _write_parquet(table, temporary)
        else:
            temporary.write_text(tables.csv(table) if path.suffix == ".csv" else tsv(table), encoding="utf-8")


def tsv(table: Table) -> str:
    """The published layout has no quoting: what would break a line becomes a space."""
    lines = [[column.key for column in table.columns], *(["" if c is None else str(c) for c in r] for r in table.rows)]
    return "".join("\t".join(" ".join(cell.split()) for cell in line) + "\n" for line in lines)


def _write_parquet(table: Table, path: Path) -> None:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    columns = list(zip(*table.rows, strict=True)) or [() for _ in table.columns]
    arrays = {column.key: pa.array(cells) for column, cells in zip(table.columns, columns, strict=True)}
    write_table(pa.table(arrays), path)
