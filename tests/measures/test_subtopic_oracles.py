"""ndeval (through pyndeval and ir_measures) gives the same numbers on random data, and where it does not we say why.

Scores are all different here: ndeval's Python wrapper ranks equal scores by document id ascending, we descending.
"""

from dataclasses import replace

import ir_measures
import numpy as np
import pyndeval
import pytest

from aspect_worlds import World, one_topic

SEEDS = range(8)
CUTOFFS = (5, 10, 20)
THEIRS = {
    "alpha-nDCG": "alpha_nDCG",
    "ERR-IA": "ERR_IA",
    "nERR-IA": "ERR_IA(norm=ideal)",
    "strec": "I_rec",
}
Values = dict[str, float]


def world(seed: int) -> World:
    """Every topic has something to find: ndeval gives 0/0 = nan for the others, or leaves them out."""
    rng = np.random.default_rng(seed)
    made = World.random(seed, topics=30, lowest=0)
    distinct = {
        topic: dict(zip(docs, rng.permutation(len(docs)).astype(float).tolist(), strict=True))
        for topic, docs in made.run.items()
    }
    kept = [name for name, topic in zip(made.judged, made.topics(), strict=True) if topic.answerable]
    return replace(
        made,
        judged={topic: made.judged[topic] for topic in kept},
        run={topic: distinct[topic] for topic in kept if topic in distinct},
    )


def ndeval(tried: World, measure: str, alpha: float = 0.5) -> Values:
    rows = [pyndeval.SubtopicQrel(topic, name, doc, int(grade)) for topic, name, doc, grade in tried.rows]
    docs = [pyndeval.ScoredDoc(topic, doc, score) for topic, run in tried.run.items() for doc, score in run.items()]
    found = pyndeval.ndeval(rows, docs, measures=[measure], alpha=alpha)
    return {topic: values[measure] for topic, values in found.items()}


def ours(tried: World, measure: str) -> Values:
    """By answered topic, as ndeval leaves out the others."""
    values = dict(zip(tried.judged, tried.values(measure).tolist(), strict=True))
    return {topic: values[topic] for topic in tried.run}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", THEIRS)
def test_ndeval(seed: int, name: str) -> None:
    tried = world(seed)
    for k in CUTOFFS:
        theirs = ndeval(tried, f"{name}@{k}")
        assert ours(tried, f"{THEIRS[name]}@{k}") == pytest.approx(theirs, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS[:5])
@pytest.mark.parametrize("alpha", [0.0, 0.25, 0.75])
def test_alpha(seed: int, alpha: float) -> None:
    """Powers of a quarter and three quarters are exact in a float, so ndeval's ties are honest here."""
    tried = world(seed)
    for name, mine in [("alpha-nDCG", f"alpha_nDCG(alpha={alpha})"), ("ERR-IA", f"ERR_IA(alpha={alpha})")]:
        assert ours(tried, f"{mine}@10") == pytest.approx(ndeval(tried, f"{name}@10", alpha), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_ir_measures(seed: int) -> None:
    tried = world(seed)
    rows = [ir_measures.Qrel(topic, doc, int(grade), name) for topic, name, doc, grade in tried.rows]
    run = [ir_measures.ScoredDoc(topic, doc, score) for topic, docs in tried.run.items() for doc, score in docs.items()]
    pairs = {"alpha_nDCG@10": "alpha_nDCG@10", "ERR_IA@10": "ERR_IA@10", "StRecall@10": "I_rec@10"}
    for theirs, mine in pairs.items():
        measure = ir_measures.parse_measure(theirs)
        values = {found.query_id: found.value for found in ir_measures.iter_calc([measure], rows, run)}
        answered = {topic: values[topic] for topic in tried.run}
        assert ours(tried, mine) == pytest.approx(answered, rel=1e-12, abs=1e-12)


def test_ndeval_forgets_to_divide_err_ia_at_cutoff_one() -> None:
    tried = one_topic({"1": {"a": 1}, "2": {"a": 1}}, "a")
    assert ndeval(tried, "ERR-IA@1") == {"t": 2.0}
    assert ours(tried, "ERR_IA@1") == {"t": 1.0}


def test_ndeval_breaks_ties_the_other_way() -> None:
    tied = replace(one_topic({"1": {"a": 1}, "2": {"z": 0}}, "a"), run={"t": {"a": 1.0, "z": 1.0}})
    assert ndeval(tied, "strec@1") == {"t": 1.0}
    assert ours(tied, "I_rec@1") == {"t": 0.0}


def test_ndeval_gives_its_own_number_for_a_topic_in_pieces() -> None:
    """Rows of one topic that are apart: it keeps the last piece; we gather them."""
    rows = [pyndeval.SubtopicQrel("t", "1", "a", 1), pyndeval.SubtopicQrel("u", "1", "b", 1)]
    docs = [
        pyndeval.ScoredDoc(topic, doc, score) for topic, doc, score in [("t", "a", 2), ("u", "b", 1), ("t", "c", 1)]
    ]
    assert pyndeval.ndeval(rows, docs, measures=["strec@5"])["t"]["strec@5"] == 0.0
    assert one_topic({"1": {"a": 1}}, "a c").values("I_rec@5").tolist() == [1.0]


def test_nerr_ia_of_ndeval_is_another_measure() -> None:
    """It divides the sum by the greedy ideal's; Sakai's divides subtopic by subtopic, each with an ideal of its own."""
    tried = one_topic({"1": {"a": 1}, "2": {"b": 1}}, "a b")
    assert ndeval(tried, "nERR-IA@5") == {"t": 1.0}
    assert ours(tried, "nERR_IA@5") == {"t": 0.75}


@pytest.mark.parametrize(("measure", "published"), [("nERR_IA@1000", 0.4710), ("D_nDCG@1000", 0.2760)])
def test_ntcirevals_own_example(measure: str, published: float) -> None:
    """Its manual: three documents each at levels 3 and 2, four at 1; found: level 0, level 3, unjudged, level 2."""
    levels = {"h1": 3, "h2": 3, "h3": 3, "m1": 2, "m2": 2, "m3": 2, "l1": 1, "l2": 1, "l3": 1, "l4": 1, "no": 0}
    judged = {"1": {doc: float(level) for doc, level in levels.items()}}
    assert one_topic(judged, "no h1 x m1").values(measure) == pytest.approx([published], abs=5e-5)
