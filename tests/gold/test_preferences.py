"""Comparisons as values: what they count, what is odd about them, and how rated candidates become comparisons."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from patstone.errors import DataError, UsageError
from patstone.gold.criteria import criterion, in_order, titles
from patstone.gold.preference_files import read_preferences
from patstone.gold.preferences import NOTHING, Preferences, compared, folded, recurring, text_key

GOLD = "1. A pump comprising a rotor."
Read = Callable[[Any], Preferences]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def from_json(whole: Any) -> Preferences:
        path = tmp_path / "pairs.json"
        path.write_text(whole if isinstance(whole, str) else json.dumps(whole))
        return read_preferences(path)

    return from_json


def comparison(**other: Any) -> dict[str, Any]:
    return {"gold_claim": GOLD, "A": "1. A pump.", "B": "1. A fan.", "human_eval": {"Quality": 1}} | other


def test_the_published_layout(read: Read) -> None:
    found = read([comparison(), comparison(B=["1. A fan.", "2. A big fan."], human_eval={"Quality": -1})])
    assert found.criteria == ("overall",)
    assert found.labels.tolist() == [[1.0], [-1.0]]
    assert [found.texts[place] for place in found.b] == ["1. A fan.", "1. A fan.\n2. A big fan."]
    assert found.items == ("1", "2")
    assert found.counts == {"items": 2, "golds": 1, "candidates": 3, "with_identical_candidate": 0}


def test_criteria_have_one_name() -> None:
    assert [criterion(name) for name in ("Quality", "Feature_Completeness", "logical linkage", "Style ")] == [
        "overall",
        "completeness",
        "linkage",
        "Style",
    ]
    assert in_order(["Style", "overall", "clarity", "Style"]) == ("clarity", "overall", "Style")
    assert len(titles()) == 5


def test_lines_and_tables_say_the_same(tmp_path: Path, read: Read) -> None:
    whole = read([comparison(human_eval={"clarity": "B", "overall": 0})])
    (tmp_path / "pairs.jsonl").write_text(
        json.dumps({"gold": GOLD, "a": "1. A pump.", "b": "1. A fan.", "clarity": -1, "overall": "tie"}) + "\n" * 2
    )
    (tmp_path / "pairs.csv").write_text(
        f'gold,A,B,Conceptual Clarity,Quality,office\n"{GOLD}",1. A pump.,1. A fan.,-1,0,EP\n'
    )
    for name in ("pairs.jsonl", "pairs.csv"):
        found = read_preferences(tmp_path / name)
        assert found.digest == whole.digest, name
        assert found.criteria == ("clarity", "overall")


def test_columns_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("truth,ours,theirs,expert\ng,x,y,1\n")
    columns = {"gold": "truth", "A": "ours", "B": "theirs", "overall": "expert"}
    assert read_preferences(path, columns=columns).labels.tolist() == [[1.0]]
    with pytest.raises(UsageError, match="no column 'colour'"):
        read_preferences(path, columns={"colour": "truth"})


def test_long_rows_with_a_criterion_each(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("gold,a,b,criterion,label\ng,x,y,clarity,1\ng,x,y,Logic,-1\n")
    found = read_preferences(path)
    assert found.criteria == ("clarity", "linkage")
    np.testing.assert_array_equal(found.labels, [[1, np.nan], [np.nan, -1]])


def test_ratings_become_comparisons(read: Read) -> None:
    rated = [
        {"gold": GOLD, "candidate": text, "ratings": {"Quality": rating}}
        for text, rating in (("one", 4), ("two", 2.5), ("three", 4))
    ]
    found = read([*rated, {"gold": "another", "candidate": "alone", "ratings": {"Quality": 3}}])
    assert (found.b == NOTHING).all()
    pairs = compared(found)
    assert pairs.items == ("1:2", "1:3", "2:3")
    assert pairs.labels.tolist() == [[1.0], [0.0], [-1.0]]
    assert [(finding.rule, finding.rows) for finding in pairs.findings] == [("unpaired", (4,))]


def test_rankings_become_comparisons(read: Read) -> None:
    found = read(
        [
            {
                "gold": GOLD,
                "candidates": {"x": "one", "y": "two", "z": "three"},
                "rankings": {"Quality": ["z", ["x", "y"]]},
            }
        ]
    )
    pairs = compared(found)
    assert dict(zip(pairs.items, pairs.labels[:, 0].tolist(), strict=True)) == {
        "1/x:1/y": 0.0,
        "1/x:1/z": -1.0,
        "1/y:1/z": -1.0,
    }


def test_comparisons_stay_as_they_are(read: Read) -> None:
    found = read([comparison()])
    assert compared(found) is found


def test_identical_candidates_whatever_the_white_space(read: Read) -> None:
    found = read([comparison(), comparison(A=" 1. A pump\n comprising  a rotor. ")])
    assert found.identical.tolist() == [False, True]
    assert folded(" a\n b ") == "a b"
    assert text_key("a b") == text_key(" a\n b") != text_key("ab")


def test_what_is_odd_is_found(read: Read) -> None:
    found = read(
        [
            comparison(B="1. A pump."),
            comparison(B="1. A pump.", human_eval={"Quality": 0}),
            comparison(),
            comparison(A="1. A fan.", B="1. A pump."),
            comparison(human_eval={}),
        ]
    )
    rules = {finding.rule: finding.rows for finding in found.findings}
    assert rules == {
        "same-candidates": (2,),
        "same-but-unequal": (1,),
        "no-label": (5,),
        "repeated": (2, 4, 5),
        "conflicting": (4,),
    }


def test_the_digest_knows_content_and_not_order(read: Read) -> None:
    one, two = comparison(), comparison(A="1. A valve.")
    assert read([one, two]).digest == read([two, one]).digest
    assert read([one]).digest != read([two]).digest
    assert read([one]).digest != read([comparison(human_eval={"Quality": 0})]).digest
    assert read([one]).digest != read([comparison(human_eval={"clarity": 1})]).digest


def test_groups_and_parts(read: Read) -> None:
    found = read([comparison(), comparison(gold_claim="other"), comparison(gold_claim=""), {"A": "x", "B": "y"}])
    assert len(set(found.groups.tolist())) == 4
    part = found.taken(np.array([False, True, False, False]))
    assert part.items == ("2",)
    assert recurring(found) == 6 / 8


BAD = {
    "not a list": ("1", "must hold a list"),
    "a number in the list": ("[1]", "must be a JSON object"),
    "broken": ('[{"gold_claim": ]', "not valid JSON"),
    "a broken line": ('{"a": "x", "b": "y"}\n{"a": \n', "line 2: The line is not valid JSON"),
    "nothing": ("[]", "no comparisons"),
    "no candidate": ('[{"gold_claim": "x"}]', "has none of them"),
    "no text": ('[{"gold_claim": "x", "A": 7, "B": "y"}]', "The A must be claims"),
    "an empty text": ('[{"gold_claim": "x", "A": " ", "B": "y"}]', "The A must be claims"),
    "a label out of range": ('[{"A": "x", "B": "y", "human_eval": {"Quality": 2}}]', "label of overall must be 1"),
    "a label that is no number": ('[{"A": "x", "B": "y", "human_eval": {"Quality": "good"}}]', "must be a number"),
    "a truth value": ('[{"A": "x", "B": "y", "human_eval": {"Quality": true}}]', "must be a number"),
    "two golds": ('[{"gold": "x", "reference": "z", "A": "x", "B": "y"}]', "mean 'gold'"),
    "ratings of others": ('[{"candidates": ["x"], "ratings": {"Quality": [1, 2]}}]', "ratings of overall must name"),
    "a ranking twice": ('[{"candidates": ["x", "y"], "rankings": {"Quality": [0, 0]}}]', "each once"),
    "candidates as a word": ('[{"candidates": "x"}]', "Candidates are a list"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD.keys())
def test_bad_files_are_refused_in_one_sentence(read: Read, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(text)
