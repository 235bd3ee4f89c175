"""The pages of coordinators and readers: progress, agreement, disagreements, scope, people, exports."""

from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from patstone.errors import UsageError
from patstone.gold.reviews import VIEWS
from patstone.review import coordinating, exports, judged, people, standards, store
from patstone.review.database import Database
from patstone.review.pages import page

_SHOWN = 50
"""Disagreements on one page."""


def _database(request: Request) -> Database:
    database: Database = request.app.state.project.database
    return database


def progress(request: Request) -> Response:
    database = _database(request)
    standing = {view: standards.standing(database, view) for view in VIEWS}
    return page(request, "progress.html", reviewers=coordinating.progress(database), standing=standing)


def agreement(request: Request) -> Response:
    return page(request, "agreement.html", tables=judged.agreement(_database(request)))


def disagreements(request: Request) -> Response:
    found = coordinating.disagreements(_database(request))
    shown = [(one, token_urlsafe(16)) for one in found[:_SHOWN]]
    undecided = sum(one.decided is None for one in found)
    return page(request, "disagreements.html", shown=shown, total=len(found), undecided=undecided)


def decide(request: Request) -> Response:
    form = request.state.form
    coordinating.decide(
        _database(request),
        request.state.session.person.id,
        request=form.get("request", ""),
        family=form.get("family", ""),
        verdict=form.get("verdict", ""),
        reason=form.get("reason", ""),
    )
    return RedirectResponse("/disagreements", 303)


def scope_page(request: Request) -> Response:
    with _database(request).read() as connection:
        versions = store.scope_history(connection)
    return page(request, "scope.html", versions=versions)


def scope(request: Request) -> Response:
    words = request.state.form.get("words", "").replace("\r\n", "\n").strip()
    if not words:
        raise UsageError("A scope note has words.")
    with _database(request).write() as connection:
        if words != store.scope(connection).words:
            store.add_scope(connection, words, author=request.state.session.person.name)
    return RedirectResponse("/scope", 303)


def audit(request: Request) -> Response:
    return page(request, "audit.html", tables=judged.audit(_database(request)))


def people_page(request: Request) -> Response:
    return page(request, "people.html", everyone=people.everyone(_database(request)), link="")


def invite(request: Request) -> Response:
    form = request.state.form
    token = people.invite(_database(request), form.get("role", ""), name=form.get("name", "")[:80])
    # Shown once, on this page only: the database keeps a digest.
    link = str(request.url.replace(path=f"/join/{token}", query=""))
    return page(request, "people.html", everyone=people.everyone(_database(request)), link=link)


def dismiss(request: Request) -> Response:
    person = people.person(_database(request), request.state.form.get("person", ""))
    if person is None:
        raise UsageError("There is no such person.")
    if person.id == request.state.session.person.id:
        raise UsageError("Nobody closes their own account here; another coordinator can.")
    people.dismiss(_database(request), person.id)
    return RedirectResponse("/people", 303)


def export(request: Request) -> Response:
    """A file, named like consensus.tsv: what, and in which format."""
    name = Path(request.path_params["name"])
    table = exports.content(_database(request), name.stem)
    with TemporaryDirectory() as folder:
        path = Path(folder) / name.name
        exports.write(table, path)
        body = path.read_bytes()
    headers = {"content-disposition": f'attachment; filename="{name.stem}{name.suffix}"'}
    return Response(body, media_type=exports.TYPES[name.suffix], headers=headers)
