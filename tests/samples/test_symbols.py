"""Our reading of class symbols against the whole CPC, whose title list says the level of each."""

import gzip
import os
from pathlib import Path

import pytest

from patstone.patents.symbols import parse

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data")) / "samples"
ABOVE_GROUPS = {1: "section", 3: "class", 4: "subclass"}


def test_every_symbol_of_the_cpc_reads_as_itself_and_at_its_level() -> None:
    with gzip.open(SAMPLES / "cpc/cpc-title-list-2022.08.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = [line.split("\t")[:2] for line in lines]
    assert len(rows) == 260_263
    for text, dots in rows:
        symbol = parse(text, "cpc")
        assert symbol.text == text
        level = "main group" if dots == "0" else "subgroup" if dots else ABOVE_GROUPS[len(text)]
        assert symbol.level == level, text
