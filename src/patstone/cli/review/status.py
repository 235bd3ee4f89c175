"""`patstone review status`: who is how far."""

from dataclasses import asdict
from pathlib import Path

from patstone.cli.answer import Answer


def status(project: str) -> Answer:
    """Tell how far each reviewer is, and how much of each gold standard is settled.

    Try:
      patstone review status project
      patstone review status project --json
    """
    from patstone.gold.reviews import VIEWS
    from patstone.report.cells import Column, Table
    from patstone.report.records import records
    from patstone.review import coordinating, standards
    from patstone.review.project import open_project

    opened = open_project(Path(project))
    found = coordinating.progress(opened.database)
    keys = ("total", "done", "positive", "negative", "unsure")
    table = Table(
        title=opened.settings.title,
        columns=(
            Column(key="reviewer"),
            *(Column(key=key, kind="count") for key in keys),
            Column(key="seconds", kind="score", decimals=0),
        ),
        rows=tuple((one.reviewer, *(asdict(one)[key] for key in keys), one.seconds) for one in found),
    )
    standing = {view: standards.standing(opened.database, view) for view in VIEWS}
    counts = {
        view: {"positive": one.positive, "negative": one.negative, "open": one.open, "unjudged": one.unjudged}
        for view, one in standing.items()
    }
    opened.database.close()
    return Answer(
        tables=[table],
        payload=lambda: {"signature": None, "results": list(records(table)), "counts": counts},
        notes=[
            f"{name}: {one['positive']} positive, {one['negative']} negative, {one['open']} not settled, "
            f"{one['unjudged']} not judged"
            for name, one in counts.items()
        ],
    )
