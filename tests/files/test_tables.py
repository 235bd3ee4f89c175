"""Tables: every format gives the same columns, and every bad row is refused with its file, line, rule and value."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.files.delimited import LONGEST_CELL
from patstone.files.header import Wanted
from patstone.files.lines import LONGEST_ID
from patstone.files.tables import Table, read_table

WANTED = (
    Wanted(name="topic", synonyms=("query",)),
    Wanted(name="doc", synonyms=("docid",)),
    Wanted(name="score", synonyms=("sim",), kind="number", required=False),
    Wanted(name="rank", kind="integer", required=False),
    Wanted(name="main", kind="boolean", required=False),
    Wanted(name="family", required=False, blank=True),
)


def table(tmp_path: Path, content: str | bytes, name: str = "run.csv", **options: str) -> Table:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_table(path, WANTED, **options)  # type: ignore[arg-type]


def refused(tmp_path: Path, content: str | bytes, name: str = "run.csv") -> DataError:
    with pytest.raises(DataError) as caught:
        table(tmp_path, content, name)
    assert str(tmp_path / name) in str(caught.value)
    return caught.value


def docs(result: Table) -> list[str]:
    return ids.texts(result.columns["doc"])


def test_columns_are_typed(tmp_path: Path) -> None:
    result = table(tmp_path, "topic,doc,score,rank,main,family\nT1,EP1,0.5,1,yes,F1\nT1,EP2,-1e3,2.0,no,\n")
    assert ids.texts(result.columns["topic"]) == ["T1", "T1"]
    assert docs(result) == ["EP1", "EP2"]
    assert result.columns["score"].tolist() == [0.5, -1000.0]
    assert result.columns["rank"].tolist() == [1, 2]
    assert result.columns["main"].tolist() == [True, False]
    assert result.columns["family"].tolist() == [b"F1", b""]
    assert result.lines.tolist() == [2, 3]
    assert len(result) == 2
    assert result.notes == ()


def test_absent_optional_columns_are_not_there(tmp_path: Path) -> None:
    assert set(table(tmp_path, "docid;Query\nEP1;T1\n").columns) == {"topic", "doc"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_header_tells_the_delimiter(tmp_path: Path, delimiter: str) -> None:
    text = "topic,doc,score\nT1,EP1,0.5\n".replace(",", delimiter)
    assert table(tmp_path, text).columns["score"].tolist() == [0.5]


def test_delimiters_in_quotes_do_not_count(tmp_path: Path) -> None:
    assert docs(table(tmp_path, 'topic;doc;"a,b,c,d,e"\nT1;EP1;x\n')) == ["EP1"]


def test_only_tabs_divide_tsv(tmp_path: Path) -> None:
    assert docs(table(tmp_path, "topic\tdoc\tnote;a;b;c\nT1\tEP,1\tx\n", "run.tsv")) == ["EP,1"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_right_after_quoted_line_ends(tmp_path: Path, end: str) -> None:
    text = f'topic,doc,note{end}T1,EP1,"two{end}lines, and ""quotes"""{end}{end}T1,EP2,x{end}T1,EP3,y'
    result = table(tmp_path, text)
    assert docs(result) == ["EP1", "EP2", "EP3"]
    assert result.lines.tolist() == [2, 5, 6]


def test_a_mark_at_the_start_and_white_space_around_cells_do_not_count(tmp_path: Path) -> None:
    result = table(tmp_path, b"\xef\xbb\xbftopic , doc\n T1,\tEP 1 \n")
    assert docs(result) == ["EP 1"]


def test_other_alphabets(tmp_path: Path) -> None:
    assert docs(table(tmp_path, "topic,doc\nT1,特許第1号\n")) == ["特許第1号"]


def test_wholly_empty_rows_are_passed_over(tmp_path: Path) -> None:
    result = table(tmp_path, "\n\ntopic,doc,\n,,\nT1,EP1,\n\n,,\n")
    assert result.lines.tolist() == [5]


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
@pytest.mark.parametrize("name", ["run.csv", "run.tsv", "run.jsonl"])
def test_an_empty_file_is_refused(tmp_path: Path, name: str, text: str) -> None:
    assert "empty" in str(refused(tmp_path, text, name))


def test_a_header_without_rows_is_refused(tmp_path: Path) -> None:
    assert "no rows" in str(refused(tmp_path, "topic,doc\n"))


@pytest.mark.parametrize(
    ("row", "line", "message"),
    [
        ("T1,EP1", 3, "must have 3 fields, as the header has; this one has 2. Got 'T1,EP1'"),
        ("T1,EP1,1,2", 3, "this one has 4"),
        ("T1,,1", 3, "Column 'doc' must not have an empty cell"),
        (" ,EP1,1", 3, "Column 'topic' must not have an empty cell"),
        ("T1,EP1,", 3, "Column 'score' must not have an empty cell"),
        ("T1,EP1,high", 3, "Column 'score' must hold numbers. Got 'high'"),
        ("T1,EP1,nan", 3, "NaN is none"),
        ("T1,EP1,1_000", 3, "plain digits"),
        ("T1,EP1,١", 3, "plain digits"),
        ('T1,EP1,"0,85"', 3, "decimal point; replace the commas"),
        ("T1,#N/A,1", 3, "error value of a formula"),
        ("T1,EP\x001,1", 3, "control characters"),
        ('T1,"EP\n1",1', 3, "control characters"),
        ('T1,"EP1,1', 3, "not closed"),
        ('T1,"EP"1,1', 3, "not doubled"),
        (f"T1,{'x' * (LONGEST_ID + 1)},1", 3, "at most 1,024 bytes"),
        (f"T1,{'x' * (LONGEST_CELL + 1)},1", 3, "field larger than field limit"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, row: str, line: int, message: str) -> None:
    error = refused(tmp_path, f"topic,doc,score\nT1,EP0,1\n{row}\n")
    assert message in str(error)
    assert error.line == line
    assert len(str(error)) < 500


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("rank", "1.5", "whole numbers"),
        ("rank", "1e300", "whole numbers"),
        ("rank", "inf", "whole numbers"),
        ("rank", "9007199254740993", "whole numbers"),
        ("main", "maybe", "yes or no"),
        ("main", "", "empty"),
    ],
)
def test_bad_cells_of_other_kinds(tmp_path: Path, column: str, cell: str, message: str) -> None:
    assert message in str(refused(tmp_path, f"topic,doc,{column}\nT1,EP1,{cell}\n"))


def test_words_for_yes_and_no(tmp_path: Path) -> None:
    words = ["yes", "Y", "TRUE", "t", "1", "no", "N", "False", "f", "0"]
    text = "topic,doc,main\n" + "".join(f"T1,EP1,{word}\n" for word in words)
    assert table(tmp_path, text).columns["main"].tolist() == [True] * 5 + [False] * 5


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_recognised(tmp_path: Path, encoding: str) -> None:
    error = refused(tmp_path, "topic,doc\nT1,EP1\n".encode(encoding))
    assert "looks like UTF-16" in str(error)


def test_other_encodings_are_named_with_their_line(tmp_path: Path) -> None:
    error = refused(tmp_path, "topic,doc\nT1,EP1\nT2,Prüfung\n".encode("latin-1"))
    assert "Windows-1252 or Latin-1" in str(error)
    assert error.line == 3


def test_json_lines(tmp_path: Path) -> None:
    text = '{"topic":"T1","doc":7,"score":1}\n\n{"docid":"EP\u20282","topic":"T1","score":2e0,"note":[1]}\r\n'
    result = table(tmp_path, text, "run.jsonl")
    assert docs(result) == ["7", "EP\u20282"]
    assert result.lines.tolist() == [1, 3]
    assert "column 'docid' stores 1 ids as numbers" in result.notes[0]


def test_an_optional_key_may_be_blank_or_absent_where_blanks_are_allowed(tmp_path: Path) -> None:
    text = '{"topic":"T1","doc":"A"}\n{"topic":"T1","doc":"B","family":"F"}\n{"topic":"T1","doc":"C","family":null}\n'
    assert table(tmp_path, text, "run.jsonl").columns["family"].tolist() == [b"", b"F", b""]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("[1]", "must be a JSON object"),
        ("7", "must be a JSON object"),
        ('{"topic":"T1"', "not valid JSON"),
        ('{"topic":"T1","topic":"T2","doc":"A"}', "the key 'topic' is given twice"),
        ('{"topic":"T1","doc":["A"]}', "must hold ids"),
        ('{"topic":"T1","doc":{"a":1}}', "must hold ids"),
        ('{"topic":"T1","doc":true}', "must hold ids"),
        ('{"topic":"T1","doc":1.5}', "number with a fraction"),
        ('{"topic":"T1","doc":1e20}', "over 15 digits"),
        ('{"topic":"T1","doc":null}', "empty cell"),
        ('{"topic":"T1"}', "no column for 'doc'"),
        ('{"topic":"T1","doc":"A","score":NaN}', "NaN is not JSON"),
        ('{"topic":"T1","doc":"A","score":-Infinity}', "-Infinity is not JSON"),
        ('{"topic":"T1","doc":"A","score":true}', "must hold numbers"),
        ('{"topic":"T1","doc":"A","score":[1]}', "must hold numbers"),
        ('{"topic":"T1","doc":"A","score":' + "1" * 5000 + "}", "not valid JSON"),
        ('{"topic":"T1","doc":"A","score":' + "1" * 400 + "}", "fit 64 bits"),
        ('{"topic":"T1","doc":"A"}{', "not valid JSON"),
        ('{"topic":"T1","doc":"\\ud800"}', "valid Unicode"),
        ("[" * 100_000, "not valid JSON"),
        ('{"topic":"T1","score":1,"doc":"A","family":' + "1" * 4000 + "}", "at most 1,024 bytes"),
    ],
)
def test_bad_json_lines_are_named(tmp_path: Path, row: str, message: str) -> None:
    error = refused(tmp_path, f'{{"topic":"T1","doc":"A","score":1}}\n{row}\n', "run.jsonl")
    assert message in str(error)
    assert error.line == 2


def test_json_of_topics_and_documents(tmp_path: Path) -> None:
    result = table(tmp_path, '{"T1": {"EP1": 0.5, "EP2": 1}, "T2": {}, "T3": {"EP1": -2}}', "run.json")
    assert ids.texts(result.columns["topic"]) == ["T1", "T1", "T3"]
    assert docs(result) == ["EP1", "EP2", "EP1"]
    assert result.columns["score"].tolist() == [0.5, 1.0, -2.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"T1": {"EP1": 0.5}', "line 1: The file is not valid JSON"),
        ('{"T1": {"EP1": 0.5, "EP1": 1}}', "'EP1' is given twice"),
        ('{"T1": {}, "T1": {}}', "'T1' is given twice"),
        ('{"T1": 5}', "Topic 'T1' must be an object"),
        ('{"T1": {"EP1": "0.5"}}', "Document 'EP1' of topic 'T1' must have a number"),
        ('{"T1": {"EP1": true}}', "must have a number"),
        ('{"T1": {"EP1": 1e999}}', "must have a number"),
        ('{"T1": {"EP1": ' + "1" * 400 + "}}", "must have a number"),
        ('{"T1": {"": 1}}', "empty cell"),
        ("[]", "one JSON object"),
        ("{}", "no rows"),
        ("", "not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_bad_json_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert message in str(refused(tmp_path, text, "run.json"))


def as_parquet(tmp_path: Path, columns: dict[str, object], name: str = "run.parquet") -> Path:
    parquet.write_table(pa.table(columns), tmp_path / name)
    return tmp_path / name


def test_parquet_columns_of_many_types(tmp_path: Path) -> None:
    path = as_parquet(
        tmp_path,
        {
            "topic": pa.array(["T1", "T1"]).dictionary_encode(),
            "doc": pa.array([7, 8], pa.int32()),
            "sim": pa.array(["1.50", "2.25"]).cast(pa.decimal128(5, 2)),
            "rank": pa.array([1.0, 2.0]),
            "main": pa.array([True, False]),
            "family": pa.array([b"F1", None]),
            "text": pa.array([["unread"], []]),
        },
    )
    result = read_table(path, WANTED)
    assert docs(result) == ["7", "8"]
    assert result.columns["score"].tolist() == [1.5, 2.25]
    assert result.columns["rank"].tolist() == [1, 2]
    assert result.columns["main"].tolist() == [True, False]
    assert result.columns["family"].tolist() == [b"F1", b""]
    assert result.lines.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array(["A", None]), "empty cell"),
        (pa.array([1.0, float("nan")]), "empty cell"),
        (pa.array([["A"], ["B"]]), "must hold ids"),
        (pa.array([b"A", b"\xff"]), "valid Unicode"),
        (pa.array([1, 2], pa.timestamp("s")), "holds a date"),
    ],
)
def test_bad_parquet_ids_are_named(tmp_path: Path, column: pa.Array, message: str) -> None:
    path = as_parquet(tmp_path, {"topic": ["T1", "T1"], "doc": column})
    with pytest.raises(DataError, match=message) as caught:
        read_table(path, WANTED)
    assert caught.value.line in (1, 2)


def test_a_parquet_score_of_nan_is_refused(tmp_path: Path) -> None:
    path = as_parquet(tmp_path, {"topic": ["T1"], "doc": ["A"], "score": [float("nan")]})
    with pytest.raises(DataError, match="line 1: Column 'score' must hold numbers, and NaN is none"):
        read_table(path, WANTED)


def test_what_is_not_parquet_is_refused(tmp_path: Path) -> None:
    assert "not readable Parquet" in str(refused(tmp_path, b"PAR1 no PAR1", "run.parquet"))
    assert "not readable Parquet" in str(refused(tmp_path, b"", "run.parquet"))


@pytest.mark.parametrize("packing", ["gz", "zst"])
@pytest.mark.parametrize("kind", ["csv", "jsonl", "json", "parquet"])
def test_compressed_tables(tmp_path: Path, kind: str, packing: str) -> None:
    if kind == "parquet":
        raw = as_parquet(tmp_path, {"topic": ["T1"], "doc": ["EP1"]}).read_bytes()
    else:
        texts = {
            "csv": "topic,doc\nT1,EP1\n",
            "jsonl": json.dumps({"topic": "T1", "doc": "EP1"}),
            "json": '{"T1": {"EP1": 1}}',
        }
        raw = texts[kind].encode()
    packed = gzip.compress(raw) if packing == "gz" else pa.compress(raw, codec="zstd", asbytes=True)
    assert docs(table(tmp_path, packed, f"run.{kind}.{packing}")) == ["EP1"]


def test_the_format_can_be_forced_and_must_be_known(tmp_path: Path) -> None:
    assert docs(table(tmp_path, "topic,doc\nT1,EP1\n", "export.dat", format="csv")) == ["EP1"]
    with pytest.raises(UsageError, match="Say which format"):
        table(tmp_path, "topic,doc\nT1,EP1\n", "export.dat")
    with pytest.raises(UsageError, match="Only GOLD and RUN can be standard input"):
        read_table("-", [])
    with pytest.raises(UsageError, match="Got 'xml'"):
        table(tmp_path, "topic,doc\nT1,EP1\n", "run.csv", format="xml")


def test_a_column_map(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("Patent no.,cited\nT1,EP1\n")
    result = read_table(path, WANTED, columns={"topic": "Patent no.", "doc": "cited"})
    assert docs(result) == ["EP1"]


def test_a_row_can_be_refused_later(tmp_path: Path) -> None:
    error = table(tmp_path, "topic,doc\n\nT1,EP1\n").refuse("Never.", 0, "EP1")
    assert str(error) == f"{tmp_path / 'run.csv'}: line 3: Never. Got 'EP1'."


def test_the_rest_of_the_columns_as_text(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text(
        '{"note":"two\\nlines","topic":"T1","year":1999.0,"class":"\\ud800"}\n{"topic":"T2","year":null,"class":true}\n'
    )
    columns = read_table(path, WANTED[:1], rest=True).columns
    assert {name: column.tolist() for name, column in columns.items()} == {
        "topic": [b"T1", b"T2"],
        "note": ["two\nlines", ""],
        "year": ["1999", ""],
        "class": ["?", "True"],
    }
