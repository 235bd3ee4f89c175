"""`patstone review serve`: the app on this machine, opened in the browser."""

import sys
from pathlib import Path


def serve(
    project: str,
    *,
    host: str = "127.0.0.1",
    port: int = 8321,
    allow: tuple[str, ...] = (),
    https: bool = False,
    no_browser: bool = False,
) -> None:
    """Serve a review project until Ctrl-C; the first time, a link makes you its coordinator.

    Only this machine can reach it unless --host says otherwise; then --allow names the host that colleagues type,
    and a proxy in front of it should speak https (--https).

    Try:
      patstone review serve project
      patstone review serve project --host 0.0.0.0 --allow review.example.org --https --no-browser
    """
    from patstone.review.project import open_project
    from patstone.review.serving import serve_app

    opened = open_project(Path(project))
    serve_app(
        opened,
        host=host,
        port=port,
        allow=allow,
        https=https,
        browser=not no_browser and sys.stdout.isatty(),
        tell=lambda line: print(line, flush=True),
    )
