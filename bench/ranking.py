"""Ranked evaluation beside the tools people use today: CPU seconds, peak memory, and whether the numbers agree.

`python -m bench.ranking [--size small|large|many]...` makes seeded data in a cache, runs every contender on the same
files, each in its own process and in turn, keeps each one's best, compares all per-topic results with ours, and
writes the tables and the ratios into bench/RESULTS.md.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import data, pages, trec_eval
from bench.contenders import Results

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".bench"
OURS, COMMAND = "patstone", "patstone score"

SIZES = {
    "small": data.Size(name="small", topics=1_000, depth=100),
    "large": data.Size(name="large", topics=10_000, depth=1_000),
    "many": data.Size(name="many", topics=500, depth=1_000, runs=40),
}
REPEATS = {"small": 7, "large": 2, "many": 2}
TASKS = {"small": ("ranking", "subtopics"), "large": ("ranking", "subtopics", "memory"), "many": ("ranking",)}
FIELD = {
    "ranking": (OURS, COMMAND, "trec_eval", "pytrec_eval", "ir_measures", "ranx"),
    "subtopics": (OURS, "pyndeval", "ir_measures"),
    "memory": (OURS, "pytrec_eval", "ranx"),
}
WORDS = {
    "ranking": "from files to per-topic results",
    "subtopics": "subtopic measures, from files to per-topic results",
    "memory": "in memory, on each tool's own structures",
}
GOALS = {
    ("large", "ranking"): (OURS, {"pytrec_eval": 5.0, "trec_eval": 6.0, "ir_measures": 10.0}),
    ("large", "subtopics"): (OURS, {"pyndeval": 5.0}),
    ("large", "memory"): (OURS, {"pytrec_eval": 10.0}),
    ("small", "ranking"): (COMMAND, {"trec_eval": 0.4, "pytrec_eval": 1.0, "ir_measures": 1.0, "ranx": 1.0}),
}
"""How many times the CPU time of one of ours a peer is to take at least."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    cpu: float
    peak: float
    version: str
    results: Results


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ranking", description=__doc__)
    parser.add_argument("--size", action="append", choices=SIZES, help="which data; all three when not given")
    parser.add_argument("--repeat", type=int, help="how often each contender runs; its best counts")
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the topics only, for a quick look")
    options = parser.parse_args(arguments)
    CACHE.mkdir(exist_ok=True)
    for name in options.size or SIZES:
        size = SIZES[name]
        scaled = data.Size(name=name, topics=max(1, int(size.topics * options.scale)), depth=size.depth, runs=size.runs)
        for task in TASKS[name]:
            report(scaled, task, options.repeat or REPEATS[name], publish=options.scale == 1)


def report(size: data.Size, task: str, repeats: int, *, publish: bool) -> None:
    """Run one task, print its table, and put it into the results unless it was only a look."""
    title = f"Ranked evaluation, {size}: {WORDS[task]}"
    print(f"\n## {title}\n", flush=True)
    best = run_all(size, task, repeats)
    body = "\n\n".join([pages.machine(), compared(best), *verdicts(best, *GOALS.get((size.name, task), (OURS, {})))])
    print(body, flush=True)
    if publish:
        pages.replace(title, body)


def run_all(size: data.Size, task: str, repeats: int) -> dict[str, Measured]:
    """Every contender in turn, again and again, so that a slow minute of the machine meets all of them."""
    made = data.files(size, CACHE)
    gold = made.subtopics if task == "subtopics" else made.gold
    best: dict[str, Measured] = {}
    for _ in range(repeats):
        for name in FIELD[task]:
            measured = run(name, task, gold, made.runs)
            if measured is not None and (name not in best or measured.cpu < best[name].cpu):
                best[name] = measured
    return best


def run(name: str, task: str, gold: Path, runs: Sequence[Path]) -> Measured | None:
    """One contender in its own process; None, with a word why, where it can't run."""
    python = ROOT / ".venv-bench/bin/python" if name == "ranx" else Path(sys.executable)
    binary = trec_eval.binary(CACHE) if name == "trec_eval" else None
    if not python.exists() or (name == "trec_eval" and binary is None):
        print(f"{name} is not installed and can't be built here: left out", file=sys.stderr)
        return None
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        out = Path(folder) / "results.json"
        command: list[str | Path] = [python, "-m", "bench.contenders", name, task, out, gold, *runs]
        # One thread for each: the numeric libraries' idle threads would count as work.
        environment = os.environ | {"TREC_EVAL": str(binary), "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
        answer = subprocess.run(command, stdout=subprocess.PIPE, env=environment, cwd=ROOT, check=False)
        if answer.returncode:
            if name in (OURS, COMMAND):
                raise SystemExit(f"{name} failed")
            print(f"{name} failed: left out", file=sys.stderr)
            return None
        return Measured(**json.loads(answer.stdout), results=json.loads(out.read_text()))


def compared(best: Mapping[str, Measured]) -> str:
    ours = best[OURS]
    rows = [
        [name, f"{one.cpu:.3f}", f"{one.cpu / ours.cpu:.2f}", f"{one.peak:,.0f}", apart(ours, one), one.version]
        for name, one in best.items()
    ]
    return pages.table(["contender", "CPU s", "times ours", "peak MB", "largest difference", "version"], rows)


def verdicts(best: Mapping[str, Measured], ours: str, goals: Mapping[str, float]) -> list[str]:
    ratios = {name: (best[name].cpu / best[ours].cpu, goal) for name, goal in goals.items() if name in best}
    lines = [
        f"- {name} takes {ratio:.2f} times the CPU time of {ours}; the goal is at least {goal:g}: "
        + ("reached" if ratio >= goal else "MISSED")
        for name, (ratio, goal) in ratios.items()
    ]
    return ["\n".join(lines)] if lines else []


def apart(ours: Measured, other: Measured) -> str:
    """The largest difference between two tools' per-topic values, and the measure it is in."""
    differences = [
        (abs(value - theirs[measure].get(topic, math.nan)), measure)
        for mine, theirs in zip(ours.results, other.results, strict=True)
        for measure, row in mine.items()
        for topic, value in row.items()
    ]
    if any(math.isnan(difference) for difference, _ in differences):
        return "topics missing"
    largest, measure = max(differences)
    return f"{largest:.1e} ({measure})" if largest else "0"


if __name__ == "__main__":
    main()
