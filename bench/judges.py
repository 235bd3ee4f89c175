"""1,228 comparisons of claim sets with every judge that needs no neural network, timed one by one on one core.

`python -m bench.judges` makes claim sets as long as the published ones (some 640 tokens on average) from a fixed
seed, scores each pair with each judge, and holds the sum against the goal. Full TER is not in the goal; it
does a part of the pairs, and its time for all of them is extrapolated.
"""

import argparse
import random
from collections.abc import Sequence
from time import process_time

from bench import pages

from patstone.gold.preferences import Item, Preferences, collected
from patstone.systems.judges.judge import judged
from patstone.systems.judges.registry import GROUPS, find_judge

GOAL = 60.0
PARTS = ("housing", "rotor", "seal", "spring", "valve", "controller", "sensor", "shaft", "bearing", "gear", "circuit")
WORDS = ("first", "second", "outer", "inner", "upper", "lower", "rigid", "flexible", "coupled", "mounted", "movable")
CLAIMS = 20


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.judges", description=__doc__)
    parser.add_argument("--comparisons", type=int, default=1228)
    count = parser.parse_args(arguments).comparisons
    world = made(count)
    rows, total = [], 0.0
    for name in GROUPS["default"]:
        seconds = spent(name, world)
        total += seconds
        rows.append([name, f"{seconds:.2f}", f"{count:,}"])
    few = made(4)
    rows.append(["TER-shifts", f"{spent('TER-shifts', few) / len(few) * count:,.0f}", f"{len(few)}"])
    verdict = "reached" if total < GOAL else "MISSED"
    title = f"Judges of claims: {count:,} comparisons, two candidates each"
    body = "\n\n".join(
        [
            pages.machine(),
            pages.table(["judge", "CPU s", "comparisons done"], rows),
            f"- all but the last: {total:.1f} s; the goal is {GOAL:.0f}: {verdict}",
        ]
    )
    print(f"{title}\n\n{body}")
    pages.replace(title, body)


def spent(name: str, world: Preferences) -> float:
    judge, start = find_judge(name), process_time()
    judged(judge, world)
    return process_time() - start


def made(count: int) -> Preferences:
    """Seven comparisons a gold, candidates that share most of its words."""
    rng = random.Random(1)
    items = []
    for place in range(count):
        if place % 7 == 0:
            gold = claims(rng)
        a, b = changed(gold, rng), changed(gold, rng)
        items.append(Item(name=str(place), gold=gold, a=a, b=b, labels={"overall": 1.0}, line=place + 1))
    return collected(items, name="made", criteria=("overall",))


def claims(rng: random.Random) -> str:
    elements = [f"a {rng.choice(WORDS)} {part} {rng.choice(WORDS)} to the {rng.choice(PARTS)}" for part in PARTS]
    first = f"1. A device comprising: {'; '.join(elements)}."
    others = [
        f"{number}. The device of claim {rng.randrange(1, number)}, wherein the {rng.choice(PARTS)} is "
        f"{rng.choice(WORDS)} and is {rng.choice(WORDS)} to the {rng.choice(PARTS)} by a {rng.choice(WORDS)} "
        f"{rng.choice(PARTS)}, and wherein the {rng.choice(PARTS)} is {rng.choice(WORDS)}."
        for number in range(2, CLAIMS + 1)
    ]
    return "\n".join([first, *others])


def changed(gold: str, rng: random.Random) -> str:
    words = gold.split(" ")
    return " ".join(rng.choice(WORDS) if rng.random() < 0.2 and word.isalpha() else word for word in words)


if __name__ == "__main__":
    main()
