"""Term weighting models over one index: BM25, TF-IDF, and language models after Dirichlet and Jelinek-Mercer.

Each is a sum over the query's terms of a weight that a document has for the term, so a model is a column beside the
postings. Weights are above zero: a document that shares no term with a query scores 0 and is never an answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from patstone.systems.searchers.index import Index, Ints

Floats = NDArray[np.float64]
_PIECE = 1 << 20


class Model(Protocol):
    def weights(self, index: Index, term: Ints, doc: Ints, count: Floats) -> Floats:
        """What each posting is worth."""
        ...

    def asked(self, index: Index, term: Ints, count: Floats) -> Floats:
        """What each term of a query is worth."""
        ...

    def prior(self, index: Index) -> Floats | None:
        """What each document is worth for each term of a query, whether it has the term or not."""
        ...


class _Plain:
    def asked(self, index: Index, term: Ints, count: Floats) -> Floats:  # noqa: ARG002 - the protocol's
        return count

    def prior(self, index: Index) -> Floats | None:  # noqa: ARG002 - the protocol's
        return None


@dataclass(frozen=True)
class BM25(_Plain):
    """As Lucene and bm25s have it: idf = ln(1 + (N - df + 0.5) / (df + 0.5)), without the factor k1 + 1."""

    k1: float = 1.2
    b: float = 0.75

    def weights(self, index: Index, term: Ints, doc: Ints, count: Floats) -> Floats:
        share = index.lengths / max(index.lengths.mean(), 1)
        slow = self.k1 * (1 - self.b + self.b * share)
        idf = np.log1p((len(index.shelf) - index.spread + 0.5) / (index.spread + 0.5))
        return np.asarray(idf[term] * count / (count + slow[doc]))


@dataclass(frozen=True)
class TfIdf:
    """Cosine of (1 + ln tf) · ln(1 + N / df) in document and query; a query's length changes no ranking."""

    def weights(self, index: Index, term: Ints, doc: Ints, count: Floats) -> Floats:
        return np.asarray((1 + np.log(count)) * self._idf(index)[term] / self._norms(index)[doc])

    def asked(self, index: Index, term: Ints, count: Floats) -> Floats:
        return np.asarray((1 + np.log(count)) * self._idf(index)[term])

    def prior(self, index: Index) -> Floats | None:  # noqa: ARG002 - the protocol's
        return None

    @staticmethod
    def _idf(index: Index) -> Floats:
        return np.asarray(np.log1p(len(index.shelf) / index.spread))

    def _norms(self, index: Index) -> Floats:
        squares = np.zeros(len(index.shelf))
        idf = self._idf(index)
        for low, term in pieces(index):
            rows = slice(low, low + len(term))
            value = (1 + np.log(index.counts[rows])) * idf[term]
            squares += np.bincount(index.postings[rows], value * value, minlength=len(squares))
        return np.sqrt(np.maximum(squares, np.finfo(np.float64).tiny))


@dataclass(frozen=True)
class Dirichlet(_Plain):
    """ln(1 + tf / (mu · p(t))) + ln(mu / (|d| + mu)), summed over the query's terms."""

    mu: float = 2000

    def weights(self, index: Index, term: Ints, doc: Ints, count: Floats) -> Floats:  # noqa: ARG002 - the prior has it
        chance = index.totals / index.totals.sum()
        return np.asarray(np.log1p(count / (self.mu * chance[term])))

    def prior(self, index: Index) -> Floats | None:
        return np.asarray(np.log(self.mu / (index.lengths + self.mu)))


@dataclass(frozen=True)
class JelinekMercer(_Plain):
    """ln(1 + (1 - lambda) · tf / (lambda · |d| · p(t))), where lambda is the collection's share."""

    lam: float = 0.7

    def weights(self, index: Index, term: Ints, doc: Ints, count: Floats) -> Floats:
        chance = index.totals / index.totals.sum()
        ratio = (1 - self.lam) / self.lam
        return np.asarray(np.log1p(ratio * count / (index.lengths[doc] * chance[term])))


def weighted(model: Model, index: Index) -> NDArray[np.float32]:
    """The weight of each posting."""
    column = np.empty(len(index.postings), dtype=np.float32)
    for low, term in pieces(index):
        rows = slice(low, low + len(term))
        counts = index.counts[rows].astype(np.float64)
        column[rows] = model.weights(index, term, index.postings[rows].astype(np.int64), counts)
    return column


def pieces(index: Index) -> Iterator[tuple[int, Ints]]:
    """The first posting of each piece of the index, and the terms of its postings."""
    for low in range(0, len(index.postings), _PIECE):
        high = min(low + _PIECE, len(index.postings))
        yield low, np.searchsorted(index.starts, np.arange(low, high), side="right") - 1
