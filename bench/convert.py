"""Read synthetic weekly files beside a bare `lxml.iterparse` that touches nothing: MB/s of processor time, one core.

`python -m bench.convert [--grants N] [--repeats N]` makes a seeded file of that many grants in a cache (see
`bench.weekly`), runs both in processes of their own, in turn, and keeps the best of each. No XML parser takes many
documents in a row, so that the bare parser is given each one cut out by `patstone.patents.readers.pieces`.
"""

import argparse
import io
import multiprocessing
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time

from bench import weekly

from patstone.files.streams import rewindable
from patstone.patents.publication import Rejected
from patstone.patents.readers.formats import open_source
from patstone.patents.readers.pieces import documents

CACHE = Path(__file__).parent.parent / ".bench"
GOAL = 0.5


def bare(path: Path) -> float:
    """Processor seconds of cutting the file into documents and parsing them."""
    from lxml import etree

    start = process_time()
    with rewindable(path).open() as stream:
        for piece in documents(stream):
            for _ in etree.iterparse(io.BytesIO(piece.data)):
                pass
    return process_time() - start


def read(path: Path) -> float:
    """Processor seconds of everything from the file to publications."""
    start = process_time()
    rejected = sum(isinstance(found, Rejected) for found in open_source(path))
    assert not rejected
    return process_time() - start


def measured(call: Callable[[Path], float], path: Path) -> tuple[float, float]:
    """Processor seconds and peak memory in MB."""
    seconds = call(path)
    return seconds, getrusage(RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--grants", type=int, default=weekly.GRANTS)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    CACHE.mkdir(exist_ok=True)
    path = CACHE / f"week-{asked.grants}.xml"
    if not path.exists():
        print(f"making {path}", file=sys.stderr)
        weekly.write(path, asked.grants)
    size = path.stat().st_size / 1e6
    contenders: dict[str, Callable[[Path], float]] = {"lxml.iterparse, bare": bare, "patstone reader": read}
    best: dict[str, tuple[float, float]] = {}
    # A process each, so that neither leaves memory or caches to the other.
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for _ in range(asked.repeats):
            for name, call in contenders.items():
                found = pool.apply(measured, (call, path))
                best[name] = min(best.get(name, found), found)
    print(f"{asked.grants:,} grants, {size:,.0f} MB")
    for name, (seconds, memory) in best.items():
        print(f"{name:24}{size / seconds:8.1f} MB/s{memory:8.0f} MB")
    ratio = best["lxml.iterparse, bare"][0] / best["patstone reader"][0]
    print(f"ratio {ratio:.2f} (to reach: {GOAL} with writing the collection)")


if __name__ == "__main__":
    main()
