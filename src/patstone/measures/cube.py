"""The Cube Test: how fast documents fill a cube whose columns are a topic's subtopics (claims), as water would.

A column is as wide as its subtopic is important; a document pours its relevance into each column that it answers,
less for each earlier document that did, until the lid. CT is what has flowed in by a moment over the time it took;
ACT its mean over the moments. Where a viewing order is given, it takes the place of the ranking.
"""

import re
from dataclasses import replace
from math import ulp

import numpy as np

from patstone.errors import UsageError
from patstone.gold.qrels import Floats
from patstone.measures.aspects import IMPORTANCE, aspects, shares, walk
from patstone.measures.effort import WORDS, seconds_until
from patstone.measures.measure import Alias, Parameter, declare
from patstone.measures.ranked import Ranked, ratio
from patstone.measures.ties import stretch

EXAMINED = 10
# The reading model asks for grades of at least a level; this one is any above zero.
ANY_GRADE = ulp(0.0)
# Ten tenths fill a column, though their floats add up to a little less.
FULL = 1 - 1e-9

SCALE = Parameter(
    name="scale",
    default=0,
    low=0,
    doc="the grade that fills a column of height 1; 0 takes the gold standard's highest, or 1 where none is higher",
)
COVER = Parameter(
    name="cover",
    default="paper",
    choices=("paper", "capped", "none"),
    doc="the lid: a full column takes nothing more; also the document that fills it is cut at the lid, and only what "
    "is left after the discount fills it; or no lid",
)
GAMMA = Parameter(
    name="gamma",
    default=0.5,
    low=0,
    high=1,
    doc="what each earlier document that answers the subtopic leaves of a document's relevance to it: "
    "low rewards answering many subtopics, high rewards many documents on one",
)
HEIGHT = Parameter(
    name="height", default=1, low=0, open_low=True, doc="the height of the cube, in fully relevant documents"
)
TIME = Parameter(
    name="time",
    default="rank",
    choices=("rank", "top10", "reading"),
    doc="one unit for each document; the same, for the first ten documents only; or seconds of reading, as in TBG",
)
RANKS = Parameter(
    name="time",
    default="rank",
    choices=("rank", "top10"),
    doc="one unit for each document; or the same, for the first ten documents only",
)
UNDEFINED = (
    "0 when no subtopic has a relevant document (reported; the norel policy decides) and when nothing was retrieved."
    " A ranking shorter than k took less time: it is divided by the time of what was retrieved, not of k documents."
    " A subtopic whose documents are all judged 0 has no column; a document judged 0 for all, or by nobody, takes time."
    " With height below 1 or scale below the highest grade, values above 1 are possible."
)
REFERENCE = "Luo, Wing, Yang & Hearst, The water filling model and the Cube Test, CIKM 2013 (paper 5, equations 7-12)"

# The paper's letters; its printed table and its text give the claims both l and p.
IMPORTANCES = {"": "", "d": "importance=decay", "l": "importance=claims", "p": "importance=claims"}
TIMES = {"t": "time=top10", "a": "", "g": "time=reading"}


def _from_subscript(match: re.Match[str]) -> str:
    importance, time, lid, given, cutoff = match.groups(default="")
    cover = "" if lid == "c" else "cover=capped" if lid.startswith("c") else "cover=none"
    return f"CT({', '.join(filter(None, (IMPORTANCES[importance], TIMES[time], cover, given)))}){cutoff}"


PAPER_NAMES = Alias(
    "CT_lgc@k, CT_ac'@k, … (paper 5): d, l, p or nothing for decay, claims, uniform; t, a or g for top10, rank,"
    " reading; c, c' or ¬c (!c, nc) for paper, capped, none",
    r"CT_([dlp]?)([tag])(c['′’]?|(?:¬|!|n)c)(?:\(([^()]*)\))?(@\d+)?",
    _from_subscript,
)


@declare(
    name="CT",
    title="Cube Test",
    section="cube",
    formula="CT@k = Σ over the first k documents d of gain(d) / Time(k);"
    " gain(d) = Σ over subtopics i of θᵢ · rel(d, i) · gamma^(earlier documents relevant to i) · [filledᵢ < height]"
    " / height; rel = grade / scale; θᵢ = importance, adding up to 1 over the subtopics that have a relevant document;"
    " filledᵢ = Σ of rel over earlier documents. cover=capped: d pours in min(rel · gamma^(…), height − filledᵢ), and"
    " filledᵢ is the sum of that. Time(k) = the time that the first k documents take, the k-th included",
    reference=REFERENCE + "; cover=capped as in the TREC Dynamic Domain track",
    undefined=UNDEFINED,
    parameters=(IMPORTANCE, TIME, COVER, GAMMA, HEIGHT, SCALE, WORDS),
    cutoff="required",
    default_cutoff=20,
    cutoff_doc="look at the first k documents, in the viewing order where one is given",
    needs=("subtopics",),
    aliases=(PAPER_NAMES,),
)
def cube_test(
    ranked: Ranked,
    *,
    importance: str,
    time: str,
    cover: str,
    gamma: float,
    height: float,
    scale: float,
    words: float,
    cutoff: int,
) -> Floats:
    viewed = _as_viewed(ranked)
    last = min(cutoff, EXAMINED) if time == "top10" else cutoff
    gain = _gain(viewed, importance=importance, cover=cover, gamma=gamma, height=height, scale=scale, cutoff=last)
    if time != "reading":
        # As the Dynamic Domain track counts: documents that were never shown take no time.
        return ratio(viewed.total(gain), np.minimum(viewed.retrieved, last).astype(np.float64))
    if viewed is not ranked and ranked.reading is not None:
        raise UsageError("time=reading with lengths follows the ranking: leave out the viewing order or the lengths.")
    return ratio(viewed.total(gain), seconds_until(viewed, last, ANY_GRADE, words))


@declare(
    name="ACT",
    title="Average Cube Test",
    section="cube",
    formula="ACT@k = (1/n) · Σ over ranks r ≤ n of CT@r; n = the smaller of k and the documents retrieved",
    reference=REFERENCE + "; averaged over the ranks in the TREC Dynamic Domain track",
    undefined=UNDEFINED + " time=reading is not offered: it would need the words read until every rank.",
    parameters=(IMPORTANCE, RANKS, COVER, GAMMA, HEIGHT, SCALE),
    cutoff="required",
    default_cutoff=20,
    cutoff_doc="look at the first k documents, in the viewing order where one is given",
    needs=("subtopics",),
)
def average_cube_test(
    ranked: Ranked,
    *,
    importance: str,
    time: str,
    cover: str,
    gamma: float,
    height: float,
    scale: float,
    cutoff: int,
) -> Floats:
    viewed = _as_viewed(ranked)
    last = min(cutoff, EXAMINED) if time == "top10" else cutoff
    gain = _gain(viewed, importance=importance, cover=cover, gamma=gamma, height=height, scale=scale, cutoff=last)
    moments = np.minimum(viewed.retrieved, last)
    kept = np.flatnonzero(gain)
    topic, rank = viewed.topic[kept], viewed.rank[kept]
    # What flows in at rank r counts at every moment from r on, over 1/r, 1/(r + 1), …
    spread = stretch(lambda moment: 1 / moment, rank, moments[topic] - rank + 1)
    return ratio(viewed.total(gain[kept] * spread, topic), moments.astype(np.float64))


def _as_viewed(ranked: Ranked) -> Ranked:
    """The viewing order as if it were the ranking."""
    if ranked.view is None:
        return ranked
    order = np.lexsort((ranked.view, ranked.topic))
    return replace(
        ranked, topic=ranked.topic[order], rank=ranked.view[order], row=ranked.row[order], view=None, reading=None
    )


def _gain(
    ranked: Ranked, *, importance: str, cover: str, gamma: float, height: float, scale: float, cutoff: int
) -> Floats:
    """Per hit: the share of the cube that it fills; 0 below the cutoff."""
    if cover == "none" and height != 1:
        raise UsageError(f"cover=none has no lid, so height must stay 1. Got {height:g}.")
    share, full = shares(ranked.gold, importance), aspects(ranked.gold).highest_grade(scale)
    left, filled = np.ones(len(share)), np.zeros(len(share))
    gain = np.zeros(len(ranked.rank))
    for step in walk(ranked, cutoff):
        column = step.subtopic
        relevance = step.grade / full
        poured = relevance * left[column]
        if cover == "paper":
            # The paper looks at the column before the document comes: the last one may run over.
            poured[filled[column] >= height * FULL] = 0.0
            filled[column] += relevance
        elif cover == "capped":
            poured = np.minimum(poured, height - filled[column])
            filled[column] += poured
        left[column] *= gamma
        gain[step.hit] = step.total(share[column] * poured) / height
    return gain
