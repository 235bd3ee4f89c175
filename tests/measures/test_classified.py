"""Answers meet labels: how they are matched, folded and decided, and that nothing is lost without a count."""

import numpy as np
import pytest

from labelled import gold_of, said, scored
from patstone.errors import DataError, UsageError
from patstone.measures.classified import Classified, Rules, classify
from patstone.systems.predictions import Predictions


def cells(one: Classified) -> tuple[float, ...]:
    counts = one.confusion()
    return tuple(float(cell) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))


def test_labels_by_family() -> None:
    one = classify(gold_of("++--"), said("+-+-"))
    assert cells(one) == (1, 1, 1, 1)
    assert (one.threshold, one.scores) == (None, None)


@pytest.mark.parametrize(("missing", "expected"), [("zero", (1, 0, 1, 2)), ("skip", (1, 0, 0, 1))])
def test_a_family_without_an_answer_is_settled_and_counted(missing: str, expected: tuple[int, ...]) -> None:
    one = classify(gold_of("++--"), said("+.-."), Rules(missing=missing))  # type: ignore[arg-type]
    assert cells(one) == expected
    assert one.counts["missing"] == 2


def test_a_missing_answer_can_be_an_error() -> None:
    with pytest.raises(DataError, match=r"Each family needs an answer; this one has none\. Got '2'"):
        classify(gold_of("++"), said("+."), Rules(missing="error"))


@pytest.mark.parametrize(
    ("fold", "expected"), [("max", [True, True, False]), ("mean", [True, False, False]), ("min", [True, False, False])]
)
def test_publications_fold_into_their_family_by_a_rule(fold: str, expected: list[bool]) -> None:
    gold = gold_of("+++", publications=2)
    scores = dict(zip(gold.numbers, [0.9, 0.8, 0.9, 0.1, 0.2, 0.3], strict=True))
    one = classify(gold, Predictions.from_dict(scores), Rules(fold=fold))  # type: ignore[arg-type]
    assert one.said.tolist() == expected
    labels = {number: score > 0.5 for number, score in scores.items()}
    assert classify(gold, Predictions.from_dict(labels), Rules(fold=fold)).said.tolist() == expected  # type: ignore[arg-type]


def test_a_majority_votes_by_the_mean() -> None:
    gold = gold_of("+", publications=3)
    votes = dict(zip(gold.numbers, [True, True, False], strict=True))
    assert classify(gold, Predictions.from_dict(votes), Rules(fold="mean")).said.tolist() == [True]


@pytest.mark.parametrize(
    ("scores", "rules", "threshold", "expected"),
    [
        ([0.5, 0.51], Rules(), 0.5, [False, True]),
        ([-0.1, 0.1], Rules(), 0.0, [False, True]),
        ([0.5, 0.71], Rules(threshold=0.7), 0.7, [False, True]),
    ],
)
def test_a_score_above_the_threshold_is_positive(
    scores: list[float], rules: Rules, threshold: float, expected: list[bool]
) -> None:
    one = classify(gold_of("++"), scored(scores), rules)
    assert (one.threshold, one.said.tolist()) == (threshold, expected)


def test_labels_decide_beside_scores_unless_a_threshold_is_given() -> None:
    both = Predictions(name="both", ids=("1", "2"), labels=np.array([True, False]), scores=np.array([0.1, 0.9]))
    assert classify(gold_of("++"), both).said.tolist() == [True, False]
    assert classify(gold_of("++"), both, Rules(threshold=0.5)).said.tolist() == [False, True]
    with pytest.raises(UsageError, match="said has labels and no scores: leave --threshold out"):
        classify(gold_of("+"), said("+"), Rules(threshold=0.5))


def test_another_spelling_of_a_number_is_found_and_counted_and_strangers_are_too() -> None:
    gold = gold_of("+-")
    told = {"EP 1 000 010 A1": True, gold.numbers[1]: True, "US20150012345A1": True}
    one = classify(gold, Predictions.from_dict(told))
    assert one.said.tolist() == [True, True]
    assert (one.counts["by_number"], one.counts["unknown"], one.counts["missing"]) == (1, 1, 0)


def test_answers_that_are_all_strangers_are_an_error() -> None:
    with pytest.raises(DataError, match="None of these answers is about a family"):
        classify(gold_of("+-"), Predictions.from_dict({"x": True}))


def test_an_answer_given_twice_is_an_error_or_counts_once() -> None:
    twice = Predictions(name="twice", ids=("1", "1"), labels=np.array([True, False]), lines=(2, 3))
    with pytest.raises(DataError, match=r"line 3: .*answered once; duplicates=first"):
        classify(gold_of("+"), twice)
    one = classify(gold_of("+"), twice, Rules(duplicates="first"))
    assert (one.said.tolist(), one.counts["repeated"]) == ([True], 1)


@pytest.mark.parametrize("words", [{"fold": "sum"}, {"missing": "drop"}, {"threshold": float("nan")}])
def test_rules_are_checked(words: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="must be"):
        Rules(**words)  # type: ignore[arg-type]
