"""The collection and the runs that the retrieval papers' tables are made from: bundled ones, or the user's own.

Paper 5 made 33 runs with tf-idf, language models and BM25, and with refined queries: here three models by eleven
formulations.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from patstone.gold.dataset import Dataset, open_dataset
from patstone.systems.run import Run
from patstone.systems.searchers.filters import Filters
from patstone.systems.searchers.formulation import Formulation
from patstone.systems.searchers.index import build
from patstone.systems.searchers.models import parse_model
from patstone.systems.searchers.search import Search

MODELS = ("tfidf", "lm-dirichlet", "bm25")
QUERIES = (
    "title", "abstract", "first-claim", "claims", "each-claim", "claims+title", "claims+key-sentences",
    "abstract+claims", "description", "claims,idf=1..6", "claims,nouns",
)  # fmt: skip
DEPTH = 100


@contextmanager
def collection(path: Path | None, seed: int) -> Iterator[Dataset]:
    """The user's test collection, or the made-up world of this seed."""
    if path is not None:
        yield open_dataset(path)
        return
    from patstone.gold.world.make import make_world, write_world

    with TemporaryDirectory() as folder:
        yield write_world(make_world(seed), Path(folder))


def runs(
    dataset: Dataset, models: Sequence[str], queries: Sequence[str], *, filters: Filters | None = None
) -> list[Run]:
    """Every model with every query, to the depth that the measures look."""
    searches = [
        Search(model=parse_model(model), query=Formulation.parse(query), k=DEPTH, filters=filters or Filters())
        for model in models
        for query in queries
    ]
    index = build(dataset)
    return [search.run(dataset, index) for search in searches]
