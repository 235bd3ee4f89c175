"""Golds are parted in three, golds that share a candidate never, and what can't be parted is refused."""

from dataclasses import replace

import numpy as np
import pytest

from claim_worlds import comparisons
from patstone.errors import UsageError
from patstone.experiments.judge_training.material import PARTS, grouped, parted, prepare
from patstone.gold.preferences import Item, collected


def test_no_gold_and_no_candidate_is_in_two_parts() -> None:
    material = prepare(comparisons(40))
    found = material.preferences
    for column in (found.gold, found.a, found.b):
        for text in np.unique(column):
            assert len(set(material.part[column == text].tolist())) == 1
    shares = [float((material.part == place).mean()) for place in range(len(PARTS))]
    assert shares == pytest.approx([0.6, 0.2, 0.2], abs=0.05)


def test_pairs_of_rows_are_the_comparisons() -> None:
    material = prepare(comparisons(10))
    found = material.preferences
    for row in range(len(found)):
        assert material.candidates[material.a[row]] == found.texts[found.a[row]]
        assert material.candidates[material.b[row]] == found.texts[found.b[row]]
        assert material.golds[material.a[row]] == found.texts[found.gold[row]]


def test_golds_that_share_a_candidate_stay_together() -> None:
    items = [
        Item(
            name=str(place),
            gold=f"g{place}",
            a=f"shared {place // 2}",
            b=f"own {place}",
            labels={"overall": 1.0},
            line=place,
        )
        for place in range(20)
    ]
    groups, notes = grouped(collected(items, name="x", criteria=("overall",)))
    assert [(groups == group).nonzero()[0].tolist() for group in groups[::2]] == [
        [place, place + 1] for place in range(0, 20, 2)
    ]
    assert notes == ()


def test_a_candidate_under_all_golds_is_noted() -> None:
    items = [
        Item(name=str(place), gold=f"g{place}", a="everywhere", b=f"own {place}", labels={"overall": 1.0}, line=place)
        for place in range(20)
    ]
    groups, notes = grouped(collected(items, name="x", criteria=("overall",)))
    assert len(set(groups.tolist())) == 20
    assert "too kind" in notes[0]


def test_another_seed_parts_otherwise() -> None:
    groups = np.repeat(np.arange(30), 4)
    assert parted(groups, 0.2, 0).tolist() == parted(groups, 0.2, 0).tolist() != parted(groups, 0.2, 1).tolist()


def test_what_can_not_be_trained_on() -> None:
    whole = comparisons(10)
    with pytest.raises(UsageError, match="no labels for linkage"):
        prepare(whole, ["linkage"])
    with pytest.raises(UsageError, match="at least 5 golds"):
        prepare(whole.taken(np.arange(6)))
    with pytest.raises(UsageError, match="--validation"):
        prepare(whole, validation=0.6)
    with pytest.raises(UsageError, match="needs a gold"):
        prepare(replace(whole, gold=whole.gold * 0 - 1))
