"""Scores of whole runs: the plain engine's values for every policy, every count, and every refusal."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from io import BytesIO

import numpy as np
import pytest

from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.gold.qrels import Floats, Qrels
from patstone.measures.engine import score
from patstone.measures.measure import Measure, parse
from patstone.measures.policies import Policies
from patstone.measures.ranked import Ranked
from patstone.measures.scores import Scores
from patstone.patents.families import Families
from patstone.systems.lengths import Lengths
from patstone.systems.run import Answers, Run
from patstone.systems.trec import TrecRun
from plain import Evaluated, Twice, as_ranked, by_topic, evaluate
from rankings import World, world

EXPECTED = ("AP", "nDCG@3", "P@1", "R@3", "RR", "Rprec", "Bpref", "Judged@3", "Success@1", "PRES@3")
FIXED = (*EXPECTED, "TBG@3", "ERR@3", "RBP", "H@3", "MR@2")


def plainly(measure: Measure, ranked: Ranked, rules: Policies) -> Floats:
    """The value of each topic, each policy taken one after the other."""
    card = measure.card
    level = {"rel": rules.rel} if card.has_rel else {}
    kernel = card.expected if rules.ties == "expected" else card.kernel
    assert kernel is not None
    values = kernel(ranked, **measure.arguments | level).tolist()
    for topic in range(len(values)):
        grades = ranked.gold.grades[ranked.gold.topic == topic]
        nothing = not (grades >= rules.rel if level else grades > 0).any()
        if not ranked.answered[topic]:
            values[topic] = 0.0 if rules.missing == "zero" else np.nan
        if nothing and card.judges_relevance and rules.norel == "skip":
            values[topic] = np.nan
    return np.array(values)


def with_families(given: World) -> Qrels:
    """The gold standard with a family named for each document: the one it has, or one of its own."""
    gold, known = given.gold, given.rules.families
    if known is None:
        return gold
    docs = ids.texts(gold.docs)
    topics = [gold.topics[topic] for topic in gold.topic.tolist()]
    # Documents stand alone topic by topic, which is the same: an invention is found for one topic.
    named = [known.get(doc) or f"alone {doc}" for doc in docs]
    again = Qrels.from_columns(topics, docs, gold.grades.tolist(), inventions=named)
    return replace(gold, inventions=again.inventions)


def found_plainly(given: World) -> Evaluated | None:
    """None where the run can't be scored."""
    try:
        found = evaluate(given.gold, by_topic(given.rows), given.rules)
    except Twice:
        return None
    return found if found.retrieved else None


@pytest.mark.parametrize("ties", ["docid", "input", "expected"])
def test_the_plain_engine_s_values(ties: str) -> None:
    seen = 0
    for seed in range(2000, 2150):
        given = world(seed, ties=ties)
        found = found_plainly(given)
        if found is None:
            continue
        measures = [parse(text) for text in (EXPECTED if ties == "expected" else FIXED)]
        runs: list[Answers] = [given.file(), Run(**{**vars(given.columns()), "name": "again"})]
        rules = given.rules.policies
        scores = score(given.gold, runs, measures, policies=rules, families=given.families, lengths=given.lengths)
        ranked = replace(as_ranked(found), gold=with_families(given))
        values = [plainly(measure, ranked, rules) for measure in measures]
        for system in range(2):
            np.testing.assert_allclose(scores.values[system], values, rtol=1e-12, atol=1e-15, err_msg=str(seed))
        assert scores.counts["run"] == scores.counts["again"]
        seen += 1
    assert seen > 100


GOLD = {"t1": {"a": 2, "b": 0, "c": 1}, "t2": {"a": 1}, "t3": {"a": 0, "b": -1}}
RUN = {"t1": {"x": 3.0, "a": 2.0, "b": 2.0, "y": 1.0}, "t3": {"a": 1.0}, "u1": {"a": 1.0}, "u2": {"a": 1.0}}


def scored(
    *measures: str,
    gold: Mapping[str, Mapping[str, float]] = GOLD,
    run: Mapping[str, Mapping[str, float]] = RUN,
    families: Families | None = None,
    **policies: object,
) -> Scores:
    rules = Policies(**policies)  # type: ignore[arg-type]
    return score(Qrels.from_dict(gold), [Run.from_dict(run)], measures or ["AP"], policies=rules, families=families)


def counts(**policies: int) -> dict[str, int]:
    return {name: count for name, count in scored("P@2", **policies).counts["run"].items() if count}  # type: ignore[arg-type]


def test_every_count_by_hand() -> None:
    """Of t1's judged documents a and b share a score, c is not found; t3's a is found; t2 is missing, u1, u2 extra."""
    expected = {"topics": 3, "missing_topics": 1, "norel_topics": 1, "extra_topics": 2, "retrieved": 5, "judged": 3}
    expected |= {"tied": 2, "retrieved@2": 3, "judged@2": 2}
    assert counts() == expected
    assert counts(rel=2) == expected | {"norel_topics": 2}
    # With depth 2 the tied b is the second, as it is above a by id, and y and a are not looked at.
    assert counts(depth=2) == expected | {"retrieved": 3, "judged": 2, "beyond_depth": 2}


def test_counts_are_there_when_nothing_was_counted() -> None:
    names = ("missing_topics", "norel_topics", "extra_topics", "duplicates", "office_removed", "beyond_depth", "tied")
    scores = scored(gold={"t": {"a": 1}}, run={"t": {"a": 1.0}})
    assert {name: scores.counts["run"][name] for name in names} == dict.fromkeys(names, 0)


def test_own_documents_are_counted_and_leave() -> None:
    gold = {"EP1": {"EP1": 1, "US1": 1, "JP1": 1, "EP2": 1}}
    run = {"EP1": {"EP1": 9.0, "US1": 8.0, "X": 7.0, "JP1": 6.0, "EP2": 5.0}, "extra": {"extra": 1.0}}
    families = Families.from_dict({"EP1": "f", "US1": "f", "JP1": "f", "EP2": "g"})
    for policy, known, value, count in [
        ("family", families, 1 / 2, {"self_removed": 3}),
        ("family", None, 1.0, {"self_kept": 1}),
        ("document", families, 1.0, {"self_removed": 1}),
        ("document", None, 1.0, {"self_removed": 1}),
        ("keep", families, 1.0, {"self_kept": 1}),
    ]:
        scores = scored("RR", gold=gold, run=run, families=known, self=policy)
        assert scores.values.tolist() == [[[value]]]
        found = scores.counts["run"]
        assert {name: n for name, n in found.items() if name.startswith("self_") and n} == count


def test_families_say_which_documents_are_one_invention() -> None:
    """EP1 and US1 are one of the two inventions; with each document for itself they would be two of three."""
    gold, run = {"q": {"EP1": 1, "US1": 1, "JP2": 1}}, {"q": {"EP1": 2.0, "US1": 1.0}}
    families = Families.from_dict({"EP1": "A", "US1": "A"})
    assert scored("MR@20", "MP@20", "R@20", gold=gold, run=run).means.tolist() == [[2 / 3, 2 / 20, 2 / 3]]
    for policy in ("family", "keep"):
        found = scored("MR@20", "MP@20", "R@20", gold=gold, run=run, families=families, self=policy)
        assert found.means.tolist() == [[1 / 2, 1 / 20, 2 / 3]]


def test_a_gold_standard_that_names_inventions_keeps_them() -> None:
    gold = Qrels.from_columns(["q", "q"], ["EP1", "US1"], [1, 1], inventions=["A", "B"])
    families = Families.from_dict({"EP1": "A", "US1": "A"})
    found = score(gold, [Run.from_dict({"q": {"EP1": 1.0}})], ["MR@20"], families=families)
    assert found.means.tolist() == [[1 / 2]]


def test_relevant_documents_that_no_ranking_may_show_are_counted() -> None:
    """EP1 itself and US1 of its family are judged relevant, JP9 is of another office; US2 can be found."""
    gold = {"EP1": {"EP1": 1, "US1": 2, "JP9": 1, "US2": 1, "WO1": 0}}
    run = {"EP1": {"EP1": 3.0, "JP9": 2.0, "US2": 1.0}}
    families = Families.from_dict({"EP1": "f", "US1": "f", "JP9": "g"})
    found = scored("R@20", gold=gold, run=run, families=families, offices=("EP", "US"))
    assert found.means.tolist() == [[1 / 4]]
    assert {name: n for name, n in found.counts["run"].items() if name.endswith("_relevant")} == {
        "own_relevant": 2,
        "office_relevant": 1,
    }
    assert scored("R@20", gold=gold, run=run, families=families, rel=2).counts["run"]["own_relevant"] == 1
    alone = scored("R@20", gold=gold, run=run, families=families, self="document")
    assert alone.counts["run"]["own_relevant"] == 1
    assert "own_relevant" not in scored("R@20", gold=gold, run=run, families=families, self="keep").counts["run"]


def test_families_that_nobody_knows_are_counted() -> None:
    gold = {"EP1": {"US1": 1, "US2": 1}, "EP2": {"US1": 1, "JP9": 0}}
    run = {"EP1": {"US1": 1.0}, "EP2": {"US1": 1.0}}
    families = Families.from_dict({"EP1": "f", "US1": "g", "JP9": ""})
    found = scored("MR@20", gold=gold, run=run, families=families).counts["run"]
    assert (found["no_invention"], found["no_family"]) == (1, 1)
    kept = scored("MR@20", gold=gold, run=run, families=families, self="keep").counts["run"]
    assert kept["no_invention"] == 1
    assert "no_family" not in kept


def test_what_else_the_numbers_depend_on_is_named() -> None:
    plain = scored("AP")
    assert (plain.families, plain.lengths) == (None, None)
    families, lengths = Families.from_dict({"a": "f"}), Lengths.from_dict({"a": 7})
    found = score(Qrels.from_dict(GOLD), [Run.from_dict(RUN)], ["AP"], families=families, lengths=lengths)
    assert (found.families, found.lengths) == (families.digest, lengths.digest)
    assert found.gold == plain.gold
    # Of the run's six rows one topic's a has a length, and the other topics' three a.
    assert found.counts["run"]["no_length"] == 3


def test_a_family_of_its_own_topic_only() -> None:
    """What is t1's family stays in the list of t2, and a document without a family is nobody's relative."""
    gold = {"t1": {"a": 1, "b": 1}, "t2": {"a": 1, "t1": 1}}
    run = {"t1": {"a": 2.0, "b": 1.0}, "t2": {"t1": 2.0, "a": 1.0, "t2": 3.0}}
    families = Families.from_dict({"t1": "f", "a": "f", "t2": "", "b": ""})
    scores = scored("RR", gold=gold, run=run, families=families)
    assert scores.values.tolist() == [[[1.0, 1.0]]]
    assert scores.counts["run"]["self_removed"] == 2


def test_offices() -> None:
    gold = {"t": {"EP1": 1, "US1": 1, "EPX": 1}}
    run = {"t": {"US1": 4.0, "WO1": 3.0, "E": 2.5, "EPX": 2.0, "EP1": 1.0}}
    scores = scored("P@2", gold=gold, run=run, offices=("EP",))
    assert scores.values.tolist() == [[[1.0]]]
    assert scores.counts["run"]["office_removed"] == 3
    assert scored("P@2", gold=gold, run=run, offices=("EP", "US")).counts["run"]["office_removed"] == 2
    assert scored("P@2", gold=gold, run=run, offices=("JP",)).values.tolist() == [[[0.0]]]


def test_an_emptied_list_is_answered() -> None:
    scores = scored("P@1", gold={"t": {"EP1": 1}}, run={"t": {"EP1": 1.0}}, offices=("US",), missing="error")
    assert scores.values.tolist() == [[[0.0]]]
    assert scores.counts["run"]["missing_topics"] == 0


def test_missing_and_norel() -> None:
    nan = pytest.approx(np.nan, nan_ok=True)
    run = {"t1": {"a": 1.0}, "t3": {"a": 1.0}}
    assert scored("P@1", run=run).values.tolist() == [[[1.0, 0.0, 0.0]]]
    assert scored("P@1", run=run, missing="skip").values[0, 0].tolist() == [1.0, nan, 0.0]
    assert scored("P@1", run=run, norel="skip").values[0, 0].tolist() == [1.0, 0.0, nan]
    both = scored("P@1", run=run, norel="skip", missing="skip")
    assert both.values[0, 0].tolist() == [1.0, nan, nan]
    assert (both.means.tolist(), both.topics_counted.tolist()) == ([[1.0]], [[1]])
    # The level decides what a topic without a relevant document is; Judged needs none.
    assert scored("P(rel=2)@1", run=run, norel="skip").values[0, 0].tolist() == [1.0, nan, nan]
    assert scored("P@1", run=run, norel="skip", rel=2).values[0, 0].tolist() == [1.0, nan, nan]
    assert scored("Judged@1", run=run, norel="skip").values[0, 0].tolist() == [1.0, 0.0, 1.0]
    with pytest.raises(DataError, match="must answer every judged topic") as caught:
        scored(run=run, missing="error")
    assert caught.value.value == "t2"


def test_float32_scores_tie_where_float64_do_not() -> None:
    gold, run = {"t": {"a": 1}}, {"t": {"a": 1.0 + 1e-9, "b": 1.0}}
    assert scored("P@1", gold=gold, run=run).values.tolist() == [[[1.0]]]
    scores = scored("P@1", gold=gold, run=run, scores="float32")
    assert scores.values.tolist() == [[[0.0]]]
    assert scores.counts["run"]["tied"] == 1
    # What is beyond 32 bits is infinite, and infinities tie.
    huge = {"t": {"a": 1e300, "b": 1e40, "c": -1e300}}
    assert scored("P@1", gold=gold, run=huge, scores="float32").values.tolist() == [[[0.0]]]


def test_the_default_level_is_the_policy_s_unless_the_measure_says_its_own() -> None:
    scores = scored("P@2", "P(rel=1)@2", "P(rel=2)@2", "nDCG@2", rel=2)
    assert [str(measure) for measure in scores.measures] == ["P(rel=2)@2", "P(rel=1)@2", "P(rel=2)@2", "nDCG@2"]


def test_lengths_are_read_in_rank_order() -> None:
    """TBG: x of 100 words, not relevant, then b above a by id, of 50 words and not relevant."""
    lengths = Lengths.from_dict({"x": 100, "b": 50, "a": 10}, default=1)
    gold, run = Qrels.from_dict({"t1": GOLD["t1"]}), Run.from_dict({"t1": RUN["t1"]})
    value = score(gold, [run], ["TBG"], lengths=lengths).values[0, 0, 0]
    seconds = 2 * 4.4 + (0.018 * 100 + 7.8) * 0.39 + (0.018 * 50 + 7.8) * 0.39
    assert value == pytest.approx(0.4928 * 2 ** (-seconds / 224), rel=1e-15)


def test_several_runs_keep_to_themselves() -> None:
    gold = Qrels.from_dict(GOLD)
    runs = [Run.from_dict(RUN, name="one"), Run.from_dict({"t2": {"a": 1.0}}, name="two")]
    scores = score(gold, runs, ["P@1", "RR"])
    assert scores.systems == ("one", "two")
    assert scores.values.tolist() == [[[0, 0, 0], [1 / 3, 0, 0]], [[0, 1, 0], [0, 1, 0]]]
    assert scores.counts["two"]["missing_topics"] == 2
    assert scores.gold == gold.digest


REFUSED: list[tuple[dict[str, object], type[Exception], str]] = [
    (
        {"run": {"other": {"a": 1.0}}},
        DataError,
        "'run' must share a topic with the gold standard, which has 't1'.*'other'",
    ),
    ({"run": {}}, DataError, "'run' must share a topic"),
    ({"run": {"t1": {"a": float("nan")}}}, DataError, "A score must be a number"),
    ({"run": {"t1": {"a": 1.0}, "other": {"a": float("nan")}}}, DataError, "A score must be a number"),
    ({"gold": {}}, DataError, "must hold at least one judgment"),
    ({"ties": "id"}, UsageError, "'ties' policy must be one of 'docid', 'input', 'expected'. Got 'id'"),
    ({"self": "own"}, UsageError, "'self' policy"),
    ({"depth": 0}, UsageError, "'depth' policy"),
    ({"depth": 1.5}, UsageError, "'depth' policy"),
    ({"depth": 3, "ties": "expected"}, UsageError, "ties=expected"),
    ({"offices": ("EPO",)}, UsageError, "'offices' policy"),
    ({"offices": ("é",)}, UsageError, "'offices' policy"),
    ({"rel": float("nan")}, UsageError, "'rel' policy"),
    ({"rel": True}, UsageError, "'rel' policy"),
    ({"depth": True}, UsageError, "'depth' policy"),
]


@pytest.mark.parametrize(("words", "kind", "rule"), REFUSED)
def test_refusals(words: dict[str, object], kind: type[Exception], rule: str) -> None:
    with pytest.raises(kind, match=rule):
        scored(**words)  # type: ignore[arg-type]


def test_a_measure_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="needs judgments by subtopic"):
        scored("CT@3")
    with pytest.raises(UsageError, match="no closed form"):
        scored("TBG", ties="expected")
    with pytest.raises(UsageError, match="at least one measure"):
        score(Qrels.from_dict(GOLD), [Run.from_dict(RUN)], [])


def test_two_runs_of_one_name() -> None:
    with pytest.raises(UsageError, match="Two runs are called 'run'"):
        score(Qrels.from_dict(GOLD), [Run.from_dict(RUN), Run.from_dict(RUN)], ["AP"])


@pytest.mark.parametrize("name", ["a", "other"])
def test_a_document_twice_names_both_lines(name: str) -> None:
    """Judged or not, and in a topic that is not judged either; of several the first to come again."""
    text = f"t1 Q0 b 0 1 x\nt1 Q0 {name} 0 1 x\nt1 Q0 z 0 1 x\nt1 Q0 {name} 0 2 x\nt1 Q0 b 0 1 x\n"
    for shown in (text, text.replace("t1", "unjudged")):
        run = TrecRun(name="r", path="r.run", open=partial(BytesIO, shown.encode()))
        with pytest.raises(DataError, match="has it on line 2 too") as caught:
            score(Qrels.from_dict(GOLD), [run], ["AP"])
        assert (caught.value.path, caught.value.line, caught.value.value) == ("r.run", 4, name)


def test_a_topic_judged_only_negatively_ends() -> None:
    """One peer loops for ever here."""
    scores = scored("AP", "Bpref", "nDCG", "Rprec", gold={"t": {"a": -1, "b": -2}}, run={"t": {"b": 1.0, "a": 2.0}})
    assert scores.values.tolist() == [[[0.0], [0.0], [0.0], [0.0]]]
    assert scores.counts["run"]["norel_topics"] == 1


def test_depth_beyond_every_integer() -> None:
    assert scored("P@2", depth=10**30).values.tolist() == scored("P@2").values.tolist()
