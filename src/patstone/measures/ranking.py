"""Measures of one ranking against judged documents, as trec_eval defines them wherever it does.

Grades of at least `rel` are relevant; what nobody judged is not. Kernels add up in rank order and divide once, so
their values are trec_eval's to the last bits. The `expected` kernels give the mean over the orders of equal scores.
"""

import numpy as np

from patstone.errors import DataError
from patstone.gold.qrels import Floats, Ints
from patstone.measures import partial
from patstone.measures.measure import COST, REL, Alias, Parameter, declare
from patstone.measures.ranked import Ranked, ratio
from patstone.measures.ties import (
    bounds,
    chance_of_none,
    groups,
    places_within,
    reciprocal_of_first,
    share_within,
    stretch,
)

# Above these a sum of gains could pass the largest float.
HIGHEST_GRADE = {"linear": 1e300, "exp": 1000.0}

NOTHING = "0 without a relevant document in the gold standard, and 0 when nothing was retrieved."
NEGATIVE = "Negative grades are not relevant."


def found(ranked: Ranked, rel: float, cutoff: int | None) -> Floats:
    """Per topic: how many relevant documents the first k hold, or without k the whole answer."""
    relevant = ranked.relevant(rel)
    kept = relevant.topic if cutoff is None else relevant.topic[relevant.rank <= cutoff]
    if cutoff is None and ranked.assigned is not None:
        kept = relevant.topic[ranked.assigned[relevant.index]]
    return np.bincount(kept, minlength=ranked.size).astype(np.float64)


def answered(ranked: Ranked, cutoff: int | None) -> Floats:
    """Per topic: what precision divides by, which is k even where fewer documents were retrieved."""
    return ranked.answer_size.astype(np.float64) if cutoff is None else np.full(ranked.size, float(cutoff))


def expected_found(ranked: Ranked, rel: float, cutoff: int | None) -> Floats:
    if cutoff is None:
        # No order changes what the whole answer holds.
        return found(ranked, rel, cutoff)
    relevant = ranked.relevant(rel)
    return ranked.total(share_within(ranked, relevant.index, cutoff), relevant.topic)


def expected_ap(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:  # noqa: ARG001 - binary
    relevant = ranked.relevant(rel)
    tied = groups(ranked, relevant.index)
    places = places_within(tied.first, tied.size, cutoff)
    harmonic = stretch(lambda rank: 1 / rank, tied.first, places)
    # At each rank of a group the relevant ones above it grow by this much on average, given that it is relevant.
    slope = (tied.marked - 1) / np.maximum(tied.size - 1, 1)
    precisions = (tied.before + 1 - slope * tied.first) * harmonic + slope * places
    return ratio(ranked.total(tied.marked / tied.size * precisions, tied.topic), relevant.known)


@declare(
    name="AP",
    title="Average precision",
    section="ranking",
    formula="AP = (1/R) · Σ over relevant documents at ranks r ≤ k of (relevant documents among the first r) / r;"
    " R = relevant documents in the gold standard",
    reference="Buckley & Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation, 2005;"
    " trec_eval map, map_cut; with a cost: paper 2, sections 2.4 and 3.2",
    undefined=f"{NOTHING} A relevant document beyond k or not retrieved adds 0; R does not shrink with k. With a cost"
    f" precision is that of P(cost=…) at the rank of each exact hit. {NEGATIVE}",
    expected=expected_ap,
    parameters=(COST, REL),
    cutoff="optional",
    aliases=(
        Alias("MAP", r"(?:map|MAP)(\([^()]*\))?(@\d+)?", r"AP\1\2"),
        Alias("map_cut_k", r"map_cut[_.](\d+)", r"AP@\1"),
    ),
)
def average_precision(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:
    if cost != "binary":
        return partial.average_precision(ranked, cost=cost, rel=rel, cutoff=cutoff)
    relevant = ranked.relevant(rel)
    precisions = relevant.ordinal / relevant.rank
    if cutoff is not None:
        precisions[relevant.rank > cutoff] = 0
    return ratio(ranked.total(precisions, relevant.topic), relevant.known)


def gained(grades: Floats, gains: str) -> Floats:
    """The gain of positive grades."""
    highest = grades.max(initial=0)
    if highest > HIGHEST_GRADE[gains]:
        rule = f"With gains={gains} a grade may be at most {HIGHEST_GRADE[gains]:g}; rescale the grades."
        raise DataError(rule, value=float(highest))
    return grades if gains == "linear" else np.exp2(grades) - 1


def ideal_dcg(ranked: Ranked, gains: str, cutoff: int | None) -> Floats:
    """Per topic: the DCG of its judged documents, best grade first."""
    gold = ranked.gold
    rank = np.arange(1, len(gold) + 1) - gold.starts[gold.topic]
    grades = gold.grades[gold.best_first]
    kept = np.flatnonzero((grades > 0) & (rank <= (cutoff or len(gold))))
    return ranked.total(gained(grades[kept], gains) / np.log2(rank[kept] + 1), gold.topic[kept])


def expected_ndcg(ranked: Ranked, *, gains: str, cutoff: int | None) -> Floats:
    kept = np.flatnonzero(ranked.grade > 0)
    first, size = bounds(ranked, kept)
    discount = stretch(lambda rank: 1 / np.log2(rank + 1), first, places_within(first, size, cutoff)) / size
    dcg = ranked.total(gained(ranked.grade[kept], gains) * discount, ranked.topic[kept])
    return ratio(dcg, ideal_dcg(ranked, gains, cutoff))


@declare(
    name="nDCG",
    title="Normalised discounted cumulative gain",
    section="ranking",
    formula="nDCG = DCG / ideal DCG; DCG = Σ over ranks r ≤ k of gain(r) / log₂(1 + r);"
    " gain = grade (gains=linear) or 2^grade − 1 (gains=exp)",
    reference="Järvelin & Kekäläinen, ACM TOIS 20(4), 2002; trec_eval ndcg, ndcg_cut; gains=exp: Burges et al., 2005",
    undefined="0 when no document of the topic has a grade above 0, and 0 when nothing was retrieved. Grades of 0"
    " and below, and unjudged documents, gain nothing. The ideal ranking is cut at k as well.",
    expected=expected_ndcg,
    parameters=(
        Parameter(
            name="gains",
            default="linear",
            choices=("linear", "exp"),
            doc="what a grade is worth: itself, or 2 to its power less 1",
        ),
    ),
    cutoff="optional",
    aliases=(Alias("ndcg_cut_k", r"ndcg_cut[_.](\d+)", r"nDCG@\1"),),
)
def ndcg(ranked: Ranked, *, gains: str, cutoff: int | None) -> Floats:
    kept = np.flatnonzero((ranked.grade > 0) & (ranked.rank <= (cutoff or np.inf)))
    gain = gained(ranked.grade[kept], gains)
    dcg = ranked.total(gain / np.log2(ranked.rank[kept] + 1), ranked.topic[kept])
    return ratio(dcg, ideal_dcg(ranked, gains, cutoff))


def expected_precision(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:  # noqa: ARG001 - binary
    return ratio(expected_found(ranked, rel, cutoff), answered(ranked, cutoff))


@declare(
    name="P",
    title="Precision",
    section="ranking",
    formula="P@k = (relevant documents among the first k) / k; without k over the set of classes assigned, or all"
    " retrieved where no set is told apart. With a cost, S the classes looked at and G the true ones:"
    " P = Σ over F in S of max over g in G of similarity(g, F) / |S| (equation 4); bdm-low: (|S ∩ G| + Σ of the"
    " similarities of pairs) / |S|, each g in G \\ S paired with one F in S \\ G, the best pair first (equation 5)",
    reference="van Rijsbergen, Information Retrieval, 1979; trec_eval P, set_P; with a cost: paper 2, equations 4, 5",
    undefined=f"Divides by k even where fewer documents were retrieved. {NOTHING} Equal pairs are taken by the true"
    f" class's code, then the assigned one's. {NEGATIVE}",
    expected=expected_precision,
    parameters=(COST, REL),
    cutoff="optional",
    aliases=(
        Alias("P_k", r"P[_.](\d+)", r"P@\1"),
        Alias("set_P", r"set_P", r"P"),
        Alias("precision@k", r"(?i:precision)(\([^()]*\))?(@\d+)?", r"P\1\2"),
    ),
)
def precision(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:
    if cost != "binary":
        return partial.precision(ranked, cost=cost, rel=rel, cutoff=cutoff)
    return ratio(found(ranked, rel, cutoff), answered(ranked, cutoff))


def expected_recall(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:  # noqa: ARG001 - binary
    return ratio(expected_found(ranked, rel, cutoff), ranked.relevant(rel).known)


@declare(
    name="R",
    title="Recall",
    section="ranking",
    formula="R@k = (relevant documents among the first k) / (relevant documents in the gold standard); without k over"
    " the set of classes assigned, or all retrieved. With a cost the mirror image of P: Σ over g in G of max over F"
    " in S of similarity(g, F) / |G|; bdm-low: P's sum of hits and pairs / |G|",
    reference="van Rijsbergen, Information Retrieval, 1979; trec_eval recall, set_recall; with a cost: after paper 2",
    undefined=f"{NOTHING} Divides by all known relevant documents, even if they are more than k. {NEGATIVE}",
    expected=expected_recall,
    parameters=(COST, REL),
    cutoff="optional",
    aliases=(
        Alias("recall_k", r"recall[_.](\d+)", r"R@\1"),
        Alias("set_recall", r"set_recall", r"R"),
        Alias("recall@k", r"(?i:recall)(\([^()]*\))?(@\d+)?", r"R\1\2"),
    ),
)
def recall(ranked: Ranked, *, cost: str, rel: float, cutoff: int | None) -> Floats:
    if cost != "binary":
        return partial.recall(ranked, cost=cost, rel=rel, cutoff=cutoff)
    return ratio(found(ranked, rel, cutoff), ranked.relevant(rel).known)


def expected_rprec(ranked: Ranked, *, cost: str, rel: float) -> Floats:  # noqa: ARG001 - binary
    relevant = ranked.relevant(rel)
    share = share_within(ranked, relevant.index, relevant.known[relevant.topic])
    return ratio(ranked.total(share, relevant.topic), relevant.known)


@declare(
    name="Rprec",
    title="R-precision",
    section="ranking",
    formula="Rprec = (relevant documents among the first R) / R; R = relevant documents in the gold standard;"
    " with a cost P(cost=…) at rank R",
    reference="Buckley & Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation, 2005;"
    " trec_eval Rprec; with a cost: paper 2, section 2.4",
    undefined=f"{NOTHING} Divides by R even where fewer documents were retrieved. {NEGATIVE}",
    expected=expected_rprec,
    parameters=(COST, REL),
)
def r_precision(ranked: Ranked, *, cost: str, rel: float) -> Floats:
    if cost != "binary":
        return partial.r_precision(ranked, cost=cost, rel=rel)
    relevant = ranked.relevant(rel)
    kept = relevant.topic[relevant.rank <= relevant.known[relevant.topic]]
    return ratio(np.bincount(kept, minlength=ranked.size).astype(np.float64), relevant.known)


def expected_rr(ranked: Ranked, *, rel: float, cutoff: int | None) -> Floats:
    tied = groups(ranked, ranked.relevant(rel).index)
    return ranked.total(np.where(tied.before == 0, reciprocal_of_first(tied, cutoff), 0.0), tied.topic)


@declare(
    name="RR",
    title="Reciprocal rank",
    section="ranking",
    formula="RR = 1 / (rank of the first relevant document), if that is at most k; else 0",
    reference="Kantor & Voorhees, Information Retrieval 2, 2000; trec_eval recip_rank",
    undefined=f"{NOTHING} 0 when no relevant document is among the first k. {NEGATIVE}",
    expected=expected_rr,
    parameters=(REL,),
    cutoff="optional",
    aliases=(Alias("recip_rank", r"recip_rank", r"RR"), Alias("MRR", r"(?i:mrr)(\([^()]*\))?(@\d+)?", r"RR\1\2")),
)
def reciprocal_rank(ranked: Ranked, *, rel: float, cutoff: int | None) -> Floats:
    relevant = ranked.relevant(rel)
    kept = np.flatnonzero((relevant.ordinal == 1) & (relevant.rank <= (cutoff or np.inf)))
    return ranked.total(1 / relevant.rank[kept], relevant.topic[kept])


def expected_success(ranked: Ranked, *, rel: float, cutoff: int) -> Floats:
    tied = groups(ranked, ranked.relevant(rel).index)
    none = chance_of_none(tied.size, places_within(tied.first, tied.size, cutoff), tied.marked)
    # Of a topic's groups at most one is cut by k; those above it make the product 0, those below leave it alone.
    missed = np.ones(ranked.size)
    np.minimum.at(missed, tied.topic, none)
    return 1 - missed


@declare(
    name="Success",
    title="Success",
    section="ranking",
    formula="Success@k = 1 if a relevant document is among the first k, else 0",
    reference="trec_eval success; also called Hit@k",
    undefined=f"{NOTHING} {NEGATIVE}",
    expected=expected_success,
    parameters=(REL,),
    cutoff="required",
    aliases=(Alias("success_k", r"success[_.](\d+)", r"Success@\1"),),
)
def success(ranked: Ranked, *, rel: float, cutoff: int) -> Floats:
    return np.minimum(found(ranked, rel, cutoff), 1.0)


def judged_nonrelevant(ranked: Ranked, rel: float) -> Floats:
    """Per row of the gold standard: 1 for a document that is judged and not relevant."""
    grades = ranked.gold.grades
    return np.where((grades >= 0) & (grades < rel), 1.0, 0.0)


def bpref_sum(ranked: Ranked, rel: float, above: Floats) -> Floats:
    """Bpref from the (mean of the) nonrelevant documents above each relevant one, counted to R at most."""
    relevant = ranked.relevant(rel)
    nonrelevant = ranked.total(judged_nonrelevant(ranked, rel), ranked.gold.topic)
    most = np.minimum(nonrelevant, relevant.known)[relevant.topic]
    return ratio(ranked.total(1 - ratio(above, most), relevant.topic), relevant.known)


def expected_bpref(ranked: Ranked, *, rel: float) -> Floats:
    relevant = ranked.relevant(rel)
    mark = judged_nonrelevant(ranked, rel)[ranked.row]
    first, _ = bounds(ranked, np.arange(len(ranked.rank)))
    new_group = (np.diff(ranked.topic, prepend=-1) != 0) | (np.diff(first, prepend=0) != 0)
    group = np.cumsum(new_group) - 1
    mine = group[relevant.index]
    inside = np.bincount(group, weights=mark)[mine]
    before = ranked.earlier(mark)[np.flatnonzero(new_group)][mine]
    # Above a relevant document stand `before` and 0 … `inside` more, each number as likely as the other.
    known = relevant.known[relevant.topic]
    small = np.clip(known - before, 0, inside + 1)
    capped = small * before + small * (small - 1) / 2 + (inside + 1 - small) * known
    return bpref_sum(ranked, rel, capped / (inside + 1))


@declare(
    name="Bpref",
    title="Binary preference",
    section="ranking",
    formula="Bpref = (1/R) · Σ over retrieved relevant documents of 1 − min(n, R) / min(N, R); n = judged nonrelevant"
    " documents above it, N = all judged nonrelevant documents, R = all relevant documents",
    reference="Buckley & Voorhees, SIGIR 2004; trec_eval bpref",
    undefined=f"{NOTHING} Without nonrelevant judgments each retrieved relevant document counts as 1. Documents that"
    " nobody judged, and those with a negative grade, are passed over.",
    expected=expected_bpref,
    parameters=(REL,),
)
def bpref(ranked: Ranked, *, rel: float) -> Floats:
    relevant = ranked.relevant(rel)
    mark = judged_nonrelevant(ranked, rel)[ranked.row]
    above = np.minimum(ranked.earlier(mark)[relevant.index], relevant.known[relevant.topic])
    return bpref_sum(ranked, rel, above)


def first_retrieved(ranked: Ranked, cutoff: int | None) -> Ints:
    """Per topic: how many of the first k documents there are."""
    return ranked.retrieved if cutoff is None else np.minimum(ranked.retrieved, cutoff)


def expected_judged(ranked: Ranked, *, cutoff: int | None) -> Floats:
    share = share_within(ranked, np.arange(len(ranked.rank)), cutoff)
    return ratio(ranked.total(share), first_retrieved(ranked, cutoff).astype(np.float64))


@declare(
    name="Judged",
    title="Share of judged documents",
    section="ranking",
    formula="Judged@k = (judged documents among the first k) / min(k, documents retrieved)",
    reference="ir_measures Judged",
    undefined="0 when nothing was retrieved. Divides by the documents retrieved where they are fewer than k."
    " Any grade is a judgment, 0 and negative ones too. Defined without relevant documents.",
    expected=expected_judged,
    cutoff="optional",
    judges_relevance=False,
)
def judged(ranked: Ranked, *, cutoff: int | None) -> Floats:
    seen = np.bincount(ranked.topic[ranked.rank <= (cutoff or np.inf)], minlength=ranked.size)
    return ratio(seen.astype(np.float64), first_retrieved(ranked, cutoff).astype(np.float64))


def product_above(topic: Ints, values: Floats) -> Floats:
    """Per row, the product of its topic's values above it; rows of a topic stand together."""
    product = np.ones(len(values))
    inner = np.flatnonzero(topic[1:] == topic[:-1]) + 1
    product[inner] = values[inner - 1]
    step = 1
    # After each round a row holds the product of twice as many values, until all of its topic's are in it.
    while len(upper := np.flatnonzero(topic[step:] == topic[:-step])):
        product[upper + step] *= product[upper]
        step *= 2
    return product


@declare(
    name="ERR",
    title="Expected reciprocal rank",
    section="ranking",
    formula="ERR = Σ over ranks r ≤ k of (1/r) · p(r) · Π over ranks i < r of (1 − p(i));"
    " p = (2^grade − 1) / 2^gmax, the chance that a document satisfies the searcher",
    reference="Chapelle, Metzler, Zhang & Grinspan, CIKM 2009, equation 7; gdeval err, whose gmax is 4",
    undefined="0 when no document of the topic has a grade above 0, and 0 when nothing was retrieved. Grades of 0 and"
    " below, and unjudged documents, satisfy nobody. A grade above gmax is an error. Not normalised: the best possible"
    " value is below 1.",
    parameters=(Parameter(name="gmax", default=4, low=0, open_low=True, high=1000, doc="the scale's highest grade"),),
    cutoff="optional",
)
def expected_reciprocal_rank(ranked: Ranked, *, gmax: float, cutoff: int | None) -> Floats:
    highest = ranked.gold.grades.max(initial=0)
    if highest > gmax:
        raise DataError(f"ERR takes grades of at most gmax; say ERR(gmax={highest:g}).", value=float(highest))
    kept = np.flatnonzero((ranked.grade > 0) & (ranked.rank <= (cutoff or np.inf)))
    topic = ranked.topic[kept]
    satisfied = (np.exp2(ranked.grade[kept]) - 1) / np.exp2(gmax)
    going_on = product_above(topic, 1 - satisfied)
    return ranked.total(satisfied * going_on / ranked.rank[kept], topic)


def expected_rbp(ranked: Ranked, *, p: float, rel: float, cutoff: int | None) -> Floats:
    relevant = ranked.relevant(rel)
    first, size = bounds(ranked, relevant.index)
    last = first - 1 + places_within(first, size, cutoff)
    weight = np.power(p, first - 1.0) - np.power(p, last.astype(np.float64))
    return ranked.total(weight / size, relevant.topic)


@declare(
    name="RBP",
    title="Rank-biased precision",
    section="ranking",
    formula="RBP = (1 − p) · Σ over relevant documents at ranks r ≤ k of p^(r − 1)",
    reference="Moffat & Zobel, ACM TOIS 27(1), 2008, equation 4; p = 0.8 as in ir_measures (trec_eval's rbp: 0.9)",
    undefined=f"{NOTHING} What is not retrieved or beyond k adds 0: the residual is not estimated. {NEGATIVE}",
    expected=expected_rbp,
    parameters=(
        Parameter(
            name="p", default=0.8, low=0, high=1, open_high=True, doc="the chance of looking at the next document"
        ),
        REL,
    ),
    cutoff="optional",
)
def rank_biased_precision(ranked: Ranked, *, p: float, rel: float, cutoff: int | None) -> Floats:
    relevant = ranked.relevant(rel)
    kept = np.flatnonzero(relevant.rank <= (cutoff or np.inf))
    return (1 - p) * ranked.total(np.power(p, relevant.rank[kept] - 1.0), relevant.topic[kept])


def harmonic_mean(ranked: Ranked, hits: Floats, beta: float, rel: float, cutoff: int | None) -> Floats:
    return ratio((1 + beta**2) * hits, beta**2 * ranked.relevant(rel).known + answered(ranked, cutoff))


def expected_f(ranked: Ranked, *, beta: float, cost: str, rel: float, cutoff: int | None) -> Floats:  # noqa: ARG001 - binary
    return harmonic_mean(ranked, expected_found(ranked, rel, cutoff), beta, rel, cutoff)


@declare(
    name="F",
    title="F measure of the retrieved set",
    section="ranking",
    formula="F = (1 + β²) · P · R / (β² · P + R), P and R over the first k documents, without k over the set of classes"
    " assigned, or all retrieved; with a cost from P(cost=…) and R(cost=…)",
    reference="van Rijsbergen, Information Retrieval, 1979, chapter 7; trec_eval set_F (whose parameter is β²)",
    undefined=f"{NOTHING} F@k is the mean of P@k and R@k, so P divides by k even where fewer documents were"
    f" retrieved. {NEGATIVE}",
    expected=expected_f,
    parameters=(
        Parameter(name="beta", default=1, low=0, high=1000, doc="how many times as much recall counts as precision"),
        COST,
        REL,
    ),
    cutoff="optional",
    aliases=(Alias("set_F", r"set_F", r"F"), Alias("SetF", r"SetF(\(\s*rel\s*=[^(),]*\))?", r"F\1")),
)
def f_measure(ranked: Ranked, *, beta: float, cost: str, rel: float, cutoff: int | None) -> Floats:
    if cost != "binary":
        return partial.f_measure(ranked, beta=beta, cost=cost, rel=rel, cutoff=cutoff)
    return harmonic_mean(ranked, found(ranked, rel, cutoff), beta, rel, cutoff)
