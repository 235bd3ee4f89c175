"""Reviewers' labels: long and wide tables, gaps, doubts, and the three views of them."""

from pathlib import Path

import pytest

from labelled import gold_of
from patstone.errors import DataError, UsageError
from patstone.gold.reviews import Reviews, placed, read_reviews

LONG = """\
family,reviewer,label
1,Ada,yes
1,Bo,no
1,Cy,yes
2,Ada,no
2,Bo,unsure
3,Cy,yes
3,Bo,
4,Ada,no
4,Bo,yes
"""
WIDE = """\
family,Ada,Bo,Cy
1,yes,no,yes
2,no,?,
3,,,1
4,-,+,
"""


def reviews(folder: Path, text: str) -> Reviews:
    (folder / "reviews.csv").write_text(text)
    return read_reviews(folder / "reviews.csv")


@pytest.mark.parametrize("text", [LONG, WIDE])
def test_both_layouts_say_the_same(tmp_path: Path, text: str) -> None:
    read = reviews(tmp_path, text)
    assert (read.units, read.reviewers, read.doubts) == (("1", "2", "3", "4"), ("Ada", "Bo", "Cy"), 1)
    assert read.answers.tolist() == [[1, 0, 1], [0, -1, -1], [-1, -1, 1], [0, 1, -1]]


def test_views(tmp_path: Path) -> None:
    read = reviews(tmp_path, LONG)
    told = {view: [side.tolist() for side in read.labels(view)] for view in ("consensus", "generous", "narrow")}
    assert told["consensus"] == [[True, False, True, False], [True, True, True, False]]
    assert told["generous"] == [[True, False, True, True], [True] * 4]
    assert told["narrow"] == [[False, False, True, False], [True] * 4]
    with pytest.raises(UsageError, match="one of consensus, generous, narrow"):
        read.labels("strict")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("family,reviewer,label\n1,Ada,yes\n1,Ada,no\n", r"line 3: Reviewer 'Ada' labels '1' on line 2 too"),
        ("family,reviewer,label\n1,Ada,perhaps\n", r"line 2: A label is positive or negative.*'perhaps'"),
        ("family\n1\n", "need a column of reviewers"),
    ],
)
def test_what_is_no_review_is_refused_by_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        reviews(tmp_path, text)


def test_units_are_found_by_family_or_publication_and_once(tmp_path: Path) -> None:
    gold = gold_of("+-")
    text = f"publication,reviewer,label\n{gold.numbers[1]},Ada,yes\nUS1,Ada,no\n"
    assert placed(reviews(tmp_path, text), gold).tolist() == [1, -1]
    twice = f"publication,reviewer,label\n{gold.numbers[1]},Ada,yes\n2,Bo,no\n"
    with pytest.raises(DataError, match=r"name one family in two ways.*'2'"):
        placed(reviews(tmp_path, twice), gold)
