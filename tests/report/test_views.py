from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from patstone.compare.discrimination import discriminate
from patstone.compare.significance import Comparison, compare
from patstone.errors import UsageError
from patstone.measures.scores import Scores
from patstone.report import tables, views
from report.samples import three, world

INTERVALS = (np.full((3, 2), 0.125), np.full((3, 2), 0.875))


@pytest.fixture(scope="module")
def compared() -> tuple[Scores, Comparison]:
    scores = world(4, 30, 2)
    return scores, compare(scores, permutations=200, resamples=100)


def keys(record: Mapping[str, Any]) -> list[str]:
    return list(record)


def test_scores_for_people() -> None:
    assert tables.text(views.scores_table(three(), INTERVALS), 100).splitlines()[:7] == [
        "Means over up to 4 of 4 topics, gold standard 0123456789ab",
        "",
        "system  nDCG@10          interval  topics       AP          interval  topics",
        "──────  ───────  ────────────────  ──────  ───────  ────────────────  ──────",
        "bm25    0.5000   [0.1250, 0.8750]       4  0.2500*  [0.1250, 0.8750]       4",
        "dense   0.7500*  [0.1250, 0.8750]       4  0.1250   [0.1250, 0.8750]       4",
        "empty   0.0000   [0.1250, 0.8750]       4  –        [0.1250, 0.8750]       0",
    ]


def test_topics_stand_in_the_title_when_all_means_have_the_same() -> None:
    table = views.scores_table(world(2, 30, 2))
    assert table.title == "Means over 30 topics, gold standard 0123456789ab"
    assert [column.key for column in table.columns] == ["system", "nDCG@10", "AP"]


def test_scores_for_machines() -> None:
    rows = list(tables.records(views.scores_table(three(), INTERVALS, seed=3)))
    assert keys(rows[0]) == ["system", "measure", "value", "ci", "topics", "signature"]
    assert [list(row.values())[:-1] for row in rows] == [
        ["bm25", "nDCG@10", 0.5, [0.125, 0.875], 4],
        ["bm25", "AP", 0.25, [0.125, 0.875], 4],
        ["dense", "nDCG@10", 0.75, [0.125, 0.875], 4],
        ["dense", "AP", 0.125, [0.125, 0.875], 4],
        ["empty", "nDCG@10", 0.0, [0.125, 0.875], 4],
        ["empty", "AP", None, [0.125, 0.875], 0],
    ]
    assert rows[1]["signature"].startswith("AP|gold:0123456789ab|")
    assert "|seed:3|" in rows[1]["signature"]


def test_without_intervals_they_are_null() -> None:
    assert {row["ci"] for row in tables.records(views.scores_table(three()))} == {None}


def test_groups_and_what_they_mean(compared: tuple[Scores, Comparison]) -> None:
    scores, comparison = compared
    table = views.scores_table(scores, comparison=comparison)
    assert [column.heading for column in table.columns] == ["system", "nDCG@10", "group", "AP", "group"]
    expected = [" ".join(map(str, groups)) for groups in comparison.groups[scores.measures[0]]]
    assert [row[2] for row in table.rows] == expected
    assert expected[0].split()[0] == "1"
    assert any("share a group number" in note for note in table.notes)


def test_against_a_baseline_there_are_no_groups() -> None:
    scores = world(3, 20, 1)
    comparison = compare(scores, permutations=100, resamples=100, baseline="system 1")
    table = views.scores_table(scores, comparison=comparison)
    assert [column.key for column in table.columns] == ["system", "nDCG@10"]
    assert not any("group" in note for note in table.notes)


def test_by_topic() -> None:
    table = views.by_topic_table(three())
    assert table.rows[:3] == (
        ("q1", "bm25", 0.25, 0.25),
        ("q1", "dense", 1.0, 0.125),
        ("q1", "empty", 0.0, table.rows[2][3]),
    )
    rows = list(tables.records(table))
    assert len(rows) == 3 * 2 * 4
    assert rows[0] == {"system": "bm25", "measure": "nDCG@10", "topic": "q1", "value": 0.25, "ci": None, "topics": 1}
    assert rows[-1] == {"system": "empty", "measure": "AP", "topic": "q4", "value": None, "ci": None, "topics": 0}


def test_slices() -> None:
    table = views.slice_table(three(), "office")
    assert [row[:4] for row in table.rows[:2]] == [("EP", "bm25", 2, 0.375), ("EP", "dense", 2, 1.0)]
    assert [row[:4] for row in table.rows[3:5]] == [("US", "bm25", 2, 0.625), ("US", "dense", 2, 0.5)]
    assert tables.records(table)[0] == {
        "system": "bm25",
        "measure": "nDCG@10",
        "field": "office",
        "slice": "EP",
        "value": 0.375,
        "ci": None,
        "topics": 2,
    }


def test_an_unknown_slice_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no column 'ofice' to slice by; they have office"):
        views.slice_table(three(), "ofice")
    with pytest.raises(UsageError, match="no columns"):
        views.slice_table(replace(three(), metadata={}), "office")


def test_comparisons(compared: tuple[Scores, Comparison]) -> None:
    _, comparison = compared
    rows = list(tables.records(views.comparison_table(comparison)))
    first = comparison.rows[0]
    assert rows[0] == {
        "a": first.a,
        "b": first.b,
        "measure": str(first.measure),
        "difference": first.difference,
        "ci": [first.low, first.high],
        "p": first.p,
        "p_adjusted": first.p_adjusted,
        "effect": first.effect,
        "wins": first.wins,
        "ties": first.ties,
        "losses": first.losses,
        "topics": first.topics,
        "unpaired": first.unpaired,
    }
    assert len(rows) == 2 * 6


@pytest.mark.parametrize("test", ["randomisation", "t", "tukey"])
def test_the_test_is_named(test: Any) -> None:
    comparison = compare(world(3, 10, 1), test=test, permutations=100, resamples=100)
    words = views.test_words(comparison)
    assert {"randomisation": "paired randomisation", "t": "paired t test", "tukey": "Tukey HSD"}[test] in words
    assert ("Holm" in words) == (test != "tukey")


def test_discrimination() -> None:
    found = discriminate(world(4, 20, 2), resamples=100)
    power = list(tables.records(views.discrimination_table(found)))
    assert keys(power[0])[:3] == ["measure", "power", "smallest_difference"]
    assert [row["power"] for row in power] == [row.power for row in found.rows]
    agreement = list(tables.records(views.agreement_table(found)))
    assert agreement == [
        {"first": "nDCG@10", "second": "AP", "tau": found.agreement[0].tau, "tau_ap": found.agreement[0].tau_ap}
    ]


def test_too_few_permutations_are_said() -> None:
    comparison = compare(world(4, 20, 1), permutations=19, resamples=100)
    assert views.comparison_table(comparison).notes[1] == (
        "With 19 permutations no difference can be told apart: after correction no p-value is below 0.3000. "
        "Ask for more permutations."
    )
    assert len(views.comparison_table(compare(world(2, 20, 1), permutations=200, resamples=100)).notes) == 1
