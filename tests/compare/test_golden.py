"""Hand-worked values: tests/golden/compare/comparison.toml shows the arithmetic."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compare.conftest import MakeScores
from patstone.compare import correlation
from patstone.compare.multiplicity import holm
from patstone.compare.significance import compare

GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden/compare/comparison.toml").read_text())
CORRELATIONS = {
    "tau_b": correlation.kendall_tau_b,
    "tau_ap": correlation.tau_ap,
    "spearman": correlation.spearman,
}


@pytest.mark.parametrize(("name", "case"), [(name, case) for name in CORRELATIONS for case in GOLDEN[name]])
def test_correlation(name: str, case: dict[str, Any]) -> None:
    assert CORRELATIONS[name](case["first"], case["second"]) == pytest.approx(case["expected"], abs=1e-15)


@pytest.mark.parametrize("case", GOLDEN["holm"])
def test_holm(case: dict[str, Any]) -> None:
    assert holm(np.array(case["p"])) == pytest.approx(case["expected"], abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("case", GOLDEN["pair"])
def test_pair(case: dict[str, Any], make_scores: MakeScores) -> None:
    (row,) = compare(make_scores([case["a"], case["b"]]), permutations=9).rows
    found = {name: getattr(row, name) for name in case["expected"]}
    assert found == pytest.approx(case["expected"], abs=1e-15)
