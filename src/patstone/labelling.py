"""The public functions for gold standards of labels: each is also a command, with the same words.

A gold standard is a path or a `GoldStandard`; predictions are a path, a `Predictions`, {publication or family: score},
or a sequence of those; reviews are a path or `Reviews`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from patstone.errors import UsageError
from patstone.sources import Answered, Labelled, PathLike, open_gold, open_labelled, open_reviews

if TYPE_CHECKING:
    from patstone.compare.agreement import Agreement
    from patstone.compare.classifiers import LabelScores
    from patstone.experiments.audit import Audit
    from patstone.gold.codes import Codes
    from patstone.gold.reviews import Reviews

__all__ = ["agree", "audit", "codes", "score_labels"]


def score_labels(
    gold: Labelled,
    predictions: "Answered | Sequence[Answered]",
    measures: str | Sequence[str] = (),
    *,
    threshold: float | None = None,
    fold: Literal["max", "mean", "min"] = "max",
    missing: Literal["zero", "skip", "error"] = "zero",
    duplicates: Literal["error", "first"] = "error",
    conflicts: Literal["drop", "positive", "negative"] = "drop",
    strict: bool = False,
    gold_format: str | None = None,
    run_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    permutations: int = 10_000,
    seed: int = 0,
) -> "LabelScores":
    """Hold classifiers' labels or scores against a gold standard of labels: what `patstone score` does with one.

    `predictions` is a path, a `Predictions`, {publication or family: score}, or a sequence of those.
    """
    from patstone.compare.classifiers import Sampling, score_classifiers
    from patstone.measures.classified import Rules, classify

    rules = Rules(threshold=threshold, fold=fold, missing=missing, duplicates=duplicates)
    how = Sampling(confidence=confidence, resamples=resamples, permutations=permutations, seed=seed)
    judged, answers = open_labelled(
        gold, predictions, gold_format=gold_format, run_format=run_format, columns=columns,
        conflicts=conflicts, strict=strict,
    )  # fmt: skip
    asked = [measures] if isinstance(measures, str) else list(measures)
    return score_classifiers([classify(judged, one, rules) for one in answers], asked, how)


def audit(
    golds: "Labelled | Sequence[Labelled]",
    *,
    reviews: "PathLike | Reviews | None" = None,
    codes: "PathLike | None" = None,
    scope: PathLike | None = None,
    conflicts: Literal["drop", "positive", "negative"] = "drop",
    strict: bool = False,
    gold_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    seed: int = 0,
) -> "list[Audit]":
    """Audit gold standards of labels by paper 1's seven criteria; several are also held against each other."""
    from patstone.experiments.audit import audit as criteria
    from patstone.gold.code_sources import read_codes

    listed = isinstance(golds, Sequence) and not isinstance(golds, str)
    several = cast("Sequence[Labelled]", golds if listed else [golds])
    reading = {"columns": columns, "format": gold_format, "scope": scope, "conflicts": conflicts, "strict": strict}
    opened = [open_gold(each, **reading) for each in several]
    found = None if codes is None else read_codes(codes, opened[0])[0]
    return criteria(opened, reviews=open_reviews(reviews), codes=found, seed=seed)


def codes(
    gold: Labelled,
    file: PathLike | None = None,
    *,
    depth: str = "full",
    conflicts: Literal["drop", "positive", "negative"] = "drop",
    strict: bool = False,
    gold_format: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> "tuple[list[Codes], dict[str, int]]":
    """The class codes of a gold standard's units, scheme by scheme, and counts of what could not be used.

    Without a file the gold standard's own columns are read.
    """
    from patstone.gold.code_sources import read_codes

    judged = open_gold(gold, columns=columns, format=gold_format, conflicts=conflicts, strict=strict)
    if file is None and not isinstance(gold, str | Path):
        raise UsageError("Name a file of class codes, or give the gold standard as a path to one that has them.")
    own = cast("PathLike", gold if file is None else file)
    return read_codes(own, judged, depth=depth, format=gold_format if file is None else None)


def agree(
    gold: Labelled,
    reviews: "PathLike | Reviews",
    *,
    predictions: "Answered | Sequence[Answered]" = (),
    folder: PathLike | None = None,
    measures: str | Sequence[str] = (),
    threshold: float | None = None,
    fold: Literal["max", "mean", "min"] = "max",
    gold_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    seed: int = 0,
) -> "Agreement":
    """Reviewers' agreement, the gold standard by each view of them, and classifiers scored against all three views."""
    from dataclasses import replace as changed

    from patstone.compare.agreement import agree as agreed
    from patstone.compare.classifiers import Sampling
    from patstone.gold.writing import write_views

    judged, told = open_gold(gold, columns=columns, format=gold_format), open_reviews(reviews)
    assert told is not None
    found = agreed(told, judged, Sampling(seed=seed))
    scores = {
        view: score_labels(made, predictions, measures, threshold=threshold, fold=fold, seed=seed)
        for view, made in found.views.items()
        if predictions
    }
    return changed(found, scores=scores, files=write_views(found.views, folder))
