"""Runs the app: a socket, a link for the first coordinator, and the browser once the server listens."""

import socket
import webbrowser
from collections.abc import Callable, Sequence

import uvicorn

from patstone.errors import UsageError
from patstone.review import people
from patstone.review.app import LOOPBACK, make_app
from patstone.review.project import Project


class _Server(uvicorn.Server):
    """Tells when it listens."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self.listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening()


def serve_app(
    project: Project,
    *,
    host: str,
    port: int,
    allow: Sequence[str],
    https: bool,
    browser: bool,
    tell: Callable[[str], None],
) -> None:
    listener = _bound(host, port)
    place = f"http://{'127.0.0.1' if host in ('0.0.0.0', '') else host}:{listener.getsockname()[1]}"  # noqa: S104
    link = place + _first_page(project)

    def listening() -> None:
        tell(f"Review is open at {link}" if link != place else f"Review is open at {place}")
        if browser:
            webbrowser.open(link)

    app = make_app(project, hosts=(*LOOPBACK, *allow, *([host] if host != "0.0.0.0" else ())), https=https)  # noqa: S104
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, proxy_headers=https)
    _Server(config, listening).run(sockets=[listener])


def _bound(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), backlog=256)
    except OSError as error:
        raise UsageError(f"{host}:{port} can't be served: {error.strerror}; --port names another.") from error


def _first_page(project: Project) -> str:
    """Who starts a project with nobody in it becomes its coordinator, by an invitation like any other."""
    if people.everyone(project.database):
        return ""
    return f"/join/{people.invite(project.database, 'coordinator')}"
