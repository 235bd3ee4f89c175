"""Test collections built from citations: small worlds whose clusters are worked out by hand."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import patstone as ps
from collections_made import Row, files, made
from console import shell
from patstone.errors import DataError, UsageError

A1 = "US20120000001A1"
WORLD: list[Row] = [
    {"number": "US9000001B2", "date": "2015-04-07", "filed": "2013-01-02", "family": "1", "cpc": "G06F16/31",
     "language": "en", "claims": "1. A base.\n2. The base of claim 1.", "citations": [
        {"number": "US7000001B2", "cited_by": "examiner", "category": "X", "claims": [1]},
        {"number": "US7000002B2", "cited_by": "applicant"},
        {"number": "US8000001B2", "cited_by": "examiner", "category": "Y", "claims": [1, 2]},
        {"number": "EP1000009A1", "cited_by": "examiner"}]},
    {"number": "EP3000001A1", "date": "2014-09-01", "family": "1", "language": "en"},
    {"number": "US7000001B2", "date": "2007-02-13", "family": "2", "language": "en"},
    {"number": "EP1500001A1", "date": "2005-02", "family": "2", "language": "de"},
    {"number": "US7000002B2", "date": "2007-02-13", "family": "3", "language": "en"},
    {"number": "US8000001B2", "date": "2013-01-01", "filed": "2011-01-02", "family": "4", "language": "en",
     "citations": [{"number": "US7000001B2", "cited_by": "unknown", "category": "A"}]},
    {"number": A1, "date": "2013-01", "family": "4", "language": "en"},
    {"number": "US8500000B2", "date": "2013-08-20", "family": "5", "cpc": "A01B1/02", "language": "en",
     "citations": [{"number": "US8500001B2", "cited_by": "examiner"}]},
    {"number": "US8500001B2", "date": "2013-08-21", "family": "5", "language": "en",
     "citations": [{"number": "US8500000B2", "cited_by": "examiner"}]},
]  # fmt: skip


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> ps.Collection:
    return made(tmp_path_factory.mktemp("world"), WORLD)


def qrels(dataset: ps.Dataset, name: str = "qrels.txt") -> list[str]:
    return (dataset.path / name).read_text().splitlines()


def clusters(dataset: ps.Dataset) -> dict[str, set[tuple[str, str]]]:
    from pyarrow import parquet

    found: dict[str, set[tuple[str, str]]] = {}
    for row in parquet.read_table(dataset.path / "clusters.parquet").to_pylist():
        found.setdefault(row["topic"], set()).add((row["role"], row["document"]))
    return found


def test_clusters_worked_out_by_hand(world: ps.Collection, tmp_path: Path) -> None:
    """The applicant's citation, the own family and what is not older than the filing are left out."""
    dataset = ps.build(world, tmp_path / "out")
    assert clusters(dataset) == {
        "US8000001B2": {
            ("base", "US8000001B2"), ("own", A1), ("cited", "US7000001B2"), ("family", "EP1500001A1"),
        },
        "US9000001B2": {
            ("base", "US9000001B2"), ("own", "EP3000001A1"), ("cited", "US7000001B2"), ("family", "EP1500001A1"),
            ("cited", "US8000001B2"),
        },
    }  # fmt: skip
    graded = [line.split()[:4] for line in qrels(dataset)]
    assert graded == [
        ["US8000001B2", "0", "EP1500001A1", "1"],
        ["US8000001B2", "0", "US7000001B2", "1"],
        ["US9000001B2", "0", "EP1500001A1", "3"],
        ["US9000001B2", "0", "US7000001B2", "3"],
        ["US9000001B2", "0", "US8000001B2", "2"],
    ]
    assert not (dataset.path / "qrels-claims.txt").exists()
    counts = dataset.card["counts"]
    assert counts["citations of unknown documents"] == 1
    assert counts["citations by others than asked for"] == 1
    assert counts["families that cite themselves"] == 1
    assert counts["pairs that cite each other"] == 2
    assert counts["documents too late"] == 1
    assert counts["clusters without relevant documents"] == 2


def test_documents_and_queries_bring_their_texts(world: ps.Collection, tmp_path: Path) -> None:
    dataset = ps.build(world, tmp_path / "out")
    documents = [row["id"] for batch in dataset.documents("id") for row in batch.to_pylist()]
    assert documents == ["EP1500001A1", "EP3000001A1", "US7000001B2", A1, "US8000001B2", "US9000001B2"]
    last = dataset.queries.to_pylist()[-1]
    assert [(one["number"], one["text"], one["independent"]) for one in last["claims"]] == [
        (1, "A base.", True), (2, "The base of claim 1.", False),
    ]  # fmt: skip
    assert dataset.queries.column("topic").to_pylist() == ["US8000001B2", "US9000001B2"]


def test_claims_that_examiners_named_are_judged(world: ps.Collection, tmp_path: Path) -> None:
    dataset = ps.build(world, tmp_path / "out", with_claims=True)
    assert [line.split()[:4] for line in qrels(dataset, "qrels-claims.txt")] == [
        ["US9000001B2", "1", "EP1500001A1", "3"],
        ["US9000001B2", "1", "US7000001B2", "3"],
        ["US9000001B2", "1", "US8000001B2", "2"],
        ["US9000001B2", "2", "US8000001B2", "2"],
    ]
    assert dataset.card["counts"]["citations without claims, left out"] == 3


@pytest.mark.parametrize(
    ("words", "judgments"),
    [
        ({"before": "any"}, 6),
        ({"before": "filing"}, 5),
        ({"cited_by": ["any"]}, 6),
        ({"cited_by": ["applicant"]}, 1),
        ({"office": ["US"]}, 3),
        ({"language": ["en"]}, 3),
        ({"class_": ["G06F"]}, 3),
        ({"from_": "2014"}, 3),
        ({"to": "2013"}, 2),
        ({"kinds": ["B2"], "to": "2013-01"}, 2),
    ],
)
def test_filters(world: ps.Collection, tmp_path: Path, words: dict[str, Any], judgments: int) -> None:
    assert len(qrels(ps.build(world, tmp_path / "out", **words))) == judgments


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--office", "JP"], "--office leaves no document"),
        (["--kinds", "U1"], "--kinds leaves no document"),
        (["--from", "2020"], "--from leaves no document"),
        (["--to", "1999"], "--to leaves no document"),
        (["--class", "H04"], "--class leaves no document"),
        (["--language", "ja"], "--language leaves no document"),
        (["--cited-by", "third-party"], "--cited-by leaves no citation"),
        (["--office", "EP"], "No base document cites a document of the collection"),
        (["--class", "A01B"], "every citation is of the patent's own family"),
        (["--with-claims", "--to", "2014"], "--with-claims leaves no citation"),
    ],
)
def test_an_empty_result_names_what_emptied_it(
    world: ps.Collection, tmp_path: Path, words: list[str], reason: str
) -> None:
    ran = shell("build", str(world.path), "--out", str(tmp_path / "out"), *words)
    assert (ran.code, ran.out) == (3, "")
    assert f"The test collection would be empty: {reason}." in ran.err
    assert [*tmp_path.iterdir()] == []


def test_the_order_of_rows_does_not_show(tmp_path: Path) -> None:
    """Different sources in another order, another number of threads: the same bytes."""
    results = []
    for place in range(2):
        folder = tmp_path / str(place)
        folder.mkdir()
        rows = random.Random(place).sample(WORLD, len(WORLD))
        dataset = ps.build(
            made(folder, rows), folder / "out", sample=1, seed=3, also=["json"], memory="200MB", jobs=1 + place
        )
        found = files(dataset.path)
        card = json.loads(found.pop("card.json"))
        results.append((found, card["counts"], card["sizes"], card["sha256"]))
    assert results[0] == results[1]


def test_a_sample_is_a_part_that_the_seed_tells(world: ps.Collection, tmp_path: Path) -> None:
    found = {
        seed: ps.build(world, tmp_path / str(seed), sample=1, seed=seed).queries.column("topic").to_pylist()
        for seed in range(6)
    }
    assert {len(topics) for topics in found.values()} == {1}
    assert len({topics[0] for topics in found.values()}) == 2


@pytest.mark.parametrize("split", ["time", "family"])
def test_no_invention_is_on_two_sides(tmp_path: Path, split: Any) -> None:
    chance = random.Random(5)
    old = [{"number": f"US{7_000_000 + n}B2", "date": "2001-01-02", "family": f"o{n}"} for n in range(60)]
    new: list[Row] = [
        {"number": f"US{9_000_000 + n}B2", "date": f"20{10 + n % 9}-01-02", "family": f"n{n}",
         "examiner_citations": [f"US{7_000_000 + chance.randrange(60)}B2"]}
        for n in range(90)
    ]  # fmt: skip
    dataset = ps.build(made(tmp_path, [*old, *new]), tmp_path / "out", split=split)
    side = dict(zip(*(dataset.queries.column(name).to_pylist() for name in ("topic", "split")), strict=True))
    sides: dict[str, set[str]] = {}
    for line in qrels(dataset):
        topic, *_, invention = line.split()
        if side[topic]:
            sides.setdefault(invention, set()).add(side[topic])
    assert {len(one) for one in sides.values()} == {1}
    assert set(side.values()) >= {"train", "test"}
    assert sum(count for name, count in dataset.card["splits"].items() if name.startswith("topics:")) == 90


def test_the_command_prints_what_the_card_counts(world: ps.Collection, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = shell("build", str(world.path), "--out", str(out), "--also", "beir", "--json")
    told = json.loads(ran.out)
    assert told["counts"] == json.loads((out / "card.json").read_text())["counts"]
    assert {"table": "counts", "what": "clusters", "count": 2} in told["results"]
    assert ps.read_qrels(out).topics == ps.read_qrels(out / "beir").topics


def test_what_is_there_is_not_overwritten(world: ps.Collection, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(DataError, match="Something is there already"):
        ps.build(world, tmp_path)


@pytest.mark.parametrize(
    "words",
    [{"sample": 0}, {"from_": "May"}, {"class_": ["' OR 1"]}, {"before": "x"}, {"memory": "much"}, {"jobs": 0},
     {"cited_by": ["me"]}, {"also": ["x"]}, {"split": "x"}],
)  # fmt: skip
def test_calls_that_cannot_be_meant(world: ps.Collection, tmp_path: Path, words: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        ps.build(world, tmp_path / "out", **words)
