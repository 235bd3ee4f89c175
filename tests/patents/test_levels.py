"""Symbols at the levels of their schemes."""

import pytest

from patstone.patents.schemes.levels import LEVELS, at_level

SYMBOLS = ["A", "A01", "A01B", "A01B1/00", "A01B1/02", "H01M10/0525", "Y02E", "AA01", "AA", "strange"]


@pytest.mark.parametrize(
    ("level", "found"),
    [
        ("section", ["A", "A", "A", "A", "A", "H", "Y", "AA01", "AA", "strange"]),
        ("class", ["A", "A01", "A01", "A01", "A01", "H01", "Y02", "AA01", "AA", "strange"]),
        ("subclass", ["A", "A01", "A01B", "A01B", "A01B", "H01M", "Y02E", "AA01", "AA", "strange"]),
        ("group", ["A", "A01", "A01B", "A01B1/00", "A01B1/00", "H01M10/00", "Y02E", "AA01", "AA", "strange"]),
        ("subgroup", SYMBOLS),
        ("viewpoint", [*SYMBOLS[:7], "AA", "AA", "strange"]),
    ],
)
def test_levels(level: str, found: list[str]) -> None:
    assert at_level(SYMBOLS, level) == found
    assert at_level(found, level) == found


def test_each_level_is_tried() -> None:
    assert LEVELS == ("section", "class", "subclass", "group", "subgroup", "viewpoint")
