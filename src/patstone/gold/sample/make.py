"""Makes the sample gold standard from a seed: `python -m patstone.gold.sample.make FOLDER` writes the bundled files.

A positive grips with something that deforms. Its neighbours grip with something rigid, or have the same soft parts
and do not grip, so that no single word tells the classes apart; many titles keep silent about what matters, as real
ones do. Families are published at one to five offices in their languages, and some continue another one under nearly
the same title, now and then on the other side of the border. All numbers lie outside what offices have given out.
"""

import csv
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from itertools import pairwise
from math import log
from pathlib import Path
from random import Random
from typing import Any

from patstone.files.streams import atomic

SEED = 20
POSITIVES, GRIPPING, OTHERS = 340, 300, 260
SILENT = 0.06
"""The share of titles that do not say with what the device does its work."""
CONTINUES = 0.1
CROSSES = 0.25
"""The share of continuations that stand on the other side of the border."""
REVIEWED, REVIEWERS = 320, {"Adler": (0.04, 0.04), "Biene": (0.14, 0.02), "Castor": (0.03, 0.10)}
"""Each reviewer's share of misses and of false alarms: Biene reads the scope narrowly, Castor generously."""
OFFICES = {
    "EP": ("en", "de", "fr"), "US": ("en",), "WO": ("en",), "DE": ("de",),
    "FR": ("fr",), "JP": ("ja", "en"), "CN": ("zh", "en"), "CA": ("en",),
}  # fmt: skip
NUMBERS = {
    "EP": "EP8{:06d}A1", "US": "US{year}09{:05d}A1", "WO": "WO{year}9{:05d}A1", "DE": "DE10{year}9{:05d}A1",
    "FR": "FR7{:06d}A1", "JP": "JP{year}9{:05d}A", "CN": "CN15{:07d}A", "CA": "CA8{:06d}A1",
}  # fmt: skip
LAST = date(2024, 12, 31)
GRANTED = {"EP": ("A1", "B1"), "CN": ("A", "B"), "CA": ("A1", "C")}


@dataclass(frozen=True)
class Publication:
    number: str
    title: str
    day: date


@dataclass(frozen=True)
class Invention:
    family: str
    kind: int
    """0 a positive, 1 a neighbour that grips, 2 one that does not."""
    concepts: tuple[tuple[str, ...], ...]
    """Device, feature and use, each in all languages."""
    publications: tuple[Publication, ...]

    @property
    def label(self) -> str:
        return "negative" if self.kind else "positive"

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(word for each in self.publications for word in words_of(each.title))


def words_of(title: str) -> Iterator[str]:
    """Words; and pairs of letters where a language has no spaces."""
    for word in title.casefold().split():
        yield from [word] if word.isascii() or len(word) < 3 else map("".join, pairwise(word))


class Inventor:
    def __init__(self, seed: int = SEED) -> None:
        self.random = Random(seed)
        self.words = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
        self.languages: list[str] = self.words["languages"]

    def inventions(self) -> list[Invention]:
        kinds = [0] * POSITIVES + [1] * GRIPPING + [2] * OTHERS
        self.random.shuffle(kinds)
        made: list[Invention] = []
        for place, kind in enumerate(kinds):
            made.append(self.invention(place, kind, made))
        return made

    def invention(self, place: int, kind: int, before: Sequence[Invention]) -> Invention:
        concepts = self.concepts(kind)
        if self.random.random() < CONTINUES:
            crosses = self.random.random() < CROSSES
            alike = [one for one in before if (bool(one.kind) != bool(kind)) == crosses]
            concepts = self.random.choice(alike).concepts if alike else concepts
        return Invention(str(70_000_000 + 37 * place), kind, concepts, tuple(self.published(place, concepts)))

    def concepts(self, kind: int) -> tuple[tuple[str, ...], ...]:
        random, words = self.random, self.words
        device = random.choice(words["others" if kind == 2 else "grippers"])
        # Much of what does not grip is soft as well; and some rigid grippers boast of a soft part.
        softness = (0.97, 0.06, 0.3)[kind]
        feature = random.choice(words["soft" if random.random() < softness else "rigid"])
        # Soft grippers are sold for the first of the uses, rigid ones for the last.
        use = words["uses"][min(random.randrange(10), random.randrange(10)) if kind == 0 else random.randrange(10)]
        return tuple(map(tuple, (device, feature, use)))

    def published(self, place: int, concepts: Sequence[Sequence[str]]) -> Iterator[Publication]:
        random = self.random
        first = date(2003, 1, 1) + timedelta(days=random.randrange(18 * 365))
        offices = random.sample(list(OFFICES), random.choice((1, 1, 2, 3, 5)))
        told = random.random() >= SILENT
        tail = random.choice(self.words["tails"])
        used = random.random() < 0.55
        for office in offices:
            day = first + timedelta(days=random.randrange(500, 900))
            number = NUMBERS[office].format(place * 7 + len(office), year=day.year)
            title = self.title(office, concepts, tail, told=told, used=used)
            yield Publication(number, title, day)
            if office in GRANTED and random.random() < 0.4:
                applied, granted = GRANTED[office]
                # Nothing is granted in the future, whenever the sample is read.
                later = min(day + timedelta(days=random.randrange(700, 1800)), LAST)
                yield Publication(number.removesuffix(applied) + granted, title, later)

    def title(
        self, office: str, concepts: Sequence[Sequence[str]], tail: Sequence[str], *, told: bool, used: bool
    ) -> str:
        language = self.random.choice(OFFICES[office])
        place = self.languages.index(language)
        device, feature, use = (concept[place] for concept in concepts)
        parts = [device, feature if told else "", use if used else ""]
        if language == "ja" or language == "zh":
            return ("一种" if language == "zh" else "") + "".join(reversed(parts)) + tail[place]
        title = " ".join(filter(None, [*parts, tail[place]]))
        # Some offices shout, and one in two hundred titles got lost.
        return "" if self.random.random() < 0.005 else title.upper() if office in ("CA", "EP") else title


def codes(inventions: Iterable[Invention], words: dict[str, Any], seed: int) -> Iterator[tuple[str, ...]]:
    """Family, scheme and code: common ones with the share of their kind of invention, and a long tail of rare ones."""
    random = Random(seed)
    for one in inventions:
        japanese = any(each.number.startswith("JP") for each in one.publications)
        for _ in range(random.choice((0, 1, 2, 3, 4))):
            # The lower a subgroup, the more often it is given; most are given once or twice.
            group, subgroup = random.choice(words["groups"][one.label]), min(int(2 * random.paretovariate(0.6)), 999)
            yield one.family, "CPC", f"{group}/{subgroup:02d}"
        for code in words["codes"]:
            if random.random() * 100 >= code["share"][one.kind]:
                continue
            yield one.family, "CPC", code["cpc"]
            yield one.family, "IPC", code["ipc"]
            if japanese:
                yield one.family, "F-term", code["fterm"]


def reviews(inventions: Sequence[Invention], seed: int) -> Iterator[tuple[str, str, str]]:
    """Family, reviewer and label; a reviewer leaves out one in seven, and is unsure of one in thirty."""
    random = Random(seed)
    for one in sorted(random.sample(list(inventions), REVIEWED), key=lambda each: each.family):
        # What a title keeps silent about is harder for everybody.
        harder = 1.0 if len(one.words) > 4 else 2.0
        for reviewer, (misses, alarms) in REVIEWERS.items():
            if random.random() < 1 / 7:
                continue
            wrong = random.random() < harder * (alarms if one.kind else misses)
            label = one.label if not wrong else "positive" if one.kind else "negative"
            yield one.family, reviewer, "unsure" if random.random() < 1 / 30 else label


def keywords(inventions: Iterable[Invention]) -> Iterator[tuple[str, str]]:
    """Publication and label: a query such as a searcher writes in a few minutes."""
    grips = ("grip", "grasp", "hand", "finger", "effector", "greif", "préhen", "把持", "抓取")
    gives = ("inflat", "bellow", "silicon", "flexib", "elast", "complian", "silikon", "jamm", "adhesi", "fluid", "柔")
    for each in (publication for one in inventions for publication in one.publications):
        title = each.title.casefold()
        hit = any(word in title for word in grips) and any(word in title for word in gives)
        yield each.number, "positive" if hit else "negative"


def neighbours(inventions: Sequence[Invention], nearest: int = 9) -> Iterator[tuple[str, str]]:
    """Publication and score: the share of positives among the nearest other families, by the words they share."""
    spread = Counter(word for one in inventions for word in one.words)
    rarity = {word: log(len(inventions) / count) for word, count in spread.items()}
    for one in inventions:
        for each in one.publications:
            own = sorted(set(words_of(each.title)))
            found = [
                (sum(rarity[word] for word in own if word in other.words), other.family, other.kind)
                for other in inventions
                if other is not one
            ]
            best = sorted(found, reverse=True)[:nearest]
            weight = sum(near for near, _, _ in best) or 1.0
            yield each.number, f"{sum(near for near, _, kind in best if kind == 0) / weight:.4f}"


def make(folder: Path, seed: int = SEED) -> None:
    inventor = Inventor(seed)
    made = inventor.inventions()
    rows = [
        (one.label, one.family, each.number, each.title, each.day.isoformat())
        for one in sorted(made, key=lambda one: (one.label, one.family))
        for each in one.publications
    ]
    header = ("Class", "DocDB Family ID", "Serial no.", "Title", "Publication date")
    write(folder / "soft-gripping.tsv", header, rows, delimiter="\t")
    write(folder / "codes.csv", ("family", "scheme", "code"), codes(made, inventor.words, seed))
    write(folder / "reviews.csv", ("family", "reviewer", "label"), reviews(made, seed))
    write(folder / "keywords.csv", ("document", "label"), keywords(made))
    write(folder / "neighbours.csv", ("document", "score"), neighbours(made))


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]], *, delimiter: str = ",") -> None:
    with atomic(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
