"""What `score` and `compare` give beside tables: files, each written completely or not at all, and the JSON object."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from patstone.files.streams import ensured_folder as ensured_folder
from patstone.measures.scores import Scores

if TYPE_CHECKING:
    from patstone.compare.significance import Comparison
    from patstone.report.tables import Table


def write_files(scores: Scores, tables: "Sequence[Table]", *, per_topic: str | None, xlsx: str | None) -> None:
    if per_topic is not None:
        from patstone.report.archive import write_parquet

        write_parquet(scores, per_topic)
    if xlsx is not None:
        from patstone.report.spreadsheet import write_xlsx

        # A workbook is reckoned with further: exact numbers, one a row.
        write_xlsx([table.for_machines for table in tables], xlsx)


def page_writer(
    path: str | None, scores: Scores, comparison: "Comparison | None" = None
) -> Callable[[str], None] | None:
    """What writes the report once the command line is known; None when no report is wanted."""
    if path is None:
        return None

    def write(command: str) -> None:
        from patstone.report.page import write_page

        write_page(ensured_folder(path) / "index.html", scores, comparison, command=command)

    return write


def payload_of(tables: "Sequence[Table]", scores: Scores, seed: int) -> dict[str, Any]:
    from patstone.report.payload import payload

    return payload(tables, scores=scores, seed=seed)
