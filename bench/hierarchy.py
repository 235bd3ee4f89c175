"""Ten million BDM pairs over a scheme as large as the CPC, beside plain Python and networkx in the same run.

`python -m bench.hierarchy [SCHEME]` takes a title list; without one it makes a tree that has as many terms at each
depth as the CPC of 2022.08. Half of the pairs are drawn from the whole scheme, half are neighbours. Plain Python is
equation (1) written out, with the same statistics computed once; networkx only finds common ancestors, one pair at a
time and, as its quickest way, all pairs of a tree in one walk. Both do a part of the pairs, and their time for all of
them is extrapolated.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from bench import pages

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".bench"
COUNTS = (9, 136, 674, 9773, 48211, 69930, 62479, 35076, 17654, 8039, 3651, 1552, 1241, 728, 489, 621)
"""Terms at each depth of the CPC, from the sections down."""
GROUPS = 4
GOAL_SECONDS, GOAL_RATIO = 5.0, 100.0
PARTS = {"plain Python": 200_000, "networkx, all pairs of a tree in one walk": 200_000, "networkx, pair by pair": 40}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.hierarchy", description=__doc__)
    parser.add_argument("scheme", nargs="?", help="a title list; without it one is made")
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--contender", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    CACHE.mkdir(exist_ok=True)
    if options.contender:
        print(json.dumps(CONTENDERS[options.contender](CACHE / "hierarchy.npz")))
        return
    report(options.scheme or made(CACHE / "like-the-CPC.tsv"), options.pairs)


def report(path: str | Path, count: int) -> None:
    """Measure all, print the page, and put it into the results."""
    reading, scheme = measured_reading(path)
    spent, hierarchy_seconds = ours(scheme, count)
    others = {name: contender(name) for name in PARTS}
    whole = {name: others[name] / PARTS[name] * count for name in others if others[name] > 0}
    rows = [["patstone", f"{spent:.2f}", f"{count:,}", "1"]]
    rows += [[name, f"{taken:,.0f}", f"{PARTS[name]:,}", f"{taken / spent:,.0f}"] for name, taken in whole.items()]
    slowest = min(whole.values(), default=0.0) / spent
    title = f"Class hierarchies: {count:,} BDM pairs over {scheme.name}, {len(scheme):,} terms"
    body = "\n\n".join(
        [
            pages.machine(),
            pages.table(["contender", "CPU s", "pairs done", "times ours"], rows),
            "\n".join(
                [
                    *reading,
                    f"- the scheme's statistics, once: {hierarchy_seconds:.2f} s",
                    f"- all pairs in {spent:.2f} s; the goal is {GOAL_SECONDS:g}: {verdict(spent <= GOAL_SECONDS)}",
                    f"- the quickest of the others takes {slowest:,.0f} times as long; the goal is {GOAL_RATIO:g}: "
                    + verdict(slowest >= GOAL_RATIO),
                ]
            ),
        ]
    )
    print(f"## {title}\n\n{body}")
    pages.replace(title, body)


def verdict(reached: bool) -> str:
    return "reached" if reached else "MISSED"


def measured_reading(path: str | Path) -> tuple[list[str], Any]:
    """The scheme, and how long it takes from text and from the cache, without importing libraries."""
    import pyarrow  # noqa: F401

    from patstone.patents.schemes.sources import read_scheme

    os.environ["PATSTONE_CACHE"] = str(CACHE / "schemes")
    text = best(lambda: read_scheme(path, keep=False))
    read_scheme(path)
    kept = best(lambda: read_scheme(path))
    lines = [
        f"- reading the scheme from text: {text:.2f} s; the goal is 2: {verdict(text < 2)}",
        f"- from the cache: {kept:.3f} s; the goal is 0.1: {verdict(kept < 0.1)}",
    ]
    return lines, read_scheme(path)


def best(call: Callable[[], object], times: int = 3) -> float:
    spent = []
    for _ in range(times):
        start = perf_counter()
        call()
        spent.append(perf_counter() - start)
    return min(spent)


def ours(scheme: Any, count: int) -> tuple[float, float]:
    """CPU seconds for all pairs, and for what is computed once; the pairs are left for the others."""
    from patstone.measures.hierarchy import Hierarchy, similarity

    start = process_time()
    hierarchy = Hierarchy.of(scheme)
    similarity(hierarchy, "bdm", [1], [1])
    once = process_time() - start
    keys, responses = pairs(len(scheme.parent), count)
    start = process_time()
    values = similarity(hierarchy, "bdm", keys, responses)
    spent = process_time() - start
    some = max(PARTS.values())
    np.savez(
        CACHE / "hierarchy.npz",
        parent=scheme.parent,
        keys=keys[:some],
        responses=responses[:some],
        values=values[:some],
    )
    return spent, once


def pairs(size: int, count: int) -> tuple[Any, Any]:
    """From the whole scheme and from the neighbourhood, in turn."""
    rng = np.random.default_rng(1)
    keys = rng.integers(1, size, count)
    near = np.clip(keys + rng.integers(-40, 41, count), 1, size - 1)
    return keys, np.where(np.arange(count) % 2, near, rng.integers(1, size, count))


def contender(name: str) -> float:
    """CPU seconds of one of the others in a process of its own; 0 where it is not installed."""
    python = ROOT / ".venv-bench/bin/python" if name.startswith("networkx") else Path(sys.executable)
    command: list[str | Path] = [python, "-m", "bench.hierarchy", "--contender", name]
    answer = subprocess.run(command, stdout=subprocess.PIPE, cwd=ROOT, check=False) if python.exists() else None
    if answer is None or answer.returncode:
        print(f"{name} is not installed or failed: left out", file=sys.stderr)
        return 0.0
    return float(json.loads(answer.stdout))


def plain(path: Path) -> float:
    """Equation (1), multiplied by BR, with dictionaries and lists."""
    data = np.load(path)
    part = PARTS["plain Python"]
    tree = PlainTree(data["parent"].tolist())
    keys, responses = data["keys"][:part].tolist(), data["responses"][:part].tolist()
    start = process_time()
    values = [tree.bdm(key, response) for key, response in zip(keys, responses, strict=True)]
    spent = process_time() - start
    assert np.allclose(values, data["values"][:part], rtol=1e-12), "plain Python and ours differ"
    return spent


class PlainTree:
    def __init__(self, parents: Sequence[int]) -> None:
        self.parent = dict(enumerate(parents))
        self.children: dict[int, int] = dict.fromkeys(self.parent, 0)
        for above in parents[1:]:
            self.children[above] += 1
        count, total = dict.fromkeys(self.parent, 0), dict.fromkeys(self.parent, 0)
        for node in reversed(range(len(parents))):
            if not self.children[node]:
                count[node], total[node] = 1, len(self.chain(node)) - 1
            if node:
                count[parents[node]] += count[node]
                total[parents[node]] += total[node]
        self.mean_chain = {node: total[node] / count[node] for node in self.parent}
        inner = [number for number in self.children.values() if number]
        self.branching = sum(inner) / len(inner)

    def chain(self, node: int) -> list[int]:
        """From the root to the node."""
        found = [node]
        while self.parent[found[-1]] >= 0:
            found.append(self.parent[found[-1]])
        return found[::-1]

    def bdm(self, key: int, response: int) -> float:
        if key == response:
            return 1.0
        one, other = self.chain(key), self.chain(response)
        shared = 0
        for a, b in zip(one, other, strict=False):
            if a != b:
                break
            shared += 1
        between = [one[shared - 1], *one[shared:-1], *other[shared:-1]]
        br = sum(self.children[node] for node in between) / len(between) / self.branching
        near = br * (shared - 1) / self.mean_chain[0]
        far = (len(one) - shared) / self.mean_chain[key] + (len(other) - shared) / self.mean_chain[response]
        return near / (near + far)


def graph_of(data: Any) -> Any:
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_edges_from((above, node) for node, above in enumerate(data["parent"].tolist()) if above >= 0)
    return graph


def networkx_walk(path: Path) -> float:
    import networkx as nx

    data, part = np.load(path), PARTS["networkx, all pairs of a tree in one walk"]
    graph = graph_of(data)
    asked = list(zip(data["keys"][:part].tolist(), data["responses"][:part].tolist(), strict=True))
    start = process_time()
    dict(nx.tree_all_pairs_lowest_common_ancestor(graph, root=0, pairs=asked))
    return process_time() - start


def networkx_pairs(path: Path) -> float:
    import networkx as nx

    data, part = np.load(path), PARTS["networkx, pair by pair"]
    graph = graph_of(data)
    asked = list(zip(data["keys"][:part].tolist(), data["responses"][:part].tolist(), strict=True))
    start = process_time()
    for key, response in asked:
        nx.lowest_common_ancestor(graph, key, response)
    return process_time() - start


CONTENDERS = {
    "plain Python": plain,
    "networkx, all pairs of a tree in one walk": networkx_walk,
    "networkx, pair by pair": networkx_pairs,
}


def made(path: Path) -> Path:
    """A title list with as many terms at each depth as the CPC, each below a term drawn at random."""
    if not path.exists():
        path.write_text("".join(f"{symbol}\t{level}\ta title of some words\n" for symbol, level in outline()))
    return path


def outline() -> Iterator[tuple[str, str]]:
    rng = random.Random(1)
    below: dict[tuple[int, int], list[int]] = {}
    above = 1
    for depth, count in enumerate(COUNTS):
        for number in range(count):
            # Each term above gets one as long as there are enough, so that no branch ends too high.
            parent = number if number < above else rng.randrange(above)
            below.setdefault((depth, parent), []).append(number)
        above = count
    return walked(below)


def walked(below: dict[tuple[int, int], list[int]]) -> Iterator[tuple[str, str]]:
    """In the order of the printed scheme, with symbols as the CPC gives them."""
    stack = siblings(below, 0, 0, "")
    subgroups = 0
    while stack:
        depth, number, place, above = stack.pop()
        subgroups = 0 if depth <= GROUPS else subgroups + 1
        symbol = f"{above.partition('/')[0]}/{subgroups:02}" if depth > GROUPS else named(above, depth, place)
        yield symbol, "" if depth < GROUPS else str(depth - GROUPS)
        stack.extend(siblings(below, depth, number, symbol))


def siblings(
    below: dict[tuple[int, int], list[int]], depth: int, number: int, symbol: str
) -> list[tuple[int, int, int, str]]:
    found = [(depth + 1, child, place, symbol) for place, child in enumerate(below.get((depth, number), []))]
    return found[::-1]


def named(above: str, depth: int, place: int) -> str:
    """A section, a class, a subclass or a main group."""
    if depth in (1, 3):
        return above + chr(ord("A") + place)
    return f"{above}{place + 1:02}" if depth == 2 else f"{above}{place + 1}/00"


if __name__ == "__main__":
    main()
