"""Every address of the app with who may ask for it; what is not in this table is not served.

`ANYONE` is for people who are not signed in: the sign-in page, an invitation, and the files that pages are made of.
"""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from patstone.review import accounts, coordinator, reviewer
from patstone.review.people import ROLES, Role

Endpoint = Callable[[Request], Response]
ANYONE: frozenset[Role] = frozenset()
REVIEWER: frozenset[Role] = frozenset({"reviewer"})
COORDINATOR: frozenset[Role] = frozenset({"coordinator"})
READERS: frozenset[Role] = frozenset({"coordinator", "reader"})
SIGNED_IN: frozenset[Role] = frozenset(ROLES)


@dataclass(frozen=True)
class Address:
    method: str
    path: str
    answer: Endpoint
    roles: frozenset[Role]


ADDRESSES = (
    Address("GET", "/", accounts.home, ANYONE),
    Address("GET", "/sign-in", accounts.sign_in_page, ANYONE),
    Address("POST", "/sign-in", accounts.sign_in, ANYONE),
    Address("GET", "/join/{token}", accounts.join_page, ANYONE),
    Address("POST", "/join/{token}", accounts.join, ANYONE),
    Address("POST", "/sign-out", accounts.sign_out, SIGNED_IN),
    Address("GET", "/review", reviewer.review_page, REVIEWER),
    Address("GET", "/api/queue", reviewer.queue, REVIEWER),
    Address("GET", "/api/family", reviewer.family, REVIEWER),
    Address("POST", "/api/events", reviewer.record, REVIEWER),
    Address("GET", "/progress", coordinator.progress, READERS),
    Address("GET", "/agreement", coordinator.agreement, READERS),
    Address("GET", "/disagreements", coordinator.disagreements, READERS),
    Address("POST", "/disagreements", coordinator.decide, COORDINATOR),
    Address("GET", "/scope", coordinator.scope_page, READERS),
    Address("POST", "/scope", coordinator.scope, COORDINATOR),
    Address("GET", "/audit", coordinator.audit, READERS),
    Address("GET", "/people", coordinator.people_page, COORDINATOR),
    Address("POST", "/people/invite", coordinator.invite, COORDINATOR),
    Address("POST", "/people/dismiss", coordinator.dismiss, COORDINATOR),
    Address("GET", "/export/{name}", coordinator.export, COORDINATOR),
)
