"""Claim sets from texts, specifications, Word documents, JSON and sources of patents."""

import json
from pathlib import Path

import pytest

from patstone.errors import DataError, UsageError
from patstone.patents.collection.converting import convert
from patstone.patents.publication import Rejected
from patstone.patents.readers.claimsets import NamedClaims, read_claim_sets

CLAIMS = "1. A pump comprising a lid.\n2. The pump of claim 1, wherein the lid is red."


def read(path: Path, content: str, **words: str) -> list[NamedClaims]:
    path.write_text(content, encoding="utf-8")
    found = list(read_claim_sets(path, **words))
    assert not any(isinstance(one, Rejected) for one in found), found
    return [one for one in found if isinstance(one, NamedClaims)]


def texts(one: NamedClaims) -> list[tuple[int, str]]:
    return [(claim.number, claim.text) for claim in one.claims]


EXPECTED = [(1, "A pump comprising a lid."), (2, "The pump of claim 1, wherein the lid is red.")]


def test_a_plain_text_knows_its_lines(tmp_path: Path) -> None:
    (found,) = read(tmp_path / "draft.txt", f"\n{CLAIMS}\n")
    assert (found.name, texts(found), found.starts) == ("draft.txt", EXPECTED, ((2, 4), (3, 4)))


def test_the_claims_of_a_specification_begin_at_their_heading(tmp_path: Path) -> None:
    body = f"PUMP\n\n1. Field\n\nPumps are old.\n\nWhat is claimed is:\n\n{CLAIMS}\n\nABSTRACT\n\nA pump is shown.\n"
    (found,) = read(tmp_path / "spec.txt", body)
    assert (texts(found), found.starts) == (EXPECTED, ((9, 4), (10, 4)))


@pytest.mark.parametrize(
    "row",
    [
        {"id": "a", "claims": CLAIMS},
        {"id": "a", "text": CLAIMS},
        {"id": "a", "claims": CLAIMS.split("\n")},
        {"id": "a", "claims": [text for _, text in EXPECTED]},
        {"id": "a", "claims": [{"number": number, "text": text} for number, text in EXPECTED]},
        {"id": "a", "claims": [{"num": str(number), "claim_text": text} for number, text in EXPECTED]},
    ],
)
def test_layouts_of_json(tmp_path: Path, row: dict[str, object]) -> None:
    (found,) = read(tmp_path / "a.jsonl", json.dumps(row) + "\n")
    assert (found.name, texts(found)) == ("a", EXPECTED)
    assert [texts(one) for one in read(tmp_path / "a.json", json.dumps([row, row]))] == [EXPECTED] * 2


def test_parents_that_json_names(tmp_path: Path) -> None:
    rows = [{"number": 1, "text": "A pump."}, {"number": 2, "text": "Red pump.", "depends_on": [1]}]
    (found,) = read(tmp_path / "a.jsonl", json.dumps({"claims": rows}))
    assert [claim.references for claim in found.claims] == [None, (1,)]
    assert found.name == "1"


def test_each_side_of_a_comparison_is_a_set(tmp_path: Path) -> None:
    row = {"gold_claim": CLAIMS, "A": CLAIMS, "B": "1. A cup.", "human_eval": {"Quality": 1}}
    found = read(tmp_path / "pairs.json", json.dumps([row, row]))
    assert [one.name for one in found] == ["1 gold_claim", "1 A", "1 B", "2 gold_claim", "2 A", "2 B"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"id": "a"}, "must hold its claims under"),
        ({"claims": 7}, "Claims are a text or a list. Got 7."),
        ({"claims": [7]}, "A claim is a text or an object"),
        ({"claims": [{"number": "x", "text": "A pump."}]}, "an object with number and text"),
        ({"claims": [{"number": 1}]}, "an object with number and text"),
        ({"claims": [{"text": "A pump.", "depends_on": ["1"]}]}, "depends on a list of numbers"),
        ({"claims": ""}, "There are no claims under 'claims'"),
    ],
)
def test_what_is_wrong_with_an_object_is_said(tmp_path: Path, row: dict[str, object], reason: str) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n" + json.dumps({"claims": CLAIMS}) + "\n")
    rejected, found = read_claim_sets(tmp_path / "a.jsonl")
    assert isinstance(rejected, Rejected)
    assert reason in rejected.reason
    assert rejected.offset == 1
    assert isinstance(found, NamedClaims)


def test_a_table_of_patents_is_read_by_its_reader(tmp_path: Path) -> None:
    (found,) = read(tmp_path / "a.csv", 'number,claims\nUS10000000B2,"1. A pump. 2. A cup."\n')
    assert (found.name, texts(found)) == ("US10000000B2", [(1, "A pump."), (2, "A cup.")])


def test_a_folder_of_patents(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('number,claims\nUS10000000B2,"1. A pump."\n')
    (found,) = read_claim_sets(tmp_path)
    assert isinstance(found, NamedClaims)
    assert texts(found) == [(1, "A pump.")]


def test_a_collection_is_read_from_its_table_of_claims(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f'number,claims\nUS10000000B2,"{CLAIMS}"\nUS10000001B2,"1. A cup."\n')
    convert([tmp_path / "a.csv"], tmp_path / "made")
    found = [one for one in read_claim_sets(tmp_path / "made") if isinstance(one, NamedClaims)]
    assert [one.name for one in found] == ["US10000000B2", "US10000001B2"]
    assert texts(found[0]) == EXPECTED
    assert [claim.references for claim in found[0].claims] == [(), (1,)]


def test_the_language_can_be_named_and_the_format_too(tmp_path: Path) -> None:
    (found,) = read(tmp_path / "a.txt", "1. Pumpe.", language="de", format="text")
    assert found.claims[0].language == "de"
    with pytest.raises(UsageError, match="must be one of auto, text"):
        list(read_claim_sets(tmp_path / "a.txt", format="pdf"))


def test_an_empty_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(" \n")
    with pytest.raises(DataError, match="There are no claims"):
        list(read_claim_sets(tmp_path / "a.txt"))
