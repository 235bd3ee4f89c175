"""A matrix of searches: each run with its card, whatever works on it, and on again after a stop."""

import json
from pathlib import Path
from typing import Any

import pytest

import small_collection as small
from patstone.errors import DataError, MissingExtra, UsageError
from patstone.experiments import retrieval
from patstone.experiments.retrieval import Backend, grid
from patstone.gold.dataset import Dataset
from patstone.systems.searchers.formulation import Formulation
from patstone.systems.searchers.models import parse_model
from patstone.systems.searchers.search import Search
from patstone.systems.trec import write_trec


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return small.write(tmp_path / "small")


def matrix(*, k: int = 10) -> list[Search]:
    models, queries = ("bm25", "rrf(tfidf+lm-jm)"), ("claims", "each-claim")
    return [Search(model=parse_model(m), query=Formulation.parse(q), k=k) for m in models for q in queries]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_run_has_its_card(dataset: Dataset, tmp_path: Path) -> None:
    made = list(grid(dataset, matrix(), tmp_path / "runs", backend="none"))
    assert sorted(one.path.name for one in made) == [
        "bm25.claims.run", "bm25.each-claim.run", "rrf-tfidf+lm-jm-.claims.run", "rrf-tfidf+lm-jm-.each-claim.run",
    ]  # fmt: skip
    card = json.loads((tmp_path / "runs" / "bm25.claims.run.json").read_text())
    assert card["signature"].startswith("bm25(k1=1.2,b=0.75)|query:claims|fields:title+abstract+claims+description|")
    assert (card["topics"], card["rows"]) == (2, 5)


@pytest.mark.parametrize("backend", ["processes", "threads"])
def test_backends_give_the_same_bytes(dataset: Dataset, tmp_path: Path, backend: Backend) -> None:
    list(grid(dataset, matrix(), tmp_path / "one", backend="none"))
    list(grid(dataset, matrix(), tmp_path / "other", backend=backend, jobs=2))
    assert contents(tmp_path / "one") == contents(tmp_path / "other")


def test_what_is_done_is_kept_and_the_rest_is_made(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def stopped(run: Any, path: Path) -> None:
        if "each-claim" in path.name:
            raise KeyboardInterrupt
        write_trec(run, path)

    monkeypatch.setattr(retrieval, "write_trec", stopped)
    with pytest.raises(KeyboardInterrupt):
        list(grid(dataset, matrix(), tmp_path / "runs", backend="none"))
    monkeypatch.undo()
    # The second run was stopped between its card and itself: it isn't done.
    assert [one.made for one in grid(dataset, matrix(), tmp_path / "runs", backend="none")] == [False, True, True, True]
    list(grid(dataset, matrix(), tmp_path / "whole", backend="none"))
    assert contents(tmp_path / "runs") == contents(tmp_path / "whole")


def test_an_index_that_a_killed_grid_left_is_used_and_removed(dataset: Dataset, tmp_path: Path) -> None:
    from patstone.systems.searchers.index import build

    index = build(dataset)
    left = tmp_path / "runs" / f".index-{index.digest}"
    left.mkdir(parents=True)
    index.save(left)
    list(grid(dataset, matrix(), tmp_path / "runs", backend="threads", jobs=2))
    assert not left.exists()
    list(grid(dataset, matrix(), tmp_path / "whole", backend="none"))
    assert contents(tmp_path / "runs") == contents(tmp_path / "whole")


def test_a_run_made_in_another_way_is_not_taken_for_done(dataset: Dataset, tmp_path: Path) -> None:
    list(grid(dataset, matrix(), tmp_path / "runs", backend="none"))
    with pytest.raises(DataError, match=r"bm25\.claims\.run: A run is there that was made in another way"):
        list(grid(dataset, matrix(k=5), tmp_path / "runs", backend="none"))


def test_searches_that_are_alike_are_refused(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"alike: 'bm25\.claims\.run'"):
        list(grid(dataset, [matrix()[0]] * 2, tmp_path / "runs"))


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_clusters_are_extras(
    dataset: Dataset, tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    import builtins

    real = builtins.__import__

    def without(name: str, *rest: Any, **words: Any) -> Any:
        if name.partition(".")[0] in ("distributed", "ray"):
            raise ImportError(name)
        return real(name, *rest, **words)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=rf"pip install 'patstone\[{backend}\]'"):
        list(grid(dataset, matrix(), tmp_path / "runs", backend=backend))
    assert not list((tmp_path / "runs").iterdir())


def test_a_search_without_terms_says_so(dataset: Dataset) -> None:
    from patstone.systems.searchers.index import build

    search = Search(model=parse_model("bm25"), query=Formulation.parse("claims,idf=90..99"))
    with pytest.raises(DataError, match="No query has a term of the collection in its claims,idf"):
        search.run(dataset, build(dataset))
