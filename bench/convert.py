"""`patstone patents convert` of synthetic weekly files beside a bare `lxml.iterparse` that touches nothing.

`python -m bench.convert [--grants N] [--repeats N]` makes seeded files of that many grants in all in a cache (see
`bench.weekly`), runs everything in processes of their own, in turn, and writes the best of each to bench/RESULTS.md.
No XML parser takes many documents in a row, so that the bare one is given each document, cut out by
`patstone.patents.readers.pieces`. MB/s are those of processor time, of all processes together.
"""

import argparse
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import monotonic

from bench import pages, weekly

from patstone.files.streams import rewindable
from patstone.patents.publication import Rejected
from patstone.patents.readers.formats import open_source
from patstone.patents.readers.pieces import documents

CACHE = Path(__file__).parent.parent / ".bench"
FILES = 2
"""As many as there are processes in the last run."""
GOAL, GOAL_MB = 0.5, 500
CONTENDERS = {
    "lxml.iterparse, bare": ["-m", "bench.convert", "--only", "bare"],
    "reading alone": ["-m", "bench.convert", "--only", "read"],
    "patstone patents convert": ["-m", "patstone", "patents", "convert", "--out", str(CACHE / "converted")],
}
JOBS = {"patstone patents convert --jobs 2": [*CONTENDERS["patstone patents convert"], "--jobs", "2"]}


def bare(path: str) -> None:
    """Cut the file into documents and parse them."""
    from lxml import etree

    with rewindable(path).open() as stream:
        for piece in documents(stream):
            for _ in etree.iterparse(io.BytesIO(piece.data)):
                pass


def read(path: str) -> None:
    """Everything from the file to publications."""
    rejected = sum(isinstance(found, Rejected) for found in open_source(path))
    assert not rejected


def measured(words: list[str], files: list[Path]) -> tuple[float, float, float]:
    """Processor seconds, peak memory of the largest process in MB, and seconds on the clock."""
    shutil.rmtree(CACHE / "converted", ignore_errors=True)
    start = monotonic()
    child = subprocess.Popen([sys.executable, *words, *map(str, files)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, words
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, monotonic() - start


def made(grants: int) -> list[Path]:
    CACHE.mkdir(exist_ok=True)
    paths = [CACHE / f"week-{grants // FILES}-{seed}.xml" for seed in range(FILES)]
    for seed, path in enumerate(paths):
        if not path.exists():
            print(f"making {path}", file=sys.stderr)
            weekly.write(path, grants // FILES, seed)
    return paths


def page(best: dict[str, tuple[float, float, float]], size: float) -> str:
    base, whole = best["lxml.iterparse, bare"][0], best["patstone patents convert"]
    ratio, scaled = base / whole[0], whole[2] / best[next(iter(JOBS))][2]
    rows = [
        [name, f"{size / cpu:.0f}", f"{base / cpu:.2f}", f"{peak:.0f}", f"{clock:.1f}"]
        for name, (cpu, peak, clock) in best.items()
    ]
    return "\n".join(
        [
            pages.machine(),
            "",
            pages.table(["contender", "MB/s", "of the bare parser", "peak MB", "s on the clock"], rows),
            "",
            f"- {ratio:.2f} of the bare parser's speed; the goal is {GOAL}: {'reached' if ratio >= GOAL else 'MISSED'}",
            f"- peak {whole[1]:.0f} MB; the goal is {GOAL_MB}: {'reached' if whole[1] <= GOAL_MB else 'MISSED'}",
            f"- --jobs 2 takes 1/{scaled:.2f} of the time on the clock, on a machine that others used too",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--grants", type=int, default=weekly.GRANTS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=("bare", "read"))
    parser.add_argument("files", nargs="*")
    asked = parser.parse_args()
    if asked.only:
        for path in asked.files:
            (bare if asked.only == "bare" else read)(path)
        return
    files = made(asked.grants)
    size = sum(path.stat().st_size for path in files) / 1e6
    best: dict[str, tuple[float, float, float]] = {}
    for _ in range(asked.repeats):
        for name, words in (CONTENDERS | JOBS).items():
            found = measured(words, files)
            best[name] = min(best.get(name, found), found)
    body = page(best, size)
    pages.replace(f"Converting weekly files: {asked.grants:,} grants, {size:,.0f} MB", body)
    print(body)


if __name__ == "__main__":
    main()
