"""`patstone compare`: are the differences real, between systems or between measures."""

from typing import TYPE_CHECKING, Any

from patstone.cli.answer import Answer
from patstone.errors import UsageError

if TYPE_CHECKING:
    from patstone.compare.significance import Comparison
    from patstone.measures.scores import Scores
    from patstone.report.tables import Table

SYSTEMS_ONLY = ("permutations", "confidence", "baseline", "report")
MEASURES_ONLY = ("alpha",)
"""Words that mean nothing for the other kind of comparison."""


def compare(
    gold: str,
    runs: list[str],
    *,
    measures: list[str] | None = None,
    test: str | None = None,
    permutations: int | None = None,
    resamples: int | None = None,
    confidence: float | None = None,
    seed: int = 0,
    baseline: str | None = None,
    discriminative: bool = False,
    alpha: float | None = None,
    per_topic: str | None = None,
    xlsx: str | None = None,
    report: str | None = None,
    threshold: float | None = None,
    fold: str | None = None,
    conflicts: str | None = None,
    strict: bool = False,
    **scoring: Any,  # noqa: ANN401 - patstone.api.Scoring
) -> Answer:
    """Tell which differences between systems are real; with --discriminative, which measures can tell.

    Differences are paired by topic: p-values by 10,000 sign flips, Holm over all pairs of a measure, BCa intervals
    from 2,000 bootstrap samples. Discriminative power: the share of pairs told apart at 0.05 by 1,000 samples.
    Classifiers are paired by family: McNemar's test for accuracy, swapped answers for the other counts, a paired
    bootstrap for AUC and AP.

    Try:
      patstone compare gold.qrels bm25.run dense.run hybrid.run -m nDCG@10 AP
      patstone compare gold.qrels *.run -m nDCG@10 --baseline bm25 --json
      patstone compare gold.qrels *.run -m nDCG@10 AP RR --discriminative --test tukey
      patstone compare labels.tsv classifier.csv other.csv -m F1 accuracy
    """
    from patstone.cli.files import page_writer, payload_of, write_files
    from patstone.cli.labels import READING, RULES, TASK, compare_labels, meant_for_labels, refuse
    from patstone.cli.scoring import scored

    rules = {"threshold": threshold, "fold": fold, "conflicts": conflicts, "strict": strict or None}
    drawing = {"permutations": permutations, "resamples": resamples, "confidence": confidence, "seed": seed}
    if meant_for_labels(gold, scoring):
        foreign = {"discriminative": discriminative, "test": test, "alpha": alpha, "per_topic": per_topic}
        refuse({**foreign, "report": report}, TASK)
        refuse(scoring, TASK, (*READING, *RULES))
        words = {**scoring, **rules, **drawing}
        return compare_labels(gold, runs, measures, baseline=baseline, xlsx=xlsx, scoring=words)
    refuse(rules, "ranked answers")

    options = {
        "test": test,
        "permutations": permutations,
        "resamples": resamples,
        "confidence": confidence,
        "baseline": baseline,
        "alpha": alpha,
    }
    # The defaults belong to the comparison itself, and differ between its two kinds.
    given = {name: value for name, value in options.items() if value is not None}
    refuse_foreign([*given, *(["report"] if report is not None else [])], discriminative=discriminative)
    scores, remarks = scored(gold, runs, measures, scoring)
    if discriminative:
        comparison, tables = None, measures_apart(scores, given | {"seed": seed})
    else:
        comparison, tables = systems_apart(scores, given | {"seed": seed})
    write_files(scores, tables, per_topic=per_topic, xlsx=xlsx)
    # Means are for people to look at beside the differences; scripts get them from `score`.
    data = tables if discriminative else tables[-1:]
    return Answer(
        tables=tables,
        data=data,
        payload=lambda: payload_of(data, scores, seed),
        page=page_writer(report, scores, comparison),
        notes=remarks,
    )


def refuse_foreign(given: list[str], *, discriminative: bool) -> None:
    other = "with" if discriminative else "without"
    for name in SYSTEMS_ONLY if discriminative else MEASURES_ONLY:
        if name in given:
            raise UsageError(f"--{name} means nothing {other} --discriminative; leave it out.")


def systems_apart(scores: "Scores", options: dict[str, Any]) -> "tuple[Comparison, list[Table]]":
    """Means with groups, then a row for each pair."""
    from patstone.compare.significance import compare as differences
    from patstone.report.views import comparison_table, scores_table

    comparison = differences(scores, **options)
    # Groups need all pairs, and a baseline leaves most of them untested.
    groups = None if comparison.baseline is not None else comparison
    return comparison, [scores_table(scores, comparison=groups, seed=comparison.seed), comparison_table(comparison)]


def measures_apart(scores: "Scores", options: dict[str, Any]) -> "list[Table]":
    from patstone.compare.discrimination import discriminate
    from patstone.report.views import agreement_table, discrimination_table

    found = discriminate(scores, **options)
    return [discrimination_table(found), agreement_table(found)]
