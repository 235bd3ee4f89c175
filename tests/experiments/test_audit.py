"""The seven criteria: what each verdict turns on, tried on gold standards with one fault each, and on the sample."""

from dataclasses import replace

import numpy as np
import pytest

from labelled import gold_of
from patstone import labelling
from patstone.errors import DataError, UsageError
from patstone.experiments.audit import CRITERIA, Limits, audit, usage
from patstone.experiments.difficulty import difficulty
from patstone.gold import sample
from patstone.gold.findings import Finding
from patstone.gold.labels import GoldStandard
from patstone.gold.reviews import Reviews
from patstone.gold.vocabulary import nearest

SCOPE = "Ion traps that hold ions in a field of radio frequency for computing, " * 3 + "excluding clocks."


def made(rng: np.random.Generator, *, apart: float, positives: int = 300, negatives: int = 400) -> GoldStandard:
    """Titles of six words out of twelve; a share of `apart` of the positives also says what it is."""
    words = np.array(
        ["field", "laser", "beam", "gate", "line", "mode", "array", "layer", "node", "bus", "cell", "port"]
    )
    gold = gold_of("+" * positives + "-" * negatives)
    titles = [" ".join(rng.permutation(words)[:6]) for _ in gold.units]
    tells = gold.positive & (rng.random(len(gold)) < apart)
    said = [f"qubit {title}" if told else title for told, title in zip(tells.tolist(), titles, strict=True)]
    return replace(gold, titles=tuple(said), scope=SCOPE)


@pytest.fixture(scope="module")
def hard() -> GoldStandard:
    return made(np.random.default_rng(1), apart=0.6)


def verdicts(gold: GoldStandard, **words: object) -> dict[str, str]:
    return {each.criterion: each.verdict for each in audit([gold], **words)[0].criteria}  # type: ignore[arg-type]


def test_every_criterion_has_a_verdict_and_evidence(hard: GoldStandard) -> None:
    found = audit([hard])[0]
    assert tuple(each.criterion for each in found.criteria) == CRITERIA
    assert all(each.evidence for each in found.criteria)
    # What is unknown says what would settle it.
    assert all(each.settle for each in found.criteria if each.verdict == "unknown")
    assert found.failed == ()
    assert found.verdict("challenging") == "pass"


@pytest.mark.parametrize(
    ("scope", "verdict"),
    [("", "fail"), ("Ion traps, excluding clocks.", "warn"), ("Ion traps. " * 30, "warn"), (SCOPE, "pass")],
)
def test_scope(hard: GoldStandard, scope: str, verdict: str) -> None:
    assert verdicts(replace(hard, scope=scope))["scope"] == verdict


def test_a_word_that_gives_the_class_away_makes_it_easy_and_dependent() -> None:
    found = verdicts(made(np.random.default_rng(2), apart=1.0))
    assert (found["challenging"], found["independent"]) == ("fail", "fail")


def test_metadata_that_give_the_class_away_are_noticed(hard: GoldStandard) -> None:
    dates = ["1999-01-01" if yes else "2015-01-01" for yes in hard.positive]
    found = audit([replace(hard, dates=tuple(dates))])[0]
    assert found.verdict("independent") == "fail"
    assert difficulty(hard, gamma=0.2, seed=0).metadata_auc == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(("positives", "verdict"), [(400, "pass"), (320, "warn"), (200, "fail")])
def test_size_is_what_training_uses_up(positives: int, verdict: str) -> None:
    """At |T| = 350, 175 of 320, of 256 and of 160 positives outside H."""
    gold = made(np.random.default_rng(3), apart=0.6, positives=positives, negatives=600)
    assert verdicts(gold)["size"] == verdict


def test_usage_is_figure_3() -> None:
    """Section 8.2: about 58 % of 435 - 87 positives at 400, and 72 % at 500."""
    gold = gold_of("+" * 435 + "-" * 994)
    assert usage(gold, Limits(), 400)[3] == pytest.approx(200 / 348)
    assert usage(gold, Limits(), 500)[3] == pytest.approx(250 / 348)


def test_agreement_goes_by_alpha(hard: GoldStandard) -> None:
    rng = np.random.default_rng(4)
    truth = rng.random(100) < 0.5
    for flips, verdict in ((0.0, "pass"), (0.07, "warn"), (0.4, "fail")):
        told = np.stack([truth ^ (rng.random(100) < flips) for _ in range(2)], axis=1).astype(np.int8)
        reviews = Reviews(units=hard.units[:100], reviewers=("A", "B"), answers=told)
        assert audit([hard], reviews=reviews)[0].verdict("agreement") == verdict


def test_identification(hard: GoldStandard) -> None:
    warning = Finding(rule="empty-title", severity="warning", rows=(2,), message="1 publications have no title.")
    error = Finding(rule="two-families", severity="error", rows=(2, 3), message="Publication …")
    unread = Finding(rule="ambiguous-number", severity="warning", rows=tuple(range(2, 20)), message="18 …")
    for finding, verdict in ((warning, "warn"), (error, "fail"), (unread, "fail")):
        assert verdicts(replace(hard, findings=(finding,)))["identification"] == verdict


def test_diversity_is_of_all_of_them(hard: GoldStandard) -> None:
    others = []
    for name, words in (("waffles", "iron batter grid heat timer plate"), ("doors", "hinge lock frame seal pane knob")):
        titles = [" ".join(np.random.default_rng(5).permutation(words.split(" "))) for _ in hard.units]
        others.append(
            replace(
                hard, name=name, titles=tuple(t if y else "thing" for t, y in zip(titles, hard.positive, strict=True))
            )
        )
    one = audit([hard])[0]
    three = audit([hard, *others])
    twice = audit([hard, replace(hard, name="again"), others[0]])
    assert one.verdict("diversity") == "unknown"
    assert {each.verdict("diversity") for each in three} == {"pass"}
    assert {each.verdict("diversity") for each in twice} == {"warn"}
    assert nearest([hard, hard])[0] == pytest.approx(1.0)


def test_shared_titles_are_findings_with_their_rows(hard: GoldStandard) -> None:
    titles = list(hard.titles)
    titles[0] = titles[1] = titles[-1] = "ion trap with a cryogenic shield"
    rules = {finding.rule: finding for finding in audit([replace(hard, titles=tuple(titles))])[0].findings}
    assert rules["shared-title-across-classes"].rows[:2] == (2, 3)
    assert len(hard) + 1 in rules["shared-title-across-classes"].rows


def test_one_class_and_nothing_are_refused(hard: GoldStandard) -> None:
    with pytest.raises(DataError, match="one class only"):
        audit([gold_of("++")])
    with pytest.raises(UsageError, match="at least one gold standard"):
        audit([])
    with pytest.raises(UsageError, match="audit it alone"):
        audit([hard, hard], codes=[])


def test_the_same_seed_gives_the_same_audit(hard: GoldStandard) -> None:
    assert audit([hard], seed=3)[0].criteria == audit([hard], seed=3)[0].criteria


def test_the_sample() -> None:
    found = labelling.audit(sample.LABELS, reviews=sample.HERE / "reviews.csv", codes=sample.HERE / "codes.csv")[0]
    assert {each.criterion: each.verdict for each in found.criteria} == {
        "scope": "pass",
        "agreement": "warn",
        "diversity": "unknown",
        "size": "warn",
        "challenging": "pass",
        "independent": "pass",
        "identification": "warn",
    }
