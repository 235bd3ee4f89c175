"""The Longformer judge, trained as paper 4 settles it: the margin loss on triplets, a model for each criterion or one.

Every epoch starts from a seed of its own and ends with a checkpoint, so that a training that was killed goes on at its
last whole epoch and ends as it would have. A cell (encoder, criteria, margin, tolerance) that is done leaves its best
network and its rows. Pairs that the encoder can't read whole are an error, or left out by name and counted.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.experiments.judge_training.loss import Margins, loss
from patstone.experiments.judge_training.material import Material
from patstone.experiments.judge_training.pretraining import pretrain
from patstone.experiments.judge_training.reporting import Row, Trainee, card_of, row_of, test_rows
from patstone.experiments.judge_training.signs import conflicts, shape, signs, tau_b
from patstone.experiments.judge_training.train import LOG, Plan, opened, write_card
from patstone.files.streams import atomic
from patstone.gold.qrels import Floats, Ints
from patstone.systems.judges.longformer import LongformerJudge, Network, libraries

ENCODER = "allenai/longformer-base-4096"
WORK = "cells"
"""Where cells and the checkpoint stand while training goes on."""


@dataclass(frozen=True, kw_only=True)
class NeuralPlan:
    plan: Plan
    encoder: str = ENCODER
    texts: str | None = None
    """A folder of texts to pretrain on; trained with and without."""
    rate: float = 2e-5
    batch: int = 4
    overlong: Literal["error", "drop"] = "error"

    def __post_init__(self) -> None:
        if not 0 < self.rate < 1 or self.batch < 1:
            raise UsageError("--rate must be a number in (0, 1), and --batch at least 1.")


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedNetwork:
    judge: LongformerJudge
    rows: tuple[Row, ...]
    signs: tuple[str, ...]


def train_network(material: Material, asked: NeuralPlan, folder: str | Path, *, resume: bool = False) -> TrainedNetwork:
    torch, _ = libraries()
    # Sums of several threads may differ from run to run in their last bits.
    torch.use_deterministic_algorithms(mode=True)
    target = opened(folder, resume=resume)
    (target / WORK).mkdir(exist_ok=True)
    plan = asked.plan
    encoders = {"longformer": asked.encoder}
    if asked.texts is not None:
        encoders["longformer+pretrained"] = str(pretrain(asked.encoder, asked.texts, target / WORK, plan.seed))
    material, notes = readable(material, Network.of(asked.encoder, 1), asked.overlong)
    tasks = [material.criteria] if plan.multi_task else [(name,) for name in material.criteria]
    cells = [
        _Cell(material=material, asked=asked, model=model, encoder=encoder, task=task, margins=margins, folder=target)
        for (model, encoder), task, margins in product(encoders.items(), tasks, plan.cells)
    ]
    done = [cell.run() for cell in cells]
    chosen = [
        max((each for each in done if each["task"] == list(task)), key=lambda each: each["value"]) for task in tasks
    ]
    return _finished(material, asked, chosen, [Row(**row) for each in done for row in each["rows"]], notes, target)


def readable(material: Material, network: Network, overlong: str) -> tuple[Material, list[str]]:
    """Nothing is cut off: pairs that are too long stop the training, or leave it and are counted."""
    lengths = np.array(network.lengths(material.golds, material.candidates))
    long = (lengths[material.a] > network.room) | (lengths[material.b] > network.room)
    if not long.any():
        return material, []
    count, longest = int(long.sum()), int(lengths.max())
    said = f"{count} of {len(long)} comparisons have a pair of more than {network.room:,} tokens (up to {longest:,})"
    if overlong == "error" or long.all():
        name, line = material.preferences.name, int(material.preferences.lines[np.flatnonzero(long)[0]])
        raise DataError(f"Text over the context: {said}; --overlong drop leaves them out.", path=name, line=line)
    kept = ~long
    fewer = replace(
        material,
        preferences=material.preferences.taken(kept),
        a=material.a[kept],
        b=material.b[kept],
        labels=material.labels[kept],
        part=material.part[kept],
    )
    return fewer, [f"text over the context: {said}; they are left out"]


@dataclass(frozen=True, eq=False, kw_only=True)
class _Cell:
    material: Material
    asked: NeuralPlan
    model: str
    encoder: str
    task: tuple[str, ...]
    margins: Margins
    folder: Path

    @property
    def key(self) -> str:
        plan = asdict(self.asked) | {"plan": asdict(self.asked.plan) | {"margins": None, "tolerances": None}}
        parts = [plan, self.model, self.task, asdict(self.margins), self.material.preferences.digest]
        return blake2b(json.dumps(parts).encode(), digest_size=8).hexdigest()

    @property
    def place(self) -> Path:
        return self.folder / WORK / self.key

    def run(self) -> dict[str, Any]:
        """The cell's rows, signs and value, computed once; its best network stays in `place`."""
        if (known := self.place / "cell.json").exists():
            found: dict[str, Any] = json.loads(known.read_text(encoding="utf-8"))
            return found
        history = self._fit()
        found = self._judged() | {"task": list(self.task), "model": self.model, "place": str(self.place)}
        found["signs"] += conflicts(self.task, history)
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            for each in ({"sign": sign} for sign in found["signs"]):
                log.write(json.dumps({"model": self.model, "margins": asdict(self.margins)} | each) + "\n")
        with atomic(known) as temporary:
            temporary.write_text(json.dumps(found), encoding="utf-8")
        (self.place / "checkpoint.pt").unlink(missing_ok=True)
        return found

    @property
    def columns(self) -> list[int]:
        return [self.material.criteria.index(name) for name in self.task]

    def _fit(self) -> list[list[float]]:
        """Epochs from the last checkpoint on; ends early when validation has not got better for a while."""
        torch, _ = libraries()
        plan, checkpoint = self.asked.plan, self.place / "checkpoint.pt"
        self.place.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(plan.seed)
        network = Network.of(self.encoder, len(self.task))
        parameters = [*network.encoder.parameters(), *network.heads.parameters()]
        optimizer = torch.optim.AdamW(parameters, lr=self.asked.rate)
        history, costs = list[list[float]](), list[float]()
        if checkpoint.exists():
            saved = torch.load(checkpoint, weights_only=True)
            network.encoder.load_state_dict(saved["encoder"])
            network.heads.load_state_dict(saved["heads"])
            optimizer.load_state_dict(saved["optimizer"])
            history, costs = saved["history"], saved["costs"]
        while len(costs) < plan.epochs and _goes_on(costs, plan.patience):
            self._epoch(network, optimizer, len(costs))
            taus, cost = self._validated(network)
            history.append(taus)
            costs.append(cost)
            if cost <= min(costs):
                network.save(self.place)
            _keep(checkpoint, network, optimizer, {"history": history, "costs": costs})
            self._log({"epoch": len(costs), "validation_loss": cost, "tau_b": dict(zip(self.task, taus, strict=True))})
        return history

    def _log(self, entry: dict[str, Any]) -> None:
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(
                json.dumps({"model": self.model, "task": self.task, "margins": asdict(self.margins)} | entry) + "\n"
            )

    def _epoch(self, network: Network, optimizer: Any, number: int) -> None:  # noqa: ANN401 - torch's
        torch, _ = libraries()
        # The state of chance belongs to the epoch, so that one that is done again is the same.
        torch.manual_seed(self.asked.plan.seed * 100_003 + number)
        rows = np.flatnonzero(self.material.rows("train"))
        order = np.random.default_rng((self.asked.plan.seed, number)).permutation(rows)
        network.encoder.train()
        for start in range(0, len(order), self.asked.batch):
            optimizer.zero_grad()
            self._cost(network, order[start : start + self.asked.batch]).backward()
            optimizer.step()

    def _cost(self, network: Network, rows: Ints) -> Any:  # noqa: ANN401 - a tensor
        torch, _ = libraries()
        a, b = ([int(place) for place in side[rows]] for side in (self.material.a, self.material.b))
        golds, candidates = self.material.golds, self.material.candidates
        margins = network.margins([golds[place] for place in a + b], [candidates[place] for place in a + b])
        scores = torch.sigmoid(margins)
        gap = scores[: len(rows)] - scores[len(rows) :]
        labels = torch.tensor(self.material.labels[rows][:, self.columns], dtype=gap.dtype)
        told = ~torch.isnan(labels)
        y = torch.where(told, labels, torch.zeros_like(labels))
        apart = torch.clamp(self.margins.margin - y * gap, min=0)
        alike = torch.clamp(gap.abs() - self.margins.tolerance, min=0)
        return (torch.where(y != 0, apart, alike) * told).sum() / max(int(told.sum()), 1)

    def _gaps(self, network: Network, part: Literal["validation", "test"]) -> tuple[Floats, Floats, Floats]:
        """Scores, differences and labels of a part."""
        hold = self.material.rows(part)
        places = np.unique(np.concatenate([self.material.a[hold], self.material.b[hold]]))
        scores = np.full((len(self.material.candidates), len(self.task)), np.nan)
        scores[places] = network.scores(
            [self.material.golds[place] for place in places.tolist()],
            [self.material.candidates[place] for place in places.tolist()],
        )
        gap = (scores[self.material.a] - scores[self.material.b])[hold]
        return scores, gap, self.material.labels[hold][:, self.columns]

    def _validated(self, network: Network) -> tuple[list[float], float]:
        _, gap, labels = self._gaps(network, "validation")
        taus = [tau_b(gap[:, place], labels[:, place]) for place in range(len(self.task))]
        return taus, float(loss(gap, labels, self.margins).mean())

    def _judged(self) -> dict[str, Any]:
        scores, gap, labels = self._gaps(Network.load(self.place, len(self.task)), "validation")
        trainee = Trainee(model=self.model, task="multi" if self.asked.plan.multi_task else "single")
        rows, said = list[dict[str, Any]](), list[str]()
        for place, criterion in enumerate(self.task):
            known = scores[~np.isnan(scores[:, place]), place]
            found = shape(known, gap[:, place], labels[:, place], self.margins)
            said += signs(criterion, found)
            value = tau_b(gap[:, place], labels[:, place])
            rows.append(asdict(row_of("sweep", trainee, criterion, self.margins, value, None, found, labels[:, place])))
        mean = float(np.nan_to_num([row["value"] for row in rows]).mean())
        return {"rows": rows, "signs": said, "value": mean, "margins": asdict(self.margins)}


def _goes_on(costs: Sequence[float], patience: int) -> bool:
    return not costs or len(costs) - 1 - int(np.argmin(costs)) < patience


def _keep(path: Path, network: Network, optimizer: Any, told: dict[str, Any]) -> None:  # noqa: ANN401 - torch's
    torch, _ = libraries()
    state = {"encoder": network.encoder.state_dict(), "heads": network.heads.state_dict()}
    with atomic(path) as temporary:
        torch.save(state | {"optimizer": optimizer.state_dict()} | told, temporary)


def _finished(
    material: Material,
    asked: NeuralPlan,
    chosen: Sequence[dict[str, Any]],
    rows: Sequence[Row],
    notes: Sequence[str],
    target: Path,
) -> TrainedNetwork:
    """Move the chosen networks into place, test them, and write the card last."""
    alone = len(chosen) == 1
    parts = [{"folder": "." if alone else cell["task"][0], "criteria": cell["task"]} for cell in chosen]
    for part, cell in zip(parts, chosen, strict=True):
        _copied(Path(cell["place"]), target / part["folder"])
    judge = LongformerJudge(
        name=target.name,
        criteria=material.criteria,
        networks=tuple(Network.load(target / part["folder"], len(part["criteria"])) for part in parts),
        card={},
    )
    scores = np.concatenate([each.scores(material.golds, material.candidates) for each in judge.networks], axis=1)
    trainee = Trainee(model=chosen[0]["model"], task="multi" if asked.plan.multi_task else "single")
    tested = list(test_rows(material, scores, chosen, trainee, asked.plan.seed))
    said = tuple(dict.fromkeys([*notes, *(sign for cell in chosen for sign in cell["signs"])]))
    card = card_of(material, trainee, chosen, tested, said, seed=asked.plan.seed)
    saved = {"format": 1, "kind": "longformer", "criteria": list(material.criteria), "encoders": parts, "card": card}
    write_card(target, saved, material.criteria)
    shutil.rmtree(target / WORK)
    return TrainedNetwork(judge=replace(judge, card=card), rows=(*rows, *tested), signs=said)


def _copied(source: Path, target: Path) -> None:
    target.mkdir(exist_ok=True)
    for path in sorted(source.iterdir()):
        if path.name not in ("cell.json", "checkpoint.pt", "README.md"):
            shutil.copyfile(path, target / path.name)
