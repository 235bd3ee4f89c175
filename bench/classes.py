"""Runs of an F-term classification task scored with every cost: NTCIR-6's 43 runs, 200 ranked terms a document.

`python -m bench.classes` does a part; `--full` is the whole: 43 runs × 20,000 documents × 200 terms. Themes, documents
and runs are made from a fixed seed as NTCIR text files, and one process scores them all, as `patstone score` would,
with AP, Rprec and F1 under all six costs.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from shutil import rmtree
from time import perf_counter
from typing import Any

import numpy as np
from bench import pages

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".bench" / "classes"
THEMES, TERMS, RANKED = 20, 400, 200
FULL = (43, 20_000)
COSTS = ("binary", "bdm-high", "bdm-low", "path", "ancestor", "learning-accuracy")
MEASURES = [f"{name}(cost={cost})" for cost in COSTS for name in ("AP", "Rprec", "F1")]
GOAL_MINUTES, GOAL_GB = 15, 4


@dataclass(frozen=True)
class Theme:
    name: str
    codes: Any
    """The terms below viewpoints."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.classes", description=__doc__)
    parser.add_argument("--full", action="store_true", help=f"{FULL[0]} runs of {FULL[1]:,} documents")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--score", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.score:
        print(json.dumps(scored()))
        return
    runs, documents = FULL if options.full else (options.runs, options.documents)
    made(runs, documents)
    # A process of its own, so that its memory is that of scoring.
    command = [sys.executable, "-m", "bench.classes", "--score"]
    answer = subprocess.run(command, stdout=subprocess.PIPE, cwd=ROOT, check=True)
    report(runs, documents, json.loads(answer.stdout))
    rmtree(FOLDER)


def scored() -> dict[str, float]:
    import patstone as ps

    start, runs = perf_counter(), sorted(FOLDER.glob("run*.txt"))
    found = ps.score(FOLDER / "gold.txt", runs, MEASURES, scheme=sorted(FOLDER.glob("1T*.csv")))
    used = getrusage(RUSAGE_SELF)
    assert (found.values <= 1).all()
    assert not np.isnan(found.values).any()
    return {
        "wall": perf_counter() - start,
        "cpu": used.ru_utime + used.ru_stime,
        "peak": used.ru_maxrss / 1e6,
        "rows": sum(counts["retrieved"] for counts in found.counts.values()),
    }


def report(runs: int, documents: int, spent: dict[str, float]) -> None:
    title = f"Classes: {runs} runs × {documents:,} documents × {RANKED} terms, {len(MEASURES)} measures"
    # One process on one core: on a machine with nothing else to do its CPU time is its time.
    minutes = spent["cpu"] / 60
    body = "\n\n".join(
        [
            pages.machine(),
            pages.table(
                ["rows", "wall s", "CPU s", "CPU s a million rows", "peak GB"],
                [
                    [
                        f"{spent['rows']:,.0f}",
                        f"{spent['wall']:,.0f}",
                        f"{spent['cpu']:,.0f}",
                        f"{spent['cpu'] / spent['rows'] * 1e6:.2f}",
                        f"{spent['peak']:.2f}",
                    ]
                ],
            ),
            f"- {minutes:.1f} CPU minutes; the goal for {FULL[0]} runs × {FULL[1]:,} documents is {GOAL_MINUTES}: "
            + verdict(minutes <= GOAL_MINUTES)
            + f"\n- {spent['peak']:.2f} GB; the goal is {GOAL_GB}: "
            + verdict(spent["peak"] <= GOAL_GB),
        ]
    )
    print(f"## {title}\n\n{body}")
    pages.replace(title, body)


def verdict(reached: bool) -> str:
    return "reached" if reached else "MISSED"


def made(runs: int, documents: int) -> None:
    """Write themes, gold standard and runs."""
    rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    rng = np.random.default_rng(6)
    themes = [made_theme(rng, f"1T{number:03}") for number in range(THEMES)]
    owner = np.sort(rng.integers(0, THEMES, documents))
    true = [np.sort(rng.choice(TERMS, rng.integers(1, 16), replace=False)) for _ in range(documents)]
    with (FOLDER / "gold.txt").open("w") as gold:
        for number, terms in enumerate(true):
            theme = themes[owner[number]]
            gold.writelines(f"JP{number:07} {theme.name} {theme.codes[term].decode()}\n" for term in terms)
    for run in range(runs):
        made_run(np.random.default_rng(run), FOLDER / f"run{run + 1:02}.txt", themes, owner, true)


def made_theme(rng: np.random.Generator, name: str) -> Theme:
    """Terms of up to six dots under eight viewpoints, a term's parent being one of the last few above it."""
    codes, lines = [], ["code,dots"]
    size = TERMS // 8
    for view in range(8):
        lines.append(f"{chr(65 + view)}A,0")
        dots = 0
        for place in range(size):
            dots = 1 if place == 0 else int(np.clip(dots + rng.integers(-2, 2), 1, 6))
            codes.append(f"{chr(65 + view)}A{place + 1:02}")
            lines.append(f"{codes[-1]},{dots}")
    (FOLDER / f"{name}.csv").write_text("\n".join([*lines, ""]))
    return Theme(name, np.array(codes, dtype="S4"))


def made_run(rng: np.random.Generator, path: Path, themes: list[Theme], owner: Any, true: list[Any]) -> None:
    """Terms with the true ones, and those near them in the list, higher up; a lot of documents at a time."""
    skill = rng.uniform(0.5, 3)
    with path.open("wb") as file:
        for start in range(0, len(true), 1000):
            part = range(start, min(start + 1000, len(true)))
            noise = rng.normal(size=(len(part), TERMS))
            for row, number in enumerate(part):
                noise[row, true[number]] += skill
                noise[row, np.minimum(true[number] + 1, TERMS - 1)] += skill / 2
            ranking = np.argsort(-noise, axis=1)[:, :RANKED]
            chosen = np.arange(RANKED) < rng.integers(3, 15, (len(part), 1))
            names = np.array([f"JP{number:07} {themes[owner[number]].name} ".encode() for number in part])
            codes = np.stack([themes[owner[number]].codes[ranking[row]] for row, number in enumerate(part)])
            flags = np.where(chosen, b" yes\n", b" no\n")
            lines: Any = np.char.add(np.char.add(names[:, None], codes), flags)
            file.write(b"".join(lines.ravel().tolist()))


if __name__ == "__main__":
    main()
