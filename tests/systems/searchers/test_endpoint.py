"""An engine behind HTTP: what it is asked, what is made of its answers, and what happens when it fails."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import small_collection as small
from local_engine import Engine, running
from patstone.errors import DataError, UsageError
from patstone.files.ids import texts
from patstone.gold.dataset import Dataset
from patstone.systems.run import Run
from patstone.systems.searchers.endpoint import Endpoint, Remote
from patstone.systems.searchers.formulation import Formulation
from patstone.systems.searchers.index import build
from patstone.systems.searchers.models import endpoint_model
from patstone.systems.searchers.search import Search


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return small.write(tmp_path / "small")


@pytest.fixture
def engine() -> Iterator[Engine]:
    hits = {
        "separator": [("EP2B1", 3.0), ("EP1A1", 3.0), ("US5B2", 2.0), ("US6B2", 1.0), ("XX1", 0.5)],
        "heated": [("US7B2", 9.0)],
    }
    with running(Engine(answers={w: [{"_id": i, "_score": s} for i, s in one] for w, one in hits.items()})) as made:
        yield made


def run(dataset: Dataset, endpoint: Endpoint, *, query: str = "claims", kept: Path | None = None) -> Run:
    search = Search(model=endpoint_model(endpoint.url), query=Formulation.parse(query), k=10)
    index = build(dataset, search.indexed)
    return search.run(dataset, index, remote=Remote(endpoint, index.shelf, search.filters, kept))


def answers(run: Run) -> dict[str, list[str]]:
    ends = zip(run.topics, run.starts[:-1].tolist(), run.starts[1:].tolist(), strict=True)
    return {topic: texts(run.docs[low:high]) for topic, low, high in ends}


def test_answers_are_ranked_and_filtered_like_our_own(dataset: Dataset, engine: Engine) -> None:
    found = run(dataset, Endpoint(url=engine.url))
    # Ties by id descending; too late, its own, and outside of the collection are left out.
    assert answers(found) == {"US6B2": ["EP2B1", "EP1A1"], "W1": ["US7B2"]}


def test_the_body_is_the_template_filled(dataset: Dataset, engine: Engine) -> None:
    template = '{"q": {{query}}, "n": {{k}}, "not_after": {{before}}, "who": {{topic}}}'
    run(dataset, Endpoint(url=engine.url, template=template, headers={"Authorization": "Basic eA=="}), query="title")
    assert engine.asked == [
        {"q": "Separator and valve", "n": 10, "not_after": "2010-03-01", "who": "US6B2"},
        {"q": "De-icing", "n": 10, "not_after": None, "who": "W1"},
    ]
    assert engine.headers[0]["Authorization"] == "Basic eA=="


def test_a_choice_of_terms_reaches_the_engine(dataset: Dataset, engine: Engine) -> None:
    run(dataset, Endpoint(url=engine.url, template='{"q": {{query}}}'), query="abstract,nouns")
    assert sorted(engine.asked[0]["q"].split()) == ["battery", "separator", "valve"]


def test_a_busy_engine_is_asked_again(dataset: Dataset, engine: Engine) -> None:
    pauses: list[float] = []
    engine.failures = [(429, {"Retry-After": "7"}), (503, {}), (502, {})]
    found = run(dataset, Endpoint(url=engine.url, sleep=pauses.append))
    assert pauses == [7.0, 1.0, 2.0]
    assert len(found.topics) == 2


def test_what_it_refuses_is_not_asked_again(dataset: Dataset, engine: Engine) -> None:
    engine.failures = [(400, {})]
    with pytest.raises(DataError, match=r"_search: The engine answered 400 Bad Request: too busy"):
        run(dataset, Endpoint(url=engine.url))
    assert len(engine.asked) == 1


def test_an_engine_that_stays_away_is_named(dataset: Dataset) -> None:
    pauses: list[float] = []
    with pytest.raises(DataError, match="can't be reached"):
        run(dataset, Endpoint(url="http://127.0.0.1:9/", retries=2, sleep=pauses.append))
    assert pauses == [0.5, 1.0]


def test_requests_keep_to_the_rate(dataset: Dataset, engine: Engine) -> None:
    pauses: list[float] = []
    run(dataset, Endpoint(url=engine.url, rate=0.01, sleep=pauses.append))
    assert len(pauses) == 1
    assert 90 < pauses[0] <= 100


def test_what_was_answered_is_not_asked_again(dataset: Dataset, engine: Engine, tmp_path: Path) -> None:
    kept = tmp_path / "answers"
    engine.failures = [(200, {}), (400, {})]
    with pytest.raises(DataError):
        run(dataset, Endpoint(url=engine.url), kept=kept)
    # A line that was cut off in the middle is one that was not answered.
    kept.write_text(kept.read_text() + '["abc", [["EP1')
    found = run(dataset, Endpoint(url=engine.url), kept=kept)
    assert [body["query"]["match"]["text"][:10] for body in engine.asked] == ["A battery ", "A heated r", "A heated r"]
    assert answers(found)["US6B2"] == ["EP2B1", "EP1A1"]


def test_places_of_hits_can_be_named(dataset: Dataset, engine: Engine) -> None:
    engine.raw = json.dumps({"results": [{"doc": {"nr": "EP1A1"}}, {"doc": {"nr": "JP3A"}}]}).encode()
    found = run(dataset, Endpoint(url=engine.url, hits="results", id="doc.nr", score="score"))
    # Without scores the order of the answer counts.
    assert answers(found)["US6B2"] == ["EP1A1", "JP3A"]


@pytest.mark.parametrize(
    ("raw", "rule"),
    [(b"<html>", "answer is not JSON"), (b'{"hits": 3}', "no list at 'hits.hits'"),
     (b'{"hits": {"hits": [{"x": 1}]}}', "A hit has no id at '_id'")],
)  # fmt: skip
def test_answers_that_can_not_be_read_are_named(dataset: Dataset, engine: Engine, raw: bytes, rule: str) -> None:
    engine.raw = raw
    with pytest.raises(DataError, match=rule):
        run(dataset, Endpoint(url=engine.url))


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ({"url": "ftp://x"}, "http:// or https://"),
        ({"template": '{"q": 1}'}, "A template uses"),
        ({"template": '{"q": {{query}}, "f": {{family}}}'}, "Got 'family'"),
        ({"template": '{"q": {{query}}'}, "not JSON once its places are filled"),
    ],
)
def test_wrong_endpoints_are_named(words: dict[str, Any], rule: str) -> None:
    with pytest.raises(UsageError, match=rule):
        Endpoint(**{"url": "http://x", **words})
