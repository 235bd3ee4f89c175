"""`patstone train`: simulated training of a classifier of topics, and what its scores are worth."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patstone.cli.answer import Answer, suffixed
from patstone.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from patstone.experiments.plan import Protocol, Search
    from patstone.experiments.training import Training


def train(
    gold: str,
    *,
    protocol: "Protocol" = "directed",
    model: Sequence[str] = ("kernel-ridge",),
    runs: int | None = None,
    alpha: int | None = None,
    beta: int | None = None,
    gamma: float = 0.2,
    delta: int = 5,
    controls: Sequence[str] | None = None,
    operator: Sequence[str] = ("worst-errors",),
    search: "Search" = "none",
    trials: int = 20,
    seed: int = 0,
    jobs: int = 1,
    backend: str | None = None,
    out: str | None = None,
    resume: bool = False,
    columns: Mapping[str, str] | None = None,
    gold_format: str | None = None,
) -> Answer:
    """Train a classifier as an operator would, correcting its worst errors, and score it at every step.

    Algorithm 1 of paper 1. Every step is scored on E, everything outside the training set, which is the paper's
    figure, and on H, a holdout that nobody looks into, which is what a user will meet. Controls take away one thing
    each: retraining (frozen), choosing the worst errors (random-pick), reading H (pool-only).

    Models: kernel-ridge, naive-bayes, logistic, svm, ensemble, each with its parameter as in 'logistic(C=3)';
    kernel-ridge-traits also reads offices, years and numbers of publications; encoder:NAME adds a sentence encoder;
    module:attr is a scikit-learn estimator of one's own.

    Try:
      patstone train gold.tsv --runs 20
      patstone train gold.tsv --protocol random
      patstone train gold.tsv --controls all --out trained --jobs 2
      patstone train gold.tsv --model naive-bayes logistic kernel-ridge --json
    """
    from patstone import api
    from patstone.cli.progress import runs_watched
    from patstone.files.streams import ensured_folder
    from patstone.report import training as told

    folder = None if out is None or suffixed(out) else ensured_folder(out)
    if resume and folder is None:
        raise UsageError("--resume continues what an earlier call left in its folder: name it with --out DIR.")
    done = api.train(
        gold,
        protocol=protocol,
        model=model,
        runs=runs,
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        delta=delta,
        # The word alone asks for every control.
        controls=["all"] if controls == [] else controls or (),
        operator=operator,
        search=search,
        trials=trials,
        seed=seed,
        jobs=jobs,
        backend=backend,
        folder=folder,
        resume=resume,
        columns=columns,
        gold_format=gold_format,
        watch=runs_watched,
    )
    missing = [] if folder is None else kept(done, folder)
    return Answer(
        tables=told.tables(done),
        data=[told.rows(done)],
        payload=lambda: told.payload(done),
        notes=[*told.notes(done), *missing],
        out=out if folder is None else None,
    )


def kept(done: "Training", folder: Path) -> list[str]:
    """Write the folder; the numbers are there also where the extra that draws is not, which is then said."""
    from patstone.report.training_files import write_data, write_figures

    write_data(done, folder)
    try:
        write_figures(done, folder)
    except MissingExtra as missing:
        return [f"No figures were drawn. {missing}"]
    return [f"Runs, tables and figures are in {folder}."]
