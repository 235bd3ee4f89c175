"""Labels of topics: units, what is settled by a policy, and what is found wrong with the rows."""

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from openpyxl import Workbook
from pyarrow import parquet

from patstone.errors import DataError
from patstone.gold.labels import GoldStandard, read_labels

HEADER = "Class\tDocDB Family ID\tSerial no.\tTitle\tPublication date\n"
ROWS = """\
positive\t11\tEP1000001A1\tIon trap\t2010-01-20
positive\t11\tUS20100000001A1\tION  TRAP\t2010-03-04
negative\t12\tEP1000002A1\tWaffle iron\t2011-05-06
"""


def labelled(folder: Path, rows: str = ROWS, *, header: str = HEADER, name: str = "gold.tsv") -> Path:
    path = folder / name
    path.write_text(header + rows, encoding="utf-8")
    return path


def rules(gold: GoldStandard) -> list[tuple[str, tuple[int, ...]]]:
    return [(finding.rule, finding.rows) for finding in gold.findings]


def test_the_published_layout(tmp_path: Path) -> None:
    gold = read_labels(labelled(tmp_path))
    assert (gold.name, gold.unit, gold.units) == ("gold", "family", ("11", "12"))
    assert gold.positive.tolist() == [True, False]
    assert gold.numbers == ("EP1000001A1", "US20100000001A1", "EP1000002A1")
    assert gold.of.tolist() == [0, 0, 1]
    assert gold.dates == ("2010-01-20", "2010-03-04", "2011-05-06")
    # One title, whichever way it is spelled.
    assert gold.texts == ("ion trap", "waffle iron")
    assert gold.findings == ()


def test_a_scope_note_stands_beside_the_table(tmp_path: Path) -> None:
    path = labelled(tmp_path)
    assert read_labels(path).scope == ""
    (tmp_path / "gold.txt").write_text("Ion traps.\n")
    (tmp_path / "other.txt").write_text("Waffles.\n")
    assert read_labels(path).scope == "Ion traps."
    assert read_labels(path, scope=tmp_path / "other.txt").scope == "Waffles."


def test_without_families_a_publication_is_the_unit(tmp_path: Path) -> None:
    path = labelled(tmp_path, "ja;EP1\nnein;EP2\n", header="Relevant;Publication\n", name="labels.csv")
    gold = read_labels(path)
    assert (gold.unit, gold.units, gold.positive.tolist()) == ("publication", ("EP1", "EP2"), [True, False])


@pytest.mark.parametrize("word", ["yes", "J", "да", "1", "Positive", " true ", "はい"])
def test_yes_in_many_words(tmp_path: Path, word: str) -> None:
    assert read_labels(labelled(tmp_path, f"{word}\t1\tEP1\tx\t2001\n")).positive.tolist() == [True]


def test_a_label_that_is_no_label_is_refused_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"gold\.tsv: line 5: A label is positive or negative.*'maybe'"):
        read_labels(labelled(tmp_path, ROWS + "maybe\t13\tEP3\tx\t2001\n"))


TORN = ROWS + "negative\t11\tJP2010000001A\tTrap\t2010-07-08\n"


@pytest.mark.parametrize(
    ("conflicts", "units", "positive"),
    [("drop", ("12",), [False]), ("positive", ("11", "12"), [True, False]), ("negative", ("11", "12"), [False, False])],
)
def test_a_family_labelled_both_ways_is_settled_by_a_policy(
    tmp_path: Path, conflicts: str, units: tuple[str, ...], positive: list[bool]
) -> None:
    gold = read_labels(labelled(tmp_path, TORN), conflicts=conflicts)  # type: ignore[arg-type]
    assert (gold.units, gold.positive.tolist()) == (units, positive)
    assert rules(gold) == [("label-conflict", (2, 3, 5))]
    assert len(gold.numbers) == len(gold.of) == len(gold.titles) == (1 if conflicts == "drop" else 4)


def test_strict_refuses_what_is_wrong_and_then_what_is_odd(tmp_path: Path) -> None:
    odd = "negative\t12\tEP1000002A1\t\t2011\n"
    with pytest.raises(DataError, match=r"line 2: The family '11' is labelled both ways"):
        read_labels(labelled(tmp_path, ROWS + odd + TORN.removeprefix(ROWS)), strict=True)
    with pytest.raises(DataError, match="line 5: 1 rows repeat a publication"):
        read_labels(labelled(tmp_path, ROWS + odd), strict=True)
    found = rules(read_labels(labelled(tmp_path, ROWS + odd)))
    assert found == [("duplicate-publication", (5,)), ("empty-title", (5,))]
    assert read_labels(labelled(tmp_path), strict=True).findings == ()


@pytest.mark.parametrize(
    ("number", "title", "date", "rule"),
    [
        ("US10012345", "Icemaker", "", "ambiguous-number"),
        ("US4912345678B2", "Icemaker", "2011-05-06", "unreadable-number"),
        ("EP 1000001 A1", "Ion trap", "2010-01-20", "two-spellings"),
        ("EP1000003A1", "Icemaker", "2011-02-30", "impossible-date"),
        ("EP1000003A1", "Icemaker", "2999-01-01", "impossible-date"),
        ("EP1000003A1", "NULL", "2011-02-03", "empty-title"),
    ],
)
def test_what_can_not_be_is_found_and_an_error_under_strict(
    tmp_path: Path, number: str, title: str, date: str, rule: str
) -> None:
    path = labelled(tmp_path, f"{ROWS}negative\t13\t{number}\t{title}\t{date}\n")
    found = rules(read_labels(path))
    assert [name for name, _ in found] == [rule]
    assert found[0][1][-1] == 5
    with pytest.raises(DataError):
        read_labels(path, strict=True)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "jsonl"])
def test_any_table_with_any_columns(tmp_path: Path, ending: str) -> None:
    rows = [("in", "11", "EP1000001A1", "Ion trap"), ("out", "12", "EP1000002A1", "Waffle iron")]
    path = written(tmp_path / f"labels.{ending}", ("Urteil", "Sippe", "Schrift", "Benennung"), rows)
    columns = {"label": "Urteil", "family": "Sippe", "document": "Schrift", "title": "Benennung"}
    gold = read_labels(path, columns=columns)
    assert (gold.units, gold.positive.tolist()) == (("11", "12"), [True, False])
    assert (gold.texts, gold.findings) == (("ion trap", "waffle iron"), ())


def written(path: Path, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Path:
    if path.suffix == ".xlsx":
        book = Workbook()
        sheet = book.active
        for row in (header, *rows):
            sheet.append(row)  # type: ignore[union-attr]
        book.save(path)
    elif path.suffix == ".parquet":
        parquet.write_table(pa.table(dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(dict(zip(header, row, strict=True))) + "\n" for row in rows))
    else:
        path.write_text("".join(";".join(row) + "\n" for row in (header, *rows)))
    return path


def test_a_publication_in_two_families_counts_in_the_first(tmp_path: Path) -> None:
    gold = read_labels(labelled(tmp_path, ROWS + "negative\t12\tEP1000001A1\tIon trap\t2010\n"))
    assert rules(gold) == [("two-families", (2, 5))]
    assert gold.of.tolist() == [0, 0, 1]


def test_a_publication_labelled_both_ways_is_a_conflict(tmp_path: Path) -> None:
    both = "yes\t1\tEP1000001A1\tx\t2001\nno\t1\tEP1000001A1\tx\t2001\n"
    gold = read_labels(labelled(tmp_path, both + "no\t2\tEP1000002A1\ty\t2001\n"))
    assert rules(gold) == [("label-conflict", (2, 3)), ("duplicate-publication", (3,))]
    assert gold.units == ("2",)


@pytest.mark.parametrize("nobody", ["", "0", "-1"])
def test_a_publication_without_a_family_stands_alone(tmp_path: Path, nobody: str) -> None:
    rows = f"yes\t{nobody}\tEP1000001A1\tx\t2001\nno\t{nobody}\tEP1000002A1\ty\t2001\n"
    gold = read_labels(labelled(tmp_path, rows))
    assert (gold.units, rules(gold)) == (("EP1000001A1", "EP1000002A1"), [("no-family", (2, 3))])


def test_a_table_of_families_alone_is_enough(tmp_path: Path) -> None:
    gold = read_labels(labelled(tmp_path, "yes\t1\nno\t2\n", header="label\tfamily\n"))
    assert (gold.unit, gold.units, gold.numbers) == ("family", ("1", "2"), ("1", "2"))


def test_neither_families_nor_publications_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="needs a column of publications or of families"):
        read_labels(labelled(tmp_path, "yes\tx\n", header="label\ttitle\n"))


def test_the_digest_knows_content_and_not_order(tmp_path: Path) -> None:
    lines = ROWS.splitlines(keepends=True)
    digest = read_labels(labelled(tmp_path)).digest
    assert read_labels(labelled(tmp_path, "".join(reversed(lines)))).digest == digest
    assert read_labels(labelled(tmp_path, ROWS.replace("negative", "positive"))).digest != digest
    assert read_labels(labelled(tmp_path, "".join(lines[:2]))).digest != digest
