"""Papers 3 and 5 on the made-up world, and on a collection of one's own."""

from pathlib import Path

import pytest

import small_collection as small
from patstone.errors import DataError
from patstone.experiments.reproduce.paper5 import by_turns, ideal_run, one_by_one
from patstone.experiments.reproduce.registry import Given, Row, tables
from patstone.files.ids import texts
from patstone.gold.world.make import make_world, write_world


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Given:
    folder = tmp_path_factory.mktemp("world")
    write_world(make_world(1, topics=30, inventions=220), folder)
    return Given(dataset=folder)


def rows(name: str, given: Given) -> list[Row]:
    return tables()[name].reproduced(given, skip=False)


def test_33_runs_under_27_measures(given: Given) -> None:
    found = rows("paper5.runs", given)
    assert len({row.row for row in found}) == 33
    assert len({row.measure for row in found}) == 27
    assert all(row.ours is not None and row.ours >= 0 for row in found)


def test_discriminative_power_is_a_share(given: Given) -> None:
    found = rows("paper5.table3", given)
    assert [row.row for row in found[:3]] == ["R@100", "AP", "PRES@100"]
    assert all(row.ours is not None and 0 <= row.ours <= 1 for row in found)


def test_the_curves_cross_as_the_paper_says() -> None:
    # The whole bundled world, since that is what the page shows.
    found = {(row.row, row.measure): row for row in rows("paper5.figures5-6", Given())}
    assert found["small gamma", "coverage is higher"].verdict == "pass"
    assert found["large gamma", "single relevance is higher"].verdict == "pass"
    values = [found[f"{tenth / 10:g}", "coverage"].ours or 0 for tenth in range(1, 10)]
    assert values == sorted(values)


def test_two_ways_to_arrange_what_is_relevant(tmp_path: Path) -> None:
    claims = [["a", "b"], ["c", "a", "d"]]
    assert by_turns(claims) == ["a", "c", "b", "a", "d"]
    assert one_by_one(claims) == ["a", "b", "c", "a", "d"]
    gold = small.write(tmp_path / "small").qrels()
    run = ideal_run(gold, "x", one_by_one)
    # Claim 1 is independent and so first; of claim 2 the higher grade.
    assert texts(run.docs[:3]) == ["EP1A1", "JP3A", "EP2B1"]


def test_fifteen_clusters(given: Given) -> None:
    found = rows("paper3.table", given)
    topics = {row.row for row in found if row.verdict == "shown"} - {"mean"}
    assert len(topics) == 15
    assert all(topic.startswith("US") for topic in topics)
    values = {(row.row, row.measure): row.ours or 0.0 for row in found}
    for topic in topics:
        assert values[topic, "found inventions"] <= values[topic, "found documents"]
        share = values[topic, "found inventions"] / values[topic, "inventions"]
        assert values[topic, "R@20"] == pytest.approx(share)
        assert values[topic, "s@20"] == (share > 0)
        assert values[topic, "h@20"] == (share == 1)
    for name in ("s@20", "h@20", "P@20", "R@20"):
        mean = sum(values[topic, name] for topic in topics) / 15
        assert values["mean", name] == pytest.approx(mean)
    assert [row.verdict for row in found[-3:]] == ["pass"] * 3


def test_collections_that_are_too_small_or_know_no_claims(tmp_path: Path) -> None:
    folder = small.write(tmp_path / "small", claims=False).path
    with pytest.raises(DataError, match="Paper 3 needs 15 queries of the office US"):
        rows("paper3.table", Given(dataset=folder))
    with pytest.raises(DataError, match=r"judgments of claims \(qrels-claims"):
        rows("paper5.runs", Given(dataset=folder))
