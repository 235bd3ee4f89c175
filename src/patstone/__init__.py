"""The touchstone for patent AI: tests any system that reads patents against gold standards.

`import patstone as ps; ps.score(gold, run, ["nDCG@10", "CT@20"])` is the whole API in spirit. Names are loaded when
they are first used, so that importing the package costs nothing. Two rooms share their name with a verb:
`ps.compare(...)` and `ps.measures()` call the room, and `ps.compare.intervals` is still a module in it.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

# Type checkers and editors see plain imports; nothing of this runs.
if TYPE_CHECKING:
    from patstone.api import (
        build,
        check_claims,
        compare,
        convert,
        discriminate,
        measures,
        open_run,
        read_collection,
        read_qrels,
        score,
        search,
        train,
    )
    from patstone.compare.agreement import Agreement
    from patstone.compare.classifiers import LabelScores
    from patstone.compare.discrimination import Discrimination
    from patstone.compare.significance import Comparison
    from patstone.errors import CheckFailed, DataError, MissingExtra, PatstoneError, UsageError
    from patstone.experiments.audit import Audit
    from patstone.experiments.training import Training
    from patstone.gold.dataset import Dataset, open_dataset
    from patstone.gold.fetch import fetch
    from patstone.gold.labels import GoldStandard, read_labels
    from patstone.gold.qrels import Qrels
    from patstone.gold.reviews import Reviews, read_reviews
    from patstone.labelling import agree, audit, codes, score_labels
    from patstone.measures.hierarchy import Hierarchy
    from patstone.measures.measure import Measure, parse
    from patstone.measures.policies import Policies
    from patstone.measures.scores import Scores
    from patstone.patents.claims import ClaimSet, read_claims
    from patstone.patents.collection.collection import Collection
    from patstone.patents.families import Families
    from patstone.patents.numbers import identify, identify_all
    from patstone.patents.schemes.scheme import Scheme
    from patstone.patents.schemes.sources import read_scheme
    from patstone.systems.lengths import Lengths
    from patstone.systems.predictions import Predictions, read_predictions
    from patstone.systems.run import Run

__version__ = "0.1.0"

__all__ = [
    "Agreement",
    "Audit",
    "CheckFailed",
    "ClaimSet",
    "Collection",
    "Comparison",
    "DataError",
    "Dataset",
    "Discrimination",
    "Families",
    "GoldStandard",
    "Hierarchy",
    "LabelScores",
    "Lengths",
    "Measure",
    "MissingExtra",
    "PatstoneError",
    "Policies",
    "Predictions",
    "Qrels",
    "Reviews",
    "Run",
    "Scheme",
    "Scores",
    "Training",
    "UsageError",
    "agree",
    "audit",
    "build",
    "check_claims",
    "codes",
    "compare",
    "convert",
    "discriminate",
    "fetch",
    "identify",
    "identify_all",
    "measures",
    "open_dataset",
    "open_run",
    "parse",
    "read_claims",
    "read_collection",
    "read_labels",
    "read_predictions",
    "read_qrels",
    "read_reviews",
    "read_scheme",
    "score",
    "score_labels",
    "search",
    "train",
]

_HOMES = {
    **dict.fromkeys(["agree", "audit", "codes", "score_labels"], "patstone.labelling"),
    **dict.fromkeys(["convert", "score", "discriminate", "read_collection", "read_qrels", "open_run"], "patstone.api"),
    **dict.fromkeys(["build", "check_claims", "search"], "patstone.api"),
    "train": "patstone.api",
    "Agreement": "patstone.compare.agreement",
    "Audit": "patstone.experiments.audit",
    **dict.fromkeys(["Reviews", "read_reviews"], "patstone.gold.reviews"),
    **dict.fromkeys(["CheckFailed", "DataError", "MissingExtra", "PatstoneError", "UsageError"], "patstone.errors"),
    **dict.fromkeys(["Measure", "parse"], "patstone.measures.measure"),
    **dict.fromkeys(["ClaimSet", "read_claims"], "patstone.patents.claims"),
    **dict.fromkeys(["identify", "identify_all"], "patstone.patents.numbers"),
    "Collection": "patstone.patents.collection.collection",
    "Comparison": "patstone.compare.significance",
    **dict.fromkeys(["Dataset", "open_dataset"], "patstone.gold.dataset"),
    "Discrimination": "patstone.compare.discrimination",
    "Families": "patstone.patents.families",
    **dict.fromkeys(["GoldStandard", "read_labels"], "patstone.gold.labels"),
    **dict.fromkeys(["Predictions", "read_predictions"], "patstone.systems.predictions"),
    "Hierarchy": "patstone.measures.hierarchy",
    "LabelScores": "patstone.compare.classifiers",
    "Lengths": "patstone.systems.lengths",
    "Policies": "patstone.measures.policies",
    "Qrels": "patstone.gold.qrels",
    "Run": "patstone.systems.run",
    "Scheme": "patstone.patents.schemes.scheme",
    "Scores": "patstone.measures.scores",
    "Training": "patstone.experiments.training",
    "fetch": "patstone.gold.fetch",
    "read_scheme": "patstone.patents.schemes.sources",
}
_VERBS = ("compare", "measures")


class _Verb(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the verb in patstone.api has the types
        verb = getattr(import_module("patstone.api"), self.__name__.rpartition(".")[2])
        return verb(*args, **kwargs)


class _House(ModuleType):
    def __setattr__(self, name: str, value: object) -> None:
        # The import system binds a room here, whoever imports it first: this is where the verb is put on.
        if name in _VERBS and isinstance(value, ModuleType):
            value.__class__ = _Verb
        super().__setattr__(name, value)


# A module may change its class: the only way to be told of an attribute that someone else sets on it.
sys.modules[__name__].__class__ = _House


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    if name in _VERBS:
        return import_module(f"patstone.{name}")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'patstone' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
