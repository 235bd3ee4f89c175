"""How many claims a second the linter checks: invented ones, and those of real grants where the samples are at hand.

`python -m bench.claims [--sets N]` checks claim sets in memory by all rules, one process, and writes bench/RESULTS.md.
`PATSTONE_SAMPLES` names the folder of real data; claims are resolved and checked, reading the files is not counted.
"""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from time import process_time

from bench import pages

from patstone.gold.degrading.inventing import invented
from patstone.patents.claims.checks import check
from patstone.patents.publication import Claim, Publication
from patstone.patents.readers.formats import open_source

GOAL = 2_000
"""Claims a second on one core."""
GRANTS = ("greenbook", "sgml", "xml2004", "xml2006", "xml2014", "odp/grant-xml")

Sets = Sequence[Sequence[Claim]]


def granted() -> Sets:
    """The claims of the US grants in the samples, a few times over."""
    samples = os.environ.get("PATSTONE_SAMPLES")
    folders = [Path(samples) / "samples/uspto" / name for name in GRANTS] if samples else []
    found = [one for folder in folders if folder.is_dir() for one in open_source(folder)]
    return [one.claims for one in found if isinstance(one, Publication)] * 10


def row(name: str, sets: Sets, repeats: int) -> list[str]:
    claims = sum(map(len, sets))
    words = sum(len(claim.text.split()) for one in sets for claim in one)
    best = float("inf")
    for _ in range(repeats):
        start = process_time()
        found = sum(len(check(one).diagnostics) for one in sets)
        best = min(best, process_time() - start)
    return [name, f"{claims:,}", f"{words / claims:.0f}", f"{found:,}", f"{best:.2f}", f"{claims / best:,.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    worlds = {"invented claims": [invented(seed) for seed in range(asked.sets)], "claims of US grants": granted()}
    rows = [row(name, sets, asked.repeats) for name, sets in worlds.items() if sets]
    slowest = min(int(cells[-1].replace(",", "")) for cells in rows)
    body = [
        pages.machine(),
        "",
        pages.table(["claims", "number", "words each", "findings", "CPU s", "claims a second"], rows),
        "",
        f"- {slowest:,} claims a second; the goal is at least {GOAL:,}: {'reached' if slowest >= GOAL else 'MISSED'}",
    ]
    pages.replace("Claims checked by all rules of the linter", "\n".join(body))
    print("\n".join(body))


if __name__ == "__main__":
    main()
