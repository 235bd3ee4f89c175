"""`patstone score` and `compare` on a gold standard of labels: the kind of the gold standard decides."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran
from labelled import written

Run = Callable[..., Ran]
CELLS = {"tp": 3, "fp": 1, "fn": 1, "tn": 5}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Four positives, six negatives; a classifier of scores and one of labels with a gap and a stranger."""
    gold = written(tmp_path, "++++------")
    numbers = [line.split("\t")[2] for line in gold.read_text().splitlines()[1:]]
    scores = [0.9, 0.8, 0.7, 0.2, 0.6, 0.1, 0.1, 0.1, 0.1, 0.1]
    rows = "".join(f"{number},{score}\n" for number, score in zip(numbers, scores, strict=True))
    (tmp_path / "scores.csv").write_text("document,score\n" + rows)
    labels = "".join(f"{number},{label}\n" for number, label in zip(numbers[:-1], "110000000", strict=True))
    (tmp_path / "labels.csv").write_text("document,label\n" + labels + "US20150012345A1,1\n")
    return [str(gold), str(tmp_path / "scores.csv"), str(tmp_path / "labels.csv")]


def test_score_gives_the_contract(patstone: Run, files: list[str]) -> None:
    ran = patstone("score", *files, "--json")
    assert ran.code == 0, ran.err
    answer = json.loads(ran.out)
    value = {(row["system"], row["measure"]): row for row in answer["results"]}
    assert value["scores", "precision"]["value"] == 0.75
    assert value["scores", "F1"]["value"] == 0.75
    assert value["scores", "AUC"]["value"] == pytest.approx(23 / 24)
    assert value["labels", "AUC"]["value"] is None
    assert value["scores", "F1"]["ci"][0] < 0.75 < value["scores", "F1"]["ci"][1]
    assert {key: answer["counts"]["scores"][key] for key in ("tp", "fp", "fn", "tn")} == CELLS
    assert (answer["counts"]["labels"]["missing"], answer["counts"]["labels"]["unknown"]) == (1, 1)
    assert answer["signature"]["F1"].startswith("F1|gold:")
    assert {"a", "b", "measure", "difference", "ci", "p", "p_adjusted", "wins", "ties", "losses"} <= set(
        answer["comparisons"][0]
    )
    assert "labels: families without an answer: 1; called negative." in ran.err
    assert "answers to what the gold standard doesn't have: 1" in ran.err


def test_compare_pairs_the_classifiers(patstone: Run, files: list[str]) -> None:
    ran = patstone("compare", *files, "-m", "accuracy", "--json")
    row = json.loads(ran.out)["results"][0]
    assert (row["a"], row["b"], row["test"], row["wins"], row["losses"]) == ("scores", "labels", "mcnemar", 1, 1)
    assert row["p"] == 1.0


def test_slices_and_errors(patstone: Run, files: list[str]) -> None:
    ran = patstone("score", *files[:2], "-m", "recall", "--slice", "office", "--json")
    assert [(row["field"], row["slice"], row["value"]) for row in json.loads(ran.out)["results"]] == [
        ("office", "EP", 0.75)
    ]
    ran = patstone("score", *files[:2], "--errors", "--json")
    found = json.loads(ran.out)["results"]
    # 0.2 is further on the wrong side of 0.5 than 0.6 is.
    assert [(row["error"], row["score"]) for row in found] == [("false negative", 0.2), ("false positive", 0.6)]
    assert found[0]["link"].endswith("pn%3DEP1000040A1")
    assert found[0]["title"] == "title 4"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ties", "input"], "--ties means nothing for a gold standard of labels"),
        (["--by-topic"], "--by-topic means nothing for a gold standard of labels"),
        (["--errors", "--slice", "office"], "--errors or for --slice"),
        (["--slice", "colour"], "sliced by office, year, language, kind"),
        (["-m", "nDCG@10"], "Labels are scored by precision"),
        (["--threshold", "nan"], "The threshold must be a finite number"),
    ],
)
def test_words_that_mean_nothing_are_refused(patstone: Run, files: list[str], words: list[str], message: str) -> None:
    ran = patstone("score", *files[:2], *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize("command", ["score", "compare"])
def test_words_for_labels_are_refused_for_rankings(patstone: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "gold.qrels").write_text("t 0 d 1\n")
    ran = patstone(command, str(tmp_path / "gold.qrels"), str(tmp_path / "a.run"), "--fold", "max")
    assert (ran.code, ran.out) == (2, "")
    assert "--fold means nothing for ranked answers" in ran.err


def test_bad_predictions_name_file_and_line(patstone: Run, files: list[str], tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("document,score\nEP1,high\n")
    ran = patstone("score", files[0], str(tmp_path / "bad.csv"))
    assert (ran.code, ran.out) == (3, "")
    assert "bad.csv: line 2" in ran.err


def test_strict_and_a_map_of_columns(patstone: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text("Urteil,Nummer\nyes,EP1000010A1\nno,EP1000020A1\nno,US10012345\n")
    (tmp_path / "mine.csv").write_text("Nummer,p\nEP1000010A1,0.9\nEP1000020A1,0.1\nUS10012345,0.1\n")
    words = ["score", str(tmp_path / "gold.csv"), str(tmp_path / "mine.csv")]
    words += ["--columns", "label=Urteil,document=Nummer,run.score=p"]
    ran = patstone(*words, "--csv", "-m", "F1")
    assert ran.code == 3, "label=Urteil speaks to both sides, and predictions have no such column"
    words[-1] = "gold.label=Urteil,document=Nummer,run.score=p"
    ran = patstone(*words, "--csv", "-m", "F1")
    assert (ran.code, "mine,F1,1.0" in ran.out) == (0, True), ran.err
    strict = patstone(*words, "--strict")
    assert strict.code == 3
    assert "can be read in more than one way" in strict.err
