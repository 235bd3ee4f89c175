"""From a template to an answer. Every value is escaped by the template engine; nothing is marked as safe."""

from functools import cache
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from patstone.review.people import Person
from patstone.review.sessions import COOKIE, HOURS

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def templates() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("patstone.review"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )


def page(request: Request, template: str, status: int = 200, /, **values: object) -> Response:
    state = request.app.state
    session = request.state.session
    known = {
        "person": session.person if session else None,
        "token": state.sessions.token(session) if session else "",
        "project": state.settings.title,
        "path": request.url.path,
        "error": "",
    }
    return HTMLResponse(templates().get_template(template).render(known | values), status)


def signed_in(request: Request, person: Person) -> Response:
    answer = RedirectResponse("/", 303)
    answer.set_cookie(
        COOKIE,
        request.app.state.sessions.begin(person),
        max_age=HOURS * 3600,
        httponly=True,
        samesite="strict",
        secure=request.app.state.https,
    )
    return answer
