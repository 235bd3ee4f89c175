"""What a training shows: tables of the paper, rows for machines, files and figures."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pyarrow import parquet

import patstone as ps
from patstone.experiments.training import Training
from patstone.report import training as told
from patstone.report.figures import areas, lines, points
from patstone.report.training_files import figures, write_data, write_figures
from topics import gold_of

KEYS = {"size", "set", "control", "measure", "value", "variance", "tp", "fp", "fn", "tn"}


@pytest.fixture(scope="module")
def both() -> Training:
    return ps.train(gold_of(), protocol="both", alpha=20, beta=60, runs=3, controls=["frozen"])


def test_rows_have_the_keys_of_the_contract_and_one_number_each(both: Training) -> None:
    payload = json.loads(json.dumps({**told.payload(both), "results": list(told.payload(both)["results"])}))
    rows = payload["results"]
    assert set(rows[0]) >= KEYS
    # Nine sizes of two directed arms and one of the random one, on E and on H, in four measures.
    assert len(rows) == (9 + 9 + 1) * 2 * 4
    assert len({(row["protocol"], row["control"], row["size"], row["set"], row["measure"]) for row in rows}) == len(
        rows
    )
    for row in rows:
        assert np.isclose(row["tp"] + row["fn"] + row["fp"] + row["tn"], 150 - row["size"] if row["set"] == "E" else 30)
        assert row["variance"] >= 0
    f1 = next(row for row in rows if row["measure"] == "F1")
    assert np.isclose(f1["value"], 2 * f1["tp"] / (2 * f1["tp"] + f1["fp"] + f1["fn"]))
    assert payload["counts"]["units"] == 150
    assert "gold:" in payload["signature"]


def test_one_run_has_no_variance() -> None:
    rows = told.payload(ps.train(gold_of(), alpha=20, beta=20, runs=1))["results"]
    assert {row["variance"] for row in rows} == {None}


def test_tables_six_and_five_and_the_arms(both: Training) -> None:
    six, five, arms = told.tables(both)
    assert [column.heading for column in six.columns][-2:] == ["F1 on H", "var F1"]
    assert [row[0] for row in six.rows] == [20, 45]
    assert six.notes == told.MEANING
    assert [row[0] for row in five.rows] == ["1", "2", "3", "mean"]
    assert np.isclose(five.rows[-1][1], np.mean([row[1] for row in five.rows[:-1]]))  # type: ignore[arg-type]
    assert [row[1] for row in arms.rows] == ["directed", "frozen", "random"]
    directed = arms.rows[0]
    assert directed[-1] is not None
    assert 0 <= float(directed[-1]) <= 1  # type: ignore[arg-type]


def test_one_arm_needs_no_table_of_arms() -> None:
    assert len(told.tables(ps.train(gold_of(), alpha=20, beta=20, runs=2))) == 1


def test_the_spread_over_classifiers_is_told() -> None:
    several = ps.train(gold_of(), alpha=20, beta=20, runs=2, model=["naive-bayes", "svm"])
    (note,) = told.tables(several)[-1].notes
    assert note.startswith("Spread of the last F1 over 2 directed arms: 0.")


def test_notes_say_what_was_settled() -> None:
    short = ps.train(gold_of(60, 20), alpha=20, beta=45, runs=2, gamma=0.1)
    notes = " ".join(told.notes(short))
    assert "taken from the other class because a pool ran dry" in notes
    assert "margin is above 0" in notes


def test_files_hold_every_matrix_and_how_t_grew(both: Training, tmp_path: Path) -> None:
    write_data(both, tmp_path)
    runs = parquet.read_table(tmp_path / "runs.parquet").to_pydict()
    assert len(runs["run"]) == (9 + 9 + 1) * 3
    place = next(
        row
        for row in range(len(runs["run"]))
        if (runs["control"][row], runs["run"][row], runs["size"][row]) == ("frozen", 2, 60)
    )
    expected = both.outcome(control="frozen").counts("H")[2, -1].tolist()
    assert [runs[f"{name}_H"][place] for name in ("tp", "fp", "fn", "tn")] == expected
    growth = parquet.read_table(tmp_path / "growth.parquet").to_pydict()
    assert len(growth["unit"]) == 3 * 3 * 60
    first = [unit for unit, place, run in zip(growth["unit"], growth["place"], growth["run"], strict=True) if run == 0]
    assert first[:60] == [f"F{unit}" for unit in both.outcomes[0].traces[0].order]
    assert growth["place"][:60] == list(range(1, 61))
    assert (tmp_path / "table-6.csv").read_text().startswith("size,tp,fp,fn,tn,precision,recall,F1,accuracy,F1_H")
    assert (tmp_path / "table-5.csv").read_text().count("\n") == 5


def test_every_figure_of_the_paper_as_svg_and_png(both: Training, tmp_path: Path) -> None:
    write_figures(both, tmp_path)
    names = {"figure-E-and-H", *(f"figure-{number}" for number in range(3, 9))}
    assert {path.stem for path in tmp_path.glob("*.svg")} == {path.stem for path in tmp_path.glob("*.png")} == names
    for path in tmp_path.glob("*.svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")  # noqa: S314 - drawn a line ago
    for path in tmp_path.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")


def test_figures_are_those_that_can_be_shown() -> None:
    assert list(figures(ps.train(gold_of(), alpha=20, beta=20, runs=2))) == []
    lone = figures(ps.train(gold_of(), alpha=20, beta=30, runs=1))
    assert "figure-7" not in lone
    assert "figure-4" not in lone


def test_the_parts_of_figure_3_make_up_the_gold_standard(both: Training) -> None:
    figure = figures(both)["figure-3"]()
    at: dict[int, float] = {}
    for row in figure["data"]["values"]:
        at[row["x"]] = at.get(row["x"], 0.0) + row["y"]
    assert set(at) == set(both.outcomes[0].sizes)
    assert np.allclose(list(at.values()), 150)


def test_points_that_cannot_be_told_apart_are_drawn_once() -> None:
    figure = points({"a": (np.array([0.10001, 0.10002]), np.array([0.5, 0.5]))}, x="x", y="y")
    assert len(figure["data"]["values"]) == 1
    assert figure["encoding"]["color"]["legend"] is None


def test_areas_are_stacked_in_the_order_of_the_legend() -> None:
    told = {"b": [1.0, 2.0], "a": [3.0, 4.0]}
    figure = areas(told, np.array([1, 2]), x="x", y="y")
    assert [row["place"] for row in figure["data"]["values"]] == [0, 0, 1, 1]
    assert lines(told, np.array([1, 2]), x="x", y="y")["encoding"]["color"]["scale"]["domain"] == ["b", "a"]
