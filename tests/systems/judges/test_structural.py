"""Structural features move the way their names say, and a score per criterion follows them."""

import numpy as np
import pytest

from patstone.systems.judges.structural import AGAINST, ALONE, FEATURES, Structural, features, introduced
from patstone.systems.judges.tokens import words

GOLD = """\
1. A pump comprising: a housing; a rotor in the housing; and a seal between the rotor and the housing.
2. The pump of claim 1, wherein the rotor has three blades.
3. The pump of claim 2, wherein the seal is of rubber.
"""


def change(old: str, new: str) -> dict[str, float]:
    """How each feature moves when the gold's own text is changed."""
    assert old in GOLD
    before, after = features(GOLD, GOLD), features(GOLD, GOLD.replace(old, new))
    return {name: after[name] - before[name] for name in before if after[name] != before[name]}


def test_the_gold_is_like_itself() -> None:
    found = features(GOLD, GOLD)
    assert {name: found[name] for name in AGAINST} == dict.fromkeys(AGAINST, 1.0)
    assert set(found) == {*AGAINST, *ALONE}


def test_every_feature_speaks_of_one_criterion() -> None:
    told = [name for names in FEATURES.values() for name in names]
    assert sorted([*told, "elements_known"]) == sorted([*AGAINST, *ALONE])


@pytest.mark.parametrize(
    ("old", "new", "feature"),
    [
        (" and a seal between the rotor and the housing", "", "elements_found"),
        ("a rotor in", "an impeller of the wheel in", "antecedents"),
        ("a rotor in the housing", "a rotor of approximately suitable shape", "plain_words"),
        ("the rotor has", "the rotor is configured to move", "plain_phrases"),
        ("claim 2", "claim 7", "references"),
        ("three blades.", "three blades. It turns. The rotor is big.", "one_sentence"),
        ("and a seal between", "and a housing between", "introduced_once"),
        ("2. The pump of claim 1, wherein the rotor has three blades.\n", "", "claim_count"),
        ("3. The pump of claim 2, wherein the seal", "3. A seal that", "dependencies"),
        ("A pump", "A compressor", "preamble"),
        (
            "The pump of claim 2, wherein the seal is of rubber",
            "The pump of claim 1, wherein the rotor has three blades",
            "not_repeated",
        ),
    ],
)
def test_a_fault_lowers_its_feature(old: str, new: str, feature: str) -> None:
    assert change(old, new)[feature] < 0


def test_more_than_the_gold_says_is_known_less() -> None:
    moved = change("of rubber.", "of rubber; and a pedal; and a gearbox driven by chains.")
    assert moved["elements_known"] < 0
    assert "elements_found" not in moved


def test_terms_are_what_an_article_introduces() -> None:
    assert introduced(words("a housing; an inner ring of the rotor, a rotor.")) == [
        ("housing",),
        ("inner", "ring"),
        ("rotor",),
    ]


def test_scores_by_criterion() -> None:
    judge = Structural()
    scores = judge.score([GOLD, GOLD], [GOLD, "1. A thing for about everything."])
    assert scores.shape == (2, 5)
    assert (scores[0] >= scores[1]).all()
    assert scores[:, 4].tolist() == pytest.approx(scores[:, :4].mean(axis=1).tolist())


def test_without_a_gold_completeness_is_not_judged() -> None:
    scores = Structural().score([""], [GOLD])[0]
    assert np.isnan(scores[0])
    assert np.isfinite(scores[1:]).all()


@pytest.mark.parametrize("text", ["", ".", "1.", "1. 2. 3.", "the said the", "\x00", "1. Eine Pumpe mit einem Rotor."])
def test_any_text_has_features_in_their_range(text: str) -> None:
    for gold in (GOLD, ""):
        assert all(0 <= value <= 1 for value in features(gold, text).values())
