"""`patstone review export`: the gold standards and labels of a review, as files."""

from pathlib import Path

from patstone.errors import UsageError


def export(project: str, what: str = "consensus", *, to: str | None = None) -> None:
    """Write a gold standard (consensus, generous or narrow), all labels, or all events.

    The name that --to gives says the format: .tsv (the published layout), .csv, .xlsx or .parquet.

    Try:
      patstone review export project consensus --to gold.tsv
      patstone review export project labels --to labels.xlsx
    """
    from patstone.review.exports import content, write
    from patstone.review.project import open_project

    opened = open_project(Path(project))
    try:
        table = content(opened.database, what)
    finally:
        opened.database.close()
    if not table.rows:
        raise UsageError(f"There is nothing to export yet: no family is settled for {what!r}.")
    path = Path(to or f"{what}.tsv")
    write(table, path)
    print(f"{len(table.rows):,} rows are in {path}")
