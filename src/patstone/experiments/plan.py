"""What a training experiment is to do: protocols, models, operators and controls, each combination an arm.

Run number r has the same seed in every arm, so that all arms share its holdout H, and the directed ones its first T:
differences are paired. What can't be done with a gold standard is refused before anything is trained.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from patstone.errors import UsageError
from patstone.experiments.directed import Bools, Control, Design, Operator, draw
from patstone.systems.classifiers.models import DEFAULT, Model

Protocol = Literal["directed", "random", "both"]
Search = Literal["none", "random", "directed"]
CONTROLS = tuple(name for name in get_args(Control) if name != "none")
OPERATORS = tuple(name for name in get_args(Operator) if name != "random")
RUNS = {"directed": 200, "random": 10, "both": 200}
"""As many as paper 1 has in tables 6 and 5."""
SET_SIZE = 300
"""Of paper 1's random training sets."""


@dataclass(frozen=True, kw_only=True)
class Arm:
    model: Model
    design: Design

    @property
    def protocol(self) -> str:
        return "random" if self.design.operator == "random" else "directed"

    @property
    def training(self) -> str:
        """Protocol, operator and control in the fewest words that tell arms apart."""
        named = {"worst-errors": "directed", "random": "random"}.get(self.design.operator, self.design.operator)
        return named if self.design.control == "none" else self.design.control

    @property
    def key(self) -> str:
        """Names the arm in the journal of finished runs; the constants stand in the journal's first line."""
        return f"{self.protocol}|{self.model}|{self.design.operator}|{self.design.control}"


@dataclass(frozen=True, kw_only=True)
class Plan:
    protocol: Protocol = "directed"
    models: tuple[Model, ...] = (DEFAULT,)
    controls: tuple[Control, ...] = ()
    operators: tuple[Operator, ...] = ("worst-errors",)
    design: Design = field(default_factory=Design)
    """Of the directed arms."""
    sets: Design = field(default_factory=Design)
    """Of the random ones."""
    runs: int = RUNS["directed"]
    seed: int = 0
    search: Search = "none"
    trials: int = 20

    @property
    def arms(self) -> tuple[Arm, ...]:
        designs: list[Design] = []
        if self.protocol != "random":
            designs = [replace(self.design, operator=operator) for operator in self.operators]
            designs += [replace(self.design, control=control) for control in self.controls]
        if self.protocol != "directed":
            designs.append(self.sets)
        return tuple(Arm(model=model, design=design) for model in self.models for design in designs)

    def seed_of(self, run: int) -> np.random.SeedSequence:
        return np.random.SeedSequence(self.seed, spawn_key=(run,))

    @property
    def constants(self) -> str:
        """What finished runs depend on beside their arm and number."""
        design = self.sets if self.protocol == "random" else self.design
        parts = [f"{name}:{getattr(design, name):g}" for name in ("alpha", "beta", "gamma", "delta")]
        if self.protocol == "both":
            parts.append(f"random:{self.sets.alpha}-{self.sets.beta}")
        search = self.search if self.search == "none" else f"{self.search}({self.trials})"
        return "|".join([*parts, f"seed:{self.seed}", f"search:{search}"])


def planned(
    positive: Bools,
    *,
    protocol: Protocol = "directed",
    models: Sequence[Model] = (),
    controls: Sequence[str] = (),
    operators: Sequence[str] = (),
    runs: int | None = None,
    alpha: int | None = None,
    beta: int | None = None,
    gamma: float = 0.2,
    delta: int = 5,
    seed: int = 0,
    search: Search = "none",
    trials: int = 20,
) -> Plan:
    """Fill in what was left open, and refuse what can't be."""
    _one_of("protocol", protocol, get_args(Protocol))
    _one_of("search", search, get_args(Search))
    design = Design(gamma=_share(gamma, positive), delta=delta)
    steered = replace(design, alpha=_or(alpha, 100), beta=_or(beta, max(350, _or(alpha, 0))))
    sets = replace(design, operator="random", alpha=SET_SIZE, beta=SET_SIZE)
    if protocol == "random":
        # One size alone, unless both ends are named.
        first = _or(alpha, _or(beta, SET_SIZE))
        sets = replace(sets, alpha=first, beta=_or(beta, first))
    elif steered.beta < SET_SIZE:
        sets = replace(sets, alpha=steered.beta, beta=steered.beta)
    plan = Plan(
        protocol=protocol,
        models=tuple(dict.fromkeys(models)) or (DEFAULT,),
        controls=_named("controls", controls, CONTROLS),  # type: ignore[arg-type]
        operators=_named("operator", operators or ["worst-errors"], OPERATORS),  # type: ignore[arg-type]
        design=steered,
        sets=sets,
        runs=RUNS[protocol] if runs is None else runs,
        seed=seed,
        search=search,
        trials=trials,
    )
    _refuse(plan, positive)
    return plan


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def _share(gamma: float, positive: Bools) -> float:
    """Below 1 a share, and from 1 a number of units, as paper 1 has it."""
    return gamma if gamma < 1 or not len(positive) else gamma / len(positive)


def _named(word: str, given: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    found = [part for each in given for part in each.split(",") if part]
    found = [name for each in found for name in (known if each == "all" else [each])]
    for name in found:
        _one_of(word, name, (*known, "all"))
    return tuple(dict.fromkeys(found))


def _one_of(word: str, value: object, known: Sequence[str]) -> None:
    if value not in known:
        raise UsageError(f"The {word!r} parameter of train must be one of {', '.join(known)}. Got {value!r} instead.")


def _refuse(plan: Plan, positive: Bools) -> None:
    for name, value, least in (("runs", plan.runs, 1), ("trials", plan.trials, 1), ("seed", plan.seed, 0)):
        if not least <= value:
            raise UsageError(f"The {name!r} parameter of train must be an int in [{least}, inf). Got {value} instead.")
    if plan.protocol == "random" and plan.controls:
        raise UsageError("Controls belong to directed training: random training sets have nothing to take away.")
    if plan.search != "none" and min(arm.design.alpha for arm in plan.arms) < 10:
        raise UsageError("A search needs a first training set of at least 10 for its cross-validation.")
    for design in {arm.design for arm in plan.arms}:
        _refuse_design(design, positive)


def _refuse_design(design: Design, positive: Bools) -> None:
    if design.alpha < 2 or design.alpha % 2:
        raise UsageError(f"The 'alpha' parameter of train must be an even int in [2, inf). Got {design.alpha} instead.")
    if design.delta < 1:
        raise UsageError(f"The 'delta' parameter of train must be an int in [1, inf). Got {design.delta} instead.")
    if not 0 <= design.gamma < 1:
        rule = "must be a share in [0, 1) or a number of units below those of the gold standard"
        raise UsageError(f"The 'gamma' parameter of train {rule}. Got {design.gamma * len(positive):g} units instead.")
    if design.beta < design.alpha:
        raise UsageError(f"The last training set can't be smaller ({design.beta}) than the first ({design.alpha}).")
    held, _ = draw(positive, design, np.random.default_rng(0))
    for label, word in ((True, "positive"), (False, "negative")):
        known = int((~held & (positive == label)).sum())
        if known < design.alpha // 2:
            needed = f"A first training set of {design.alpha} needs {design.alpha // 2} {word}s outside the holdout"
            raise UsageError(f"{needed}; there are {known}. Choose a smaller alpha or gamma.")
    if design.beta > int((~held).sum()):
        raise UsageError(
            f"A training set of {design.beta} needs as many units outside the holdout; there are "
            f"{int((~held).sum())}. Choose a smaller beta or gamma."
        )
