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
    **scoring: Any,  # noqa: ANN401 - patstone.api.Scoring
) -> Answer:
    """Score ranked answers against a gold standard.

    Without -m: nDCG@10 AP P@10 R@100 RR; with inventions or families nDCG@10 AP S@20 H@20 MP@20 MR@20;
    with subtopics nDCG@10 AP alpha_nDCG@10 ERR_IA@10 D_nDCG@10 I_rec@10 CT@20.

    Try:
      patstone score gold.qrels bm25.run dense.run -m nDCG@10 AP 'P(rel=2)@5'
      patstone score gold.csv answers.csv --columns topic=query,doc=patent --json
      patstone score gold.qrels bm25.run.gz --topics topics.csv --slice office
    """
    from patstone.cli.files import page_writer, payload_of, write_files
    from patstone.cli.scoring import scored

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
