"""Who is asking: signed cookies, tokens against forged requests, and a limit on guessing.

A cookie holds the person's number, the epoch that signing out everywhere raises, and a nonce; the forgery token is
derived from the nonce, so that it needs no storage and dies with the session.
"""

import hmac
import secrets
import time
from collections import deque
from dataclasses import dataclass, field
from threading import Lock

from itsdangerous import BadSignature, TimestampSigner

from patstone.review import people
from patstone.review.database import Database
from patstone.review.people import Person

COOKIE = "patstone_review"
HOURS = 12
_WINDOW, _GUESSES, _GUESSES_BY_ADDRESS, _REMEMBERED = 900.0, 5, 50, 10_000


@dataclass(frozen=True)
class Session:
    person: Person
    nonce: str


@dataclass(frozen=True)
class Sessions:
    secret: bytes
    database: Database

    @property
    def _signer(self) -> TimestampSigner:
        return TimestampSigner(self.secret, salt="patstone.review.session")

    def begin(self, person: Person) -> str:
        """The cookie of a new session."""
        return self._signer.sign(f"{person.key}.{person.epoch}.{secrets.token_urlsafe(16)}").decode()

    def read(self, cookie: str | None) -> Session | None:
        if not cookie or len(cookie) > 500:
            return None
        try:
            said = self._signer.unsign(cookie, max_age=HOURS * 3600).decode()
        except BadSignature:
            return None
        key, epoch, nonce = said.split(".", 2)
        person = people.person(self.database, key)
        return Session(person, nonce) if person is not None and person.epoch == int(epoch) else None

    def token(self, session: Session) -> str:
        return hmac.digest(self.secret, b"form:" + session.nonce.encode(), "sha256").hex()

    def is_genuine(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(self.token(session).encode(), token.encode())


@dataclass
class Guesses:
    """Failed attempts to sign in, by name and by address, in the last quarter of an hour."""

    failed: dict[str, deque[float]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def allowed(self, name: str, address: str) -> bool:
        with self.lock:
            limits = ((f"{address}|{name}", _GUESSES), (address, _GUESSES_BY_ADDRESS))
            return all(len(self._recent(key)) < limit for key, limit in limits)

    def note(self, name: str, address: str) -> None:
        with self.lock:
            if len(self.failed) > _REMEMBERED:
                # Forgetting the oldest costs an attacker ten thousand names each time.
                self.failed.pop(next(iter(self.failed)))
            for key in (f"{address}|{name}", address):
                self.failed.setdefault(key, deque(maxlen=_GUESSES_BY_ADDRESS)).append(time.monotonic())

    def _recent(self, key: str) -> deque[float]:
        times = self.failed.get(key, deque())
        while times and times[0] < time.monotonic() - _WINDOW:
            times.popleft()
        return times
