"""Measures of classes only: F1, hierarchical precision and recall, and the cost of single-label classification.

The first three look at the set that was assigned, or at the first k of a ranking. Hierarchical ones add all ancestors
to both sets, so that a sibling shares what stands above it; they need the scheme, as every cost but binary does.
"""

import numpy as np

from patstone.gold.qrels import Floats, Ints
from patstone.measures import partial, ranking
from patstone.measures.labelled import Labelled
from patstone.measures.measure import COST, REL, Parameter, declare
from patstone.measures.ranked import Ranked, ratio
from patstone.patents.schemes.scheme import Scheme

NOTHING = "0 without a true class, and 0 when nothing was assigned; both 0: F is 0."
ALONE = "0 without a true class, and 0 when nothing was assigned. A class that the scheme lacks has no ancestors."
SET = "over the set assigned, or all retrieved where no set is told apart; with k over the first k"


def expected_f1(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:
    return ranking.expected_f(ranked, beta=1, cost=cost, rel=rel, cutoff=cutoff)


@declare(
    name="F1",
    title="F1 measure of the classes assigned",
    section="classes",
    formula=f"F1 = 2 · P · R / (P + R), {SET}; with a cost from P(cost=…) and R(cost=…)",
    reference="paper 2, sections 2.4 and 3.2; NTCIR-6 F-term classification's F-measure",
    undefined=f"{NOTHING} F1@k divides by k even where fewer classes were ranked.",
    expected=expected_f1,
    parameters=(COST, REL),
    cutoff="optional",
    cutoff_doc="look at the first k classes",
)
def f1(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:
    return ranking.f_measure(ranked, beta=1, cost=cost, rel=rel, cutoff=cutoff)


@declare(
    name="Pcost",
    title="Precision by cost, class by class",
    section="classes",
    formula="P_cost(X) = Σ over documents of class X of 1 − c(X, Y) / (documents scored), Y the class assigned, of"
    " several the closest to X; a document's value is the mean of 1 − c(X, Y) over its true classes X, so that in"
    " single-label classification the mean over documents is Σ over X of P_cost(X)",
    reference="paper 2, equation 3",
    undefined="0 without a true class, and 0 when nothing was assigned. Of a ranking without a set assigned the first"
    " class counts; with k the closest of the first k.",
    parameters=(
        Parameter(
            name="cost",
            default="bdm",
            choices=("binary", "bdm", "path", "ancestor", "learning-accuracy"),
            doc="how far a class is from another: 1 − its similarity in the class scheme (--scheme)",
        ),
        REL,
    ),
    cutoff="optional",
    cutoff_doc="look at the first k classes",
    needs=("scheme",),
)
def p_cost(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:
    first = 1 if cutoff is None and ranked.set_size is None else cutoff
    return partial.recall(ranked, cost=cost, rel=rel, cutoff=first)


@declare(
    name="hP",
    title="Hierarchical precision",
    section="classes",
    formula=f"hP = |Ŝ ∩ Ĝ| / |Ŝ|, {SET}; Ŝ and Ĝ are the classes assigned and the true ones with all their ancestors"
    " but the root",
    reference="Kiritchenko, Matwin & Famili, Functional annotation of genes using hierarchical text categorization,"
    " BioLINK 2005; Silla & Freitas, Data Mining and Knowledge Discovery 22, 2011",
    undefined=ALONE,
    parameters=(REL,),
    cutoff="optional",
    cutoff_doc="look at the first k classes",
    needs=("scheme",),
)
def hierarchical_precision(ranked: Ranked, *, rel: float, cutoff: int | None) -> Floats:
    shared, assigned, _ = overlaps(ranked, rel, cutoff)
    return ratio(shared, assigned)


@declare(
    name="hR",
    title="Hierarchical recall",
    section="classes",
    formula=f"hR = |Ŝ ∩ Ĝ| / |Ĝ|, {SET}; Ŝ and Ĝ as for hP",
    reference="Kiritchenko, Matwin & Famili, BioLINK 2005",
    undefined=ALONE,
    parameters=(REL,),
    cutoff="optional",
    cutoff_doc="look at the first k classes",
    needs=("scheme",),
)
def hierarchical_recall(ranked: Ranked, *, rel: float, cutoff: int | None) -> Floats:
    shared, _, true = overlaps(ranked, rel, cutoff)
    return ratio(shared, true)


@declare(
    name="hF",
    title="Hierarchical F1 measure",
    section="classes",
    formula=f"hF = 2 · hP · hR / (hP + hR), {SET}",
    reference="Kiritchenko, Matwin & Famili, BioLINK 2005",
    undefined=f"{ALONE} Both 0: hF is 0.",
    parameters=(REL,),
    cutoff="optional",
    cutoff_doc="look at the first k classes",
    needs=("scheme",),
)
def hierarchical_f(ranked: Ranked, *, rel: float, cutoff: int | None) -> Floats:
    shared, assigned, true = overlaps(ranked, rel, cutoff)
    return ratio(2 * shared, assigned + true)


def overlaps(ranked: Ranked, rel: float, cutoff: int | None) -> tuple[Floats, Floats, Floats]:
    """Per topic: the terms that both closed sets share, and the sizes of the assigned and the true one."""
    labelled = partial.labelled_of(ranked)
    sizes = labelled.once(("overlaps", rel, cutoff), lambda: _overlaps(ranked, labelled, rel, cutoff))
    return sizes[0], sizes[1], sizes[2]


def _overlaps(ranked: Ranked, labelled: Labelled, rel: float, cutoff: int | None) -> Floats:
    gold, rows = ranked.gold, labelled.chosen(cutoff)
    true = np.flatnonzero(gold.grades >= rel)
    relevant = ranked.relevant(rel)
    found = np.zeros((3, ranked.size))
    for tree, scheme in enumerate(labelled.vocabulary.schemes):
        mine, theirs = (
            _closed(scheme, topic[here], term[here])
            for topic, term in ((labelled.topic[rows], labelled.term[rows]), (gold.topic[true], labelled.gold[true]))
            for here in [labelled.tree[topic] == tree]
        )
        shared = mine[np.isin(mine, theirs, assume_unique=True)]
        for place, keys in enumerate((shared, mine, theirs)):
            found[place] += np.bincount(keys // len(scheme.symbols), minlength=ranked.size)
    # Unknown terms have no chain: each is one term, shared when it is hit.
    chosen = np.isin(labelled.starts[relevant.topic] + relevant.rank - 1, rows)
    lone = relevant.topic[chosen & (labelled.gold[relevant.row] < 0)]
    unknown = (lone, labelled.topic[rows][labelled.term[rows] < 0], gold.topic[true][labelled.gold[true] < 0])
    return found + np.stack([np.bincount(topic, minlength=ranked.size) for topic in unknown])


def _closed(scheme: Scheme, topic: Ints, term: Ints) -> Ints:
    """Topics and terms with all terms above them but the root, as topic · terms of the scheme + term."""
    known = term >= 0
    starts, order = scheme.places
    topic, term = topic[known], term[known]
    counts = np.diff(starts)[term]
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    topic, place = np.repeat(topic, counts), order[np.repeat(starts[term], counts) + within]
    keys = []
    while len(place):
        below = scheme.parent[place] >= 0
        topic, place = topic[below], place[below]
        keys.append(np.unique(topic * len(scheme.symbols) + scheme.term[place]))
        place = scheme.parent[place].astype(np.int64)
    return np.unique(np.concatenate(keys)) if keys else np.empty(0, dtype=np.int64)
