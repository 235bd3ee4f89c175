"""Two hundred runs of Algorithm 1 by `patstone train`, beside a pipeline of scikit-learn that is refitted each step.

`python -m bench.training [GOLD]` takes a gold standard of labels; without one it is the bundled one. Ours is the whole
command, from the start of Python to the printed rows. The pipeline (word and letter TF-IDF, logistic regression) runs
in the same protocol on the same seeds, in a few runs, and its time for all of them is extrapolated.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from bench import pages
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline, make_union

ROOT = Path(__file__).parent.parent
RUNS, THEIRS = 200, 2
GOAL_SECONDS, GOAL_RATIO = 20.0, 50.0


def pipeline() -> Pipeline:
    """The same features as ours, learned from T alone."""
    words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
    letters = TfidfVectorizer(sublinear_tf=True, analyzer="char_wb", ngram_range=(2, 5))
    return make_pipeline(make_union(words, letters), LogisticRegression(C=10.0, solver="liblinear", random_state=0))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.training", description=__doc__)
    parser.add_argument("gold", nargs="?", help="a table of labels; without it, the bundled gold standard")
    report(parser.parse_args(arguments).gold or bundled())


def bundled() -> str:
    from patstone.gold import sample

    return str(sample.HERE / "soft-gripping.tsv")


def report(gold: str) -> None:
    ours = spent(gold, "kernel-ridge", RUNS)
    started = spent(gold, "kernel-ridge", 1)
    theirs = spent(gold, "bench.training:pipeline", THEIRS) / THEIRS * RUNS
    rows = [
        ["patstone train", f"{ours:.1f}", str(RUNS), "1"],
        ["the pipeline, refitted at each step", f"{theirs:,.0f}", str(THEIRS), f"{theirs / ours:,.0f}"],
    ]
    title = f"Simulated training: {RUNS} runs of Algorithm 1 on {Path(gold).stem}"
    lines = [
        f"- of ours, {started:.1f} s are Python, libraries, reading, features, the kernel and one run",
        f"- all runs in {ours:.1f} s; the goal is {GOAL_SECONDS:g}: {verdict(ours <= GOAL_SECONDS)}",
        f"- the pipeline takes {theirs / ours:,.0f} times as long; the goal is {GOAL_RATIO:g}: "
        + verdict(theirs / ours >= GOAL_RATIO),
    ]
    body = "\n\n".join(
        [pages.machine(), pages.table(["contender", "CPU s", "runs done", "times ours"], rows), "\n".join(lines)]
    )
    print(f"## {title}\n\n{body}")
    pages.replace(title, body)


def verdict(reached: bool) -> str:
    return "reached" if reached else "MISSED"


def spent(gold: str, model: str, runs: int) -> float:
    """CPU seconds of the command, user and system together."""
    before = getrusage(RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "patstone", "train", gold, "--model", model, "--runs", str(runs), "--csv", "-q"]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
