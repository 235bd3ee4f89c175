"""Makes a test collection from a seed, in which it is known what answers which claim.

An invention is a set of features, each of some quality. Offices word a feature differently, families publish one
invention up to three times, and descriptions speak of features that the invention lacks. A topic is a late patent; for
each of its claims the examiner cites the earlier invention that says most of it, in all its publications. A cited
document is the more relevant to a claim, the more of its paragraphs speak of what the claim asks for: their number
scaled to 1-4, as paper 5 does for CLEF-IP. Few paragraphs are the rule and many the exception, so most grades are 1.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

from patstone.gold import dataset as layout
from patstone.gold import schemas
from patstone.gold.dataset import Dataset, open_dataset
from patstone.gold.passages import LEVELS
from patstone.gold.world import words

OFFICES = ("EP", "US", "JP")
TOPICS, INVENTIONS = 49, 700
"""As many topics as paper 5 has of the US office."""
CITED = 1
"""Inventions for each claim."""
KINDS = 6
"""Qualities that a feature may have."""
SPOKEN, LONGEST = 2.2, 16
"""Paragraphs beyond the first that speak of a feature: the mean of a distribution with a long tail, and its end."""
FIRST_DAY = date(2001, 1, 1)


@dataclass(frozen=True)
class Invention:
    number: int
    area: str
    qualities: Mapping[str, str]
    """Of each feature; claim n is about the nth."""
    independent: frozenset[int]
    """Claims, from 1, that stand on their own."""
    filed: date
    offices: tuple[str, ...]

    @property
    def features(self) -> list[str]:
        return list(self.qualities)

    @property
    def family(self) -> str:
        return f"W{self.number}"

    def id(self, office: str) -> str:
        return f"{office}{9_000_000 + 7 * self.number}{'B2' if office == 'US' else 'A1'}"


@dataclass(frozen=True)
class Document:
    invention: Invention
    record: Mapping[str, Any]
    """A row of the documents' table."""
    paragraphs: Mapping[str, int]
    """How many paragraphs speak of each feature."""

    def answers(self, feature: str, quality: str) -> int:
        """How many paragraphs speak of a feature of this quality."""
        return self.paragraphs[feature] if self.invention.qualities.get(feature) == quality else 0


def invent(random: Random, number: int) -> Invention:
    area = random.choice(list(words()["areas"]))
    features = random.sample(words()["areas"][area]["features"], random.randint(4, 7))
    second = random.choice((None, None, len(features)))
    return Invention(
        number=number,
        area=area,
        qualities={feature: random.choice(qualities_of(area, feature)) for feature in features},
        independent=frozenset({1, second} if second else {1}),
        filed=FIRST_DAY + timedelta(days=8 * number + random.randint(0, 7)),
        offices=tuple(sorted(random.sample(OFFICES, random.choice((1, 2, 2, 3))))),
    )


def qualities_of(area: str, feature: str) -> list[str]:
    """The few that a feature comes in, so that inventions share some of them."""
    listed, place = words()["words"]["qualities"], words()["areas"][area]["features"].index(feature)
    return [listed[(KINDS * place + each) % len(listed)] for each in range(KINDS)]


def publish(random: Random, one: Invention, office: str) -> Document:
    """Write the invention down as this office words it."""

    def worded(feature: str) -> str:
        # Now and then a writer uses another office's word.
        voice = OFFICES.index(office) if random.random() < 0.85 else random.randrange(len(OFFICES))
        return str(feature.split("/")[voice]).replace("-", " ")

    def named(feature: str) -> str:
        return f"{one.qualities[feature]} {worded(feature)}"

    paragraphs = {feature: 1 + min(int(random.expovariate(1 / SPOKEN)), LONGEST - 1) for feature in one.features}
    noun, shown = words()["areas"][one.area]["noun"], random.sample(one.features, 2)
    record = {
        "id": one.id(office),
        "application": f"{one.id(office)[:-2]}-application",
        "country": office,
        "kind": one.id(office)[-2:],
        "date": (one.filed + timedelta(days=500 + random.randint(0, 60))).isoformat(),
        "family": one.family,
        "language": "en",
        "title": with_articles(f"{noun.capitalize()} with a {worded(one.features[0])}"),
        "abstract": with_articles(f"A {noun} has a {named(shown[0])} and a {named(shown[1])}."),
        "description": "\n\n".join(map(with_articles, told(random, one, paragraphs, worded))),
        "claims": [claim(one, number, noun, named) for number in range(1, len(one.features) + 1)],
    }
    return Document(one, record, paragraphs)


def told(random: Random, one: Invention, paragraphs: Mapping[str, int], worded: Callable[[str], str]) -> list[str]:
    """The paragraphs of a description: its own features, the background's, and what lawyers add."""
    listed = words()["words"]
    found = [random.choice(listed["boilerplate"])]
    for feature, count in paragraphs.items():
        for sentence in random.choices(listed["sentences"], k=count):
            it = f"{one.qualities[feature]} {worded(feature)}"
            found.append(sentence.format(it=it, other=worded(random.choice(one.features))))
    known = random.choices(words()["areas"][one.area]["features"], k=5)
    found += [random.choice(listed["background"]).format(it=worded(feature)) for feature in known]
    random.shuffle(found)
    return found


def claim(one: Invention, number: int, noun: str, named: Callable[[str], str]) -> dict[str, Any]:
    alone = number in one.independent
    feature = named(one.features[number - 1])
    text = f"A {noun} comprising a {feature}." if alone else f"The {noun} of claim 1, wherein a {feature} is provided."
    return {"number": number, "text": with_articles(text), "independent": alone}


def with_articles(text: str) -> str:
    return re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)


@dataclass(frozen=True)
class World:
    documents: tuple[Document, ...]
    topics: tuple[Document, ...]

    def judgments(self) -> Iterator[dict[str, Any]]:
        """A row for each topic, claim and cited document that answers the claim."""
        most = max(count for one in self.documents for count in one.paragraphs.values())
        for topic in self.topics:
            for cited in self.cited(topic):
                for number, (feature, quality) in enumerate(topic.invention.qualities.items(), start=1):
                    count = cited.answers(feature, quality)
                    if count:
                        yield {
                            "topic": topic.record["id"],
                            "claim": str(number),
                            "document": cited.record["id"],
                            "grade": float(-(-LEVELS * count // most)),
                            "invention": cited.record["family"],
                        }

    def cited(self, topic: Document) -> list[Document]:
        """For each claim, all publications in time of the inventions that say most of it."""
        own, chosen = topic.invention, set()
        earlier = [one for one in self.documents if one.record["date"] < own.filed.isoformat()]
        for feature, quality in own.qualities.items():
            said: dict[int, int] = {}
            for one in earlier:
                if count := one.answers(feature, quality):
                    said[one.invention.number] = max(said.get(one.invention.number, 0), count)
            chosen.update(sorted(said, key=lambda number: (-said[number], number))[:CITED])
        return [one for one in earlier if one.invention.number in chosen]


def make_world(seed: int = 0, *, topics: int = TOPICS, inventions: int = INVENTIONS) -> World:
    random = Random(seed)
    invented = [invent(random, number) for number in range(inventions)]
    families = [[publish(random, one, office) for office in one.offices] for one in invented]
    # A US patent where there is one: offices are in order, and US is the last.
    asking = [family[-1] for family in families[-topics:]]
    return World(tuple(one for family in families for one in family), tuple(asking))


def write_world(world: World, folder: Path) -> Dataset:
    """Write it as a test collection, into a folder that is there."""
    found = sorted((one.record for one in world.documents), key=lambda row: (row["country"], row["date"], row["id"]))
    asked = [{**one.record, **_asking(one)} for one in world.topics]
    judged = list(world.judgments())
    layout.write_documents(folder, _batches(found, schemas.DOCUMENTS))
    layout.write_queries(folder, _batches(asked, schemas.QUERIES))
    layout.write_judgments(folder, _batches(judged, schemas.JUDGMENTS), of_claims=True)
    layout.write_judgments(folder, _batches(_whole(judged), schemas.JUDGMENTS))
    counts = {"documents": len(found), "queries": len(asked), "judgments": len(judged)}
    card = {"name": "made-up world", "licence": "MIT", "source": "patstone.gold.world", "counts": counts}
    layout.write_card(folder, card)
    return open_dataset(folder)


def _asking(one: Document) -> dict[str, Any]:
    return {"topic": one.record["id"], "document": one.record["id"], "priority": one.invention.filed.isoformat()}


def _whole(judged: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The highest grade of each document for any claim."""
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for row in judged:
        key = (row["topic"], row["document"])
        if key not in best or row["grade"] > best[key]["grade"]:
            best[key] = row
    return list(best.values())


def _batches(rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> list[pa.RecordBatch]:
    return [pa.RecordBatch.from_pylist([*rows], schema=schema)]
