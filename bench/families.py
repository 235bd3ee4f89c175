"""Extended families of many documents: connected components, beside scipy's, which holds the whole graph.

`python -m bench.families [--links N] [--repeats N]` makes N links between documents and the priorities that they claim,
most families small and some very large, runs each contender in a process of its own and writes bench/RESULTS.md.
"""

import argparse
import multiprocessing
from collections.abc import Callable, Iterator
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np
from bench import pages
from numpy.typing import NDArray

from patstone.patents.components import components

Ints = NDArray[np.int32]
CHUNK = 1 << 20
GOAL_MB = 1_500


def links(count: int) -> Iterator[tuple[Ints, Ints]]:
    """Documents and priorities, numbered behind them, in chunks; a priority is mostly claimed by its neighbours."""
    rng = np.random.default_rng(1)
    documents = count // 2
    for start in range(0, count, CHUNK):
        size = min(CHUNK, count - start)
        document = rng.integers(0, documents, size, dtype=np.int32)
        priority = document // 3 + rng.geometric(0.7, size).astype(np.int32)
        # One in a thousand claims a priority of anywhere, which joins families into large ones.
        far = rng.random(size) < 0.001
        priority[far] = rng.integers(0, documents // 3, int(far.sum()), dtype=np.int32)
        yield document, documents + priority


def nodes(count: int) -> int:
    return count // 2 + count // 6 + 100


def ours(count: int) -> int:
    return len(np.unique(components(nodes(count), links(count))))


def scipys(count: int) -> int:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends, others = (np.concatenate(side) for side in zip(*links(count), strict=True))
    graph = coo_array((np.ones(len(ends), dtype=np.int8), (ends, others)), shape=(nodes(count),) * 2)
    return int(connected_components(graph, directed=False)[0])


def made(count: int) -> int:
    """Make the links and no more."""
    return sum(len(ends) for ends, _ in links(count))


def measured(call: Callable[[int], int], count: int) -> tuple[float, float, int]:
    """Processor seconds, peak memory in MB, and the answer."""
    start = process_time()
    found = call(count)
    return process_time() - start, getrusage(RUSAGE_SELF).ru_maxrss / 1024, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--links", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    best: dict[str, tuple[float, float, int]] = {}
    contenders: dict[str, Callable[[int], int]] = {"patstone": ours, "scipy": scipys, "making the links": made}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for _ in range(asked.repeats):
            for name, call in contenders.items():
                found = pool.apply(measured, (call, asked.links))
                best[name] = min(best.get(name, found), found)
    assert best["patstone"][2] == best["scipy"][2]
    base = best["making the links"][0]
    rows = [[name, f"{max(best[name][0] - base, 0):.1f}", f"{best[name][1]:.0f}"] for name in ("patstone", "scipy")]
    peak = best["patstone"][1]
    body = [
        pages.machine(),
        "",
        pages.table(["contender", "CPU s", "peak MB"], rows),
        "",
        f"- {best['patstone'][2]:,} components, counted alike by both; making the links ({base:.1f} s) is not counted",
        f"- peak {peak:.0f} MB; the goal is {GOAL_MB:,}: {'reached' if peak <= GOAL_MB else 'MISSED'}",
    ]
    pages.replace(f"Extended families: {asked.links:,} links", "\n".join(body))
    print("\n".join(body))


if __name__ == "__main__":
    main()
