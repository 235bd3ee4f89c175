"""The web app: a table of addresses, each guarded by role, wrapped in the headers and limits that keep it safe.

Handlers are plain functions and run in threads, since all they wait for is the database. Nothing is fetched from
elsewhere: pages, styles and scripts ship with the package, and the policy in the headers forbids anything else.
"""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from patstone.errors import PatstoneError
from patstone.review.project import Project
from patstone.review.routes import ADDRESSES, ANYONE, Address
from patstone.review.sessions import COOKIE, Guesses, Sessions
from patstone.review.verdicts import NotYours

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "testserver")
LARGEST_BODY = 256 * 1024
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def make_app(project: Project, *, hosts: Sequence[str] = LOOPBACK, https: bool = False) -> Starlette:
    assets = Mount("/assets", StaticFiles(directory=Path(__file__).with_name("assets")))
    app = Starlette(
        routes=[*map(_route, ADDRESSES), assets],
        middleware=[
            Middleware(SafeHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=[host.strip("[]") for host in hosts]),
            Middleware(LimitedBody),
        ],
        exception_handlers={PatstoneError: _refused, 404: _missing, 405: _missing},
    )
    app.state.project = project
    app.state.settings = project.settings
    app.state.sessions = Sessions(project.secret, project.database)
    app.state.guesses = Guesses()
    app.state.https = https
    return app


def _route(address: Address) -> Route:
    async def answer(request: Request) -> Response:
        request.state.body = await request.body()
        return await run_in_threadpool(_guarded, address, request)

    return Route(address.path, answer, methods=[address.method], name=f"{address.method} {address.path}")


def _guarded(address: Address, request: Request) -> Response:
    """Answer only who may ask; what changes something must also come from a page of ours."""
    sessions: Sessions = request.app.state.sessions
    session = sessions.read(request.cookies.get(COOKIE))
    request.state.session = session
    request.state.form = _form(request)
    if address.method == "POST" and not _from_here(request):
        return PlainTextResponse("This form was sent by another site.", 403)
    if address.roles is not ANYONE:
        if session is None:
            return _sign_in_first(request)
        if session.person.role not in address.roles:
            return PlainTextResponse("This page is not for you.", 403)
        token = request.headers.get("x-form-token") or request.state.form.get("token", "")
        if address.method == "POST" and not sessions.is_genuine(session, token):
            return PlainTextResponse("This form is too old; load the page again.", 403)
    return address.answer(request)


def _from_here(request: Request) -> bool:
    """Whether a form comes from our own page; browsers say so of every POST, other clients need not."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def _sign_in_first(request: Request) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": "Sign in again; nothing is lost."}, 401)
    return RedirectResponse("/sign-in", 303)


def _form(request: Request) -> dict[str, str]:
    if request.headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
        return {}
    words = parse_qs(request.state.body.decode("utf-8", "replace"), max_num_fields=50, keep_blank_values=True)
    return {name: values[-1] for name, values in words.items()}


async def _refused(request: Request, error: Exception) -> Response:
    status = 404 if isinstance(error, NotYours) else 400
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": str(error)}, status)
    return PlainTextResponse(str(error), status)


async def _missing(request: Request, error: Exception) -> Response:  # noqa: ARG001 - starlette's protocol
    return PlainTextResponse("There is no such page.", 404)


class SafeHeaders:
    """On every answer, errors and files included."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", ()), *added]
            await send(message)

        await self.app(scope, receive, sent)


class LimitedBody:
    """Refuse bodies that no page of ours sends, before they are read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = dict(scope.get("headers", ())).get(b"content-length", b"0")
        if not told.isdigit() or int(told) > LARGEST_BODY:
            await PlainTextResponse("This is too much at once.", 413)(scope, receive, send)
            return
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            # A body without a length, in chunks, ends where the limit is.
            return message if size <= LARGEST_BODY else {"type": "http.disconnect"}

        await self.app(scope, counted, send)
