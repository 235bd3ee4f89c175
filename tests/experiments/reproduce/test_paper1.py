"""Paper 1's tables: what can be checked without the published file, and that the file is asked for."""

from pathlib import Path

import pytest

from patstone.experiments.reproduce.paper1 import gold_file, published
from patstone.experiments.reproduce.registry import Given, NoData, chosen


def test_what_algorithm_1_promises_holds_on_the_bundled_gold_standard() -> None:
    [table] = chosen("paper1.algorithm1")
    rows = table.reproduced(Given(), skip=False)
    assert len(rows) == 5
    assert {row.verdict for row in rows} == {"pass"}


def test_tables_without_their_file_are_not_run(tmp_path: Path) -> None:
    rows = [row for table in chosen("paper1") for row in table.reproduced(Given(data=tmp_path), skip=True)]
    assert {row.table for row in rows if row.verdict == "not run"} == {"table5", "table6", "figure3"}
    with pytest.raises(NoData, match=r"paper1.table6 needs quantum-qubit-generation.tsv, which is not in"):
        chosen("paper1.table6")[0].reproduced(Given(data=tmp_path), skip=False)


def test_the_file_is_found_by_its_name_or_in_its_folder(tmp_path: Path) -> None:
    inner = tmp_path / "quantum-gold-standard"
    inner.mkdir()
    path = inner / "quantum-qubit-generation.tsv"
    path.write_text("")
    assert {gold_file(Given(data=data)) for data in (path, inner, tmp_path)} == {path}
    with pytest.raises(NoData, match="gold fetch quantum"):
        gold_file(Given())


def test_what_is_printed_agrees_with_itself() -> None:
    """F1 follows from precision and recall, within the rounding of three digits."""
    rows = [*published()["table6"]["rows"].values(), published()["table5"]["mean"]]
    for row in rows:
        f1 = 2 * row["precision"] * row["recall"] / (row["precision"] + row["recall"])
        assert abs(f1 - row["F1"]) < 0.0011
    counts = published()["table6"]["counts"]
    assert (counts["positives"], counts["negatives"]) == (435 - 50, 994 - 50)


def test_early_steps_are_held_more_loosely() -> None:
    tolerance = published()["table6"]["tolerance"]
    assert tolerance["late"] < tolerance["early"]
