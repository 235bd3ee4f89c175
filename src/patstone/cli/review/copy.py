"""`patstone review copy`: a project moves from SQLite to PostgreSQL or back, with everything in it."""

from pathlib import Path


def copy(project: str, *, to: str) -> None:
    """Copy a project to another, empty database, check the copy row by row, and use it from now on.

    Stop the server first. The old database stays as it is.

    Try:
      patstone review copy project --to postgresql://me:secret@host/name
      patstone review copy project --to sqlite:///project/review.db
    """
    from patstone.review.project import copy as copied
    from patstone.review.project import open_project

    opened = open_project(Path(project))
    counts = copied(opened, to)
    opened.database.close()
    told = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())
    print(f"copied and compared: {told}")
