"""A gold standard that is written reads back equal."""

from dataclasses import replace
from pathlib import Path

from labelled import gold_of
from patstone.gold.labels import read_labels
from patstone.gold.writing import write_labels


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    gold = replace(gold_of("+-", publications=2), scope="Traps.", titles=("a\tb", "c", "d\ne", ""))
    again = read_labels(write_labels(gold, tmp_path / "gold.tsv"))
    assert (again.digest, again.scope) == (gold.digest, "Traps.")
    assert again.titles == ("a b", "c", "d e", "")


def test_publications_that_are_units_have_no_family(tmp_path: Path) -> None:
    gold = replace(gold_of("+-"), unit="publication", units=("EP1000010A1", "EP1000020A1"))
    again = read_labels(write_labels(gold, tmp_path / "gold.tsv"))
    assert (again.units, again.positive.tolist()) == (gold.units, [True, False])
