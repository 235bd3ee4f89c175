"""`patstone patents convert`: patent data of any source into a collection."""

from collections.abc import Sequence

from patstone.cli.answer import Answer


def convert(
    sources: Sequence[str],
    *,
    out: str = "collection",
    format: str = "auto",  # noqa: A002 - the word that users know
    jobs: int = 1,
    strict: bool = False,
) -> Answer:
    """Turn patent data of any source into a collection: the same Parquet tables whatever they came from.

    SOURCES are files, zip archives and folders. Where several tell of one document, the one named first wins, and the
    others fill what it leaves empty. What can't be read is listed in rejected.jsonl. A conversion that was interrupted
    goes on where it stopped when it is called again.

    Try:
      patstone patents convert ipg150106.zip --out collection
      patstone patents convert docdb/ ipg150106.zip --out collection --jobs 4
      patstone patents convert patents.csv --format table --strict --json
    """
    from patstone.api import convert as converted
    from patstone.cli.patents.profile import profile
    from patstone.cli.progress import counting

    with counting("files") as watch:
        made = converted(sources, out, format=format, jobs=jobs, strict=strict, watch=watch)
    return profile(made)
