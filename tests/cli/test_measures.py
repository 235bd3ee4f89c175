"""`patstone measures` tells what the cards declare."""

import csv
import io
import json
from collections.abc import Callable

import pytest

from console import Ran
from patstone.measures.binary import BINARY
from patstone.measures.measure import parse, registry

Run = Callable[..., Ran]


def test_the_list_has_every_measure(patstone: Run) -> None:
    ran = patstone("measures")
    assert (ran.code, ran.err) == (0, "")
    listed = {line.split()[0].split("@")[0].split("[")[0] for line in ran.out.splitlines() if line}
    assert set(registry()) <= listed


def test_json_describes_every_card(patstone: Run) -> None:
    results = json.loads(patstone("measures", "--json").out)["results"]
    assert [row["measure"] for row in results] == [*registry(), *BINARY]
    cards = [*registry().values(), *BINARY.values()]
    for row, card in zip(results, cards, strict=True):
        assert (row["formula"], row["reference"], row["undefined"]) == (card.formula, card.reference, card.undefined)
        assert row["aliases"] == [alias.written for alias in card.aliases]
        assert [each["name"] for each in row["parameters"]] == [each.name for each in card.parameters]


def test_csv_has_a_row_for_each(patstone: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(patstone("measures", "--csv").out)))
    assert [row["measure"] for row in rows] == [*registry(), *BINARY]


@pytest.mark.parametrize("name", ["PRES", "PRES@50", "ndcg_cut_10", "CT", "P(rel=2)@5"])
def test_one_measure_in_any_notation(patstone: Run, name: str) -> None:
    ran = patstone("measures", name)
    assert (ran.code, ran.err) == (0, "")
    card = registry()[name] if name in registry() else parse(name).card
    said = " ".join(ran.out.split())
    for part in (card.title, card.formula, card.reference, card.undefined):
        assert " ".join(part.split()) in said
    for parameter in card.parameters:
        assert parameter.allowed in said


def test_lines_fit_the_terminal(patstone: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for name in registry():
        assert max(map(len, patstone("measures", name).out.splitlines())) <= 60


def test_an_unknown_measure_gets_a_suggestion(patstone: Run) -> None:
    ran = patstone("measures", "PRESS")
    assert (ran.code, ran.out) == (2, "")
    assert "Did you mean PRES" in ran.err
