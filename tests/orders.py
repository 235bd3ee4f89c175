"""Rankings with equal scores: their tie groups, and every order that they stand for."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby, permutations, product

import numpy as np

import plain
from patstone.gold.qrels import Qrels
from patstone.measures.ranked import Ranked

Answers = Mapping[str, Mapping[str, float]]


def tied(gold: Qrels, answers: Answers) -> Ranked:
    """Rank plainly and tell of each hit which ranks it shares with its equals."""
    ranked = plain.ranked(gold, answers)
    scores = [sorted(answers.get(topic, {}).values(), reverse=True) for topic in gold.topics]
    mine = [(scores[t], scores[t][rank - 1]) for t, rank in zip(ranked.topic, ranked.rank, strict=True)]
    return replace(
        ranked,
        tie_first=np.array([column.index(score) + 1 for column, score in mine], dtype=np.int64),
        tie_size=np.array([column.count(score) for column, score in mine], dtype=np.int64),
    )


def orders(docs: Mapping[str, float]) -> Iterator[dict[str, float]]:
    """Every ranking of one topic's documents that keeps to the scores, with scores that tell all apart."""
    by_score = sorted(docs, key=lambda doc: -docs[doc])
    groups = [permutations(group) for _, group in groupby(by_score, key=lambda doc: docs[doc])]
    for order in product(*groups):
        flat = [doc for group in order for doc in group]
        yield {doc: float(len(flat) - place) for place, doc in enumerate(flat)}
