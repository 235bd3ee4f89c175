"""Files of a classifier's answers: columns by many names, and refusals that name the row."""

from pathlib import Path

import pytest

from patstone.errors import DataError
from patstone.systems.predictions import read_predictions


@pytest.mark.parametrize(
    ("text", "ids", "labels", "scores"),
    [
        ("document,label\nEP1,yes\nEP2,no\n", ("EP1", "EP2"), [True, False], None),
        ("Serial no.;probability\nEP1;0.25\n", ("EP1",), None, [0.25]),
        ("family,margin,prediction\n11,-1.5,0\n", ("11",), [False], [-1.5]),
        ("publication,family,score\nEP1,11,1\n", ("EP1",), None, [1.0]),
    ],
)
def test_columns_by_many_names(
    tmp_path: Path, text: str, ids: tuple[str, ...], labels: list[bool] | None, scores: list[float] | None
) -> None:
    (tmp_path / "mine.csv").write_text(text)
    read = read_predictions(tmp_path / "mine.csv")
    assert (read.name, read.ids) == ("mine", ids)
    assert (None if read.labels is None else read.labels.tolist()) == labels
    assert (None if read.scores is None else read.scores.tolist()) == scores


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("document,colour\nEP1,red\n", "need a column of labels or of scores"),
        ("label,colour\nyes,red\n", "need a column of publications or of families"),
        ("document,label\nEP1,yes\nEP2,perhaps\n", r"line 3: A label is positive or negative.*'perhaps'"),
        ("document,score\nEP1,0.5\nEP2,inf\n", r"line 3: .*finite"),
    ],
)
def test_refusals_name_the_row(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises(DataError, match=message):
        read_predictions(tmp_path / "mine.csv")
