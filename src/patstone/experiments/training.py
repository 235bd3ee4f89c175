"""Runs a plan, on as many processes as wanted, and holds what came of it.

A run depends on its number and its arm alone: the same seed gives the same bytes for any number of jobs, any backend
of joblib, and however often it was interrupted.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from patstone.errors import MissingExtra, UsageError
from patstone.experiments.curves import Counts, Curve, curve
from patstone.experiments.directed import Bools, Trace, draw, simulate
from patstone.experiments.journal import Done, Journal
from patstone.experiments.plan import Arm, Plan
from patstone.experiments.search import tuned
from patstone.gold.labels import GoldStandard
from patstone.systems.classifiers.learner import Floats
from patstone.systems.classifiers.models import Maker, Model
from patstone.systems.classifiers.text import Texts
from patstone.systems.classifiers.traits import traits

BACKENDS = ("loky", "threading", "multiprocessing", "dask", "ray")
JOURNAL = "runs.jsonl"
Set = Literal["E", "H"]
SETS: tuple[Set, ...] = ("E", "H")
RunsWatch = Callable[[Iterator[Done], int], Iterator[Done]]
"""Sees every finished run go by, and is told how many there will be."""
_AHEAD = 4
"""Runs for each process between two entries in the journal."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """All runs of one arm, in the order of their numbers."""

    arm: Arm
    traces: tuple[Trace, ...]
    parameters: tuple[str, ...]
    """What a search chose for each."""

    @property
    def sizes(self) -> range:
        return self.arm.design.sizes

    def counts(self, on: Set) -> Counts:
        """Runs × steps × 4."""
        return np.array([trace.evaluated if on == "E" else trace.held_out for trace in self.traces])

    @cached_property
    def curves(self) -> dict[Set, Curve]:
        """E, and H where there is one."""
        return {on: curve(self.counts(on)) for on in SETS if self.counts(on).any()}

    @property
    def positives(self) -> Floats:
        """Mean number of positives in T at each step."""
        found: Floats = np.mean([trace.positives for trace in self.traces], axis=0)
        return found

    @property
    def borrowed(self) -> int:
        return int(sum(trace.borrowed.sum() for trace in self.traces))


@dataclass(frozen=True, eq=False, kw_only=True)
class Training:
    gold: GoldStandard
    plan: Plan
    outcomes: tuple[Outcome, ...]

    @property
    def signature(self) -> str:
        return f"train|{fingerprint(self.gold, self.plan)}|runs:{self.plan.runs}"

    def outcome(self, *, protocol: str = "directed", control: str = "none", model: Model | None = None) -> Outcome:
        """The first arm that is so."""
        for one in self.outcomes:
            arm = one.arm
            if (arm.protocol, arm.design.control) == (protocol, control) and model in (None, arm.model):
                return one
        raise UsageError(f"This training has no {protocol} arm with the control {control!r}.")


def fingerprint(gold: GoldStandard, plan: Plan) -> str:
    """What finished runs depend on: the gold standard with its titles, the constants, our version."""
    from hashlib import sha256

    from patstone import __version__

    titles = sha256("\0".join(gold.texts).encode(errors="surrogatepass")).hexdigest()[:12]
    return f"gold:{gold.digest}|titles:{titles}|{plan.constants}|version:{__version__}"


def run(
    gold: GoldStandard,
    plan: Plan,
    *,
    jobs: int = 1,
    backend: str | None = None,
    folder: Path | None = None,
    resume: bool = False,
    watch: RunsWatch | None = None,
) -> Training:
    """Do every run of every arm that the journal in `folder`, if there is one, does not hold already."""
    journal = None if folder is None else Journal(folder / JOURNAL, fingerprint(gold, plan), resume=resume)
    done = {(one.arm, one.run): one for one in (journal.finished() if journal else ())}
    tasks = [task for task in _tasks(gold, plan) if (task.arm.key, task.run) not in done]
    fresh = _performed(tasks, jobs, backend, journal)
    for one in watch(fresh, len(tasks)) if watch else fresh:
        done[one.arm, one.run] = one
    found = [[done[arm.key, number] for number in range(plan.runs)] for arm in plan.arms]
    return Training(
        gold=gold,
        plan=plan,
        outcomes=tuple(
            Outcome(
                arm=arm,
                traces=tuple(one.trace for one in runs),
                parameters=tuple(one.parameters for one in runs),
            )
            for arm, runs in zip(plan.arms, found, strict=True)
        ),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """One run of one arm, with everything that it needs in another process."""

    arm: Arm
    run: int
    plan: Plan
    maker: Maker
    positive: Bools
    kernel: Floats | None


def _tasks(gold: GoldStandard, plan: Plan) -> Iterator[Task]:
    texts = Texts(gold.texts, traits=partial(traits, gold))
    makers = {model: model.prepared(texts) for model in plan.models}
    for arm in plan.arms:
        kernel = texts.kernel if arm.design.operator == "diversity" else None
        for number in range(plan.runs):
            yield Task(arm=arm, run=number, plan=plan, maker=makers[arm.model], positive=gold.positive, kernel=kernel)


def perform(task: Task) -> Done:
    plan, design, seed = task.plan, task.arm.design, task.plan.seed_of(task.run)
    found: dict[str, float] = {}
    if plan.search != "none":
        # The same draw as that of the run itself; the holdout is thrown away unseen.
        _, first = draw(task.positive, design, np.random.default_rng(seed))
        rng = np.random.default_rng(np.random.SeedSequence(plan.seed, spawn_key=(task.run, 1)))
        ranges = task.arm.model.kind.ranges
        found = tuned(task.maker, ranges, first, task.positive, search=plan.search, trials=plan.trials, rng=rng)
    trace = simulate(partial(task.maker, **found), task.positive, design, seed, kernel=task.kernel)
    told = ", ".join(f"{name}={value:.4g}" for name, value in found.items())
    return Done(arm=task.arm.key, run=task.run, trace=trace, parameters=told)


def _performed(tasks: list[Task], jobs: int, backend: str | None, journal: Journal | None) -> Iterator[Done]:
    """A batch at a time; a batch that has gone by is in the journal."""
    if jobs == 0 or jobs < -1:
        raise UsageError(f"The 'jobs' parameter of train must be an int in [1, inf), or -1 for all. Got {jobs}.")
    with ExitStack() as stack:
        work = _workers(jobs, backend, stack) if tasks and (jobs != 1 or backend) else None
        size = 1 if work is None else _AHEAD * (work.n_jobs if work.n_jobs > 0 else _cores())
        for start in range(0, len(tasks), size):
            batch = tasks[start : start + size]
            done = list(map(perform, batch)) if work is None else _sent(work, batch)
            if journal is not None:
                journal.add(done)
            yield from done


def _sent(work: Any, batch: Sequence[Task]) -> list[Done]:  # noqa: ANN401 - joblib has no types
    from joblib import delayed

    return list(work(delayed(perform)(task) for task in batch))


def _workers(jobs: int, backend: str | None, stack: ExitStack) -> Any:  # noqa: ANN401
    try:
        from joblib import Parallel, parallel_config
    except ImportError as error:
        raise MissingExtra("train", "Training on several processes") from error
    if backend not in (None, *BACKENDS):
        raise UsageError(f"The 'backend' parameter of train must be one of {', '.join(BACKENDS)}. Got {backend!r}.")
    try:
        if backend == "dask":
            from distributed import Client

            # Where DASK_SCHEDULER_ADDRESS names a cluster, this is it; otherwise one on this machine.
            stack.enter_context(Client())
        elif backend == "ray":
            from ray.util.joblib import register_ray

            register_ray()
    except ImportError as error:
        raise MissingExtra(str(backend), f"The backend {backend}") from error
    stack.enter_context(parallel_config(backend=backend or "loky"))
    return stack.enter_context(Parallel(n_jobs=jobs))


def _cores() -> int:
    from joblib import cpu_count

    return int(cpu_count())
