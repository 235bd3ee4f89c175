"""Coming in and leaving: sign-in, invitations, and where each role starts."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from patstone.errors import UsageError
from patstone.review import people
from patstone.review.pages import page, signed_in
from patstone.review.sessions import COOKIE

STARTS = {"reviewer": "/review", "coordinator": "/progress", "reader": "/progress"}


def home(request: Request) -> Response:
    session = request.state.session
    return RedirectResponse(STARTS[session.person.role] if session else "/sign-in", 303)


def sign_in_page(request: Request) -> Response:
    return page(request, "sign_in.html")


def sign_in(request: Request) -> Response:
    name = request.state.form.get("name", "").strip()[:200]
    address = request.client.host if request.client else ""
    guesses = request.app.state.guesses
    if not guesses.allowed(name, address):
        wait = "Too many attempts; wait a quarter of an hour."
        return page(request, "sign_in.html", 429, error=wait)
    found = people.known_by(request.app.state.project.database, name, request.state.form.get("password", "")[:1000])
    if found is None:
        guesses.note(name, address)
        return page(request, "sign_in.html", 403, error="Name and password don't fit together.")
    return signed_in(request, found)


def join_page(request: Request) -> Response:
    invitation = people.invitation(request.app.state.project.database, request.path_params["token"])
    if invitation is None:
        return page(request, "closed.html", 404)
    return page(request, "join.html", role=invitation.role, name=invitation.name)


def join(request: Request) -> Response:
    form, database = request.state.form, request.app.state.project.database
    token = request.path_params["token"]
    try:
        person = people.join(database, token, name=form.get("name", ""), password=form.get("password", ""))
    except UsageError as error:
        invitation = people.invitation(database, token)
        if invitation is None:
            return page(request, "closed.html", 404)
        return page(request, "join.html", 400, role=invitation.role, name=form.get("name", ""), error=str(error))
    return signed_in(request, person)


def sign_out(request: Request) -> Response:
    people.sign_out_everywhere(request.app.state.project.database, request.state.session.person.id)
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(COOKIE)
    return answer
