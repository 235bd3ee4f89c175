"""One search: a model, a formulation and filters over a test collection, and the signature of the run that comes out.

An index is made once and serves any number of searches, also those of other processes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from patstone import __version__
from patstone.errors import DataError, UsageError
from patstone.systems.run import Run
from patstone.systems.searchers.filters import Filters
from patstone.systems.searchers.formulation import Formulation, Question, questions
from patstone.systems.searchers.index import FIELDS, Index
from patstone.systems.searchers.lexical import Lexical
from patstone.systems.searchers.models import ENDPOINT, Spec
from patstone.systems.searchers.ranking import Ranking, run_of

if TYPE_CHECKING:
    from patstone.gold.dataset import Dataset
    from patstone.systems.searchers.endpoint import Remote


def parse_fields(text: str) -> tuple[str, ...]:
    fields = tuple(text.split("+"))
    wrong = [name for name in fields if name not in FIELDS]
    if wrong or len(set(fields)) < len(fields):
        raise UsageError(f"The fields to index are {', '.join(FIELDS)}, joined by '+', each once. Got {text!r}.")
    return fields


class Searcher(Protocol):
    def rankings(self, questions: Sequence[Question], k: int) -> list[Ranking]: ...


@dataclass(frozen=True, kw_only=True)
class Search:
    """What is asked, of what, and how: it prints as the run's signature does."""

    model: Spec
    query: Formulation
    k: int = 1000
    filters: Filters = field(default_factory=Filters)
    fields: tuple[str, ...] = FIELDS

    def __post_init__(self) -> None:
        if self.query.chooses and any(leaf.encoder for leaf in self.model.leaves()):
            raise UsageError("A dense model reads whole texts: idf, nouns and top have no meaning for it.")

    @property
    def name(self) -> str:
        """What stands in the last column of the run."""
        return f"{self.model.label}:{self.query}"

    def signature(self, dataset: "Dataset", index: Index) -> str:
        """How the run was made: equal signatures, equal runs."""
        parts = {
            "query": self.query,
            "fields": "+".join(self.fields),
            "before": self.filters.before,
            "self": self.filters.self,
            "offices": ",".join(self.filters.offices) or "*",
            "k": self.k,
            "documents": index.digest,
            "queries": dataset.asked,
            "version": __version__,
        }
        return "|".join([str(self.model), *(f"{name}:{value}" for name, value in parts.items())])

    @property
    def indexed(self) -> tuple[str, ...]:
        """The fields that must be indexed: none where an engine of its own does the ranking and all terms are asked."""
        remote = all(leaf.kind == ENDPOINT for leaf in self.model.leaves())
        return () if remote and not self.query.needs_terms else self.fields

    def run(self, dataset: "Dataset", index: Index, *, remote: "Remote | None" = None) -> Run:
        """Answer every query of the dataset; the run's notes say what could not be asked or filtered."""
        asked = questions(dataset.queries, self.query, index)
        if not any(len(one.terms) if self.indexed else one.text.strip() for one in asked):
            rule = f"No query has a term of the collection in its {self.query}; ask with other texts."
            raise DataError(rule, path=dataset.path)
        searchers = [remote or self._searcher(leaf, dataset, index) for leaf in self.model.leaves()]
        rankings, topics = [], []
        for searcher in searchers:
            rankings += searcher.rankings(asked, self.k)
            topics += [one.topic for one in asked]
        # Models and claims are fused alike: all rankings of one topic at once.
        run = run_of(self.name, topics, rankings, index.shelf.docs, self.k)
        return replace(run, notes=tuple(self._notes(asked, run, index)))

    def _searcher(self, leaf: Spec, dataset: "Dataset", index: Index) -> Searcher:
        if leaf.lexical is not None:
            return Lexical(index, leaf.lexical, self.filters)
        from patstone.systems.searchers.dense import Dense, open_encoder

        return Dense(open_encoder(leaf.encoder), dataset, index, self.filters, self.fields)

    def _notes(self, asked: Sequence[Question], run: Run, index: Index) -> list[str]:
        empty = sum(not len(one.terms) for one in asked) if self.indexed else 0
        silent = len({one.topic for one in asked}) - len(run.topics)
        said = {"questions without a term of the collection": empty, "topics without an answer": silent}
        counted = [f"{what}: {count:,}" for what, count in said.items() if count]
        return counted + self.filters.notes(asked, index.shelf)
