"""A judge from comparisons: sweep the margin and the tolerance, take what validates best, report what neither saw.

Each cell of the sweep (criterion or all at once, margin, tolerance) is fitted on its own and written down when it is
done, so that a training that was killed goes on where it stopped and ends with the same bytes. The judge is written
completely or not at all.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.experiments.judge_training.card import model_card
from patstone.experiments.judge_training.loss import Margins, loss
from patstone.experiments.judge_training.material import Material
from patstone.experiments.judge_training.models import Pairs, fit
from patstone.experiments.judge_training.reporting import Row, Trainee, card_of, row_of, test_rows
from patstone.experiments.judge_training.signs import conflicts, shape, signs, tau_b
from patstone.files.streams import atomic
from patstone.gold.qrels import Floats
from patstone.systems.judges.features import vectors
from patstone.systems.judges.learned import CARD, LearnedJudge, Model, restored, sigmoid

Kind = Literal["linear", "boosted", "longformer"]
MARGINS, TOLERANCES = (0.1, 0.2, 0.5), (0.01, 0.05, 0.1)
CELLS, LOG, README = "cells.jsonl", "log.jsonl", "README.md"


@dataclass(frozen=True, kw_only=True)
class Plan:
    model: Kind = "linear"
    multi_task: bool = False
    margins: tuple[float, ...] = MARGINS
    tolerances: tuple[float, ...] = TOLERANCES
    epochs: int = 300
    patience: int = 40
    seed: int = 0

    def __post_init__(self) -> None:
        for name, values in (("margin", self.margins), ("tolerance", self.tolerances)):
            wrong = [value for value in values if not 0 < value < 1]
            if wrong or not values:
                raise UsageError(f"--{name} must be numbers in (0, 1), the range of scores. Got {wrong or values}.")
        if self.epochs < 1 or self.patience < 1:
            raise UsageError("--epochs and --patience must be at least 1.")

    @property
    def cells(self) -> list[Margins]:
        return [Margins(margin=m, tolerance=n) for m, n in product(self.margins, self.tolerances)]


@dataclass(frozen=True, eq=False, kw_only=True)
class Trained:
    judge: LearnedJudge
    rows: tuple[Row, ...]
    signs: tuple[str, ...]


def train(material: Material, plan: Plan, folder: str | Path, *, resume: bool = False) -> Trained:
    """Fit, choose, test, and write the judge to a folder."""
    target = opened(folder, resume=resume)
    rows = vectors(material.golds, material.candidates)
    mean, scale = _standard(rows[material.trained])
    bench = _Bench(material=material, plan=plan, rows=(rows - mean) / scale, folder=target)
    with (target / LOG).open("a", encoding="utf-8") as log:
        cells = [bench.cell(task, margins, log) for task in bench.tasks for margins in plan.cells]
    chosen = [_best([cell for cell in cells if cell["task"] == list(task)]) for task in bench.tasks]
    found = [Row(**row) for cell in cells for row in cell["rows"]]
    judge = LearnedJudge(
        name=target.name,
        criteria=material.criteria,
        models=tuple(restored(cell["model"]) for cell in chosen),
        mean=mean,
        scale=scale,
        card={},
    )
    scores = sigmoid(np.concatenate([model.margins(bench.rows) for model in judge.models], axis=1))
    tested = list(test_rows(material, scores, chosen, bench.kind, plan.seed))
    said = tuple(dict.fromkeys(sign for cell in chosen for sign in cell["signs"]))
    card = card_of(material, bench.kind, chosen, tested, said, seed=plan.seed)
    trained = Trained(judge=replace(judge, card=card), rows=(*found, *tested), signs=said)
    _written(trained, material, target)
    return trained


@dataclass(frozen=True, eq=False, kw_only=True)
class _Bench:
    material: Material
    plan: Plan
    rows: Floats
    folder: Path

    @property
    def kind(self) -> Trainee:
        return Trainee(model=self.plan.model, task="multi" if self.plan.multi_task else "single")

    @property
    def tasks(self) -> list[tuple[str, ...]]:
        """What is learned at once."""
        criteria = self.material.criteria
        return [criteria] if self.plan.multi_task else [(criterion,) for criterion in criteria]

    def cell(self, task: tuple[str, ...], margins: Margins, log: Any) -> dict[str, Any]:  # noqa: ANN401 - a file
        """One fit, from the folder where it has been done before."""
        key = self._key(task, margins)
        if (known := self._known().get(key)) is not None:
            return known
        model, history = self._fitted(task, margins)
        found = self._judged(task, margins, model) | {"key": key, "task": list(task), "model": model.saved()}
        if len(task) > 1:
            found["signs"] += conflicts(task, history)
        for sign in found["signs"]:
            log.write(json.dumps({"margins": asdict(margins), "sign": sign}) + "\n")
        log.write(json.dumps({"margins": asdict(margins), "task": task, "epochs": len(history)}) + "\n")
        log.flush()
        with (self.folder / CELLS).open("a", encoding="utf-8") as cells:
            cells.write(json.dumps(found) + "\n")
            cells.flush()
            os.fsync(cells.fileno())
        return found

    def _key(self, task: tuple[str, ...], margins: Margins) -> str:
        # The sweep may grow: what makes a cell is its own margins.
        asked = asdict(self.plan) | {"margins": None, "tolerances": None}
        parts = [asked, task, asdict(margins), self.material.preferences.digest, self.material.part.tolist()]
        return blake2b(json.dumps(parts).encode(), digest_size=8).hexdigest()

    def _known(self) -> dict[str, dict[str, Any]]:
        path = self.folder / CELLS
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return {cell["key"]: cell for cell in map(json.loads, lines)}

    def _columns(self, task: tuple[str, ...]) -> list[int]:
        return [self.material.criteria.index(name) for name in task]

    def _fitted(self, task: tuple[str, ...], margins: Margins) -> tuple[Model, list[list[float]]]:
        material, columns = self.material, self._columns(task)
        learn, hold = material.rows("train"), material.rows("validation")
        pairs = Pairs(
            rows=self.rows, a=material.a[learn], b=material.b[learn], labels=material.labels[learn][:, columns]
        )
        history = list[list[float]]()

        def stop(scores: Floats) -> float:
            gap = scores[material.a[hold]] - scores[material.b[hold]]
            taus = [tau_b(gap[:, place], material.labels[hold][:, column]) for place, column in enumerate(columns)]
            history.append(taus)
            # By the loss: tau-b would stop at the first coarse model, whose many ties flatter it.
            return -float(loss(gap, material.labels[hold][:, columns], margins).mean())

        plan = self.plan
        model = fit(plan.model, pairs, margins, stop, epochs=plan.epochs, patience=plan.patience, seed=plan.seed)
        return model, history

    def _judged(self, task: tuple[str, ...], margins: Margins, model: Model) -> dict[str, Any]:
        """Validation of one cell: rows, signs, and the number that it is chosen by."""
        material, hold = self.material, self.material.rows("validation")
        scores = sigmoid(model.margins(self.rows))
        gap = (scores[material.a] - scores[material.b])[hold]
        rows, said = list[dict[str, Any]](), list[str]()
        for place, column in enumerate(self._columns(task)):
            labels = material.labels[hold][:, column]
            found = shape(scores[:, place], gap[:, place], labels, margins)
            said += signs(task[place], found)
            value = tau_b(gap[:, place], labels)
            rows.append(asdict(row_of("sweep", self.kind, task[place], margins, value, None, found, labels)))
        values = [row["value"] for row in rows]
        return {"rows": rows, "signs": said, "value": float(np.nan_to_num(values).mean()), "margins": asdict(margins)}


def opened(folder: str | Path, *, resume: bool) -> Path:
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise DataError(f"The folder can't be made: {error}.", path=folder) from None
    if not resume and any((target / name).exists() for name in (CARD, CELLS)):
        raise UsageError(f"There is a judge in {target} already: choose another folder, or go on with --resume.")
    if (cells := target / CELLS).exists():
        # A line that a kill cut short is a cell to do again.
        whole = cells.read_bytes().rpartition(b"\n")
        cells.write_bytes(whole[0] + whole[1])
    return target


def _standard(rows: Floats) -> tuple[Floats, Floats]:
    scale = rows.std(axis=0)
    # A feature that never varies in training stays 0 instead of exploding on what it never met.
    return rows.mean(axis=0), np.where(scale > 1e-9, scale, 1e9)


def _best(cells: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The highest validation; of equals the first, that is the smallest margin and tolerance."""
    return max(cells, key=lambda cell: cell["value"])


def _written(trained: Trained, material: Material, target: Path) -> None:
    write_card(target, trained.judge.saved(), material.criteria)
    (target / CELLS).unlink(missing_ok=True)


def write_card(target: Path, saved: Mapping[str, Any], criteria: Sequence[str]) -> None:
    """The README first: what makes a folder a judge is the last to be there."""
    with atomic(target / README) as temporary:
        temporary.write_text(model_card(target.name, saved["card"], criteria), encoding="utf-8")
    with atomic(target / CARD) as temporary:
        temporary.write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")
