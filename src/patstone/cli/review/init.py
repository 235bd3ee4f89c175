"""`patstone review init`: a project from candidates and a scope note."""

from collections.abc import Mapping
from pathlib import Path

from patstone.cli.answer import Answer


def init(
    project: str,
    *,
    candidates: str,
    scope: str,
    reviewers: int = 2,
    reviews: int = 2,
    overlap: float = 1.0,
    show_codes: bool = False,
    highlight: str = "",
    title: str | None = None,
    database: str | None = None,
    columns: Mapping[str, str] | None = None,
    seed: int = 0,
) -> Answer:
    """Make a review project: a folder with the families to judge, the scope note, and a seat for each reviewer.

    Try:
      patstone review init project --candidates found.xlsx --scope scope.txt
      patstone review init project --candidates found.csv --scope scope.txt --reviewers 6 --reviews 2 --overlap 0.3
      patstone review init project --candidates found.csv --scope scope.txt --database postgresql://me:secret@host/name
    """
    from patstone.gold.labels import read_scope
    from patstone.report.cells import Column, Table
    from patstone.report.records import records
    from patstone.review.candidates import read_candidates
    from patstone.review.project import Settings, create
    from patstone.review.store import lists

    folder = Path(project)
    found = read_candidates(candidates, columns=columns)
    settings = Settings(
        title=title or folder.resolve().name,
        reviewers=reviewers,
        reviews=reviews,
        overlap=overlap,
        show_codes=show_codes,
        highlight=highlight,
        seed=seed,
    )
    made = create(folder, settings=settings, candidates=found, scope=read_scope(candidates, scope), url=database)
    table = Table(
        title=f"{project}: {len(found)} families to judge",
        columns=(Column(key="seat", kind="count"), Column(key="families", kind="count")),
        rows=tuple((seat + 1, count) for seat, count in sorted(lists(made.database).items())),
    )
    made.database.close()
    counts = {"families": len(found), "publications": sum(len(one.publications) for one in found)}
    return Answer(
        tables=[table],
        payload=lambda: {"signature": None, "results": list(records(table)), "counts": counts},
        notes=[f"patstone review serve {project} opens it in your browser"],
    )
