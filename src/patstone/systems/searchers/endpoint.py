"""An engine of one's own behind HTTP: each question becomes a request, each answer a ranking.

The request's body is a JSON template in which `{{query}}`, `{{k}}`, `{{topic}}` and `{{before}}` (YYYY-MM-DD, or null)
stand, outside quotes, for JSON values. The default body and the default places of ids and scores are those of
OpenSearch and Elasticsearch. What has been answered is kept beside the run until it is whole, so that a search that
was stopped goes on where it stood.
"""

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import numpy as np

from patstone.errors import DataError, UsageError, shorten
from patstone.files import ids
from patstone.files.index import Index as Places
from patstone.systems.searchers.filters import Filters
from patstone.systems.searchers.formulation import Question
from patstone.systems.searchers.index import Shelf
from patstone.systems.searchers.ranking import Ranking

TEMPLATE = '{"size": {{k}}, "_source": false, "query": {"match": {"text": {{query}}}}}'
HITS, ID, SCORE = "hits.hits", "_id", "_score"
_PLACEHOLDER = re.compile(r"\{\{([a-z]+)\}\}")
_NAMES = ("query", "k", "topic", "before")
_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_LONGEST_WAIT = 60.0
Sleep = Callable[[float], None]


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    url: str
    template: str = TEMPLATE
    hits: str = HITS
    """Where the list of hits is in an answer: keys joined by dots."""
    id: str = ID
    score: str = SCORE
    rate: float = 0
    """Requests a second at most; 0 for no limit."""
    retries: int = 5
    timeout: float = 60
    headers: Mapping[str, str] = field(default_factory=dict)
    sleep: Sleep = time.sleep

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise UsageError(f"An endpoint is an http:// or https:// address. Got {self.url!r}.")
        names = _PLACEHOLDER.findall(self.template)
        wrong = next((name for name in names if name not in _NAMES), None)
        if wrong is not None or "query" not in names:
            known = ", ".join(f"{{{{{name}}}}}" for name in _NAMES)
            raise UsageError(f"A template uses {{{{query}}}}, and no other than {known}. Got {wrong!r}.")
        try:
            json.loads(self.body(dict.fromkeys(_NAMES)))
        except ValueError as error:
            raise UsageError(f"The template is not JSON once its places are filled: {error}.") from None

    @property
    def digest(self) -> str:
        """Twelve hex digits of what is asked and where the answer is looked for."""
        return sha256("\0".join([self.template, self.hits, self.id, self.score]).encode()).hexdigest()[:12]

    def body(self, values: Mapping[str, object]) -> str:
        return _PLACEHOLDER.sub(lambda match: json.dumps(values[match[1]], ensure_ascii=False), self.template)

    def ask(self, body: str) -> list[tuple[str, float | None]]:
        """The ids and scores of one answer, in its order; tried again while the engine is busy or away."""
        for attempt in range(self.retries + 1):
            try:
                return self._hits(self._answer(body))
            except HTTPError as error:
                wait = error.headers.get("Retry-After", "") if error.headers else ""
                if error.code not in _AGAIN or attempt == self.retries:
                    said = shorten(error.read(200).decode(errors="replace"))
                    raise DataError(f"The engine answered {error.code} {error.reason}: {said}", path=self.url) from None
            except (URLError, HTTPException, TimeoutError, ConnectionError) as error:
                wait = ""
                if attempt == self.retries:
                    raise DataError(f"The engine can't be reached: {error}.", path=self.url) from None
            self.sleep(float(wait) if wait.isdigit() else min(0.5 * 2**attempt, _LONGEST_WAIT))
        raise AssertionError("the last attempt answers or raises")

    def _answer(self, body: str) -> object:
        headers = {"Content-Type": "application/json", "Accept": "application/json", **self.headers}
        request = Request(self.url, data=body.encode(), headers=headers, method="POST")  # noqa: S310 - checked above
        with urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
            raw = answer.read()
        try:
            return json.loads(raw)
        except ValueError:
            said = shorten(raw[:200].decode(errors="replace"))
            raise DataError("The engine's answer is not JSON.", path=self.url, value=said) from None

    def _hits(self, answer: object) -> list[tuple[str, float | None]]:
        hits = at(answer, self.hits)
        if not isinstance(hits, list):
            rule = f"The engine's answer has no list at {self.hits!r}; say where it is with --hits."
            raise DataError(rule, path=self.url, value=json.dumps(answer))
        return [self._hit(hit) for hit in hits]

    def _hit(self, hit: object) -> tuple[str, float | None]:
        name, score = at(hit, self.id), at(hit, self.score)
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise DataError(f"A hit has no id at {self.id!r}; say where with --hits.", path=self.url, value=hit)
        number = float(score) if isinstance(score, int | float) and not isinstance(score, bool) else None
        return str(name), number


def at(value: Any, path: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """What stands at keys joined by dots; None where there is nothing."""
    for key in filter(None, path.split(".")):
        value = value.get(key) if isinstance(value, dict) else None
    return value


@dataclass(frozen=True, eq=False)
class Remote:
    """A searcher that asks an endpoint; what lies outside the test collection is left out of its answers."""

    endpoint: Endpoint
    shelf: Shelf
    filters: Filters = field(default_factory=Filters)
    kept: Path | None = None
    """Where answers are kept until all are there."""

    def rankings(self, questions: Sequence[Question], k: int) -> list[Ranking]:
        known = self._remembered()
        found, last = [], 0.0
        for question in questions:
            body = self._body(question, k)
            key = sha256(body.encode()).hexdigest()
            if key not in known:
                last = self._waited(last)
                known[key] = self.endpoint.ask(body)
                self._remember(key, known[key])
            found.append(self._ranking(question, known[key], k))
        return found

    def _body(self, question: Question, k: int) -> str:
        day = f"{self.filters.date(question):08}"
        before = f"{day[:4]}-{day[4:6]}-{day[6:]}" if int(day) else None
        return self.endpoint.body({"query": question.text, "k": k, "topic": question.topic, "before": before})

    def _waited(self, last: float) -> float:
        now = time.monotonic()
        pause = last + 1 / self.endpoint.rate - now if self.endpoint.rate else 0
        if last and pause > 0:
            self.endpoint.sleep(pause)
        return max(now, now + pause)

    def _ranking(self, question: Question, hits: Sequence[tuple[str, float | None]], k: int) -> Ranking:
        if not hits:
            return Ranking(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))
        scored = all(score is not None for _, score in hits)
        scores = [float(score or 0) if scored else float(-place) for place, (_, score) in enumerate(hits)]
        numbers = self._places.find(ids.pack([name for name, _ in hits]))
        worth = np.full(len(self.shelf), -np.inf, dtype=np.float32)
        inside = numbers >= 0
        # A document that comes twice keeps its better place.
        np.maximum.at(worth, numbers[inside], np.array(scores, dtype=np.float32)[inside])
        return Ranking.best(worth, self.filters.allowed(question, self.shelf), k)

    @cached_property
    def _places(self) -> Places:
        return Places.of(np.asarray(self.shelf.docs))

    def _remembered(self) -> dict[str, list[tuple[str, float | None]]]:
        if self.kept is None or not self.kept.exists():
            return {}
        known = {}
        for line in self.kept.read_text(encoding="utf-8").splitlines():
            try:
                key, hits = json.loads(line)
                known[key] = [(str(name), score) for name, score in hits]
            except ValueError:
                # The line that was being written when the search was stopped.
                continue
        return known

    def _remember(self, key: str, hits: Sequence[tuple[str, float | None]]) -> None:
        if self.kept is not None:
            with self.kept.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps([key, hits], ensure_ascii=False) + "\n")
