"""Slices of a gold standard: offices, years, languages and kinds, read off numbers, dates and titles."""

from dataclasses import replace

import pytest

from labelled import gold_of
from patstone.errors import UsageError
from patstone.gold.described import language_of, link_to, sliced


@pytest.mark.parametrize(
    ("title", "language"),
    [
        ("Method and apparatus for cooling", "en"),
        ("VERFAHREN ZUM KÜHLEN UND VORRICHTUNG DAFÜR", "de"),
        ("Procédé et dispositif pour le refroidissement", "fr"),
        ("Procedimiento y aparato para la refrigeración", "es"),
        ("量子ビットの読み出し装置", "ja"),
        ("一种量子比特", "zh"),
        ("Способ охлаждения", "ru"),
        ("냉각 장치", "ko"),
        ("SQUID", "unknown"),
        ("", "unknown"),
    ],
)
def test_languages_are_told_from_titles(title: str, language: str) -> None:
    assert language_of(title) == language


def test_a_family_counts_in_each_office_and_kind_and_in_its_first_year() -> None:
    gold = replace(
        gold_of("+-", publications=2),
        numbers=("EP1000001A1", "US20100000001A1", "EP1000002A1", "EP1000002B1"),
        dates=("2012-01-20", "2010-03-04", "2011-05-06", ""),
    )
    assert {value: units.tolist() for value, units in sliced(gold, "office").items()} == {
        "EP": [True, True],
        "US": [True, False],
    }
    assert [*sliced(gold, "kind")] == ["A1", "B1"]
    assert {value: units.tolist() for value, units in sliced(gold, "year").items()} == {
        "2010": [True, False],
        "2011": [False, True],
    }
    assert [*sliced(replace(gold, dates=(), titles=()), "year")] == ["unknown"]
    with pytest.raises(UsageError, match=r"by office, year, language, kind\. Got 'colour'"):
        sliced(gold, "colour")


def test_the_register_is_asked_for_one_number() -> None:
    assert link_to("EP 1000001-A1") == "https://worldwide.espacenet.com/patent/search?q=pn%3DEP1000001A1"
