"""Cited numbers by the shapes of real files, read by patstone and by a plain loop of one regular expression.

`python -m bench.numbers [--count N]` makes numbers of the shapes that US grants cite, as often as they do, with digits
of a seeded generator; whoever cites, the numbers come with country and kind. The loop is what people write: country,
digits, kind, and everything else thrown away. It tells no publication from an application, knows no era and pads
nothing, so that it is wrong for a part of the shapes, which is counted too. One core; the best of several rounds.
"""

import argparse
import random
import re
from collections.abc import Callable, Sequence
from time import process_time

from bench import pages

from patstone.patents.numbers import identify, identify_all

GOAL = 200_000
# How often each shape comes among the citations of US grants; # is any digit, and the others keep it a number.
SHAPES = {
    "US 2004/0###### A1": 265,
    "US 5###### A": 231,
    "US 68##### B1": 130,
    "US 7###### B2": 130,
    "US 20050###### A1": 86,
    "WO WO 2004/0##### A1": 18,
    "US D3##### S": 17,
    "JP 2004-2#####": 14,
    "EP 0 ### ### A1": 13,
    "JP 55-0#####": 10,
    "WO 99/1####": 7,
    "EP 04#####": 6,
    "JP 2004-2##### A": 6,
    "KR 10-2002-0######": 5,
    "WO 2004/0#####": 5,
    "US 101##### B2": 3,
    "CA 24#####": 1,
    "GB 24##### A": 1,
    "AU 20042#####": 1,
}
_PLAIN = re.compile(r"([A-Z]{2})[\s-]*(?:[A-Z]{2}[\s-]+)?([A-Z]{0,2}[\d\s,/.-]*\d)[\s-]*([A-Z]\d?)?")
_NOISE = re.compile(r"[\s,/.-]")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.numbers", description=__doc__)
    parser.add_argument("--count", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    texts = made(options.count)
    identify_all(texts[:5000])  # the tables are read once in a program's life
    ours = best(lambda: identify_all(texts), options.rounds)
    loop = best(lambda: plain(texts), options.rounds)
    single = best(lambda: [identify(text) for text in texts[:50_000]], options.rounds) * len(texts) / 50_000
    report(texts, ours=ours, loop=loop, single=single)


def made(count: int) -> list[str]:
    chance = random.Random(1)
    chosen = chance.choices([*SHAPES], [*SHAPES.values()], k=count)
    return [re.sub("#", lambda _: chance.choice("0123456789"), shape) for shape in chosen]


def plain(texts: Sequence[str]) -> list[str]:
    found = []
    for text in texts:
        parts = _PLAIN.fullmatch(text)
        found.append(f"{parts[1]}{_NOISE.sub('', parts[2])}{parts[3] or ''}" if parts else "")
    return found


def best(call: Callable[[], object], rounds: int) -> float:
    spent = []
    for _ in range(rounds):
        start = process_time()
        call()
        spent.append(process_time() - start)
    return min(spent)


def report(texts: Sequence[str], *, ours: float, loop: float, single: float) -> None:
    count, read = len(texts), identify_all(texts)
    canonical = read.canonical.tolist()
    wrong = sum(one != other for one, other in zip(canonical, plain(texts), strict=True) if one)
    guessed = int(read.ambiguous.sum())
    unread = int((read.readings == 0).sum())
    rows = [
        [name, f"{count / spent:,.0f}", f"{spent:.2f}", f"{spent / ours:.2f}"]
        for name, spent in (("identify_all", ours), ("regular-expression loop", loop), ("identify, one by one", single))
    ]
    body = "\n\n".join(
        [
            pages.machine(),
            pages.table(["contender", "numbers a second, one core", "CPU s", "times ours"], rows),
            "\n".join(
                [
                    f"- the goal is {GOAL:,} a second: {'reached' if count / ours >= GOAL else 'MISSED'}",
                    f"- of {count:,} numbers the loop spells {wrong:,} in another way than the office does, and "
                    f"decides {guessed:,} that are ambiguous; {unread:,} can't be read",
                ]
            ),
        ]
    )
    title = f"Publication numbers: {count:,} of the {len(SHAPES)} shapes that US grants cite most"
    print(f"## {title}\n\n{body}")
    pages.replace(title, body)


if __name__ == "__main__":
    main()
