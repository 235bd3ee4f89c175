"""`patstone scheme show` and `patstone scheme cost` on a small tree whose values tests/golden/hierarchy works out."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran
from patstone.measures.hierarchy import COSTS

Run = Callable[..., Ran]

TREE = "child,parent,title\nA,root,Ears\nB,root,\nA1,A,\nA2,A,\nA11,A1,\nA12,A1,\nB1,B,\nB11,B1,\nB111,B11,\n"


@pytest.fixture
def tree(tmp_path: Path) -> str:
    (tmp_path / "tree.csv").write_text(TREE)
    return str(tmp_path / "tree.csv")


def results(ran: Ran) -> list[dict[str, object]]:
    assert (ran.code, ran.err) == (0, "")
    rows: list[dict[str, object]] = json.loads(ran.out)["results"]
    return rows


def test_a_scheme_is_shown_by_its_depths(patstone: Run, tree: str) -> None:
    ran = patstone("scheme", "show", tree, "--json")
    assert [(row["depth"], row["terms"], row["leaves"], row["first"]) for row in results(ran)] == [
        (0, 1, 0, "root"),
        (1, 2, 0, "A"),
        (2, 3, 1, "A1"),
        (3, 3, 2, "A11"),
        (4, 1, 1, "B111"),
    ]
    assert json.loads(ran.out)["counts"] == {
        "scheme": "tree",
        "kind": "other",
        "terms": 10,
        "chains": 4,
        "height": 4,
        "mean_chain": 3.0,
        "mean_branching": 1.5,
    }
    shown = patstone("scheme", "show", tree).out
    assert "tree: 10 terms" in shown
    assert "4 chains; mean chain (n0) 3.0000 edges" in shown


def test_a_term_is_shown_with_what_is_above_and_below(patstone: Run, tree: str) -> None:
    rows = results(patstone("scheme", "show", tree, "A", "--json"))
    assert [(row["relation"], row["depth"], row["symbol"]) for row in rows] == [
        ("above", 0, "root"),
        ("term", 1, "A"),
        ("below", 2, "A1"),
        ("below", 2, "A2"),
    ]
    assert rows[1] == {"relation": "term", "depth": 1, "symbol": "A", "children": 2, "title": "Ears"}


def test_a_cost_has_the_stable_keys(patstone: Run, tree: str) -> None:
    [row] = results(patstone("scheme", "cost", tree, "A11", "A2", "--json"))
    assert list(row)[:4] == ["cost", "a", "b", "value"]
    assert (row["cost"], row["a"], row["b"]) == ("bdm", "A11", "A2")
    assert row["value"] == pytest.approx(8 / 29, rel=1e-14)
    assert row["distance"] == pytest.approx(21 / 29, rel=1e-14)
    assert row["parts"] == {"msca": "A", "CP": 1, "DPK": 2, "DPR": 1, "n0": 3.0, "n2": 3.0, "n3": 2.0, "BR": 4 / 3}


def test_every_cost_at_once(patstone: Run, tree: str) -> None:
    rows = results(patstone("scheme", "cost", tree, "A11", "A2", "--cost", "all", "--json"))
    assert [row["cost"] for row in rows] == list(COSTS)
    values = [row["value"] for row in rows]
    assert values == pytest.approx([8 / 29, 1 / 4, 1 / 2, 1 / 3, 0])
    assert [row["distance"] for row in rows] == pytest.approx([21 / 29, 3, 2, 2 / 3, 1])


def test_the_explanation_is_arithmetic_that_can_be_followed(patstone: Run, tree: str) -> None:
    ran = patstone("scheme", "cost", tree, "A11", "A2", "--explain")
    said = " ".join(ran.out.split())
    assert "(1.3333·1/3.0000) / (1.3333·1/3.0000 + 2/3.0000 + 1/2.0000) = 0.2759" in said
    for name in ("msca", "CP", "DPK", "DPR", "n0", "n2", "n3", "BR"):
        assert f" {name} " in f" {said} "
    assert " BR " not in patstone("scheme", "cost", tree, "A11", "A2").out


def test_a_matrix_of_terms_from_words_and_a_file(patstone: Run, tree: str, tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("A2\n\n B \n")
    words = ("scheme", "cost", tree, "A11", "--terms-file", str(tmp_path / "terms.txt"), "--matrix")
    rows = results(patstone(*words, "--json"))
    assert [(row["a"], row["b"]) for row in rows] == [(a, b) for a in ("A11", "A2", "B") for b in ("A11", "A2", "B")]
    shown = [line.split() for line in patstone(*words).out.splitlines()]
    assert ["A11", "1.00", "0.28", "0.00"] in shown
    table = list(csv.DictReader(io.StringIO(patstone(*words, "--csv").out)))
    assert float(table[1]["value"]) == pytest.approx(8 / 29, rel=1e-14)
    assert (table[1]["CP"], table[1]["msca"]) == ("1", "A")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("A11",), 2, "Name two terms, or several with --matrix. Got 1."),
        (("A11", "A2", "B"), 2, "Name two terms, or several with --matrix. Got 3."),
        (("--matrix",), 2, "Name the terms of the matrix"),
        (("A11", "A3"), 2, "tree has no term 'A3'. Did you mean A"),
        (("A11", "A2", "--cost", "dbm"), 2, "Argument --cost: invalid choice: 'dbm'"),
        (("A11", "A2", "--layout", "titles"), 3, "SYMBOL, LEVEL and TITLE"),
        (("A11", "--terms-file", "nowhere"), 3, "nowhere: There is no such file."),
    ],
)
def test_wrong_words_say_what_is_wrong(
    patstone: Run, tree: str, words: tuple[str, ...], code: int, message: str
) -> None:
    ran = patstone("scheme", "cost", tree, *words)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


def test_columns_can_be_named(patstone: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\nx,r\ny,r\n")
    rows = results(
        patstone("scheme", "cost", str(tmp_path / "t.csv"), "x", "y", "--columns", "symbol=a,parent=b", "--json")
    )
    assert rows[0]["value"] == 0
