"""Every shape of cited numbers in two real tables, against the readings that the golden file gives for it."""

import csv
import os
from pathlib import Path

import pytest

from patents.number_shapes import SHAPES
from patstone.patents.numbers import identify

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data")) / "samples"


def rows(name: str) -> list[dict[str, str]]:
    with (SAMPLES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def expected(country: str, text: str, kind: str) -> list[str]:
    """What the golden file says of a real number; exactly one of its shapes must be the number's."""
    found = [
        readings
        for shape in SHAPES
        if (shape.office, shape.kind) == (country, kind) and (readings := shape.expected(text)) is not None
    ]
    assert len(found) == 1, f"{len(found)} golden shapes are that of {country} {text} {kind}"
    return found[0]


def test_every_shape_that_us_grants_cite() -> None:
    cited = rows("uspto/cited_number_shapes.csv")
    assert len(cited) == 49
    for row in cited:
        text, country, kind = row["doc_number"], row["country"], row["kind"]
        found = identify(text, country=country, kind=kind, date=row["date"])
        assert [reading.canonical for reading in found.readings] == expected(country, text, kind), row
        assert found.ambiguous == (len(found.readings) > 1)


def test_every_shape_that_european_full_text_cites() -> None:
    cited = rows("epo/ep-fulltext/b561_number_shapes.csv")
    assert len(cited) == 63
    for row in cited:
        found = identify(row["raw"])
        assert [reading.canonical for reading in found.readings] == expected("", row["raw"], ""), row
        assert not found.ambiguous
