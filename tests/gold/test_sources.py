"""Judgments from any source give one gold standard, and side tables must fit it exactly."""

from pathlib import Path

import pyarrow as pa
import pytest
from openpyxl import Workbook
from pyarrow import parquet

from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.gold.qrels import Qrels
from patstone.gold.sources import read_qrels

GOLD = {"T1": {"D1": 2.0, "D2": 0.0}, "T2": {"D1": 1.0}}
ROWS = [(topic, doc, grade) for topic, docs in GOLD.items() for doc, grade in docs.items()]


def write(tmp_path: Path, text: str, name: str = "gold.csv") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def as_dict(gold: Qrels) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for topic, doc, grade in zip(gold.topic.tolist(), ids.texts(gold.docs), gold.grades.tolist(), strict=True):
        found.setdefault(gold.topics[topic], {})[doc] = grade
    return found


def sources(tmp_path: Path) -> list[Path]:
    book = Workbook()
    page = book.active
    assert page is not None
    page.append(["Query ID", "Document", "Relevance"])
    for row in ROWS:
        page.append(list(row))
    book.save(tmp_path / "gold.xlsx")
    topics, docs, grades = zip(*ROWS, strict=True)
    parquet.write_table(pa.table({"qid": topics, "docno": docs, "label": grades}), tmp_path / "gold.parquet")
    lines = [f"{topic}\t0 {doc}  {grade:g}\n" for topic, doc, grade in ROWS]
    return [
        tmp_path / "gold.xlsx",
        tmp_path / "gold.parquet",
        write(tmp_path, "".join(lines), "gold.qrels"),
        write(tmp_path, "query;docid;rel\n" + "".join(f"{t};{d};{g}\n" for t, d, g in ROWS), "gold.csv"),
        write(tmp_path, "topic\tdoc\tgrade\n" + "".join(f"{t}\t{d}\t{g}\n" for t, d, g in ROWS), "gold.tsv"),
        write(tmp_path, "".join(f'{{"topic":"{t}","doc":"{d}","score":{g}}}\n' for t, d, g in ROWS), "gold.jsonl"),
        write(tmp_path, str(GOLD).replace("'", '"'), "gold.json"),
    ]


def test_all_formats_agree(tmp_path: Path) -> None:
    golds = [read_qrels(path) for path in sources(tmp_path)]
    assert [as_dict(gold) for gold in golds] == [GOLD] * 7
    assert {gold.digest for gold in golds} == {Qrels.from_dict(GOLD).digest}
    assert {gold.notes for gold in golds} == {()}


def test_without_grades_every_row_is_relevant_and_a_note_says_so(tmp_path: Path) -> None:
    path = write(tmp_path, "topic,doc\nT1,D1\nT1,D2\n")
    gold = read_qrels(path)
    assert gold.grades.tolist() == [1.0, 1.0]
    assert gold.notes == (f"{path}: there is no column of grades; every row counts as relevant, with grade 1",)


def test_inventions(tmp_path: Path) -> None:
    table = read_qrels(write(tmp_path, "topic,doc,grade,family\nT1,D1,1,F1\nT1,D2,1,F2\nT1,D3,1,F1\n"))
    trec = read_qrels(write(tmp_path, "T1 0 D1 1 F1\nT1 0 D2 1 F2\nT1 0 D3 1 F1\n", "gold.qrels"))
    for gold in (table, trec):
        assert gold.inventions is not None
        assert gold.inventions.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("T1 1 D1 1\nT1 2 D1 0\nT1 2 D2 1\n", "diversity"),
        ("T1 1 D1 1\nT1 2 D1 0\nT1 2 D2 1\n", "dd"),
        ("topic,claim,doc,grade\nT1,1,D1,1\nT1,2,D1,0\nT1,2,D2,1\n", "csv"),
    ],
)
def test_subtopics(tmp_path: Path, text: str, kind: str) -> None:
    gold = read_qrels(write(tmp_path, text, "gold.txt"), format=kind)
    assert as_dict(gold) == {"T1": {"D1": 1.0, "D2": 1.0}}
    assert gold.subtopics is not None
    assert gold.subtopics.names == ("1", "2")
    assert gold.subtopics.independent is None
    assert gold.subtopics.weights is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,doc,grade\nT1,D1,1\n\nT1,D1,0\n", r"gold\.csv: line 4: A document is judged once .* on line 2 too"),
        ("topic,doc,claim\nT1,D1,1\nT1,D1,1\n", "line 3: A document is judged once for a subtopic"),
        ("topic,doc,grade\nT1,D1,inf\n", "line 2: A grade must be a finite number"),
        ("topic,doc,grade,invention\nT1,D1,1,\n", "Column 'invention' must not have an empty cell"),
    ],
)
def test_bad_judgments_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_qrels(write(tmp_path, text))


def test_unknown_formats_and_maps_without_a_header_are_wrong_calls(tmp_path: Path) -> None:
    path = write(tmp_path, "T1 0 D1 1\n", "gold.qrels")
    with pytest.raises(UsageError, match=r"must be one of trec, diversity, dd, claims, .*, office-actions. Got 'xml'"):
        read_qrels(path, format="xml")
    with pytest.raises(UsageError, match="'trec' has none"):
        read_qrels(path, columns={"topic": "query"})


def test_a_column_map(tmp_path: Path) -> None:
    path = write(tmp_path, "Patent,Cited,Value\nT1,D1,2\n")
    columns = {"topic": "Patent", "doc": "Cited", "grade": "Value"}
    assert as_dict(read_qrels(path, columns=columns)) == {"T1": {"D1": 2.0}}


JUDGED = "topic,claim,doc\nT1,10,D1\nT1,9,D1\nT2,1,D2\n"


def with_aspects(tmp_path: Path, side: str) -> Qrels:
    return read_qrels(write(tmp_path, JUDGED), subtopics=write(tmp_path, side, "claims.csv"))


@pytest.mark.parametrize(
    "side",
    [
        "topic,claim,independent,weight\nT2,1,yes,1\nT1,9,no,0.5\nT1,10,yes,2\n",
        "topic,claim,kind,weight\nT2,1,Independent,1\nT1,9,dependent,0.5\nT1,10,independent,2\n",
    ],
)
def test_a_side_table_fills_in_subtopics(tmp_path: Path, side: str) -> None:
    aspects = with_aspects(tmp_path, side).subtopics
    assert aspects is not None
    assert aspects.names == ("9", "10", "1")
    assert aspects.independent is not None
    assert aspects.independent.tolist() == [False, True, True]
    assert aspects.weights is not None
    assert aspects.weights.tolist() == [0.5, 2.0, 1.0]


def test_what_the_side_table_does_not_say_stays_unknown(tmp_path: Path) -> None:
    aspects = with_aspects(tmp_path, "topic,claim,independent\nT2,1,yes\nT1,9,no\nT1,10,yes\n").subtopics
    assert aspects is not None
    assert aspects.weights is None


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("T1,9,no,1\nT1,10,no,1\n", r"claims\.csv: Subtopic '1' of topic 'T2' is judged and has no row here; 1 are"),
        ("T1,9,no,1\nT1,11,no,1\n", "line 3: Subtopic '11' of topic 'T1' is not among the judgments"),
        ("T3,9,no,1\n", "line 2: Subtopic '9' of topic 'T3' is not among the judgments"),
        ("T1,9,no,1\nT1,9,no,1\n", "line 3: Subtopic '9' of topic 'T1' is on line 2 too"),
        ("T1,9,no,1\nT1,10,no,-1\nT2,1,no,1\n", "line 3: A weight is a number from 0. Got -1"),
        ("T1,9,no,inf\nT1,10,no,1\nT2,1,no,1\n", "line 2: A weight is a number from 0"),
        ("T1,9,perhaps,1\n", "must hold yes or no"),
    ],
)
def test_every_mismatch_of_a_side_table_is_named(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        with_aspects(tmp_path, f"topic,claim,independent,weight\n{rows}")


def test_a_kind_is_one_of_two_and_said_once(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 2: The kind of a claim is independent or dependent. Got 'method'"):
        with_aspects(tmp_path, "topic,claim,kind\nT1,9,method\nT1,10,dependent\nT2,1,dependent\n")
    with pytest.raises(DataError, match="Say once"):
        with_aspects(
            tmp_path, "topic,claim,kind,independent\nT1,9,dependent,no\nT1,10,dependent,no\nT2,1,dependent,no\n"
        )


def test_a_side_table_needs_subtopics(tmp_path: Path) -> None:
    gold, side = write(tmp_path, "topic,doc\nT1,D1\n"), write(tmp_path, "topic,claim\nT1,1\n", "claims.csv")
    with pytest.raises(DataError, match="the judgments have no subtopics"):
        read_qrels(gold, subtopics=side)
