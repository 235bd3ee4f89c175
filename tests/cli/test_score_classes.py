"""`patstone score` where the gold standard says which classes patents have."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran

Run = Callable[..., Ran]
TREE = "child,parent\nA,\nB,\nA01,A\nA01B,A01\nA01B1/00,A01B\nA01B1/02,A01B1/00\nA01B1/04,A01B1/00\nB60,B\nB60K,B60\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {
        "tree.csv": TREE,
        "gold.csv": "patent,cpc\nEP1,A01B 1/02; B60K\nEP2,B60\n",
        "mine.csv": "patent,cpc,score,assigned\nEP1,A01B1/04,0.9,yes\nEP1,B60K,0.8,no\nEP2,B60,0.7,yes\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def values(ran: Ran) -> dict[str, float]:
    assert ran.code == 0, ran.err
    return {row["measure"]: row["value"] for row in json.loads(ran.out)["results"]}


@pytest.mark.usefixtures("files")
def test_costs_go_by_the_scheme(patstone: Run) -> None:
    words = ["score", "gold.csv", "mine.csv", "--scheme", "tree.csv", "--json", "-m"]
    found = values(patstone(*words, "AP", "AP(cost=path)", "P", "P(cost=path)", "hP", "F1@1"))
    # EP1: A01B1/04 is two edges from A01B1/02, and B60K at rank 2 is hit.
    assert found == {
        "AP": pytest.approx((1 / 2 / 2 + 1) / 2),
        "AP(cost=path)": pytest.approx(((1 / 3 + 1) / 2 / 2 + 1) / 2),
        "P": pytest.approx(1 / 2),
        "P(cost=path)": pytest.approx((1 / 3 + 1) / 2),
        "hP": pytest.approx((4 / 5 + 1) / 2),
        "F1@1": pytest.approx((0 + 1) / 2),
    }


@pytest.mark.usefixtures("files")
def test_what_is_measured_goes_by_what_is_there(patstone: Run) -> None:
    assert list(values(patstone("score", "gold.csv", "mine.csv", "--json"))) == ["AP", "Rprec", "P", "R", "F1"]
    with_scheme = values(patstone("score", "gold.csv", "mine.csv", "--scheme", "tree.csv", "--json"))
    assert {"AP", "AP(cost=bdm-high)", "F1(cost=bdm-low)", "hF"} < set(with_scheme)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("level", "f1"), [("section", (2 / 3 + 1) / 2), ("group", (2 / 3 + 1) / 2), ("subgroup", 0.5)])
def test_levels_need_no_scheme(patstone: Run, level: str, f1: float) -> None:
    ran = patstone("score", "gold.csv", "mine.csv", "--level", level, "-m", "F1", "--json")
    assert values(ran) == {"F1": pytest.approx(f1)}


@pytest.mark.usefixtures("files")
def test_notes_say_what_was_unknown_and_nothing_of_what_nobody_judged(patstone: Run, files: Path) -> None:
    (files / "mine.csv").write_text("patent,cpc\nEP1,ZZ\nEP2,B60\n")
    ran = patstone("score", "gold.csv", "mine.csv", "--scheme", "tree.csv", "-m", "AP")
    assert "1 ranked class is not in the scheme; each is close to nothing but itself (unknown=apart)." in ran.err
    assert "nobody judged" not in ran.err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["-m", "AP(cost=bdm-high)"], 2, "AP(cost=bdm-high) needs the scheme of the classes"),
        (["-m", "AP(cost=far)"], 2, "must be one of 'binary', 'bdm-high', 'bdm-low', 'path'"),
        (["--level", "kingdom"], 2, "invalid choice: 'kingdom'"),
        (["--scheme", "tree.csv", "tree.csv"], 2, "Two schemes are called 'tree'"),
        (["--scheme", "gone.csv"], 3, "gone.csv"),
        (["--columns", "patent=cited"], 3, "no column 'cited'"),
    ],
)
def test_mistakes_are_one_line(patstone: Run, words: list[str], code: int, message: str) -> None:
    ran = patstone("score", "gold.csv", "mine.csv", *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
    assert message in ran.err
