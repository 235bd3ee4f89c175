"""Ranks the documents of an index for many questions, by any model that is a sum over terms.

Terms that stand in many documents are rows of a dense matrix, and their share of the scores of a block of questions
is one matrix product; the others are added posting by posting. Blocks have one shape, however many questions are
left, so that a question's scores don't depend on its neighbours.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from patstone.systems.searchers.filters import Filters
from patstone.systems.searchers.formulation import Question
from patstone.systems.searchers.index import Index
from patstone.systems.searchers.ranking import Ranking
from patstone.systems.searchers.weights import Model, weighted

Scores = NDArray[np.float32]
# A term in more than one of so many documents is cheaper as a row of a matrix.
_COMMON = 16
_CELLS = 1 << 26
_BLOCK, _SCORES = 64, 1 << 24


@dataclass(frozen=True, eq=False)
class Lexical:
    index: Index
    model: Model
    filters: Filters = field(default_factory=Filters)

    def rankings(self, questions: Sequence[Question], k: int) -> list[Ranking]:
        """The k best documents for each question; fewer where fewer share a term with it and pass the filters."""
        size = max(1, min(_BLOCK, _SCORES // len(self.index.shelf)))
        found: list[Ranking] = []
        for low in range(0, len(questions), size):
            block = questions[low : low + size]
            for question, scores in zip(block, self.scores(block, size), strict=False):
                found.append(Ranking.best(scores, self.filters.allowed(question, self.index.shelf), k))
        return found

    def scores(self, block: Sequence[Question], size: int) -> Scores:
        """The score of each document for each question of a block; -inf where they share no term."""
        asked = [self.model.asked(self.index, one.terms, one.counts.astype(np.float64)) for one in block]
        rows, matrix = self._common
        share = np.zeros((size, len(matrix)), dtype=np.float32)
        for place, (question, weight) in enumerate(zip(block, asked, strict=True)):
            common = rows[question.terms]
            share[place, common[common >= 0]] = weight[common >= 0]
        found: Scores = share @ matrix
        for scores, question, weight in zip(found, block, asked, strict=False):
            rare = rows[question.terms] < 0
            self._add(scores, question.terms[rare], weight[rare])
            self._finish(scores, question)
        return found

    def _add(self, scores: Scores, terms: NDArray[np.int64], weights: NDArray[np.float64]) -> None:
        index, column = self.index, self._column
        for term, weight in zip(terms.tolist(), weights.astype(np.float32), strict=True):
            rows = slice(index.starts[term], index.starts[term + 1])
            np.add.at(scores, index.postings[rows], column[rows] * weight)

    def _finish(self, scores: Scores, question: Question) -> None:
        none = scores <= 0
        if self._prior is not None:
            scores += self._prior * np.float32(question.counts.sum())
        scores[none] = -np.inf

    @cached_property
    def _column(self) -> Scores:
        return weighted(self.model, self.index)

    @cached_property
    def _prior(self) -> Scores | None:
        prior = self.model.prior(self.index)
        return None if prior is None else prior.astype(np.float32)

    @cached_property
    def _common(self) -> tuple[NDArray[np.int64], Scores]:
        """For each term its row of the matrix, or -1; and the matrix."""
        index = self.index
        many = len(index.shelf)
        order = np.argsort(-index.spread, kind="stable")[: _CELLS // many]
        chosen = order[index.spread[order] * _COMMON > many]
        rows = np.full(len(index.vocabulary), -1)
        rows[chosen] = np.arange(len(chosen))
        matrix = np.zeros((len(chosen), many), dtype=np.float32)
        for row, term in enumerate(chosen.tolist()):
            own = slice(index.starts[term], index.starts[term + 1])
            matrix[row, index.postings[own]] = self._column[own]
        return rows, matrix
