"""What a table of a paper is, and the verdicts on its rows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from patstone.errors import UsageError
from patstone.experiments.reproduce import registry
from patstone.experiments.reproduce.registry import Given, NoData, PaperTable, Row, chosen, declare, tables


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> PaperTable:
    """A table of a paper that nobody wrote."""
    tables()
    monkeypatch.setattr(registry, "_TABLES", dict(registry._TABLES))

    @declare(paper="paper0", name="table9", title="Nothing", needs="numbers.csv in --data")
    def table_9(table: PaperTable, given: Given) -> Iterator[Row]:
        yield table.held("a", "AP", 0.5, float(given.file("numbers.csv").read_text()), 0.01)

    return tables()["paper0.table9"]


@pytest.mark.parametrize(
    ("published", "ours", "tolerance", "verdict"),
    [
        (0.64, 0.64, 0.0, "pass"),
        (0.64, 0.65, 0.01, "pass"),
        (0.64, 0.66, 0.01, "miss"),
        (0.64, float("nan"), 1.0, "miss"),
    ],
)
def test_a_value_is_held_against_the_published_one(
    table: PaperTable, published: float, ours: float, tolerance: float, verdict: str
) -> None:
    assert table.held("a", "AP", published, ours, tolerance).verdict == verdict


def test_a_finding_holds_or_not(table: PaperTable) -> None:
    assert [table.finding("a", "it is so", holds=holds).verdict for holds in (True, False)] == ["pass", "miss"]


def test_a_table_without_its_data_says_what_it_needs(table: PaperTable, tmp_path: Path) -> None:
    with pytest.raises(NoData, match=r"paper0.table9 needs numbers.csv: name the folder that holds it with --data"):
        table.reproduced(Given(), skip=False)
    with pytest.raises(NoData, match="not in"):
        table.reproduced(Given(data=tmp_path), skip=False)
    [row] = table.reproduced(Given(data=tmp_path), skip=True)
    assert (row.verdict, row.ours) == ("not run", None)
    (tmp_path / "numbers.csv").write_text("0.505")
    [row] = table.reproduced(Given(data=tmp_path), skip=False)
    assert (row.verdict, row.ours) == ("pass", 0.505)


def test_a_name_stands_for_a_table_a_paper_or_all(table: PaperTable) -> None:
    assert chosen("paper0.table9") == chosen("paper0") == [table]
    assert chosen("all") == list(tables().values())
    with pytest.raises(UsageError, match=r"no 'paper7' to reproduce; there are paper0, .*paper2"):
        chosen("paper7")


def test_no_two_tables_have_one_name(table: PaperTable) -> None:
    with pytest.raises(UsageError, match="Two tables are called"):
        declare(paper=table.paper, name=table.name, title="again")(lambda *_: iter(()))
