"""The codes of search reports."""

import pytest

from patstone.patents.readers import citing


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("SEA", "SEA"),
        ("national-search-report", "SEA"),
        ("international-search-report", "ISR"),
        (" Opposition ", "OPP"),
        ("UNKNOWN", ""),
        ("undefined", ""),
        ("115", "115"),
    ],
)
def test_phases_are_three_letters_where_they_have_some(words: str, code: str) -> None:
    assert citing.phase(words) == code


@pytest.mark.parametrize(
    ("code", "country", "date", "said", "who"),
    [
        ("SEA", "EP", "1990-01-01", "", "examiner"),
        ("ISR", "WO", "", "", "examiner"),
        ("APP", "US", "2019-01-01", "", "applicant"),
        ("OPP", "EP", "", "", "third-party"),
        ("TPO", "EP", "", "", "third-party"),
        ("", "CN", "", "", "unknown"),
        ("115", "EP", "", "", "unknown"),
        ("SEA", "US", "2000-12-26", "", "unknown"),
        ("SEA", "US", "2001-01-02", "", "examiner"),
        ("APP", "EP", "", "examiner", "examiner"),
        ("", "", "", "Third party", "third-party"),
    ],
)
def test_who_cited_is_told_by_the_source_or_its_phase(code: str, country: str, date: str, said: str, who: str) -> None:
    assert citing.cited_by(code, country=country, date=date, said=said) == who


def test_categories_are_joined_in_their_order() -> None:
    assert citing.category("X", "Y", "X") == "XY"
    assert citing.category("d, a") == "DA"
    assert citing.category() == ""


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        ("1-4,7-9", (1, 2, 3, 4, 7, 8, 9)),
        ("13, 14", (13, 14)),
        ("1 – 3", (1, 2, 3)),
        ("5;2;2", (2, 5)),
        ("", ()),
        ("all", ()),
        ("9-3", ()),
        ("1-999999", ()),
        ("0", ()),
    ],
)
def test_ranges_of_claims_are_spelt_out(said: str, claims: tuple[int, ...]) -> None:
    assert citing.claim_numbers(said) == claims
