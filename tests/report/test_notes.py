from collections.abc import Mapping
from dataclasses import replace

import pytest

from patstone.gold.qrels import Qrels
from patstone.measures.engine import score
from patstone.measures.measure import parse
from patstone.measures.policies import Policies
from patstone.report.notes import _SENTENCES, _TOTAL, notes
from patstone.systems.lengths import Lengths
from patstone.systems.run import Run
from report.samples import three


def say(counts: Mapping[str, Mapping[str, int]], policies: Policies | None = None) -> tuple[str, ...]:
    return notes(replace(three(), counts=counts, policies=policies or Policies()))


def test_every_count_of_the_engine_has_its_sentence() -> None:
    gold = Qrels.from_dict({"t": {"EP1": 1, "EP2": 1}, "u": {"EP1": 0}})
    run = Run.from_dict({"t": {"EP1": 1.0, "EP2": 1.0, "US3": 0.5, "t": 0.1}, "x": {"EP9": 1.0}}, name="bm25")
    rules = Policies(self="document", offices=("EP",), duplicates="first", depth=1)
    found = score(gold, [run], ["P@1"], policies=rules, lengths=Lengths.from_dict({"EP1": 7}))
    said = {key for key in found.counts["bm25"] if not _TOTAL.fullmatch(key)}
    assert {
        "missing_topics",
        "norel_topics",
        "extra_topics",
        "tied",
        "office_removed",
        "beyond_depth",
        "no_length",
    } <= said
    assert {"own_relevant", "office_relevant"} <= said
    assert said <= set(_SENTENCES)


def test_counts_that_are_zero_say_nothing() -> None:
    assert say({"bm25": {"missing_topics": 0}}) == ()
    assert say({}) == ()


@pytest.mark.parametrize(
    ("key", "count", "policies", "sentence"),
    [
        ("missing_topics", 3, Policies(), "3 of 4 judged topics are not in the run; each counts as 0 (missing=zero)."),
        (
            "missing_topics",
            1,
            Policies(missing="skip"),
            "1 of 4 judged topics is not in the run; each is left out of the mean (missing=skip).",
        ),
        ("norel_topics", 2, Policies(), "2 of 4 topics have no relevant document; each counts as 0 (norel=zero)."),
        (
            "own_relevant",
            1,
            Policies(self="document"),
            "1 relevant document of the gold standard is the topic's own document: no ranking may show what still "
            "counts as relevant (self=document).",
        ),
        (
            "office_relevant",
            2,
            Policies(offices=("EP",)),
            "2 relevant documents of the gold standard are of other offices: no ranking may show what still counts "
            "as relevant (offices=EP).",
        ),
        ("extra_topics", 1, Policies(), "1 topic of the run is not judged and is not scored."),
        (
            "self_removed",
            2,
            Policies(),
            "2 documents of the topic's own document or family were removed from the rankings (self=family).",
        ),
        (
            "self_kept",
            2,
            Policies(),
            "2 documents named like the topic were left in the rankings; self=document takes them out.",
        ),
        (
            "beyond_depth",
            1,
            Policies(depth=10),
            "1 ranked document beyond depth 10 was not looked at (depth=10).",
        ),
        (
            "office_removed",
            1,
            Policies(offices=("EP", "WO")),
            "1 document of other offices was removed from the rankings (offices=EP,WO).",
        ),
        (
            "duplicates",
            1200,
            Policies(duplicates="first"),
            "1,200 documents stood twice in a topic's list; the better place counts (duplicates=first).",
        ),
        (
            "tied",
            2,
            Policies(ties="expected"),
            "2 documents have the score of another one; ties are broken by the mean over all orders (ties=expected).",
        ),
        ("something_{new}", 5, Policies(), "5 something {new}."),
    ],
)
def test_each_count_in_words(key: str, count: int, policies: Policies, sentence: str) -> None:
    assert say({"bm25": {key: count}}, policies) == (f"bm25: {sentence}",)


def test_runs_with_the_same_count_share_a_sentence() -> None:
    counts = {"a": {"extra_topics": 2}, "b": {"extra_topics": 2}, "c": {"extra_topics": 7}}
    assert say(counts) == (
        "a, b: 2 topics of the run are not judged and are not scored.",
        "c: 7 topics of the run are not judged and are not scored.",
    )


def test_many_different_counts_become_a_range() -> None:
    scores = replace(
        three(), systems=tuple("abcde"), counts={name: {"tied": 10 + place} for place, name in enumerate("abcde")}
    )
    assert notes(scores) == (
        "every run: 10 to 14 documents have the score of another one; ties are broken by document id, descending "
        "(ties=docid).",
    )
    four = replace(scores, counts={name: scores.counts[name] for name in "abcd"})
    assert notes(four)[0].startswith("4 of 5 runs: 10 to 13 documents")


def test_the_share_that_is_judged_as_deep_as_the_measures_look() -> None:
    counts = {"retrieved": 4000, "judged": 90, "retrieved@10": 40, "judged@10": 39, "retrieved@5": 20, "judged@5": 20}
    scores = replace(three(), counts={"bm25": counts}, measures=(parse("AP"), parse("P@10"), parse("P@5")))
    assert notes(scores) == (
        "bm25: judged are 100% of the first 5, 98% of the first 10, 2% of all ranked documents;"
        " what nobody judged counts as not relevant.",
    )
    assert notes(replace(scores, measures=(parse("P@5"),))) == ()


def test_many_runs_share_one_sentence_of_ranges() -> None:
    counts = {name: {"retrieved@10": 40, "judged@10": 10 * place} for place, name in enumerate("abcd")}
    scores = replace(three(), systems=tuple("abcd"), counts=counts, measures=(parse("P@10"),))
    assert notes(scores) == (
        "every run: judged are 0% to 75% of the first 10; what nobody judged counts as not relevant.",
    )
