"""Class codes beside a gold standard: tables 1 to 3 by hand, depths, and every source that they are read from."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from labelled import gold_of
from patstone import api, labelling
from patstone.errors import DataError, UsageError
from patstone.gold.code_sources import read_codes
from patstone.gold.codes import Codes

# Families 1 and 2 are positive, 3 and 4 negative; 4 has no code.
LONG = """\
family,scheme,code
1,CPC,B25J 15/12
1,CPC,B25J15/0023
1,IPC,B25J 15/12
2,CPC,B25J 15/12
3,CPC,B25J 15/08
3,CPC,B25J 15/0023
3,F-term,3C707ES03
9,CPC,A01B 1/02
2,CPC,gibberish
"""


def read(folder: Path, text: str = LONG, **words: str) -> tuple[dict[str, Codes], dict[str, int]]:
    (folder / "codes.csv").write_text(text)
    found, counts = read_codes(folder / "codes.csv", gold_of("++--"), **words)  # type: ignore[arg-type]
    return {each.scheme: each for each in found}, counts


def test_tables_by_hand(tmp_path: Path) -> None:
    found, counts = read(tmp_path)
    cpc = found["CPC"]
    assert cpc.names == ("B25J15/0023", "B25J15/08", "B25J15/12")
    assert [cpc.names[code] for code in cpc.frequent(True, 3)] == ["B25J15/12", "B25J15/0023"]
    assert cpc.coverage(True).tolist() == [0.5, 0.0, 1.0]
    assert cpc.coverage(False).tolist() == [0.5, 0.5, 0.0]
    assert cpc.unique == (2, 2, 1)
    assert found["F-term"].names == ("3C707ES03",)
    assert counts == {"rows": 9, "unknown": 1, "unread": 1}
    assert cpc.known.tolist() == [True, True, True, False]


@pytest.mark.parametrize(
    ("depth", "names"),
    [
        ("subclass", ("B25J",)),
        ("main group", ("B25J15/00",)),
        ("section", ("B",)),
        ("full", ("B25J15/0023", "B25J15/08", "B25J15/12")),
    ],
)
def test_depths(tmp_path: Path, depth: str, names: tuple[str, ...]) -> None:
    assert read(tmp_path, depth=depth)[0]["CPC"].names == names


def test_f_terms_have_depths_of_their_own(tmp_path: Path) -> None:
    assert read(tmp_path, depth="theme")[0]["F-term"].names == ("3C707",)
    # What has no theme stays as it is.
    assert "B25J15/12" in read(tmp_path, depth="theme")[0]["CPC"].names


def test_columns_of_codes_and_publications(tmp_path: Path) -> None:
    gold = gold_of("+-")
    book = Workbook()
    rows = [
        ("publication", "cpc", "fterm"),
        (gold.numbers[0], "B25J15/12; B25J 15/08", "3C707ES03"),
        (gold.numbers[1], "A01B1/02|A01B1/04", None),
    ]
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    book.save(tmp_path / "codes.xlsx")
    found = {each.scheme: each for each in read_codes(tmp_path / "codes.xlsx", gold)[0]}
    assert found["CPC"].names == ("A01B1/02", "A01B1/04", "B25J15/08", "B25J15/12")
    assert found["CPC"].found[0].tolist() == [0, 0, 1, 1]
    assert found["F-term"].has.tolist() == [[True], [False]]


@pytest.mark.parametrize(
    ("text", "words", "error", "message"),
    [
        ("family,colour\n1,red\n", {}, DataError, "needs a column 'code'"),
        ("code\nB25J15/12\n", {}, DataError, "needs a column of families or of publications"),
        ("family,scheme,code\n1,USPC,901/30\n", {}, DataError, r"line 2: A scheme of class codes.*'USPC'"),
        ("family,code\n9,B25J15/12\n", {}, DataError, "no class code of any unit"),
        (LONG, {"depth": "leaf"}, UsageError, "A depth of class codes is one of full, section"),
    ],
)
def test_what_is_no_file_of_codes_is_refused(
    tmp_path: Path, text: str, words: dict[str, str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read(tmp_path, text, **words)


def test_a_collection_has_codes(tmp_path: Path) -> None:
    gold = gold_of("+-")
    rows = [
        f"{gold.numbers[0]},B25J15/12;B25J15/08,B25J15/12",
        f"{gold.numbers[1]},A01B1/02,",
        "EP2000000A1,G06N10/00,",
    ]
    (tmp_path / "patents.csv").write_text("\n".join(["publication_number,cpc,ipc", *rows, ""]))
    api.convert(tmp_path / "patents.csv", tmp_path / "collection")
    found, counts = read_codes(tmp_path / "collection", gold)
    assert {each.scheme: each.names for each in found} == {
        "CPC": ("A01B1/02", "B25J15/08", "B25J15/12"),
        "IPC": ("B25J15/12",),
    }
    assert counts == {"rows": 2, "unknown": 0, "unread": 0}


def test_a_gold_standard_may_have_codes_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text("label,publication,cpc\nyes,EP1000010A1,B25J15/12\nno,EP1000020A1,A01B1/02\n")
    found, _ = labelling.codes(tmp_path / "gold.csv")
    assert found[0].coverage(True).tolist() == [0.0, 1.0]
    with pytest.raises(UsageError, match="Name a file of class codes"):
        labelling.codes(gold_of("+-"))
