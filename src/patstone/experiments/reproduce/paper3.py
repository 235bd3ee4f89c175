"""Paper 3, clusters of prior art: its table of fifteen clusters, for BM25 over claims and US documents.

The paper's clusters are not public; its table's shape is made again on the bundled made-up world, or on a test
collection of your own. What the paper says of its table in words is held: no cluster has twenty inventions, so P@20
can never be 1 even for the best ranking; s and h are shares of searches when they are averaged.
"""

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from patstone.experiments.reproduce.registry import Given, PaperTable, Row, declare

if TYPE_CHECKING:
    from patstone.gold.dataset import Dataset
    from patstone.gold.qrels import Qrels
    from patstone.measures.scores import Scores

CLUSTERS, DEPTH, OFFICE = 15, 20, "US"
# As the paper writes them; the first three are counts.
MEASURES = {"s@20": "S@20", "h@20": "H@20", "P@20": "MP@20", "R@20": "MR@20"}
NEEDS = "nothing; --dataset DIR takes your own test collection, with US documents"


@declare(paper="paper3", name="table", title="Fifteen clusters of US documents", needs=NEEDS, chart="R@20")
def table(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.experiments.searching import collection

    with collection(given.dataset, given.seed) as dataset:
        gold = clusters(dataset, given.seed)
        scores = scored(dataset, gold)
    inventions = inventions_of(gold)
    values = scores.values[0]
    for place, topic in enumerate(gold.topics):
        own = dict(zip((*MEASURES, "documents"), values[:, place].tolist(), strict=True))
        yield table.shown(topic, "inventions", inventions[place])
        yield table.shown(topic, "found documents", round(own["documents"] * DEPTH))
        yield table.shown(topic, "found inventions", round(own["P@20"] * DEPTH))
        yield from (table.shown(topic, name, own[name]) for name in MEASURES)
    means = dict(zip(MEASURES, scores.means[0].tolist(), strict=False))
    yield from (table.shown("mean", name, mean) for name, mean in means.items())
    found, whole = values[3] > 0, values[3] == 1
    yield table.finding("every cluster", "has fewer than 20 inventions", holds=max(inventions) < DEPTH)
    yield table.finding(
        "mean s@20", "is the share of searches that found something", holds=means["s@20"] == found.mean()
    )
    yield table.finding("mean h@20", "is the share of searches that found all", holds=means["h@20"] == whole.mean())


def clusters(dataset: "Dataset", seed: int) -> "Qrels":
    """Fifteen topics of the office drawn at random, and of their relevant documents those of the office."""
    import numpy as np

    from patstone.errors import DataError
    from patstone.files.ids import texts
    from patstone.gold.qrels import Qrels

    gold = dataset.qrels()
    offices = dict(zip(*(dataset.queries.column(name).to_pylist() for name in ("topic", "country")), strict=True))
    own = (gold.docs.astype("S2") == OFFICE.encode()) & (gold.grades > 0)
    known = [
        topic
        for place, topic in enumerate(gold.topics)
        if offices.get(topic) == OFFICE and own[gold.starts[place] : gold.starts[place + 1]].any()
    ]
    if len(known) < CLUSTERS:
        rule = f"Paper 3 needs {CLUSTERS} queries of the office {OFFICE} with relevant documents of that office."
        raise DataError(rule, path=dataset.path, value=len(known))
    chosen = Random(seed).sample(sorted(known), CLUSTERS)
    kept = np.flatnonzero(own & np.isin(gold.topic, [gold.topics.index(topic) for topic in chosen]))
    named = None if gold.inventions is None else [str(code) for code in gold.inventions[kept].tolist()]
    topics = [gold.topics[topic] for topic in gold.topic[kept].tolist()]
    return Qrels.from_columns(topics, texts(gold.docs[kept]), gold.grades[kept].tolist(), inventions=named)


def scored(dataset: "Dataset", gold: "Qrels") -> "Scores":
    from patstone.experiments.searching import runs
    from patstone.measures.engine import score
    from patstone.measures.measure import parse
    from patstone.measures.policies import Policies
    from patstone.systems.searchers.filters import Filters

    found = runs(dataset, ["bm25"], ["claims"], filters=Filters(offices=(OFFICE,)))
    measures = [parse(name) for name in (*MEASURES.values(), f"P@{DEPTH}")]
    # Topics that are in no cluster are answered too, and not looked at.
    return score(gold, found, measures, policies=Policies(offices=(OFFICE,)), families=dataset.families())


def inventions_of(gold: "Qrels") -> list[int]:
    import numpy as np

    codes = gold.inventions if gold.inventions is not None else np.arange(len(gold))
    return [
        len(np.unique(codes[low:high]))
        for low, high in zip(gold.starts[:-1].tolist(), gold.starts[1:].tolist(), strict=True)
    ]
