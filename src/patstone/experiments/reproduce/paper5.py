"""Paper 5, the Cube Test: 33 runs under its measures, their discriminative power, and gamma on two ideal runs.

The paper's collections are not public as it used them, so its shape is made again on the bundled made-up world (49
topics, claims as subtopics), or on a test collection of your own. Nothing printed is held against that, but for what
figures 5 and 6 say in words: where gamma is small the run that covers all claims scores higher, where it is large the
run that has all documents of one claim first.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from patstone.experiments.reproduce.registry import Given, PaperTable, Row, declare

if TYPE_CHECKING:
    from patstone.gold.dataset import Dataset
    from patstone.gold.qrels import Qrels
    from patstone.measures.scores import Scores
    from patstone.systems.run import Run

OTHERS = ("R@100", "AP", "PRES@100", "TBG", "nDCG@20", "alpha_nDCG@20", "I_rec@20", "nERR_IA@20", "D_nDCG@20")
# Importance d, l, none; time t, a, g; with the lid and without, as table 2 of the paper spells them.
CUBES = tuple(
    f"CT_{importance}{time}{lid}@20" for importance in ("d", "l", "") for time in "tag" for lid in ("c", "nc")
)
GAMMAS = tuple(tenth / 10 for tenth in range(1, 10))
NEEDS = "nothing; --dataset DIR takes your own test collection, with judgments of claims"


@cache
def scored(given: Given) -> "Scores":
    """The 33 runs under all measures."""
    from patstone.experiments.searching import MODELS, QUERIES, collection, runs
    from patstone.measures.engine import score
    from patstone.measures.measure import parse
    from patstone.measures.policies import Policies

    with collection(given.dataset, given.seed) as dataset:
        gold, families = judged(dataset), dataset.families()
        found = runs(dataset, MODELS, QUERIES)
        return score(gold, found, [parse(name) for name in (*OTHERS, *CUBES)], policies=Policies(), families=families)


def judged(dataset: "Dataset") -> "Qrels":
    from patstone.errors import DataError

    gold = dataset.qrels()
    if gold.subtopics is None:
        raise DataError("Paper 5 needs judgments of claims (qrels-claims.txt).", path=dataset.path)
    return gold


@declare(paper="paper5", name="runs", title="33 runs under all measures", needs=NEEDS, chart="nDCG@20")
def every_run(table: PaperTable, given: Given) -> Iterator[Row]:
    scores = scored(given)
    for system, means in zip(scores.systems, scores.means.tolist(), strict=True):
        for name, mean in zip((*OTHERS, *CUBES), means, strict=True):
            yield table.shown(system, name, mean)


@declare(paper="paper5", name="table3", title="Discriminative power at 0.05", needs=NEEDS, chart="discriminative power")
def table_3(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.compare.discrimination import discriminate

    found = discriminate(scored(given), test="bootstrap", resamples=1000, alpha=0.05, seed=given.seed)
    for name, power in zip((*OTHERS, *CUBES), found.rows, strict=True):
        yield table.shown(name, "discriminative power", power.power)


@declare(
    paper="paper5", name="figures5-6", title="CT_lgc by gamma for two ideal runs", needs=NEEDS, chart="lines over gamma"
)
def figures(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.experiments.searching import collection
    from patstone.measures.engine import score
    from patstone.measures.measure import parse
    from patstone.measures.policies import Policies

    with collection(given.dataset, given.seed) as dataset:
        gold = judged(dataset)
    measures = [parse(f"CT_lgc(gamma={gamma:g})@20") for gamma in GAMMAS]
    ideal = [ideal_run(gold, "coverage", by_turns), ideal_run(gold, "single relevance", one_by_one)]
    coverage, single = score(gold, ideal, measures, policies=Policies(self="keep")).means.tolist()
    for gamma, first, second in zip(GAMMAS, coverage, single, strict=True):
        yield table.shown(f"{gamma:g}", "coverage", first)
        yield table.shown(f"{gamma:g}", "single relevance", second)
    yield table.finding("small gamma", "coverage is higher", holds=coverage[0] > single[0])
    yield table.finding("large gamma", "single relevance is higher", holds=single[-1] > coverage[-1])


Arrange = Callable[[Sequence[Sequence[str]]], list[str]]


def by_turns(claims: Sequence[Sequence[str]]) -> list[str]:
    """The best document of each claim, then the second of each, and so on."""
    deepest = max(map(len, claims))
    return [docs[place] for place in range(deepest) for docs in claims if place < len(docs)]


def one_by_one(claims: Sequence[Sequence[str]]) -> list[str]:
    """All documents of a claim, then all of the next."""
    return [doc for docs in claims for doc in docs]


def ideal_run(gold: "Qrels", name: str, arrange: Arrange) -> "Run":
    """Relevant documents only: claims by importance, then as numbered; a claim's documents by grade, then as judged."""
    from patstone.systems.run import Run

    answers = {}
    for place, topic in enumerate(gold.topics):
        # A document counts where it comes first.
        ranked = list(dict.fromkeys(arrange(relevant(gold, place)))) if relevant(gold, place) else []
        answers[topic] = {doc: float(len(ranked) - rank) for rank, doc in enumerate(ranked)}
    return Run.from_dict(answers, name=name)


def relevant(gold: "Qrels", topic: int) -> list[list[str]]:
    """The relevant documents of each claim of a topic that has some."""
    import numpy as np

    from patstone.files.ids import texts

    aspects = gold.subtopics
    if aspects is None:
        return []
    claims = np.arange(aspects.starts[topic], aspects.starts[topic + 1])
    if aspects.independent is not None:
        claims = claims[np.argsort(~aspects.independent[claims], kind="stable")]
    found = []
    for claim in claims.tolist():
        rows = np.flatnonzero((aspects.subtopic == claim) & (aspects.grades > 0))
        best = rows[np.argsort(-aspects.grades[rows], kind="stable")]
        found.append(texts(gold.docs[aspects.judged[best]]))
    return [docs for docs in found if docs]
