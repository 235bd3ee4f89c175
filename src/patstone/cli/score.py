"""`patstone score`: read, score, show; the numbers are `patstone.score`'s."""

from typing import TYPE_CHECKING, Any

from patstone.cli.answer import Answer
from patstone.errors import UsageError

if TYPE_CHECKING:
    from patstone.compare.means import Kind
    from patstone.measures.scores import Scores
    from patstone.report.tables import Table


def score(
    gold: str,
    runs: list[str],
    *,
    measures: list[str] | None = None,
    by_topic: bool = False,
    slice: str | None = None,  # noqa: A002 - the word of the command line
    ci: "Kind" = "bca",
    seed: int = 0,
    per_topic: str | None = None,
    xlsx: str | None = None,
    report: str | None = None,
    threshold: float | None = None,
    fold: str | None = None,
    conflicts: str | None = None,
    strict: bool = False,
    errors: bool = False,
    **scoring: Any,  # noqa: ANN401 - patstone.api.Scoring
) -> Answer:
    """Score ranked answers, or a classifier's labels or scores, against a gold standard: its kind decides.

    Rankings without -m: nDCG@10 AP P@10 R@100 RR; with inventions or families nDCG@10 AP S@20 H@20 MP@20 MR@20;
    with subtopics nDCG@10 AP alpha_nDCG@10 ERR_IA@10 D_nDCG@10 I_rec@10 CT@20.
    Labels without -m: precision recall F1 accuracy specificity balanced_accuracy MCC; where there are scores AUC AP.

    Try:
      patstone score gold.qrels bm25.run dense.run -m nDCG@10 AP 'P(rel=2)@5'
      patstone score gold.csv answers.csv --columns topic=query,doc=patent --json
      patstone score gold.qrels bm25.run.gz --topics topics.csv --slice office
      patstone score labels.tsv classifier.csv other.csv
      patstone score labels.tsv classifier.csv --threshold 0.7 --fold mean --errors
    """
    from patstone.cli.files import page_writer, payload_of, write_files
    from patstone.cli.labels import READING, RULES, TASK, meant_for_labels, refuse, score_labels
    from patstone.cli.scoring import scored

    rules = {"threshold": threshold, "fold": fold, "conflicts": conflicts, "strict": strict or None}
    if meant_for_labels(gold, scoring):
        refuse(
            {"by_topic": by_topic, "per_topic": per_topic, "report": report, "ci": ci if ci != "bca" else None}, TASK
        )
        refuse(scoring, TASK, (*READING, *RULES))
        words = {**scoring, **rules, "seed": seed}
        return score_labels(gold, runs, measures, field=slice, errors=errors, xlsx=xlsx, scoring=words)
    refuse({**rules, "errors": errors}, "ranked answers")
    # Known before anything is read: a large run should not be scored in vain.
    if slice is not None and scoring.get("topics") is None:
        raise UsageError("--slice needs --topics FILE, a table with a row for each topic.")
    if slice is not None and by_topic:
        raise UsageError("Ask for --by-topic or for --slice, not for both: one prints topics, the other their groups.")
    scores, remarks = scored(gold, runs, measures, scoring)
    table = table_of(scores, by_topic=by_topic, field=slice, ci=ci, seed=seed)
    write_files(scores, [table], per_topic=per_topic, xlsx=xlsx)
    return Answer(
        tables=[table],
        payload=lambda: payload_of([table], scores, seed),
        page=page_writer(report, scores),
        notes=remarks,
    )


def table_of(scores: "Scores", *, by_topic: bool, field: str | None, ci: "Kind", seed: int) -> "Table":
    from patstone.report import views

    if by_topic:
        return views.by_topic_table(scores)
    if field is not None:
        return views.slice_table(scores, field)
    from patstone.compare.means import interval

    return views.scores_table(scores, interval(scores.values, ci, seed=seed), seed=seed)
