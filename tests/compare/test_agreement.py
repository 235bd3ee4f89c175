"""Agreement by class, reviewer and pair with intervals, and gold standards made from reviews."""

import numpy as np
import pytest

from labelled import gold_of
from patstone.compare.agreement import agree, agreement, viewed
from patstone.compare.classifiers import Sampling
from patstone.errors import DataError
from patstone.gold.reviews import Reviews
from patstone.measures.agreement import STATISTICS

FEW = Sampling(resamples=300)


def reviews(*columns: str, units: int | None = None) -> Reviews:
    """A text for each reviewer: 1, 0 or a dot, for families from 1."""
    answers = np.array([["01".find(letter) for letter in column] for column in columns], dtype=np.int8).T
    names = tuple(str(place + 1) for place in range(units or len(answers)))
    return Reviews(units=names, reviewers=tuple("ABCD"[: len(columns)]), answers=answers)


THREE = reviews("11110000..", "1111000011", "1010010.00")


def test_every_statistic_has_an_interval_that_holds_it() -> None:
    found = {(each.statistic, each.of): each for each in agreement(THREE, FEW)}
    assert {name for name, of in found if of == "all"} == set(STATISTICS)
    assert {of for name, of in found if name == "cohen"} == {"all", "A – B", "A – C", "B – C"}
    assert {of for name, of in found if name == "raw"} == {"all", "A", "B", "C"}
    assert found["cohen", "A – B"].value == 1.0
    for each in found.values():
        assert each.low - 1e-9 <= each.value <= each.high + 1e-9
    # The one who differs is the one without whom the rest agree.
    assert found["alpha without", "C"].value == 1.0
    assert found["raw", "C"].value < found["raw", "A"].value


@pytest.mark.parametrize("columns", [("1010",), ("11..", "..00")])
def test_agreement_needs_two_labels_somewhere(columns: tuple[str, ...]) -> None:
    with pytest.raises(DataError, match="Agreement needs"):
        agreement(reviews(*columns), FEW)


def test_views_are_gold_standards_of_the_reviewed_units() -> None:
    gold = gold_of("++--+", publications=2)
    told = reviews("10.1", "110.")
    narrow = viewed(told, gold, "narrow")
    assert (narrow.name, narrow.units, narrow.positive.tolist()) == (
        "gold-narrow",
        ("1", "2", "3", "4"),
        [True, False, False, True],
    )
    assert len(narrow.numbers) == len(narrow.titles) == len(narrow.of) == 8
    assert narrow.of.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    consensus = viewed(told, gold, "consensus")
    assert (consensus.units, consensus.positive.tolist()) == (("1", "3", "4"), [True, False, True])
    found = agree(told, gold, FEW)
    assert found.changed == {"consensus": 1, "generous": 1, "narrow": 2}
    assert (found.counts["ties"], found.counts["gaps"]) == (1, 2)


def test_reviews_of_strangers_alone_are_refused() -> None:
    told = Reviews(units=("x", "y"), reviewers=("A", "B"), answers=np.ones((2, 2), dtype=np.int8))
    with pytest.raises(DataError, match="name no unit of the gold standard"):
        viewed(told, gold_of("+-"), "consensus")
