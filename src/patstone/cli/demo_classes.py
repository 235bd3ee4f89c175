"""True F-terms of the demo's topics, and two classifiers' answers, as NTCIR files: one is exact or far, one is near.

`flat` hits the true term more often, and is anywhere in the theme where it doesn't; `top-down` hits it less often, and
is beside it or above it where it doesn't. Both are made up from a fixed seed, as is all of the demo.
"""

from random import Random

from patstone.cli.demo_theme import THEME
from patstone.cli.demo_world import AREAS, Publication, World

THEME_CODE = THEME.partition(" ")[0]
ASSIGNED, RANKED = 3, 8
HITS = {"flat": 0.7, "top-down": 0.25}


def codes() -> dict[str, list[str]]:
    """By feature: the code of its term, then those of its wordings."""
    found = {}
    for place, area in enumerate(AREAS):
        number = 0
        for feature in AREAS[area]:
            names = feature.split("/")
            found[feature] = [f"{chr(ord('A') + place)}A{number + name + 1:02}" for name in range(len(names))]
            number += len(names)
    return found


def true_terms(world: World) -> dict[str, list[str]]:
    """By topic: the term of each feature's wording that it uses most."""
    known = codes()
    return {
        topic.number: [known[feature][_wording(topic, feature)] for feature in topic.features] for topic in world.topics
    }


def _wording(topic: Publication, feature: str) -> int:
    used = [topic.counts[name] for name in feature.split("/")]
    return used.index(max(used))


def gold(world: World) -> str:
    return "".join(f"{topic} {THEME_CODE} {term}\n" for topic, terms in true_terms(world).items() for term in terms)


def answers(world: World, name: str) -> str:
    random, lines = Random(f"classes {name}"), []
    for topic, terms in true_terms(world).items():
        for place, term in enumerate(_ranking(random, terms, name)):
            lines.append(f"{topic} {THEME_CODE} {term} {'yes' if place < ASSIGNED else 'no'}\n")
    return "".join(lines)


def _ranking(random: Random, terms: list[str], name: str) -> list[str]:
    everything = [term for several in codes().values() for term in several]
    near = {term: several for several in codes().values() for term in several}
    guesses = [
        term if random.random() < HITS[name] else random.choice(near[term] if name == "top-down" else everything)
        for term in random.sample(terms, len(terms))
    ]
    # A term that comes twice keeps its first place.
    return list(dict.fromkeys([*guesses, *random.sample(everything, RANKED)]))[:RANKED]
