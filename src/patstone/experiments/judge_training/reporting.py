"""What every training reports alike: a row for each cell and for the test, and the facts of the model card."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal

import numpy as np

from patstone import __version__
from patstone.compare.clustered import associations, percentiles, resamples
from patstone.experiments.judge_training.loss import Margins
from patstone.experiments.judge_training.material import PARTS, Material
from patstone.experiments.judge_training.signs import COLLAPSED, shape, tau_b
from patstone.gold.qrels import Floats

_RESAMPLES = 1000


@dataclass(frozen=True, kw_only=True)
class Row:
    """What the sweep, or the test, says of one criterion."""

    stage: Literal["sweep", "test"]
    model: str
    task: Literal["single", "multi"]
    criterion: str
    margin: float
    tolerance: float
    statistic: str
    value: float
    ci: tuple[float, float] | None
    loss: float
    within_tolerance: float
    collapsed: bool
    pairs: int


@dataclass(frozen=True, kw_only=True)
class Trainee:
    model: str
    task: Literal["single", "multi"]


def row_of(
    stage: Literal["sweep", "test"],
    trainee: Trainee,
    criterion: str,
    margins: Margins,
    value: float,
    ci: tuple[float, float] | None,
    found: Mapping[str, float],
    labels: Floats,
) -> Row:
    return Row(
        stage=stage,
        model=trainee.model,
        task=trainee.task,
        criterion=criterion,
        margin=margins.margin,
        tolerance=margins.tolerance,
        statistic="tau_b",
        value=value,
        ci=ci,
        loss=found["loss"],
        within_tolerance=found["within_tolerance"],
        collapsed=found["spread"] < COLLAPSED,
        pairs=int((~np.isnan(labels)).sum()),
    )


def test_rows(
    material: Material, scores: Floats, chosen: Sequence[Mapping[str, Any]], trainee: Trainee, seed: int
) -> Iterator[Row]:
    """Scores of all candidates, on the part that neither fitting nor choosing has seen."""
    hold = material.rows("test")
    gap = (scores[material.a] - scores[material.b])[hold]
    clusters = np.unique(material.preferences.groups[hold], return_inverse=True)[1].astype(np.int64)
    for column, criterion in enumerate(material.criteria):
        margins, labels = Margins(**chosen[min(column, len(chosen) - 1)]["margins"]), material.labels[hold][:, column]
        told = ~np.isnan(labels)
        if not told.any():
            continue
        x, y = gap[told, column], labels[told]
        drawn = [
            associations(np.concatenate([x, -x]), np.concatenate([y, -y]), np.tile(weights, 2)).tau_b
            for weights in resamples(clusters[told], _RESAMPLES, seed)
        ]
        found = shape(scores[:, column], gap[:, column], labels, margins)
        ci = percentiles(np.concatenate(drawn))
        yield row_of("test", trainee, criterion, margins, tau_b(x, y), ci, found, labels)


def card_of(
    material: Material,
    trainee: Trainee,
    chosen: Sequence[Mapping[str, Any]],
    tested: Sequence[Row],
    said: Sequence[str],
    *,
    seed: int,
) -> dict[str, Any]:
    preferences = material.preferences
    used = np.unique(np.concatenate([preferences.gold, preferences.a, preferences.b]))
    return {
        "model": trainee.model,
        "task": trainee.task,
        "version": __version__,
        "seed": seed,
        "data": preferences.digest,
        "source": preferences.name,
        "counts": preferences.counts,
        "parts": {name: int(material.rows(name).sum()) for name in PARTS},
        "margins": [cell["margins"] for cell in chosen],
        "validation": {"/".join(cell["task"]): cell["value"] for cell in chosen},
        "test": {
            row.criterion: {"tau_b": None if isnan(row.value) else row.value, "ci": _plain(row.ci), "pairs": row.pairs}
            for row in tested
        },
        "signs": list(said),
        "notes": list(material.notes),
        # Also what was only validated and tested on: none of it is new to this judge's numbers.
        "seen": [f"{int(preferences.keys[place]):016x}" for place in used.tolist()],
    }


def _plain(ci: tuple[float, float] | None) -> list[float | None]:
    return [None if isnan(end) else end for end in ci or ()]
