"""True classes of patents from every layout: the same gold standard, or one error with its line."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from patstone.errors import DataError
from patstone.files import ids
from patstone.gold.qrels import Qrels
from patstone.gold.sources import read_qrels

WANTED = {"JP1/2C088": {"AA01": 1.0, "AA02": 1.0}, "JP1/5B001": {"BA": 1.0}}
ROWS = "JP1,2C088,AA01\nJP1,5B001,BA\nJP1,2C088,AA02\n"


def content(gold: Qrels) -> dict[str, dict[str, float]]:
    docs, grades = ids.texts(gold.docs), gold.grades.tolist()
    bounds = zip(gold.topics, gold.starts[:-1].tolist(), gold.starts[1:].tolist(), strict=True)
    return {topic: dict(zip(docs[low:high], grades[low:high], strict=True)) for topic, low, high in bounds}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", f"patent,theme,f_term\n{ROWS}"),
        ("a.csv", 'Patent ID;Theme;F-terms\nJP1;2C088;"AA01; AA02"\nJP1;5B001;BA\n'),
        ("a.tsv", "document\ttheme\tterms\nJP1\t2C088\tAA01|AA02\nJP1\t5B001\tBA\n"),
        (
            "a.jsonl",
            '{"doc":"JP1","theme":"2C088","terms":["AA01","AA02"]}\n{"doc":"JP1","theme":"5B001","terms":"BA"}',
        ),
        ("a.txt", ROWS.replace(",", " ")),
        ("a", ROWS.replace("\n", " 1\n").replace(",", "\t")),
    ],
)
def test_every_layout_says_the_same(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    gold = read_qrels(tmp_path / name)
    assert content(gold) == WANTED
    assert gold.of_classes


def test_parquet_with_lists(tmp_path: Path) -> None:
    table = pa.table({"patent": ["JP1", "JP1"], "theme": ["2C088", "5B001"], "classes": [["AA01", "AA02"], ["BA"]]})
    parquet.write_table(table, tmp_path / "a.parquet")
    assert content(read_qrels(tmp_path / "a.parquet")) == WANTED


def test_a_patent_without_classes_is_a_topic_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("patent,cpc\nEP1,A01B1/02\nEP2,\n")
    assert content(read_qrels(tmp_path / "a.csv")) == {"EP1": {"A01B1/02": 1.0}, "EP2": {}}


@pytest.mark.parametrize("header", ["topic,document,label", "query,doc,class", "topic,doc"])
def test_judgments_of_documents_stay_what_they_are(header: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\nq1,d1,1\n".replace(",1\n", "\n" if header.count(",") == 1 else ",1\n"))
    gold = read_qrels(tmp_path / "a.csv")
    assert (gold.of_classes, content(gold)) == (False, {"q1": {"d1": 1.0}})


def test_columns_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("publn,Art\nEP1,A01B\n")
    assert content(read_qrels(tmp_path / "a.csv", columns={"patent": "publn", "classes": "Art"})) == {
        "EP1": {"A01B": 1.0}
    }


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "patent,cpc\nEP1,A01B\nEP1,A01B\n", r"a.csv: line 3: A document is judged once .* line 2 too"),
        ("a.csv", "patent,cpc\nEP1,\n", "at least one class; every cell is empty"),
        ("a.jsonl", '{"patent":"EP1","cpc":["A01B",1.5]}', "line 1: Column 'cpc' must hold ids; a number with a frac"),
        ("a.txt", "JP1 2C088 AA01\nJP1 2C088\n", r"a.txt: line 2: A line must have 3 fields; this one has 2"),
        ("a.txt", "JP1 2C088 AA01 high\n", r"line 1: A grade must be a number"),
    ],
)
def test_what_is_wrong_is_named(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=message):
        read_qrels(tmp_path / name)
