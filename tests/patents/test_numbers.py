"""Numbers as sources write them, and what they must be read as."""

import pytest

from patstone.patents.numbers import canonical, identify

READ = {
    "US10012345B2": "US10012345B2",
    "US 10,012,345 B2": "US10012345B2",
    "ＵＳ１００１２３４５Ｂ２": "US10012345B2",
    "US-2020/0012345-A1": "US20200012345A1",
    "US2020012345A1": "US20200012345A1",
    "US-E- R E36 154": "USRE36154E",
    "USRE36154": "USRE36154",
    "EP 1 234 567 A1": "EP1234567A1",
    "EP-0971326-B1": "EP0971326B1",
    "EP1234567А1": "EP1234567A1",
    "WO 02/64032 A2": "WO2002064032A2",
    "WO 02/064032 A2": "WO2002064032A2",
    "WO02064032A2": "WO2002064032A2",
    "JP-H0476664-B2": "JPH0476664B2",
    "JP-A- 7 300 979": "JPH07300979A",
    "特開平7-300979": "JPH07300979A",
    "DE 10 2010 012 345 A1": "DE102010012345A1",
    "DE-OS 27 12 345": "DE2712345A",
    "US7875293B2_20110125": "US7875293B2",
    "PCT/US99/12345": "PCT/US1999/012345",
}


@pytest.mark.parametrize(("text", "expected"), READ.items())
def test_numbers_are_read(text: str, expected: str) -> None:
    assert identify(text).canonical == expected


def test_two_readings_are_never_a_guess() -> None:
    found = identify("US10012345")
    assert found.ambiguous
    assert (found.input, found.canonical) == ("US10012345", "")
    assert [reading.canonical for reading in found.readings] == ["US10012345", "US10/012345"]


def test_context_decides() -> None:
    assert identify("US10012345", kind="B2").canonical == "US10012345B2"
    assert identify("US10012345", date="2018-07-03").canonical == "US10012345"
    assert identify("US10012345", date="2002-03-11").canonical == "US10/012345"
    assert identify("US10012345", role="application").canonical == "US10/012345"


def test_parts_apart() -> None:
    assert canonical("US", "D439981", "S") == "USD439981S"
    assert canonical("JP", "55-081471", date="19800600") == "JPS5581471"
    assert canonical("", "12345") == ""
