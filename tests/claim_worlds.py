"""Made-up comparisons whose labels follow what is missing from a candidate, for tests of training."""

import random

from patstone.gold.preferences import Item, Preferences, collected

PARTS = ("housing", "rotor", "seal", "spring", "valve", "sensor", "shaft", "gear", "lever", "bearing")


def comparisons(golds: int = 30, *, noise: float = 0.1, seed: int = 0, equal: float = 0.0) -> Preferences:
    """`completeness` goes by how many elements are kept, `clarity` by whether vague words were put in."""
    rng, items = random.Random(seed), list[Item]()
    for gold in range(golds):
        parts = rng.sample(PARTS, 7)
        whole = claims([f"a {part} number {gold}" for part in parts])
        made = []
        for _ in range(4):
            kept, vague = rng.randrange(1, 8), rng.random() < 0.5
            words = [f"a {'somewhat suitable ' if vague else ''}{part} number {gold}" for part in parts[:kept]]
            made.append((kept, -int(vague), claims(words)))
        for (k1, v1, one), (k2, v2, other) in ((made[0], made[1]), (made[2], made[3]), (made[0], made[3])):
            labels = {"completeness": label(k1 - k2, rng, noise, equal), "clarity": label(v1 - v2, rng, noise, equal)}
            place = len(items) + 1
            items.append(Item(name=str(place), gold=whole, a=one, b=other, labels=labels, line=place))
    return collected(items, name="world", criteria=("completeness", "clarity"))


def claims(elements: list[str]) -> str:
    return f"1. A device comprising: {'; '.join(elements)}."


def label(difference: int, rng: random.Random, noise: float, equal: float) -> float:
    if rng.random() < equal:
        return 0.0
    if rng.random() < noise:
        return float(rng.choice((-1, 0, 1)))
    return float((difference > 0) - (difference < 0))
