"""Time 40 runs × 1,000 topics × 12 measures, all pairs, beside scipy's permutation_test on a few of the same tests.

scipy tests one pair under one measure in each call; its whole time is extrapolated from the subset and said to be so.
Ours is measured whole: tests, intervals, Holm and groups.
"""

import os

# One thread, so that processor time means the same for both.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from collections.abc import Callable
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np
from scipy.stats import permutation_test

from patstone.compare.discrimination import discriminate
from patstone.compare.intervals import bca
from patstone.compare.significance import compare
from patstone.gold.qrels import Floats
from patstone.measures.measure import Measure
from patstone.measures.scores import Scores

FLIPS = 10_000


def made(systems: int, topics: int, measures: int) -> Scores:
    """Scores with hard and easy topics, and systems of rising quality."""
    rng = np.random.default_rng(1)
    hardness = rng.beta(1, 2, (1, measures, topics))
    quality = np.linspace(0, 0.05, systems)[:, None, None]
    values = np.clip(0.7 * hardness + quality + rng.normal(0, 0.15, (systems, measures, topics)), 0, 1)
    return Scores(
        systems=tuple(f"run{number}" for number in range(systems)),
        measures=tuple(Measure("P", cutoff=number + 1) for number in range(measures)),
        topics=tuple(f"topic{number}" for number in range(topics)),
        values=values,
    )


def seconds(call: Callable[[], object]) -> float:
    start = process_time()
    call()
    return process_time() - start


def mean_gap(one: Floats, other: Floats, axis: int) -> Floats:
    return np.asarray((one - other).mean(axis=axis), dtype=np.float64)


def scipy_tests(scores: Scores, count: int) -> None:
    for number in range(count):
        one, other = scores.values[number, 0], scores.values[number + 1, 0]
        permutation_test(
            (one, other), mean_gap, permutation_type="samples", n_resamples=FLIPS, rng=np.random.default_rng(number)
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=40)
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--measures", type=int, default=12)
    parser.add_argument("--subset", type=int, default=5, help="tests that scipy does")
    asked = parser.parse_args()
    scores = made(asked.systems, asked.topics, asked.measures)
    tests = asked.systems * (asked.systems - 1) // 2 * asked.measures
    ours = {
        f"compare, {FLIPS:,} sign flips": lambda: compare(scores, permutations=FLIPS),
        "compare, as many flips as Holm needs": lambda: compare(scores),
        "compare, paired t": lambda: compare(scores, test="t"),
        f"compare, Tukey HSD, {FLIPS:,} permutations": lambda: compare(scores, test="tukey"),
        "discriminative power, bootstrap B=1000": lambda: discriminate(scores),
        "BCa intervals of one run": lambda: bca(scores.values[0]),
    }
    print(f"{asked.systems} runs × {asked.topics:,} topics × {asked.measures} measures: {tests:,} tests; CPU seconds")
    spent = {name: seconds(call) for name, call in ours.items()}
    for name, taken in spent.items():
        print(f"{taken:10.3f}  {name}")
    print(f"{getrusage(RUSAGE_SELF).ru_maxrss / 1024:10.0f}  MB at the peak of all the above")
    few = min(asked.subset, asked.systems - 1)
    one = seconds(lambda: scipy_tests(scores, few)) / few
    print(f"{one:10.3f}  scipy permutation_test, {FLIPS:,} sign flips, one test (mean of {few})")
    ratio = one * tests / next(iter(spent.values()))
    print(f"{one * tests:10.0f}  scipy, all tests (extrapolated): {ratio:,.0f} times ours")


if __name__ == "__main__":
    main()
