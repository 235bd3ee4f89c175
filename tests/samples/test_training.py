"""Paper 1's tables 5 and 6 on the real gold standard, each figure beside the paper's, by the command that users run."""

import json
import os
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from console import shell

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data"))
GOLD = SAMPLES / "quantum-gold-standard/quantum-qubit-generation.tsv"


def cpu() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_directed_training_reaches_its_figures_in_twenty_cpu_seconds() -> None:
    before = cpu()
    ran = shell("train", str(GOLD), "--json", OPENBLAS_NUM_THREADS="1", timeout=600)
    assert cpu() - before < 20
    page = json.loads(ran.out)
    f1 = {(row["set"], row["size"]): row["value"] for row in page["results"] if row["measure"] == "F1"}
    assert f1["E", 300] >= 0.950
    assert f1["E", 350] >= 0.948
    assert f1["H", 350] >= 0.850
    first = next(row for row in page["results"] if (row["set"], row["size"]) == ("E", 100))
    assert (first["tp"] + first["fn"], first["tn"] + first["fp"]) == (pytest.approx(385), pytest.approx(944))
    assert (page["counts"]["held_out"], len(f1)) == (286, 2 * 51)
    assert page["counts"]["same_title"] > 100


def test_every_figure_of_the_paper_is_within_its_tolerance() -> None:
    ran = shell("reproduce", "paper1", "--data", str(GOLD), "--json", timeout=900)
    rows = json.loads(ran.out)["results"]
    assert [row for row in rows if row["verdict"] in ("miss", "not run")] == []
    assert ran.code == 0
    assert sum(row["table"] == "table6" and row["verdict"] == "pass" for row in rows) > 44
