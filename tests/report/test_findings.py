from dataclasses import replace

import numpy as np
import pytest

from patstone.compare.significance import Comparison, Difference
from patstone.measures.measure import Measure, parse
from patstone.measures.scores import Scores
from patstone.report.findings import Finding, duel, finding, listed, ranked_systems, sentence

AP = parse("AP")


def scores(*means: float, measure: Measure = AP) -> Scores:
    """Systems a, b, c, … with the same value for each of four topics."""
    names = tuple("abcdefgh"[: len(means)])
    values = np.repeat(np.array(means)[:, None, None], 4, axis=2)
    return Scores(systems=names, measures=(measure,), topics=("1", "2", "3", "4"), values=values)


def comparison(told: Scores, apart: set[str], *, baseline: str | None = None) -> Comparison:
    """A comparison that tells exactly the pairs in `apart`, such as "ab", apart."""
    names = told.systems
    pairs = [(a, b) for a in names for b in names if a < b] if baseline is None else [(a, baseline) for a in names]
    rows = [
        Difference(
            a=a,
            b=b,
            measure=AP,
            difference=0.0,
            low=0.0,
            high=0.0,
            p=0.0,
            p_adjusted=0.049 if "".join(sorted(a + b)) in apart else 0.05,
            effect=0.0,
            wins=0,
            ties=0,
            losses=0,
            topics=4,
            unpaired=0,
        )
        for a, b in pairs
        if a != b
    ]
    return Comparison(
        rows=tuple(rows),
        groups={},
        test="t",
        permutations=0,
        resamples=0,
        confidence=0.95,
        seed=0,
        systems=names,
        measures=(AP,),
        baseline=baseline,
    )


def found(told: Scores, compared: Comparison | None = None) -> Finding:
    result = finding(told, 0, compared)
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("means", "apart", "said"),
    [
        ((0.5,), None, "a scores 0.5000 in AP."),
        (
            (0.25, 0.5),
            None,
            "b has the highest AP, 0.5000; whether it is really different from the others was not tested.",
        ),
        ((0.25, 0.5), {"ab"}, "b has the highest AP, 0.5000, and it is really better than a."),
        ((0.25, 0.5), set(), "b has the highest AP, 0.5000, but it can't be told apart from the other system."),
        (
            (0.1, 0.5, 0.2),
            {"ab", "bc"},
            "b has the highest AP, 0.5000, and it is really better than all 2 other systems.",
        ),
        (
            (0.1, 0.5, 0.2),
            {"ab", "ac"},
            "b has the highest AP, 0.5000, and it is really better than 1 of the other 2 systems; "
            "it can't be told apart from c.",
        ),
        (
            (0.1, 0.5, 0.2),
            set(),
            "b has the highest AP, 0.5000, but it can't be told apart from any of the other 2 systems.",
        ),
    ],
)
def test_the_answer(means: tuple[float, ...], apart: set[str] | None, said: str) -> None:
    told = scores(*means)
    assert sentence(found(told, None if apart is None else comparison(told, apart))) == said


@pytest.mark.parametrize(
    ("apart", "said"),
    [
        (
            {"bc", "ab"},
            "Measured by AP, c is really better than the baseline b; a is really worse than b; "
            "d can't be told apart from it.",
        ),
        ({"ab"}, "Measured by AP, a is really worse than the baseline b; c and d can't be told apart from it."),
        (set(), "Measured by AP, c, d and a can't be told apart from the baseline b."),
    ],
)
def test_the_answer_against_a_baseline(apart: set[str], said: str) -> None:
    told = scores(0.1, 0.5, 0.9, 0.6)
    assert sentence(found(told, comparison(told, apart, baseline="b"))) == said


def test_a_system_without_topics_is_not_ranked() -> None:
    told = scores(0.1, float("nan"), 0.2)
    assert ranked_systems(told, 0) == [2, 0]
    assert found(told).ranking == ("c", "a")
    assert finding(scores(float("nan")), 0, None) is None


def test_a_duel_is_between_the_best_two_or_with_the_baseline() -> None:
    told = scores(0.1, 0.5, 0.2)
    told.values[1, 0] = [0.5, 0.25, 0.2, 1.0]
    pair = duel(told, 0, None)
    assert pair is not None
    assert (pair.a, pair.b, pair.counts) == ("b", "c", (3, 1, 0))
    assert pair.differences.tolist() == [0.5 - 0.2, 0.25 - 0.2, 0.0, 0.8]
    against = duel(told, 0, comparison(told, set(), baseline="b"))
    assert against is not None
    assert (against.a, against.b, against.counts) == ("c", "b", (0, 1, 3))


def test_there_is_no_duel_alone_or_without_a_common_topic() -> None:
    assert duel(scores(0.5), 0, None) is None
    told = scores(0.5, 0.25)
    told.values[0, 0, :2] = np.nan
    told.values[1, 0, 2:] = np.nan
    assert duel(told, 0, None) is None


def test_lower_can_be_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Measure, "card", replace(AP.card, higher_is_better=False))
    told = scores(0.1, 0.5)
    assert (
        sentence(found(told, comparison(told, {"ab"})))
        == "a has the lowest AP, 0.1000, and it is really better than b."
    )
    pair = duel(told, 0, None)
    assert pair is not None
    assert (pair.a, pair.b, pair.counts) == ("a", "b", (4, 0, 0))


def test_long_lists_are_cut() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c", "d"]) == "a, b, c and d"
    assert listed(["a", "b", "c", "d", "e\x1b"]) == "a, b, c and 2 more"
