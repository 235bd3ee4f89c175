"""Dates of every spelling, and the difference between an unknown date and no date."""

from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.patents.dates import iso_date


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (20110125, "2011-01-25"),
        ("20110125", "2011-01-25"),
        ("2011.01.25", "2011-01-25"),
        ("2011-01-25T10:00:00Z", "2011-01-25"),
        ("25.01.2011", "2011-01-25"),
        (" 2011-01-25 ", "2011-01-25"),
        (20110125.0, "2011-01-25"),
        (Decimal(20110125), "2011-01-25"),
        (date(2011, 1, 25), "2011-01-25"),
        (datetime(2011, 1, 25, 3), "2011-01-25"),
        ("19580100", "1958-01"),
        ("19580000", "1958"),
        ("1958", "1958"),
        ("2011-01", "2011-01"),
    ],
)
def test_a_date_reads_the_same_however_it_is_written(said: object, meant: str) -> None:
    assert iso_date(said) == meant


@pytest.mark.parametrize("said", [None, 0, "0", "", " ", "00000000", float("nan"), "-1"])
def test_an_unknown_date_is_empty(said: object) -> None:
    assert iso_date(said) == ""


@pytest.mark.parametrize("said", ["19589999", "20110230", "tomorrow", "2011/13/01", -5, 123456789, True, "٢٠١١٠١٢٥"])
def test_what_is_no_date_is_not_taken_for_an_unknown_one(said: object) -> None:
    assert iso_date(said) is None


@given(st.dates(min_value=date(1000, 1, 1)))
def test_every_day_survives_every_spelling(day: date) -> None:
    for written in (f"{day:%Y%m%d}", f"{day:%Y.%m.%d}", f"{day:%d.%m.%Y}", int(f"{day:%Y%m%d}"), day):
        assert iso_date(written) == day.isoformat()
