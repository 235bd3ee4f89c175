"""A benchmark of claims whose qualities are known, since it made them: golds, worse candidates, noisy annotators.

A candidate is its gold with elements dropped (completeness), vague words put in (clarity), terms renamed midway
(consistency) and references broken (linkage), each to a degree of its own, and with synonyms used throughout, which
changes words and harms nothing. Three annotators see the true differences through noise; a label is their majority.
As in the published benchmark, candidates recur, and some are the gold itself. The same seed gives the same texts.
"""

import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from patstone.gold.criteria import OVERALL, titles
from patstone.gold.preferences import Item, Preferences, collected

FAULTS = ("completeness", "clarity", "consistency", "linkage")
WEIGHTS = {"completeness": 0.4, "clarity": 0.2, "consistency": 0.2, "linkage": 0.2}
"""What each adds to overall quality."""
DEGREES = 5
_NOISE, _EQUAL = 0.5, 0.4
"""An annotator's error, and the difference below which two candidates look equal to one; in degrees."""
_ANNOTATORS = 3


@dataclass(frozen=True, kw_only=True)
class Invention:
    device: str
    elements: tuple[tuple[str, str, str], ...]
    """Term, verb, and the earlier term that it refers to."""
    dependents: tuple[tuple[int, str, str], ...]
    """The claim that it depends on, a term, and what is said of it."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    text: str
    degrees: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FAULTS, 0))
    """How faulty it is, by criterion; all 0 is the gold's own quality."""

    def quality(self, criterion: str) -> float:
        if criterion == OVERALL:
            return -sum(weight * self.degrees[name] for name, weight in WEIGHTS.items()) * 2
        return -float(self.degrees[criterion])


def benchmark(golds: int = 64, *, seed: int = 0, identical: float = 0.3) -> Preferences:
    """Five comparisons of four candidates for each gold; in a share of the golds one candidate is the gold."""
    rng, items = random.Random(seed), list[Item]()
    for _ in range(golds):
        invention = _invention(rng)
        gold = _text(invention, {}, rng, synonyms=0.0)
        candidates = [_candidate(invention, rng) for _ in range(4)]
        if rng.random() < identical:
            candidates[0] = Candidate(text=gold)
        for one, other in rng.sample(list(combinations(candidates, 2)), 5):
            place = len(items) + 1
            a, b = rng.sample([one, other], 2)
            items.append(Item(name=str(place), gold=gold, a=a.text, b=b.text, labels=_labels(a, b, rng), line=place))
    return collected(items, name="made-up claims", criteria=tuple(titles()))


def _labels(a: Candidate, b: Candidate, rng: random.Random) -> dict[str, float]:
    return {name: _majority(a.quality(name) - b.quality(name), rng) for name in titles()}


def _majority(difference: float, rng: random.Random) -> float:
    """Three annotators of whom no two agree call it equal."""
    seen = [difference + rng.gauss(0, _NOISE) for _ in range(_ANNOTATORS)]
    votes = [0 if abs(one) < _EQUAL else 1 if one > 0 else -1 for one in seen]
    return float(max((-1, 0, 1), key=lambda vote: (votes.count(vote), vote == 0)))


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads((files("patstone.experiments") / "claim_world.toml").read_text(encoding="utf-8"))


def _invention(rng: random.Random) -> Invention:
    words = _words()
    terms = rng.sample([*words["terms"]], 9)
    elements = [
        (term, rng.choice([*words["verbs"]]), terms[rng.randrange(max(at, 1))]) for at, term in enumerate(terms)
    ]
    count = rng.randrange(5, 9)
    dependents = [
        (rng.randrange(1, number), rng.choice(terms), rng.choice(words["properties"]["values"]))
        for number in range(2, count + 2)
    ]
    device = rng.choice(words["devices"])["name"]
    return Invention(device=device, elements=tuple(elements), dependents=tuple(dependents))


def _candidate(invention: Invention, rng: random.Random) -> Candidate:
    # Whoever drafts badly does so in more than one way: a common part makes the criteria go together.
    common = rng.random()
    degrees = {name: min(DEGREES - 1, int(DEGREES * (0.35 * common + 0.65 * rng.random()))) for name in FAULTS}
    return Candidate(text=_text(invention, degrees, rng, synonyms=rng.choice((0.0, 0.2, 0.5))), degrees=degrees)


def _text(invention: Invention, degrees: dict[str, int], rng: random.Random, *, synonyms: float) -> str:
    words = _words()
    spoken = {name: other if rng.random() < synonyms else name for name, other in words["terms"].items()}
    verbs = {name: other if rng.random() < synonyms else name for name, other in words["verbs"].items()}
    dropped = set(rng.sample(range(1, len(invention.elements)), degrees.get("completeness", 0) * 3 // 2))
    kept = [element for place, element in enumerate(invention.elements) if place not in dropped]
    there = {term for term, _, _ in kept}
    elements = [
        f"a {spoken[term]}" + (f" {verbs[verb]} the {spoken[other]}" if other in there and other != term else "")
        for term, verb, other in kept
    ]
    claims = [f"A {invention.device} comprising: {'; '.join(elements)}."]
    for parent, term, said in invention.dependents:
        if term in there:
            name = min(parent, len(claims))
            claims.append(f"The {invention.device} of claim {name}, wherein the {spoken[term]} is {said}.")
    broken = _harmed(claims, [spoken[term] for term, _, _ in kept], degrees, rng)
    return "\n".join(f"{number}. {claim}" for number, claim in enumerate(broken, start=1))


def _harmed(claims: Sequence[str], terms: Sequence[str], degrees: dict[str, int], rng: random.Random) -> list[str]:
    """Vague words, other names for a term that has one, and references to what is not there."""
    found, words = list(claims), _words()
    for _ in range(2 * degrees.get("clarity", 0)):
        at = rng.randrange(len(found))
        found[at] = _inserted(found[at], rng.choice(words["vague"]["values"]), rng)
    for term in rng.sample(list(terms), min(2 * degrees.get("consistency", 0), len(terms))):
        other = {**words["terms"], **{value: key for key, value in words["terms"].items()}}[term]
        # Named as it should be at first, and otherwise later on.
        found = [found[0], *(claim.replace(f"the {term} ", f"the {other} ") for claim in found[1:])]
        head, first, rest = found[0].partition(f"a {term}")
        found[0] = head + first + rest.replace(f"the {term}", f"the {other}")
    for _ in range(2 * degrees.get("linkage", 0)):
        at = rng.randrange(len(found))
        wrong = rng.choice(sorted(words["terms"]))
        found[at] = (
            found[at].replace(f"a {rng.choice(list(terms))}", f"the {wrong}", 1)
            if at == 0
            else found[at].replace("of claim", f"of claim {len(found) + rng.randrange(1, 4)} or", 1)
        )
    return found


def _inserted(claim: str, word: str, rng: random.Random) -> str:
    parts = claim.split(" ")
    place = rng.randrange(2, len(parts))
    return " ".join([*parts[:place], word, *parts[place:]])
