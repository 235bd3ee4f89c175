"""`patstone compare`: the rows that scripts rely on; the statistics have tests of their own."""

import csv
import io
import json
from collections.abc import Callable

from console import Ran, Sample

Run = Callable[..., Ran]


def test_rows_have_the_stable_keys(patstone: Run, sample: Sample) -> None:
    ran = patstone("compare", sample.gold, sample.good, sample.poor, "-m", "AP", "RR", "--json", "--permutations", "99")
    assert ran.code == 0
    results = json.loads(ran.out)["results"]
    wanted = {"a", "b", "measure", "difference", "ci", "p", "p_adjusted", "wins", "ties", "losses"}
    assert all(wanted <= set(row) for row in results)
    assert [(row["a"], row["b"], row["measure"]) for row in results] == [("good", "poor", "AP"), ("good", "poor", "RR")]
    assert abs(results[0]["difference"] - (1 - 17 / 36)) < 1e-12
    assert (results[0]["wins"], results[0]["ties"], results[0]["losses"]) == (2, 1, 0)


def test_text_shows_means_and_differences(patstone: Run, sample: Sample) -> None:
    out = patstone("compare", sample.gold, sample.good, sample.poor, "-m", "AP", "--permutations", "99").out
    assert "0.4722" in out
    assert "+0.5278" in out


def test_a_baseline_is_compared_with_each_other_run(patstone: Run, sample: Sample) -> None:
    words = ["compare", sample.gold, sample.good, sample.poor, "-m", "AP", "--json", "--permutations", "99"]
    results = json.loads(patstone(*words, "--baseline", "good").out)["results"]
    assert [(row["a"], row["b"]) for row in results] == [("poor", "good")]
    ran = patstone(*words, "--baseline", "best")
    assert ran.code == 2
    assert "good, poor" in ran.err


def test_measures_are_compared_by_what_they_tell_apart(patstone: Run, sample: Sample) -> None:
    words = ["compare", sample.gold, sample.good, sample.poor, "-m", "AP", "RR", "--discriminative"]
    ran = patstone(*words, "--json")
    assert ran.code == 0
    results = json.loads(ran.out)["results"]
    assert [row["measure"] for row in results if "power" in row] == ["AP", "RR"]
    assert [(row["first"], row["second"]) for row in results if "tau" in row] == [("AP", "RR")]
    table = list(csv.DictReader(io.StringIO(patstone(*words, "--csv").out)))
    assert len(table) == len(results)
    assert {"measure", "power", "smallest_difference", "first", "second", "tau", "tau_ap"} <= set(table[0])


def test_one_run_cannot_be_compared(patstone: Run, sample: Sample) -> None:
    ran = patstone("compare", sample.gold, sample.good, "-m", "AP")
    assert (ran.code, ran.out) == (2, "")
    assert "two runs" in ran.err


def test_a_report_has_the_comparison(patstone: Run, sample: Sample) -> None:
    folder = sample.folder / "page"
    ran = patstone(
        "compare", sample.gold, sample.good, sample.poor, "-m", "AP", "--permutations", "99", "--report", str(folder)
    )
    assert ran.code == 0
    page = (folder / "index.html").read_text()
    assert f"patstone compare {sample.gold}" in page
    assert "0.4722" in page
