"""Likeness beside titles: offices, years, numbers of publications."""

import numpy as np

from patstone.gold.labels import GoldStandard
from patstone.systems.classifiers.traits import offices, sizes, traits, years

GOLD = GoldStandard(
    name="made",
    unit="family",
    units=("a", "b", "c", "d"),
    positive=np.array([True, True, False, False]),
    numbers=("EP1A1", "US2A1", "EP3A1", "JP4A", "US5A1", "EP6A1"),
    of=np.array([0, 0, 1, 2, 2, 3]),
    dates=("2001-05-01", "1999-01-01", "2007-01-01", "", "1999-12-31", ""),
)


def test_families_of_the_same_offices_are_alike() -> None:
    found = offices(GOLD)
    assert np.allclose(np.diag(found), 1)
    assert found[1, 3] == 1.0
    assert found[1, 2] == 0.0
    # JP is rarer than US, so that sharing US alone makes family c less like family a than EP does family b.
    assert 0 < found[0, 2] < found[0, 1] < 1


def test_the_first_year_counts_and_an_unknown_one_is_like_nobody() -> None:
    found = years(GOLD)
    assert np.isclose(found[0, 1], 0.5)  # 1999 and 2007
    assert found[0, 2] == 1.0
    assert found[3].tolist() == [0, 0, 0, 1]


def test_twice_as_many_publications_are_one_doubling() -> None:
    found = sizes(GOLD)
    assert found[0, 2] == 1.0
    assert np.isclose(found[0, 1], 0.5 ** (1 / 1.5) ** 2)


def test_together_they_are_one_with_themselves_and_have_no_dates_to_need() -> None:
    assert np.allclose(np.diag(traits(GOLD)), 1)
    assert np.isfinite(traits(GoldStandard(**{**vars(GOLD), "dates": ("",) * 6}))).all()
    assert np.linalg.eigvalsh(traits(GOLD)).min() > -1e-9
