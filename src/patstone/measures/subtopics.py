"""Diversity: how many of a topic's subtopics (claims) a ranking answers, how soon, and how often the same one again.

A judgment with a grade above zero is relevant; only subtopics that some judged document answers count. alpha-nDCG,
ERR-IA and I-rec take grades as yes or no, as ndeval does; nERR-IA and the D-measures use them. Ideal rankings are
over all judged documents of the topic.
"""

from functools import lru_cache
from itertools import islice

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.gold.qrels import Floats, Qrels
from patstone.measures.aspects import IMPORTANCE, aspects, shares, spans, walk
from patstone.measures.ideals import best_first, global_gains, greedy_gains, sorted_gains
from patstone.measures.measure import Alias, Parameter, declare
from patstone.measures.ranked import Ranked, ratio

ALPHA = Parameter(
    name="alpha", default=0.5, low=0, high=1, doc="how much of a subtopic's worth each document that answers it uses up"
)
GAINS = Parameter(name="gains", default="linear", choices=("linear", "exp"), doc="a grade g is worth g, or 2^g − 1")
GMAX = Parameter(
    name="gmax",
    default=0,
    low=0,
    doc="the highest grade there is; 0 takes the highest in the gold standard, or 1 where none is higher",
)
# What ERR-IA divides by goes on with k, whether or not the ranking does.
DEEPEST = 1_000_000
NOTHING = (
    "0 when no subtopic has a relevant document (reported; the norel policy decides) and when nothing was retrieved. "
    "A ranking shorter than k is not filled up. A subtopic whose documents are all judged 0 is as if it were not there."
)


@declare(
    name="alpha_nDCG",
    title="Novelty-biased discounted cumulative gain",
    section="subtopics",
    formula="αDCG@k / αDCG@k of the ideal ranking; αDCG@k = Σ over ranks r ≤ k of G(r) / log2(r + 1);"
    " G(r) = Σ over the subtopics that the document answers of (1 − alpha)^(earlier documents that answer it);"
    " ideal: each rank takes the document of the highest G, of equal ones the last by document id",
    reference="Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher, MacKinnon: Novelty and diversity in information "
    "retrieval evaluation, SIGIR 2008; as in ndeval",
    undefined=NOTHING + " The ideal is found greedily; in rare cases a run beats it and scores a little above 1.",
    parameters=(ALPHA,),
    cutoff="required",
    needs=("subtopics",),
    aliases=(Alias("alpha-nDCG@k, α-nDCG@k", r"(?i:alpha|α)-(?i:ndcg)(\([^()]*\))?@(\d+)", r"alpha_nDCG\1@\2"),),
)
def alpha_ndcg(ranked: Ranked, *, alpha: float, cutoff: int) -> Floats:
    gain = _novel_gains(ranked, alpha, cutoff)
    best = greedy_gains(ranked.gold, alpha, cutoff)
    reached = ranked.total(gain / np.log2(ranked.rank + 1.0))
    return ratio(reached, _added_up(best, np.log2(_ranks(best) + 1.0), ranked.size))


@declare(
    name="ERR_IA",
    title="Intent-aware expected reciprocal rank",
    section="subtopics",
    formula="Σ over ranks r ≤ k of G(r) / r, with G(r) as in alpha_nDCG, over n · Σ over r ≤ k of"
    " (1 − alpha)^(r − 1) / r, which k documents reach that each answer all n subtopics;"
    " norm=ideal: over what the ideal ranking of alpha_nDCG reaches",
    reference="Chapelle, Ji, Liao, Velipasaoglu, Lai, Wu: Intent-based diversification of web search results, "
    "Information Retrieval 14, 2011; as in ndeval (whose nERR-IA is norm=ideal)",
    undefined=NOTHING + " k may be a million at most. With norm=ideal a run may score a little above 1.",
    parameters=(
        ALPHA,
        Parameter(
            name="norm",
            default="perfect",
            choices=("perfect", "ideal"),
            doc="divide by what documents that answer everything would reach, or the gold standard's best documents",
        ),
    ),
    cutoff="required",
    needs=("subtopics",),
    aliases=(Alias("ERR-IA@k", r"(?i:err-ia)(\([^()]*\))?@(\d+)", r"ERR_IA\1@\2"),),
)
def err_ia(ranked: Ranked, *, alpha: float, norm: str, cutoff: int) -> Floats:
    if cutoff > DEEPEST:
        raise UsageError(f"The cutoff of ERR_IA, which it divides by, must be an int in [1, {DEEPEST}]. Got {cutoff}.")
    reached = ranked.total(_novel_gains(ranked, alpha, cutoff) / ranked.rank)
    if norm == "ideal":
        best = greedy_gains(ranked.gold, alpha, cutoff)
        return ratio(reached, _added_up(best, _ranks(best), ranked.size))
    known = aspects(ranked.gold)
    return ratio(reached, _perfect_err(known.by_topic(known.answerable), alpha, cutoff))


def _novel_gains(ranked: Ranked, alpha: float, cutoff: int) -> Floats:
    """Per hit: what it answers, less what earlier documents already did; 0 below the cutoff."""
    weight = np.ones(len(aspects(ranked.gold).topic))
    gain = np.zeros(len(ranked.rank))
    for step in walk(ranked, cutoff):
        gain[step.hit] = step.total(weight[step.subtopic])
        weight[step.subtopic] *= 1.0 - alpha
    return gain


def _ranks(gains: list[Floats]) -> Floats:
    return np.arange(1, len(gains) + 1, dtype=np.float64)


def _added_up(gains: list[Floats], discount: Floats, topics: int) -> Floats:
    """Per topic, in rank order as a run's gains are added, so that an ideal run scores exactly 1."""
    total = np.zeros(topics)
    for gain, divisor in zip(gains, discount, strict=True):
        total += gain / divisor
    return total


def _perfect_err(answerable: Floats, alpha: float, cutoff: int) -> Floats:
    """Per topic: what k documents reach that each answer every subtopic."""
    count, place = np.unique(answerable, return_inverse=True)
    gain, total = count, np.zeros(len(count))
    for rank in range(1, cutoff + 1):
        longer = total + gain / rank
        if (longer == total).all():
            break  # all further ranks are below the last bit
        gain, total = gain * (1.0 - alpha), longer
    return total[place]


@declare(
    name="I_rec",
    title="Intent recall (subtopic recall)",
    section="subtopics",
    formula="(subtopics that the first k documents answer) / (subtopics that any judged document answers)",
    reference="Zhai, Cohen, Lafferty: Beyond independent relevance, SIGIR 2003 (S-recall); Sakai, Song: Evaluating "
    "diversified search results using per-intent graded relevance, SIGIR 2011 (I-rec); strec in ndeval",
    undefined=NOTHING,
    cutoff="required",
    needs=("subtopics",),
    aliases=(Alias("I-rec@k, STREC@k, S-recall@k", r"(?i:i-rec|irec|strec|strecall|s-recall)@(\d+)", r"I_rec@\1"),),
)
def i_rec(ranked: Ranked, *, cutoff: int) -> Floats:
    known = aspects(ranked.gold)
    pairs, _ = spans(known.starts, ranked.row[ranked.rank <= cutoff])
    answered = np.zeros(len(known.topic), dtype=np.bool_)
    answered[known.subtopic[pairs]] = True
    return ratio(known.by_topic(answered), known.by_topic(known.answerable))


@declare(
    name="nERR_IA",
    title="Intent-aware normalised expected reciprocal rank",
    section="subtopics",
    formula="Σ over subtopics i of P(i) · ERRᵢ@k / ERRᵢ@k of the ranking by grade for i alone;"
    " ERRᵢ@k = Σ over ranks r ≤ k of (p(r) / r) · Π over j < r of (1 − p(j));"
    " p = g / (gmax + 1), or (2^g − 1) / 2^gmax with gains=exp;"
    " P(i) adds up to 1 over the subtopics that have a relevant document",
    reference="Sakai, Song: Evaluating diversified search results using per-intent graded relevance, SIGIR 2011; "
    "stop probability as in NTCIREVAL, with gains=exp as in Chapelle, Metzler, Zhang, Grinspan: Expected reciprocal "
    "rank for graded relevance, CIKM 2009; paper 5, section 2",
    undefined=NOTHING + " A grade above gmax is an error.",
    parameters=(IMPORTANCE, GAINS, GMAX),
    cutoff="required",
    needs=("subtopics",),
    aliases=(Alias("nERR-IA@k", r"(?i:nerr-ia)(\([^()]*\))?@(\d+)", r"nERR_IA\1@\2"),),
)
def nerr_ia(ranked: Ranked, *, importance: str, gains: str, gmax: float, cutoff: int) -> Floats:
    gold, known = ranked.gold, aspects(ranked.gold)
    full = known.highest_grade(gmax)
    searching, reached = np.ones(len(known.topic)), np.zeros(len(known.topic))
    for step in walk(ranked, cutoff):
        stop = _stop(step.grade, full, gains)
        reached[step.subtopic] += searching[step.subtopic] * stop / ranked.rank[step.hit][step.owner]
        searching[step.subtopic] *= 1.0 - stop
    return known.by_topic(shares(gold, importance) * ratio(reached, _ideal_err(gold, gains, gmax, cutoff)))


@lru_cache(maxsize=8)
def _ideal_err(gold: Qrels, gains: str, gmax: float, cutoff: int) -> Floats:
    """Per subtopic."""
    known = aspects(gold)
    full = known.highest_grade(gmax)
    highest = float(known.grade.max(initial=0.0))
    if highest > full:
        raise DataError(f"nERR_IA takes grades of at most gmax; say nERR_IA(gmax={highest:g}).", value=highest)
    searching, reached = np.ones(len(known.topic)), np.zeros(len(known.topic))
    for rank, (subtopic, grade) in enumerate(islice(best_first(gold), cutoff), start=1):
        stop = _stop(grade, full, gains)
        reached[subtopic] += searching[subtopic] * stop / rank
        searching[subtopic] *= 1.0 - stop
    return reached


def _stop(grade: Floats, full: float, gains: str) -> Floats:
    """The probability that a document satisfies the user."""
    # (2^g - 1) / 2^full, in a form that no grade makes overflow.
    return np.exp2(grade - full) - np.exp2(-full) if gains == "exp" else grade / (full + 1.0)


@declare(
    name="D_nDCG",
    title="Diversity-weighted nDCG",
    section="subtopics",
    formula="DCG@k / DCG@k of the ranking by global gain; DCG@k = Σ over ranks r ≤ k of GG(r) / log2(r + 1);"
    " GG = Σ over subtopics i of P(i) · gᵢ, the document's gain for i;"
    " P(i) adds up to 1 over the subtopics that have a relevant document",
    reference="Sakai, Song: Evaluating diversified search results using per-intent graded relevance, SIGIR 2011; "
    "paper 5, section 2",
    undefined=NOTHING,
    parameters=(IMPORTANCE, GAINS),
    cutoff="required",
    needs=("subtopics",),
    aliases=(Alias("D-nDCG@k", r"(?i:d-ndcg)(\([^()]*\))?@(\d+)", r"D_nDCG\1@\2"),),
)
def d_ndcg(ranked: Ranked, *, importance: str, gains: str, cutoff: int) -> Floats:
    gold = ranked.gold
    gain = np.where(ranked.rank <= cutoff, global_gains(gold, importance, gains)[ranked.row], 0.0)
    # The sorted gains stand in the topic's own rows, so a row's place in its topic is its ideal rank.
    rank = np.arange(1, len(gold) + 1) - gold.starts[gold.topic]
    best = np.where(rank <= cutoff, sorted_gains(gold, importance, gains), 0.0)
    reached = ranked.total(gain / np.log2(ranked.rank + 1.0))
    return ratio(reached, ranked.total(best / np.log2(rank + 1.0), gold.topic))


@declare(
    name="Dsharp_nDCG",
    title="D#-nDCG: intent recall and D-nDCG in one",
    section="subtopics",
    formula="gamma · I_rec@k + (1 − gamma) · D_nDCG@k",
    reference="Sakai, Song: Evaluating diversified search results using per-intent graded relevance, SIGIR 2011; "
    "NTCIR INTENT's main measure",
    undefined=NOTHING,
    parameters=(
        Parameter(name="gamma", default=0.5, low=0, high=1, doc="the weight of intent recall"),
        IMPORTANCE,
        GAINS,
    ),
    cutoff="required",
    needs=("subtopics",),
    aliases=(Alias("D#-nDCG@k", r"(?i:d(?:#|♯|sharp)-?ndcg)(\([^()]*\))?@(\d+)", r"Dsharp_nDCG\1@\2"),),
)
def dsharp_ndcg(ranked: Ranked, *, gamma: float, importance: str, gains: str, cutoff: int) -> Floats:
    ranking = d_ndcg(ranked, importance=importance, gains=gains, cutoff=cutoff)
    return gamma * i_rec(ranked, cutoff=cutoff) + (1.0 - gamma) * ranking
