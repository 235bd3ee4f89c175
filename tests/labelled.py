"""Small gold standards of labels and classifiers' answers, and a table written in the published layout."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from patstone.gold.labels import GoldStandard
from patstone.systems.predictions import Predictions

HEADER = "Class\tDocDB Family ID\tSerial no.\tTitle\tPublication date\n"


def gold_of(labels: str, *, publications: int = 1) -> GoldStandard:
    """A family for each letter, + or -, with so many publications each: the first EP1000010A1, EP1000011A1."""
    size = len(labels)
    return GoldStandard(
        name="gold",
        unit="family",
        units=tuple(str(place + 1) for place in range(size)),
        positive=np.array([letter == "+" for letter in labels]),
        numbers=tuple(f"EP10000{place + 1}{copy}A1" for place in range(size) for copy in range(publications)),
        of=np.repeat(np.arange(size), publications),
        titles=tuple(f"title {place + 1}" for place in range(size) for _ in range(publications)),
        dates=("2010-01-20",) * (size * publications),
        lines=tuple(range(2, size * publications + 2)),
    )


def said(labels: str, *, name: str = "said") -> Predictions:
    """An answer for each family by its id; a dot is no answer."""
    told = {str(place + 1): letter == "+" for place, letter in enumerate(labels) if letter != "."}
    return Predictions.from_dict(told, name=name)


def scored(scores: Sequence[float], *, name: str = "scored") -> Predictions:
    return Predictions.from_dict({str(place + 1): score for place, score in enumerate(scores)}, name=name)


def written(folder: Path, labels: str, *, name: str = "gold.tsv") -> Path:
    """The same families as a file in the published layout."""
    gold, path = gold_of(labels), folder / name
    words = {True: "positive", False: "negative"}
    rows = zip(gold.positive.tolist(), gold.units, gold.numbers, gold.titles, gold.dates, strict=True)
    lines = ["\t".join((words[label], *rest)) for label, *rest in rows]
    path.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    return path
