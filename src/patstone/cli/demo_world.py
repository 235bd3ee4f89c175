"""A small world of inventions, made up from a seed, with the troubles that patents give to searchers.

An invention is a set of features; offices word the same feature differently, families publish one invention several
times, and a claim asks for some of a patent's features. Who made the world knows what answers which claim, so the
gold standard is exact. Three plain searchers look for prior art in it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from random import Random
from typing import TypeAlias

from patstone.gold.world import words as made_of

OFFICES = ("EP", "US", "JP")
# By area, its features; of each, the wording at every office, in the order above.
AREAS: dict[str, tuple[str, ...]] = {name: tuple(area["features"]) for name, area in made_of()["areas"].items()}
FILLER = re.findall(
    r"\w+",
    """a the of and comprising wherein said device method according embodiment first second further least one invention
    relates provided preferably claim figure shown arranged connected unit portion plurality means configured""",
)
DEPTH = 50
TOPICS = 40
INVENTIONS = 320


@dataclass(frozen=True)
class Publication:
    number: str
    family: str
    area: str
    features: tuple[str, ...]
    claims: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(self.words)


@dataclass(frozen=True)
class World:
    publications: tuple[Publication, ...]
    topics: tuple[Publication, ...]

    @cached_property
    def family(self) -> dict[str, str]:
        return {one.number: one.family for one in self.publications}


def make_world(seed: int = 0) -> World:
    random = Random(seed)
    inventions = [_publish(random, index) for index in range(INVENTIONS)]
    publications = tuple(publication for family in inventions for publication in family)
    return World(publications, tuple(family[0] for family in inventions[-TOPICS:]))


def _publish(random: Random, index: int) -> list[Publication]:
    """Invent something and publish it at one to three offices."""
    area = random.choice(list(AREAS))
    features = random.sample(AREAS[area], random.randint(3, 5))
    claims = (tuple(features[:2]), *((feature,) for feature in features[2:]))
    offices = random.sample(OFFICES, random.choice((1, 1, 2, 3)))
    return [
        Publication(
            number=f"{office}{2000001 + 7 * index}A1",
            family=f"F{index + 1}",
            area=area,
            features=tuple(features),
            claims=claims,
            words=_write(random, area, features, OFFICES.index(office)),
        )
        for office in offices
    ]


def _write(random: Random, area: str, features: list[str], office: int) -> tuple[str, ...]:
    words = random.choices(FILLER, k=random.randint(150, 900))
    # The background part speaks of what the invention does not have.
    for feature in [*features * 2, *random.choices(AREAS[area], k=6)]:
        # Now and then a writer uses another office's word.
        voice = office if random.random() < 0.8 else random.randrange(len(OFFICES))
        words += [feature.split("/")[voice]] * random.randint(1, 3)
    random.shuffle(words)
    return tuple(words)


def judge(world: World) -> list[tuple[str, int, str, int]]:
    """Topic, claim, document, grade: 2 when the document has all that the claim asks for, 1 for half of it.

    A document that has less than two thirds of the topic's features isn't prior art for any claim.
    """
    rows = []
    for topic in world.topics:
        for document in world.publications:
            # A patent is no prior art against itself.
            if document.family == topic.family:
                continue
            if len(set(topic.features) & set(document.features)) * 3 < len(topic.features) * 2:
                continue
            for claim, wanted in enumerate(topic.claims, start=1):
                share = len(set(wanted) & set(document.features)) / len(wanted)
                if share > 0:
                    rows.append((topic.number, claim, document.number, 2 if share == 1 else 1))
    return rows


Weigh: TypeAlias = Callable[[Publication, Counter[str], dict[str, float]], float]


def keywords(document: Publication, query: Counter[str], rarity: dict[str, float]) -> float:
    """How many of the query's rarer words the document has: coarse, with many ties."""
    return float(sum(rarity[word] > 1 for word in document.counts.keys() & query.keys()))


def bm25(document: Publication, query: Counter[str], rarity: dict[str, float]) -> float:
    shared = document.counts.keys() & query.keys()
    # 525 is the mean of the lengths that are drawn for texts.
    scale = 1.2 * (0.25 + 0.75 * len(document.words) / 525)
    # Sorted, since the order of a set, and with it the last bit of a sum, changes from run to run.
    return sum(rarity[word] * document.counts[word] * 2.2 / (document.counts[word] + scale) for word in sorted(shared))


def thesaurus(known: float = 0.95, seed: int = 1) -> dict[str, str]:
    """Leads from a wording to its feature's first one; knows only a share of them, like any thesaurus."""
    random = Random(seed)
    wordings = [feature.split("/") for features in AREAS.values() for feature in features]
    return {word: names[0] for names in wordings for word in names[1:] if random.random() < known}


def translated(world: World, words: dict[str, str]) -> World:
    def translate(one: Publication) -> Publication:
        return replace(one, words=tuple(words.get(word, word) for word in one.words))

    return World(tuple(map(translate, world.publications)), tuple(map(translate, world.topics)))


def claims_only(world: World) -> World:
    """The same world in which a searcher is given the claims of a topic and not its whole text."""

    def claimed(topic: Publication) -> Publication:
        office = OFFICES.index(topic.number[:2])
        return replace(topic, words=tuple(feature.split("/")[office] for claim in topic.claims for feature in claim))

    return World(world.publications, tuple(map(claimed, world.topics)))


def search(world: World, weigh: Weigh) -> Iterator[tuple[str, str, int, float]]:
    """Topic, document, rank, score of the first documents for each topic; its own family is found too, as in life."""
    spread = Counter(word for document in world.publications for word in document.counts)
    rarity = {word: log(1 + len(world.publications) / count) for word, count in spread.items()}
    for topic in world.topics:
        found = [(weigh(document, topic.counts, rarity), document.number) for document in world.publications]
        for rank, (score, number) in enumerate(sorted(found, reverse=True)[:DEPTH], start=1):
            yield topic.number, number, rank, score


SYSTEMS: dict[str, Callable[[World], Iterator[tuple[str, str, int, float]]]] = {
    "keywords": lambda world: search(world, keywords),
    "bm25": lambda world: search(claims_only(world), bm25),
    "bm25-thesaurus": lambda world: search(translated(claims_only(world), thesaurus()), bm25),
}
