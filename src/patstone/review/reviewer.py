"""The pages of a reviewer: one family at a time, and the few calls that the page makes."""

import json
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from patstone.errors import UsageError
from patstone.gold.described import link_to
from patstone.review.highlight import marked
from patstone.review.pages import page, templates
from patstone.review.reviewing import Desk, Place
from patstone.review.verdicts import VERDICTS, Said
from patstone.review.verdicts import record as recorded


def desk(request: Request) -> Desk:
    person = request.state.session.person
    return Desk(request.app.state.project.database, person.id, person.seat)


def review_page(request: Request) -> Response:
    mine = desk(request)
    scope = mine.scope()
    return page(request, "review.html", scope=scope, verdicts=VERDICTS)


def queue(request: Request) -> Response:
    places = desk(request).queue()
    return JSONResponse({"places": listed(places), "scope": desk(request).scope().version})


def listed(places: Sequence[Place]) -> list[dict[str, object]]:
    return [{"family": one.family, "verdict": one.verdict, "skipped": one.skipped} for one in places]


def family(request: Request) -> Response:
    """What there is to read, as a piece of page: the browser keeps the next ones in case the connection drops."""
    mine, name = desk(request), request.query_params.get("name", "")
    said = mine.family(name)
    settings = request.app.state.settings
    words = [word.strip() for word in settings.highlight.split(",") if word.strip()]
    shown = {
        kind: [{**text, "pieces": marked(text["text"], words)} for text in said[kind]]
        for kind in ("title", "abstract", "claims")
    }
    hidden = () if settings.show_codes else ("codes", "applicants")
    kept = {kind: said[kind] for kind in ("codes", "applicants") if kind not in hidden}
    publications = [{**one, "link": link_to(one["number"])} for one in said["publications"]]
    template = templates().get_template("family.html")
    values = {"family": name, "publications": publications, "history": mine.history(name), "kept": kept, **shown}
    return JSONResponse({"family": name, "page": template.render(values)})


def record(request: Request) -> Response:
    person = request.state.session.person
    database = request.app.state.project.database
    saved = recorded(database, person.id, _said(request.state.body))
    return JSONResponse({"family": saved.family, "verdict": saved.verdict})


def _said(body: bytes) -> Said:
    try:
        sent = json.loads(body)
        return Said(
            request=str(sent["request"]),
            action=sent["action"],
            family=str(sent.get("family") or ""),
            verdict=sent.get("verdict"),
            note=str(sent.get("note") or ""),
            scope=int(sent["scope"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError("An event is a JSON object with request, action, family, verdict, note and scope.") from error
