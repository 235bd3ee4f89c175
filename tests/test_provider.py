"""ir_measures computes our measures by name, through its own public functions."""

import subprocess
import sys

import ir_measures
import pytest
from ir_measures import Qrel, parse_measure

import patstone as ps
from patstone import provider
from patstone.measures.policies import Policies
from patstone.patents.families import Families

PLAIN = {"q1": {"EP1": 1, "EP2": 0, "US3": 2}, "q2": {"JP4": 1}}
RUN = {"q1": {"EP1": 3.0, "EP2": 2.0, "US3": 1.0}, "q2": {"US3": 2.0, "JP4": 1.0}}
ASPECTS = [Qrel("q1", "EP1", 1, "1"), Qrel("q1", "US3", 2, "1"), Qrel("q1", "US3", 1, "2"), Qrel("q2", "JP4", 1, "1")]


@pytest.mark.parametrize("name", ["PRES@100", "TBG", "TBG(h=100)", "S@20", "H@20", "MP@20", "MR@20", "F"])
def test_measures_of_documents(name: str) -> None:
    measure = parse_measure(name)
    assert ir_measures.calc_aggregate([measure], PLAIN, RUN) == {measure: pytest.approx(ours(name), abs=1e-15)}


def ours(name: str) -> float:
    return float(ps.score(PLAIN, RUN, name).means[0, 0])


@pytest.mark.parametrize(
    "name", ["CT@20", "CT(gamma=0.8, time='top10')@20", "ACT@20", "D_nDCG@10", "ps_nERR_IA@10", "I_rec@10"]
)
def test_measures_of_subtopics(name: str) -> None:
    gold = ps.Qrels.from_columns(
        [row.query_id for row in ASPECTS],
        [row.doc_id for row in ASPECTS],
        [row.relevance for row in ASPECTS],
        subtopics=[row.iteration for row in ASPECTS],
    )
    expected = ps.score(gold, RUN, name.removeprefix("ps_"))
    found = {
        (row.query_id, str(row.measure)): row.value
        for row in ir_measures.iter_calc([parse_measure(name)], ASPECTS, RUN)
    }
    written = str(parse_measure(name))
    assert found == {
        (topic, written): pytest.approx(value, abs=1e-15)
        for topic, value in zip(expected.topics, expected.values[0, 0].tolist(), strict=True)
    }


def test_a_value_by_hand() -> None:
    """One relevant document of one at rank 2 of Nmax = 10: 1 - (2 - 1) / 10."""
    assert ir_measures.calc_aggregate([parse_measure("PRES@10")], {"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}) == {
        parse_measure("PRES@10"): pytest.approx(0.9, abs=1e-15)
    }


def test_names_of_theirs_keep_their_meaning() -> None:
    code = "import ir_measures; print(*ir_measures.measures.registry)"
    theirs = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "nERR_IA" in theirs
    for name in theirs:
        assert type(ir_measures.measures.registry[name]).__module__.startswith("ir_measures.")


def test_theirs_and_ours_in_one_call() -> None:
    measures = [parse_measure("nDCG@10"), parse_measure("PRES@100"), parse_measure("ps_nDCG(gains='exp')@10")]
    found = ir_measures.calc_aggregate(measures, PLAIN, RUN)
    assert found[measures[0]] == pytest.approx(ours("nDCG@10"), abs=1e-12)
    assert found[measures[2]] == pytest.approx(ours("nDCG(gains=exp)@10"), abs=1e-15)


def test_measures_can_be_imported_as_in_pyterrier() -> None:
    from patstone.provider import PRES

    assert str(PRES @ 100) == "PRES@100"
    with pytest.raises(ImportError):
        from patstone.provider import NoSuchMeasure  # noqa: F401


def test_families_and_policies_can_be_set() -> None:
    families = Families.from_dict({"q2": "F1", "US3": "F1", "JP4": "F4"})
    try:
        provider.register(policies=Policies(), families=families)
        value = {row.query_id: row.value for row in ir_measures.iter_calc([parse_measure("PRES@10")], PLAIN, RUN)}
        assert value["q2"] == pytest.approx(1.0)
    finally:
        provider.register()
    assert len([known for known in ir_measures.DefaultPipeline.providers if isinstance(known, provider.Provider)]) == 1


def test_an_unanswered_topic_scores_zero() -> None:
    assert ir_measures.calc_aggregate([parse_measure("PRES@10")], PLAIN, {"q2": {"JP4": 1.0}}) == {
        parse_measure("PRES@10"): pytest.approx(0.5)
    }
    assert ir_measures.calc_aggregate([parse_measure("PRES@10")], PLAIN, {}) == {parse_measure("PRES@10"): 0.0}


def test_patstone_itself_does_not_import_it() -> None:
    code = "import patstone, patstone.api, sys; sys.exit('ir_measures' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
