"""Paper 3's measures: how many inventions were found, whichever of an invention's documents it was.

The documents of one invention in the gold standard (a simple family) count once; a gold standard that names no
inventions takes each document for one.
"""

import numpy as np

from patstone.gold.qrels import Floats, Ints
from patstone.measures.measure import REL, declare
from patstone.measures.ranked import Ranked, ratio
from patstone.measures.ranking import expected_success, success
from patstone.measures.ties import bounds, chance_of_none, places_within

PAPER = "Paper 3 (data sets and measures for automatic prior-art search, in Russian)"
COMMON = (
    "0 without a relevant document in the gold standard, and 0 when nothing was retrieved. Without inventions in the"
    " gold standard each document is its own. An invention's documents that are not relevant don't count, nor do"
    " negative grades."
)


def numbered(ranked: Ranked, rel: float) -> tuple[Ints, Ints]:
    """Number the relevant inventions of all topics: each gold row's number, -1 if not relevant; each one's topic."""
    gold = ranked.gold
    rows = np.flatnonzero(gold.grades >= rel)
    number = np.full(len(gold), -1, dtype=np.int64)
    if gold.inventions is None:
        number[rows] = np.arange(len(rows))
        return number, gold.topic[rows]
    keys = gold.topic[rows] * (gold.inventions.max(initial=0) + 1) + gold.inventions[rows]
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    number[rows] = inverse
    return number, gold.topic[rows[first]]


def inventions_found(ranked: Ranked, rel: float, cutoff: int) -> tuple[Floats, Floats]:
    """Per topic: inventions with a document among the first K, and all relevant inventions."""
    number, owner = numbered(ranked, rel)
    relevant = ranked.relevant(rel)
    seen = np.zeros(len(owner))
    seen[number[relevant.row[relevant.rank <= cutoff]]] = 1
    return ranked.total(seen, owner), ranked.total(np.ones(len(owner)), owner)


def expected_inventions_found(ranked: Ranked, rel: float, cutoff: int) -> tuple[Floats, Floats]:
    number, owner = numbered(ranked, rel)
    index = ranked.relevant(rel).index
    invention, (first, size) = number[ranked.row[index]], bounds(ranked, index)
    _, head, documents = np.unique(
        invention * (first.max(initial=0) + 1) + first, return_index=True, return_counts=True
    )
    none = chance_of_none(size[head], places_within(first[head], size[head], cutoff), documents)
    missed = np.ones(len(owner))
    np.minimum.at(missed, invention[head], none)
    return ranked.total(1 - missed, owner), ranked.total(np.ones(len(owner)), owner)


declare(
    name="S",
    title="Search success",
    section="inventions",
    formula="S@K = 1 if a document of a relevant invention is among the first K, else 0",
    reference=f"{PAPER}, equations 1 and 2",
    undefined=COMMON,
    expected=expected_success,
    parameters=(REL,),
    cutoff="required",
    default_cutoff=20,
)(success)


@declare(
    name="H",
    title="Exhaustive search",
    section="inventions",
    formula="H@K = 1 if I ≤ K and all I relevant inventions are found among the first K, or if I ≥ K and each of the"
    " first K documents is relevant; else 0",
    reference=f"{PAPER}, equations 3 and 4",
    undefined=f"{COMMON} With I > K a ranking of fewer than K documents scores 0. At I = K, where the paper's text and"
    " its formula differ, either condition gives 1.",
    parameters=(REL,),
    cutoff="required",
    default_cutoff=20,
)
def exhaustive_search(ranked: Ranked, *, rel: float, cutoff: int) -> Floats:
    found, known = inventions_found(ranked, rel, cutoff)
    relevant = ranked.relevant(rel)
    documents = ranked.total(relevant.rank <= cutoff, relevant.topic)
    all_found = (known > 0) & (known <= cutoff) & (found == known)
    all_relevant = (known >= cutoff) & (documents == cutoff)
    return np.where(all_found | all_relevant, 1.0, 0.0)


def expected_mp(ranked: Ranked, *, rel: float, cutoff: int) -> Floats:
    return expected_inventions_found(ranked, rel, cutoff)[0] / cutoff


@declare(
    name="MP",
    title="Precision in inventions",
    section="inventions",
    formula="MP@K = (relevant inventions found among the first K) / K",
    reference=f"{PAPER}, section 3",
    undefined=f"{COMMON} Divides by K even where fewer documents were retrieved.",
    expected=expected_mp,
    parameters=(REL,),
    cutoff="required",
    default_cutoff=20,
)
def invention_precision(ranked: Ranked, *, rel: float, cutoff: int) -> Floats:
    return inventions_found(ranked, rel, cutoff)[0] / cutoff


def expected_mr(ranked: Ranked, *, rel: float, cutoff: int) -> Floats:
    return ratio(*expected_inventions_found(ranked, rel, cutoff))


@declare(
    name="MR",
    title="Recall in inventions",
    section="inventions",
    formula="MR@K = (relevant inventions found among the first K) / I; I = relevant inventions in the gold standard",
    reference=f"{PAPER}, section 3",
    undefined=COMMON,
    expected=expected_mr,
    parameters=(REL,),
    cutoff="required",
    default_cutoff=20,
)
def invention_recall(ranked: Ranked, *, rel: float, cutoff: int) -> Floats:
    return ratio(*inventions_found(ranked, rel, cutoff))
