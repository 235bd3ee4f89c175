"""A trained judge of the small kind, read from its folder: a linear model or boosted trees over `features`.

`judge.json` holds everything: features, criteria, parameters, what it was trained and validated on, and keys of the
texts it has seen, by which `patstone claims meta` notices that a test is no test. Nothing but numpy is needed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from patstone.errors import DataError
from patstone.files.streams import rewindable
from patstone.files.text import read_text
from patstone.gold.qrels import Floats, Ints
from patstone.systems.judges.features import NAMES, vectors
from patstone.systems.judges.judge import Drivers

CARD = "judge.json"


def sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -60, 60))), dtype=np.float64)


@dataclass(frozen=True, eq=False, kw_only=True)
class Linear:
    """Weights of standardised features; features × criteria."""

    weights: Floats
    bias: Floats

    def margins(self, rows: Floats) -> Floats:
        return np.asarray(rows @ self.weights + self.bias, dtype=np.float64)

    def saved(self) -> dict[str, Any]:
        return {"kind": "linear", "weights": self.weights.tolist(), "bias": self.bias.tolist()}


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree:
    """A node is a row; a leaf has no feature (-1). Values are nodes × criteria."""

    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats

    def at(self, rows: Floats) -> Floats:
        place = np.zeros(len(rows), dtype=np.int64)
        every = np.arange(len(rows))
        while (inner := self.feature[place] >= 0).any():
            # A leaf compares its first feature and stays where it is.
            smaller = rows[every, np.maximum(self.feature[place], 0)] <= self.threshold[place]
            place = np.where(inner, np.where(smaller, self.left[place], self.right[place]), place)
        return np.asarray(self.value[place], dtype=np.float64)


@dataclass(frozen=True, eq=False, kw_only=True)
class Boosted:
    trees: tuple[Tree, ...]
    criteria: int

    def margins(self, rows: Floats) -> Floats:
        return np.asarray(sum((tree.at(rows) for tree in self.trees), np.zeros((len(rows), self.criteria))))

    def saved(self) -> dict[str, Any]:
        trees = [{key: value.tolist() for key, value in vars(tree).items()} for tree in self.trees]
        return {"kind": "boosted", "criteria": self.criteria, "trees": trees}


Model = Linear | Boosted


def restored(saved: Mapping[str, Any]) -> Model:
    if saved["kind"] == "linear":
        return Linear(weights=np.array(saved["weights"], dtype=np.float64), bias=np.array(saved["bias"]))
    trees = [
        Tree(
            feature=np.array(tree["feature"], dtype=np.int64),
            threshold=np.array(tree["threshold"], dtype=np.float64),
            left=np.array(tree["left"], dtype=np.int64),
            right=np.array(tree["right"], dtype=np.int64),
            value=np.array(tree["value"], dtype=np.float64),
        )
        for tree in saved["trees"]
    ]
    return Boosted(trees=tuple(trees), criteria=saved["criteria"])


@dataclass(frozen=True, eq=False, kw_only=True)
class LearnedJudge:
    name: str
    criteria: tuple[str, ...]
    models: tuple[Model, ...]
    """One for each criterion, or a single one that knows them all."""
    mean: Floats
    scale: Floats
    card: Mapping[str, Any]
    """What it was trained on and how it did."""
    needs_gold: bool = True

    @cached_property
    def signature(self) -> str:
        parameters = json.dumps([model.saved() for model in self.models], sort_keys=True)
        digest = blake2b(parameters.encode(), digest_size=6).hexdigest()
        return f"{self.name}|model:{self.card['model']}|parameters:{digest}|data:{self.card['data']}"

    @cached_property
    def seen(self) -> frozenset[int]:
        return frozenset(int(key, 16) for key in self.card["seen"])

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        return self.of(vectors(gold_claims, candidate_claims))

    def of(self, rows: Floats) -> Floats:
        """Scores in (0, 1) of rows of features."""
        standard = (rows - self.mean) / self.scale
        return sigmoid(np.concatenate([model.margins(standard) for model in self.models], axis=1))

    def explain(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> list[Drivers]:
        """What each feature adds to the last criterion's margin; the features themselves where trees decide."""
        rows = vectors(gold_claims, candidate_claims)
        model = self.models[-1]
        told = (rows - self.mean) / self.scale * model.weights[:, -1] if isinstance(model, Linear) else rows
        return [dict(zip(NAMES, row, strict=True)) for row in told.tolist()]

    def saved(self) -> dict[str, Any]:
        return {
            "format": 1,
            "features": list(NAMES),
            "criteria": list(self.criteria),
            "mean": self.mean.tolist(),
            "scale": self.scale.tolist(),
            "models": [model.saved() for model in self.models],
            "card": dict(self.card),
        }


def read_card(folder: str | Path) -> dict[str, Any]:
    path = Path(folder, CARD)
    try:
        found = json.loads(read_text(rewindable(path)))
    except ValueError as error:
        raise DataError(f"This is no trained judge: {error}.", path=path) from None
    if not isinstance(found, dict) or found.get("format") != 1:
        raise DataError("This is no trained judge that this version of patstone can read.", path=path)
    return found


def load(folder: str | Path) -> LearnedJudge:
    found = read_card(folder)
    if tuple(found.get("features", ())) != NAMES:
        rule = "The judge was trained on other features than this version of patstone has: train it again."
        raise DataError(rule, path=Path(folder, CARD))
    try:
        return LearnedJudge(
            name=Path(folder).resolve().name,
            criteria=tuple(found["criteria"]),
            models=tuple(map(restored, found["models"])),
            mean=np.array(found["mean"], dtype=np.float64),
            scale=np.array(found["scale"], dtype=np.float64),
            card=found["card"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"The judge is damaged: {error}.", path=Path(folder, CARD)) from None
