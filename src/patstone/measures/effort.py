"""Effort: what a searcher spends until the relevant documents are found, in ranks (PRES) and in seconds (TBG).

`seconds_before` and `seconds_until` are the one model of reading time, Smucker and Clarke's; the Cube Test uses
it too. A judged relevant document is opened more often than any other, and so costs more.
"""

import numpy as np

from patstone.gold.qrels import Floats
from patstone.measures.measure import REL, Parameter, declare
from patstone.measures.ranked import Ranked, ratio
from patstone.measures.ties import groups, places_within

SUMMARY_SECONDS = 4.4
OPENING_SECONDS = 7.8
SECONDS_A_WORD = 0.018
OPENS_RELEVANT = 0.65
OPENS_OTHER = 0.39
GAIN_OF_RELEVANT = 0.4928

WORDS = Parameter(
    name="words", default=500, low=0, doc="the length in words of every document, where no lengths are given"
)


def seconds_before(ranked: Ranked, rel: float, words: float) -> Floats:
    """Per hit: the seconds spent on all documents ranked before it, judged or not.

    A document is relevant with a grade of at least `rel`; without lengths each has `words` words.
    """
    relevant = (ranked.grade >= rel).astype(np.float64)
    earlier = (ranked.rank - 1).astype(np.float64)
    if ranked.reading is None:
        own, read = np.full(len(relevant), float(words)), words * earlier
    else:
        own, read = ranked.reading.own, ranked.reading.before
    return _seconds(earlier, ranked.earlier(relevant), read, ranked.earlier(relevant * own))


def seconds_until(ranked: Ranked, cutoff: int, rel: float, words: float) -> Floats:
    """Per topic: the seconds spent on the first k documents, or on all where fewer were retrieved."""
    seen = np.minimum(ranked.retrieved, cutoff).astype(np.float64)
    relevant = ((ranked.grade >= rel) & (ranked.rank <= cutoff)).astype(np.float64)
    if ranked.reading is None:
        own, read = np.full(len(relevant), float(words)), words * seen
    else:
        own, read = ranked.reading.own, ranked.reading.until[cutoff]
    return _seconds(seen, ranked.total(relevant), read, ranked.total(relevant * own))


def _seconds(documents: Floats, relevant: Floats, words: Floats, relevant_words: Floats) -> Floats:
    opened_relevant = OPENS_RELEVANT * (SECONDS_A_WORD * relevant_words + OPENING_SECONDS * relevant)
    others = SECONDS_A_WORD * (words - relevant_words) + OPENING_SECONDS * (documents - relevant)
    return SUMMARY_SECONDS * documents + opened_relevant + OPENS_OTHER * others


def expected_pres(ranked: Ranked, *, rel: float, cutoff: int) -> Floats:
    relevant = ranked.relevant(rel)
    tied = groups(ranked, relevant.index)
    places = places_within(tied.first, tied.size, cutoff).astype(np.float64)
    hits = tied.marked * places / tied.size
    # Pairs of relevant documents that are both within Nmax; with them the mean sum of the found ones' numbers.
    pairs = tied.marked * (tied.marked - 1) / 2 * places * (places - 1) / np.maximum(tied.size * (tied.size - 1), 1)
    numbers = hits * (tied.before + 1) + pairs
    ranks = hits * (tied.first + (places - 1) / 2)
    return ratio(ranked.total(hits * cutoff - ranks + numbers, tied.topic), relevant.known * cutoff)


@declare(
    name="PRES",
    title="Patent retrieval evaluation score",
    section="effort",
    formula="PRES@Nmax = 1 − (mean of r₁ … rₙ − (n + 1)/2) / Nmax; rᵢ = rank of the i-th relevant document found"
    " among the first Nmax; with f of n found, the missing ones take ranks Nmax + f + 1 … Nmax + n",
    reference="Magdy & Jones, SIGIR 2010; CLEF-IP's main measure; paper 5, section 2",
    undefined="0 without a relevant document in the gold standard, and 0 when none is found among the first Nmax."
    " Where fewer than Nmax documents were retrieved, missing ones still take the ranks after Nmax. With n above Nmax"
    " the best value is Nmax / n; the formula stays within 0 and 1 by itself and nothing is cut off."
    " Negative grades are not relevant.",
    expected=expected_pres,
    parameters=(REL,),
    cutoff="required",
    default_cutoff=100,
    cutoff_doc="Nmax, the number of documents that the searcher is ready to check",
)
def pres(ranked: Ranked, *, rel: float, cutoff: int) -> Floats:
    relevant = ranked.relevant(rel)
    kept = np.flatnonzero(relevant.rank <= cutoff)
    # A missing document's rank less its number is Nmax, so only what was found adds; whole numbers until the end.
    saved = cutoff - relevant.rank[kept] + relevant.ordinal[kept]
    return ratio(ranked.total(saved, relevant.topic[kept]), relevant.known * cutoff)


@declare(
    name="TBG",
    title="Time-biased gain",
    section="effort",
    formula="TBG = Σ over relevant documents at ranks r ≤ k of 0.4928 · 2^(−Time(r) / h);"
    " Time(r) = Σ over ranks i < r of 4.4 + (0.018 · words(i) + 7.8) · c(i) seconds;"
    " c = 0.65 for a relevant document, 0.39 for any other",
    reference="Smucker & Clarke, SIGIR 2012; paper 5, section 2",
    undefined="0 without a relevant document in the gold standard, and 0 when nothing was retrieved. Documents that"
    " nobody judged take time as nonrelevant ones do. Where no lengths are given, every document has `words` words."
    " Not normalised: it grows with the number of relevant documents. Negative grades are not relevant.",
    parameters=(
        Parameter(
            name="h",
            default=224,
            low=0,
            open_low=True,
            doc="the seconds after which half of the searchers have stopped",
        ),
        REL,
        WORDS,
    ),
    cutoff="optional",
    high=float("inf"),
    needs=("lengths",),
)
def time_biased_gain(ranked: Ranked, *, h: float, rel: float, words: float, cutoff: int | None) -> Floats:
    counted = (ranked.grade >= rel) & (ranked.rank <= (cutoff or np.inf))
    decay = np.exp2(-seconds_before(ranked, rel, words)[counted] / h)
    return ranked.total(GAIN_OF_RELEVANT * decay, ranked.topic[counted])
