"""A small gold standard of labels, made up from a seed, with titles that tell the classes apart most of the time."""

import random
from pathlib import Path

import numpy as np

from patstone.gold.labels import GoldStandard

SHARED = ["method", "device", "system", "apparatus", "control", "of", "the", "with"]
OWN = {
    True: ["qubit", "flux", "ion", "trap", "josephson", "loop"],
    False: ["key", "photon", "clock", "magnet", "cipher", "sensor"],
}


def titles(units: int, positives: int, seed: int = 3) -> list[str]:
    rng = random.Random(seed)
    told = []
    for unit in range(units):
        positive = unit < positives
        # One word in four is the other class's, so that there is something to get wrong.
        own = [rng.choice(OWN[positive if rng.random() < 0.75 else not positive]) for _ in range(3)]
        words = own + rng.sample(SHARED, 3)
        rng.shuffle(words)
        told.append(" ".join(words))
    return told


def gold_of(units: int = 150, positives: int = 50, seed: int = 3) -> GoldStandard:
    names = tuple(f"F{unit}" for unit in range(units))
    return GoldStandard(
        name="made",
        unit="family",
        units=names,
        positive=np.arange(units) < positives,
        numbers=tuple(f"EP{unit}A1" for unit in range(units)),
        of=np.arange(units),
        titles=tuple(titles(units, positives, seed)),
    )


def write_gold(path: Path, units: int = 150, positives: int = 50) -> Path:
    rows = [
        f"{'positive' if unit < positives else 'negative'}\tF{unit}\tEP{unit}A1\t{title}\t2001-02-03"
        for unit, title in enumerate(titles(units, positives))
    ]
    header = "Class\tDocDB Family ID\tSerial no.\tTitle\tPublication date"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path
