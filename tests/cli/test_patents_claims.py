"""`patstone patents claims`: text, tables of claims and documents, findings, and what is wrong with a call."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran, shell

Run = Callable[..., Ran]

TEXT = """\
What is claimed is:
1. A kettle comprising a body; and a lid.
2. The kettle of claim 1 or 4, wherein the lid is glass.
3. The kettle of any preceding claim, having a whistle.
4. The kettle of claim 2 and claim 9.
6. A method of boiling water in the kettle of any one of claims 1 to 4, comprising heating the body, and waiting.
"""
LAYOUTS = Path(__file__).parents[1] / "patents/readers"


@pytest.fixture
def text(tmp_path: Path) -> str:
    (tmp_path / "claims.txt").write_text(TEXT)
    return str(tmp_path / "claims.txt")


def test_every_claim_has_its_parts(patstone: Run, text: str) -> None:
    ran = patstone("patents", "claims", text, "--json")
    assert (ran.code, ran.err) == (0, "")
    page = json.loads(ran.out)
    rows = page["results"]
    assert [(row["claim"], row["kind"], row["parents"], row["category"]) for row in rows] == [
        (1, "independent", [], "product"),
        (2, "dependent", [1, 4], "product"),
        (3, "dependent", [1, 2], "product"),
        (4, "dependent", [2, 9], "product"),
        (6, "dependent", [1, 2, 3, 4], "method"),
    ]
    assert rows[0]["transition"] == {"phrase": "comprising", "type": "open", "start": 9, "end": 19}
    assert [element["text"] for element in rows[0]["elements"]] == ["a body", "a lid"]
    assert rows[3]["transition"] is None
    found = [(each["rule"], each["claim"], each["others"]) for each in page["findings"]]
    assert ("number-gap", 6, [5]) in found
    assert ("forward-reference", 2, [4]) in found
    assert ("cycle", 2, [2, 4]) in found
    assert ("missing-claim", 4, [9]) in found
    assert page["counts"]["claims"] == 5
    assert page["counts"]["findings"] == len(found)


def test_what_people_read(patstone: Run, text: str) -> None:
    out = patstone("patents", "claims", text).out
    assert out.splitlines()[0].split() == ["claim", "kind", "parents", "category", "transition", "elements"]
    assert "1-4" in out
    assert "claim 4 refers to claim 9, which the set lacks" in out
    assert "Findings" not in patstone("patents", "claims", str(LAYOUTS / "uspto/grant.xml")).out.splitlines()[0]


def test_policies_and_languages(patstone: Run, text: str, tmp_path: Path) -> None:
    alone = patstone("patents", "claims", text, "--cross-category", "independent", "--json")
    assert json.loads(alone.out)["results"][-1]["kind"] == "independent"
    (tmp_path / "de.txt").write_text("1. Rad.\n2. Rad nach einem der vorhergehenden Ansprüche.\n")
    told = patstone("patents", "claims", str(tmp_path / "de.txt"), "--language", "de", "--json")
    assert [row["language"] for row in json.loads(told.out)["results"]] == ["de", "de"]


def rows_of(ran: Ran) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(ran.out)))


def test_a_table_with_a_claim_in_each_row(patstone: Run, tmp_path: Path) -> None:
    rows = ['X1,1,"A kettle, comprising\na lid.",', "X1,2,The kettle of claim 1.,1", "X2,1,A pan.,"]
    table = "\n".join(["document,claim,text,references", *rows, ""])
    (tmp_path / "claims.csv").write_text(table)
    found = rows_of(patstone("patents", "claims", str(tmp_path / "claims.csv"), "--csv"))
    assert [(row["document"], row["claim"], row["parents"]) for row in found] == [
        ("X1", "1", ""),
        ("X1", "2", "1"),
        ("X2", "1", ""),
    ]
    other = "who,words\nX1,A pan.\nX1,The pan of claim 1.\n"
    (tmp_path / "other.csv").write_text(other)
    named = patstone("patents", "claims", str(tmp_path / "other.csv"), "--columns", "document=who,text=words", "--csv")
    assert [(row["claim"], row["parents"]) for row in rows_of(named)] == [("1", ""), ("2", "1")]


def test_a_table_with_a_set_in_each_row(patstone: Run, tmp_path: Path) -> None:
    lines = [{"id": "g1", "claims": "1. A pen.\n2. The pen of claim 1."}, {"id": "g2", "claims": "1. Ein Rad."}]
    (tmp_path / "sets.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    rows = rows_of(patstone("patents", "claims", str(tmp_path / "sets.jsonl"), "--csv"))
    assert [(row["document"], row["claim"], row["parents"]) for row in rows] == [
        ("g1", "1", ""),
        ("g1", "2", "1"),
        ("g2", "1", ""),
    ]


@pytest.mark.parametrize(
    ("name", "document", "claims"),
    [
        ("uspto/grant.xml", "US", 2),
        ("uspto/green.txt", "US", 2),
        ("layouts/ep-grant.xml", "EP", 2),
        ("layouts/google.jsonl", "", 1),
        ("layouts/table.csv", "", 1),
    ],
)
def test_documents_of_any_format(patstone: Run, name: str, document: str, claims: int) -> None:
    ran = patstone("patents", "claims", str(LAYOUTS / name), "--jsonl")
    assert ran.code == 0
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert len(rows) >= claims
    assert all(row["document"].startswith(document) and row["document"] for row in rows)


def test_standard_input() -> None:
    piped = shell("patents", "claims", "-", "--csv", stdin=TEXT)
    assert (piped.code, len(rows_of(piped))) == (0, 5)
    documents = shell("patents", "claims", "-", "--csv", stdin=(LAYOUTS / "uspto/grant.xml").read_text())
    assert rows_of(documents)[0]["document"].startswith("US")
    assert shell("patents", "claims", "-", "--format", "claims", stdin="text\nA pen.\n").code == 2


@pytest.mark.parametrize(
    ("content", "words", "said", "code"),
    [
        (b"", [], "no text, and so no claims", 3),
        (b"\xff\xfe1\x00", [], "UTF-16", 3),
        (b"1. A pen.", ["--format", "docx"], "must be auto or one of", 2),
        (b"1. A pen.", ["--format", "text", "--columns", "text=a"], "table of claims", 2),
        (b"1. A pen.", ["--cross-category", "both"], "invalid choice", 2),
    ],
)
def test_wrong_calls(patstone: Run, tmp_path: Path, content: bytes, words: list[str], said: str, code: int) -> None:
    (tmp_path / "given").write_bytes(content)
    ran = patstone("patents", "claims", str(tmp_path / "given"), *words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("document,claim\nX1,1\n", "a column text"),
        ("text,references\nA pen.,claim one\n", "numbers of claims"),
        ("text,claim\nA pen.,one\n", "one"),
    ],
)
def test_wrong_tables_name_their_line(patstone: Run, tmp_path: Path, table: str, said: str) -> None:
    (tmp_path / "wrong.csv").write_text(table)
    ran = patstone("patents", "claims", str(tmp_path / "wrong.csv"))
    assert (ran.code, ran.out) == (3, "")
    assert "wrong.csv" in ran.err
    assert said in ran.err


def test_broken_documents_are_counted(patstone: Run, tmp_path: Path) -> None:
    good, bad = "EP1234567A1;2004-01-01;1. A pen. 2. The pen of claim 1.", "nonsense;2004-01-01;1. A pen."
    (tmp_path / "table.csv").write_text("number;date;claims\n" + good + "\n" + bad + "\n")
    ran = patstone("patents", "claims", str(tmp_path / "table.csv"), "--json")
    assert json.loads(ran.out)["counts"]["rejected"] == 1
    assert "1 documents could not be read" in ran.err
    (tmp_path / "table.csv").write_text("number;date;claims\n" + bad + "\n")
    assert patstone("patents", "claims", str(tmp_path / "table.csv")).code == 3
