"""`patstone review invite`: a link that lets a colleague in, once."""

from pathlib import Path


def invite(project: str, role: str = "reviewer", *, name: str = "", url: str = "http://127.0.0.1:8321") -> None:
    """Print a link with which a colleague joins as reviewer, reader or coordinator; it works once.

    Try:
      patstone review invite project
      patstone review invite project reader --name 'Ada' --url https://review.example.org
    """
    from patstone.review.people import invite as invited
    from patstone.review.project import open_project

    opened = open_project(Path(project))
    token = invited(opened.database, role, name=name)
    opened.database.close()
    print(f"{url.rstrip('/')}/join/{token}")
