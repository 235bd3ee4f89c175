"""The made-up world: the same from the same seed, its judgments what its texts say, nothing known before its time."""

from pathlib import Path

import pytest

from patstone.gold.dataset import CLAIMS, DOCUMENTS, JUDGMENTS, QUERIES, Dataset
from patstone.gold.passages import LEVELS
from patstone.gold.world import words
from patstone.gold.world.make import World, make_world, with_articles, write_world


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(3, topics=12, inventions=160)


@pytest.fixture(scope="module")
def dataset(world: World, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return write_world(world, tmp_path_factory.mktemp("world"))


def test_the_same_seed_gives_the_same_bytes(world: World, dataset: Dataset, tmp_path: Path) -> None:
    again = write_world(make_world(3, topics=12, inventions=160), tmp_path)
    for name in (DOCUMENTS, QUERIES, JUDGMENTS, CLAIMS):
        assert (again.path / name).read_bytes() == (dataset.path / name).read_bytes()
    assert make_world(4, topics=12, inventions=160) != world


def test_its_size_is_on_the_card(world: World, dataset: Dataset) -> None:
    counts = dataset.card["counts"]
    assert counts["documents"] == len(world.documents) == sum(batch.num_rows for batch in dataset.documents("id"))
    assert counts["queries"] == 12 == len(dataset.qrels().topics)


def test_cited_documents_are_earlier_and_of_other_families(world: World) -> None:
    for topic in world.topics:
        cited = world.cited(topic)
        assert cited
        assert all(one.record["date"] < topic.invention.filed.isoformat() for one in cited)
        assert topic.record["family"] not in {one.record["family"] for one in cited}


def test_grades_are_numbers_of_paragraphs(world: World) -> None:
    documents = {one.record["id"]: one for one in world.documents}
    topics = {one.record["id"]: one for one in world.topics}
    most = max(count for one in world.documents for count in one.paragraphs.values())
    rows = list(world.judgments())
    assert {row["grade"] for row in rows} <= set(range(1, LEVELS + 1))
    for row in rows:
        asking, cited = topics[row["topic"]], documents[row["document"]]
        feature = asking.invention.features[int(row["claim"]) - 1]
        quality = asking.invention.qualities[feature]
        spoken = [
            paragraph
            for paragraph in cited.record["description"].split("\n\n")
            if any(
                f"{quality} {word.replace('-', ' ')} " in paragraph.replace("The ", "")
                or f" {quality} {word.replace('-', ' ')}" in paragraph
                for word in feature.split("/")
            )
        ]
        # Each paragraph counted stands in the text.
        assert len(spoken) >= cited.paragraphs[feature]
        assert row["grade"] == -(-LEVELS * cited.paragraphs[feature] // most)


def test_claims_depend_on_the_first_or_stand_alone(world: World) -> None:
    for one in world.topics:
        claims = one.record["claims"]
        assert claims[0]["independent"]
        assert all(("of claim 1" in each["text"]) is not each["independent"] for each in claims)


def test_articles() -> None:
    assert with_articles("A ionic liquid and a anode on a lens") == "An ionic liquid and an anode on a lens"
    assert not [word for word in words()["words"]["qualities"] if word != word.lower()]
