"""A dense searcher over any sentence encoder: the cosine between what a question says and what a document says.

An encoder is anything with `encode(texts) -> rows of numbers`. It is named by its model for sentence-transformers, or
as `package.module:name` for one of your own (an object with `encode`, or what makes one when it is called).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError, MissingExtra, UsageError
from patstone.files import ids
from patstone.files.index import Index as Places
from patstone.systems.searchers.filters import Filters
from patstone.systems.searchers.formulation import Question
from patstone.systems.searchers.index import FIELDS, Index, joined
from patstone.systems.searchers.ranking import Ranking

if TYPE_CHECKING:
    from patstone.gold.dataset import Dataset

Vectors = NDArray[np.float32]
_ROWS = 256


class Encoder(Protocol):
    def encode(self, sentences: list[str]) -> Any: ...  # noqa: ANN401 - rows of numbers, of whatever type


def open_encoder(name: str) -> Encoder:
    module, mark, attribute = name.partition(":")
    if mark:
        try:
            found = getattr(import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise UsageError(f"The encoder {name!r} can't be loaded: {error}.") from None
        made = found if hasattr(found, "encode") and not isinstance(found, type) else found()
        if not hasattr(made, "encode"):
            raise UsageError(f"An encoder has a method encode(texts). {name!r} has none.")
        return made  # type: ignore[no-any-return]
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtra("dense", f"The encoder {name!r}") from error
    return SentenceTransformer(name)  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class Dense:
    encoder: Encoder
    dataset: "Dataset"
    index: Index
    """Tells the numbers of the documents."""
    filters: Filters = field(default_factory=Filters)
    fields: Sequence[str] = FIELDS

    def rankings(self, questions: Sequence[Question], k: int) -> list[Ranking]:
        """The k best documents for each question that says anything."""
        shelf, found = self.index.shelf, []
        for low in range(0, len(questions), _ROWS):
            block = questions[low : low + _ROWS]
            vectors = self._encoded([one.text for one in block])
            for question, vector in zip(block, vectors, strict=True):
                # One question at a time: its scores must not depend on its neighbours.
                scores = self._vectors @ vector
                if not question.text.strip():
                    scores = np.full(len(shelf), -np.inf, dtype=np.float32)
                found.append(Ranking.best(scores, self.filters.allowed(question, shelf), k))
        return found

    @cached_property
    def _vectors(self) -> Vectors:
        """A row for each document, in the order of the index."""
        places, parts, rows = Places.of(np.asarray(self.index.shelf.docs)), [], []
        for batch in self.dataset.documents("id", *self.fields, rows=_ROWS):
            rows.append(places.find(ids.pack(batch.column("id").to_pylist())))
            parts.append(self._encoded(joined(batch, self.fields).to_pylist()))
        vectors = np.concatenate(parts)
        ordered = np.empty_like(vectors)
        ordered[np.concatenate(rows)] = vectors
        return ordered

    def _encoded(self, texts: list[str]) -> Vectors:
        vectors = np.asarray(self.encoder.encode(texts), dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            rule = "An encoder gives a row of finite numbers for each text"
            raise DataError(f"{rule}; this one gave the shape {vectors.shape} for {len(texts)} texts.")
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(norms, np.finfo(np.float32).tiny), dtype=np.float32)
