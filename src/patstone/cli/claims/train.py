"""`patstone claims train`: a judge of your own from comparisons, small or a Longformer, with its model card."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from patstone.cli.answer import Answer

if TYPE_CHECKING:
    from patstone.experiments.judge_training.neural import TrainedNetwork
    from patstone.experiments.judge_training.reporting import Row
    from patstone.experiments.judge_training.train import Trained
    from patstone.gold.preferences import Preferences
    from patstone.report.cells import Table


def train(
    *,
    data: str,
    save: str,
    model: str = "linear",
    criteria: Sequence[str] = (),
    multi_task: bool = False,
    margin: Sequence[float] = (0.1, 0.2, 0.5),
    tolerance: Sequence[float] = (0.01, 0.05, 0.1),
    validation: float = 0.2,
    epochs: int | None = None,
    encoder: str = "allenai/longformer-base-4096",
    pretrain: str | None = None,
    rate: float = 2e-5,
    batch: int = 4,
    overlong: str = "error",
    seed: int = 0,
    resume: bool = False,
    columns: Mapping[str, str] | None = None,
) -> Answer:
    """Train a judge of claims on experts' comparisons, with the margin loss of paper 4.

    Margin m and tolerance n are swept; the loss is max(0, m - y·(s_A - s_B)) where one candidate is better and
    max(0, |s_A - s_B| - n) where they are equal. Golds are parted in three: to learn from, to stop and choose by, and
    to report. Where --data is a folder, the claims in it are made worse by known degrees. What goes wrong (collapse,
    ties over-predicted, criteria in conflict, text over the context) is named. `--judge DIR` uses the result.

    The Longformer of the paper (extra neural) is loaded by name or from a folder with --encoder, and with --pretrain
    trained twice, with masked-language pretraining on patents and without; the better one is kept.

    Try:
      patstone claims train --data comparisons.json --save my-judge
      patstone claims train --data comparisons.json --save my-judge --model boosted --criteria overall
      patstone claims train --data comparisons.json --save my-judge --multi-task --margin 0.2 --tolerance 0.05
    """
    from patstone.experiments.judge_training.material import prepare
    from patstone.experiments.judge_training.train import Plan
    from patstone.experiments.judge_training.train import train as fit
    from patstone.gold.criteria import criterion

    # A network sees in one round of training what a small model sees in a hundred.
    rounds = epochs if epochs is not None else 5 if model == "longformer" else 300
    plan = Plan(
        model=model,  # type: ignore[arg-type]
        multi_task=multi_task,
        margins=tuple(margin),
        tolerances=tuple(tolerance),
        seed=seed,
        epochs=rounds,
        patience=2 if model == "longformer" else 40,
    )
    found, passed = _read(data, columns, seed)
    material = prepare(found, [criterion(name) for name in criteria], validation=validation, seed=seed)
    if model == "longformer":
        from patstone.experiments.judge_training.neural import NeuralPlan, train_network

        asked = NeuralPlan(plan=plan, encoder=encoder, texts=pretrain, rate=rate, batch=batch, overlong=overlong)  # type: ignore[arg-type]
        trained: Trained | TrainedNetwork = train_network(material, asked, save, resume=resume)
    else:
        trained = fit(material, plan, save, resume=resume)
    rows = table_of(trained.rows)
    return Answer(
        tables=[table_of([row for row in trained.rows if row.stage == "test"]), rows],
        data=[rows],
        payload=lambda: {
            "signature": trained.judge.signature,
            "results": [asdict(row) for row in trained.rows],
            "counts": found.counts | trained.judge.card["parts"],
            "warnings": [*material.notes, *trained.signs],
        },
        notes=[*passed, *(finding.message for finding in found.findings), *material.notes, *trained.signs],
    )


def _read(data: str, columns: Mapping[str, str] | None, seed: int) -> "tuple[Preferences, list[str]]":
    """Experts' comparisons, or claims made worse; and what was passed over."""
    if Path(data).is_dir():
        from patstone.experiments.judge_training.degraded import degraded

        return degraded(data, seed=seed)
    from patstone.gold.preference_files import read_preferences
    from patstone.gold.preferences import compared

    return compared(read_preferences(data, columns=columns)), []


def table_of(rows: "Sequence[Row]") -> "Table":
    from patstone.report.cells import Column, Table

    tested = all(row.stage == "test" for row in rows)
    kinds = {"margin": 2, "tolerance": 2, "value": 3, "ci": 3, "loss": 3, "within_tolerance": 2}
    keys = ("stage", "task", "criterion", "margin", "tolerance", "statistic", "value", "ci", "loss", "within_tolerance")
    return Table(
        title="On golds that neither training nor choosing has seen" if tested else "All cells, on validation golds",
        columns=(
            *(
                Column(
                    key=key,
                    kind="interval" if key == "ci" else "score" if key in kinds else "text",
                    decimals=kinds.get(key, 4),
                    joined=key == "ci",
                )
                for key in keys
            ),
            Column(key="pairs", kind="count"),
        ),
        rows=tuple((*(getattr(row, key) for key in keys), row.pairs) for row in rows),
        keys=3,
    )
