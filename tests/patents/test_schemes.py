"""Schemes from every layout: the same tree whatever it was written as, and an error with its line where it is none."""

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.errors import DataError, UsageError
from patstone.patents.schemes import cache
from patstone.patents.schemes.outline import parents
from patstone.patents.schemes.scheme import Scheme
from patstone.patents.schemes.sources import read_scheme

CPC = """\
A\t\tFOOD
A01\t\tFARMS
A01B\t\tSOIL (digging E02)
A01B1/00\t0\tHand tools
A01B1/02\t1\tSpades {é}
A01B2001/024\t2\twith plates
A01B1/04\t1\tHoes
A01B3/00\t0\tPloughs
B\t\tMOVING
B60\t\tCARS
B60Q\t\tLIGHTS
B60Q1/00\t0\tLamps
"""
IPC = """\
A\tFOOD
A01\tFARMS
A01B\tSOIL
A01B0001000000\tHand tools
A01B0001020000\t• Spades
A01B0001024000\t• • with plates
"""
THEME = """\
2X123 TOYS, e.g. tops
A63H 1/00
AA00 AA01 AA02 AA03
SHAPE
. Round
. . Balls
・・・Small balls
AA04 BA BA01
．Square\tUSE
.Indoors
"""
PAGE = """<!DOCTYPE html><html><body><h1>2X123 TOYS, e.g. tops</h1><table>
<tr><td rowspan=2>AA</td><td>AA00</td><td>AA01</td><td>AA02</td><td>AA03</td></tr>
<tr><td>SHAPE</td><td>. Round</td><td>. . <b>Balls</b></td><td>・・・Small
 balls</td></tr>
<tr><td>AA04</td></tr><tr><td>．Square</td></tr>
<tr><td>BA</td><td>BA01</td></tr><tr><td>USE</td><td>.Indoors</td></tr></table></body></html>
"""

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str | bytes, name: str = "scheme.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return written


def drawn(scheme: Scheme) -> list[str]:
    """The scheme as lines of indented symbols and titles."""
    return [
        f"{'.' * int(depth)}{scheme.symbol(int(term))} {scheme.titles[int(term)]}".rstrip()
        for depth, term in zip(scheme.depth, scheme.term, strict=True)
    ]


def test_a_title_list(write: Write) -> None:
    scheme = read_scheme(write(CPC, "cpc.tsv"))
    assert (scheme.name, scheme.kind, len(scheme), scheme.height, scheme.notes) == ("cpc", "cpc", 12, 6, ())
    assert drawn(scheme) == [
        "cpc",
        ".A FOOD",
        "..A01 FARMS",
        "...A01B SOIL (digging E02)",
        "....A01B1/00 Hand tools",
        ".....A01B1/02 Spades {é}",
        "......A01B2001/024 with plates",
        ".....A01B1/04 Hoes",
        "....A01B3/00 Ploughs",
        ".B MOVING",
        "..B60 CARS",
        "...B60Q LIGHTS",
        "....B60Q1/00 Lamps",
    ]


@pytest.mark.parametrize(
    "change", [lambda raw: raw.replace(b"\n", b"\r\n"), gzip.compress, lambda raw: b"\xef\xbb\xbf" + raw, bytes.rstrip]
)
def test_a_title_list_in_other_clothes(write: Write, change: Callable[[bytes], bytes]) -> None:
    scheme = read_scheme(write(change(CPC.encode()), "cpc.tsv"))
    assert drawn(scheme) == drawn(read_scheme(write(CPC, "cpc.tsv")))


@pytest.mark.parametrize(
    ("old", "new", "line", "rule"),
    [
        ("A01B1/04\t1", "A01B1/04\tx", 7, "A level is empty or a number of dots"),
        ("A01B1/04\t1", "A01B1/04\t123", 7, "A level is empty or a number of dots"),
        ("A01B1/04\t1", "A01B1/04\t4", 7, "at most one level below the term before it; this one is 2 below"),
        ("A01B1/04\t1", "A01B1/02\t1", 7, "A term comes once in a scheme; line 5 has it too"),
        ("A01B1/04\t1", "A01C1/04\t1", 7, "called after; by its level this one is below A01B1/00"),
        ("B60Q\t", "A60Q\t", 11, "called after; by its level this one is below B60"),
        ("B60\t\t", "B60\t0\t", 10, "at most one level below"),
        ("A01B1/04\t1", "A01B1/04\t", 7, "Only a section, a class or a subclass has no level"),
        ("A01B1/04\t1\tHoes", "A01B1/04\t1", 7, "SYMBOL, LEVEL and TITLE"),
        ("A01B1/04\t1", "\t1", 7, "begins with a symbol"),
        ("B60\t\tCARS\n", "", 10, "at most one level below"),
    ],
)
def test_a_malformed_title_list_names_its_line(write: Write, old: str, new: str, line: int, rule: str) -> None:
    with pytest.raises(DataError, match=rule) as error:
        read_scheme(write(CPC.replace(old, new), "cpc.tsv"))
    assert error.value.line == line
    assert error.value.path is not None


def test_symbols_are_found_in_any_spelling(write: Write) -> None:
    scheme = read_scheme(write(CPC, "cpc.tsv"))
    found = scheme.terms(["A01B1/02", "a01b 1/02", "A01B0001020000", "A01B   1/02", "A01B"])
    assert [scheme.symbol(int(term)) for term in found] == ["A01B1/02"] * 4 + ["A01B"]
    with pytest.raises(UsageError, match=r"cpc has no term 'A01B1/05'. Did you mean A01B1/0"):
        scheme.terms(["A01B1/02", "A01B1/05"])


def test_a_title_list_without_levels_counts_dots(write: Write) -> None:
    scheme = read_scheme(write(IPC))
    assert (scheme.kind, scheme.notes) == ("ipc", ())
    assert drawn(scheme)[4:] == ["....A01B1/00 Hand tools", ".....A01B1/02 Spades", "......A01B1/024 with plates"]


def test_a_title_list_without_levels_and_dots_is_flat_and_says_so(write: Write) -> None:
    path = write(IPC.replace("• ", ""))
    scheme = read_scheme(path)
    assert scheme.depth.tolist() == [0, 1, 2, 3, 4, 5, 5]
    assert scheme.notes == (
        f"{path}: no levels and no dots are given: every subgroup is read as standing directly below its main group",
    )


@pytest.mark.parametrize("text", [THEME, PAGE], ids=["text", "page"])
def test_an_f_term_list(write: Write, text: str) -> None:
    scheme = read_scheme(write(text))
    assert (scheme.name, scheme.kind, scheme.notes) == ("2X123", "f-term", ())
    assert drawn(scheme) == [
        "2X123 TOYS, e.g. tops",
        ".AA SHAPE",
        "..AA01 Round",
        "...AA02 Balls",
        "....AA03 Small balls",
        "..AA04 Square",
        ".BA USE",
        "..BA01 Indoors",
    ]
    assert scheme.terms(["2X123 AA01", "2X123AA01", "aa01"]).tolist() == [2, 2, 2]
    assert scheme.terms(["AA00", "AA"]).tolist() == [1, 1]


def test_a_viewpoint_without_a_line_is_added_and_noted(write: Write) -> None:
    path = write("AA01 AA02\n.Round\n..Balls\nBB01\n.Red\n", "toys.txt")
    scheme = read_scheme(path)
    assert drawn(scheme) == ["toys", ".AA", "..AA01 Round", "...AA02 Balls", ".BB", "..BB01 Red"]
    assert scheme.notes == (f"{path}: 2 viewpoints have no line of their own and are added above their terms",)


@pytest.mark.parametrize(
    ("text", "line", "rule"),
    [
        ("AA AA01\nSHAPE\n", 1, "A line of 2 codes is followed by as many titles; here are 1"),
        ("AA\nSHAPE\n.Round\n", 1, "A line of 1 codes is followed by as many titles; here are 2"),
        ("AA\n.SHAPE\n", 1, "A viewpoint has no dots"),
        ("AA\nSHAPE\nAA01\nRound\n", 3, "A term has at least one dot"),
        ("AA\nSHAPE\nAA01 AA02\n.Round\n...Balls\n", 3, "at most one level below"),
        ("AA\nSHAPE\nAA01\n.Round\nAA01\n.Round\n", 5, "A term comes once in a scheme; line 3 has it too"),
    ],
)
def test_a_malformed_f_term_list_names_its_line(write: Write, text: str, line: int, rule: str) -> None:
    with pytest.raises(DataError, match=rule) as error:
        read_scheme(write(text))
    assert error.value.line == line


def test_a_table_of_levels_hangs_below_a_root(write: Write) -> None:
    scheme = read_scheme(write("code,dots,title\nAA,0,SHAPE\nAA01,1,Round\nAA02,2,Balls\nBA,0,USE\n", "2X123.csv"))
    assert (scheme.name, scheme.kind) == ("2X123", "f-term")
    assert drawn(scheme) == ["2X123", ".AA SHAPE", "..AA01 Round", "...AA02 Balls", ".BA USE"]


def test_a_table_of_parents_in_any_order(write: Write) -> None:
    scheme = read_scheme(write("parent;child\nAA;AA01\n2X123;AA\n2X123;BA\nAA01;AA02\n", "toys.csv"))
    assert drawn(scheme) == ["2X123", ".AA", "..AA01", "...AA02", ".BA"]


def test_several_tops_hang_below_a_root_without_a_name(write: Write) -> None:
    scheme = read_scheme(write("child,parent,title\nx,,X\ny,,\nz,y,Z\n", "mine.csv"))
    assert (len(scheme), drawn(scheme)) == (3, ["mine", ".x X", ".y", "..z Z"])


def test_a_term_with_several_parents_stands_on_every_chain(write: Write) -> None:
    scheme = read_scheme(write("child,parent\na,r\nb,r\nc,a\nc,b\nd,c\nb2,b\n", "poly.csv"))
    assert drawn(scheme) == ["r", ".a", "..c", "...d", ".b", "..c", "...d", "..b2"]
    assert (len(scheme), scheme.is_tree) == (6, False)
    [c] = scheme.terms(["c"])
    assert scheme.places_of(int(c)) == [2, 5]


@pytest.mark.parametrize(
    ("text", "line", "rule"),
    [
        ("child,parent\na,b\nb,c\nc,a\n", 4, "can't stand below itself. Got 'a below b below c below a'"),
        ("child,parent\nr,\na,r\nb,c\nc,b\nd,b\n", 5, "can't stand below itself. Got 'b below c below b'"),
        ("child,parent\na,a\n", 2, "can't stand below itself. Got 'a below a'"),
        ("child,parent\nr,\na,r\nb,q\n", 4, "'q' has none. Got 'b'"),
        ("child,parent\na,p\nb,q\n", 2, "'p' has none. Got 'a'"),
        ("child,parent\na,r\na,r\n", 3, "A term stands below a parent once; line 2 says so too"),
        ("code,dots\nAA,0\nAA01,2\n", 3, "at most one level below"),
        ("code,dots\nAA,1\nAA01,2\nBA,0\n", 4, "No term stands above the level of the first one, 1"),
        ("code,dots\nAA,0\nAA,0\n", 3, "A term comes once in a scheme; line 2 has it too"),
        ("code,dots,parent\nAA,0,r\n", 1, "each term's parent or each term's level, and not both"),
        ("code,title\nAA,x\n", 1, "each term's parent or each term's level, and not both"),
    ],
)
def test_a_malformed_table_names_its_line(write: Write, text: str, line: int, rule: str) -> None:
    with pytest.raises(DataError, match=rule) as error:
        read_scheme(write(text, "scheme.csv"))
    assert error.value.line == line


def test_chains_without_number_are_refused_before_they_are_made(write: Write) -> None:
    """Thirty terms with two parents each have two to the thirtieth chains."""
    rows = [f"{number}{side},{number - 1}{other}" for number in range(1, 31) for side in "ab" for other in "ab"]
    with pytest.raises(DataError, match="The chains of a scheme must not be more than 5,000,000"):
        read_scheme(write("\n".join(["child,parent", "0a,", "0b,", *rows]), "many.csv"))


@pytest.mark.parametrize("text", ["", "\n\n", "what is this\n", "A\n"])
def test_what_is_no_scheme_is_refused(write: Write, text: str) -> None:
    with pytest.raises(DataError, match="no scheme that is known by its content"):
        read_scheme(write(text))
    with pytest.raises(DataError):
        read_scheme(write(text), layout="titles")


def test_a_layout_is_one_that_is_known(write: Write) -> None:
    with pytest.raises(UsageError, match=r"is one of titles, xml, f-terms, table\. Got 'owl'"):
        read_scheme(write(CPC), layout="owl")
    with pytest.raises(UsageError, match="Columns can be named in tables"):
        read_scheme(write(CPC, "x.tsv"), columns={"symbol": "a"})


@given(steps=st.lists(st.integers(-3, 1), max_size=30))
def test_the_common_ancestor_is_where_the_chains_part(steps: list[int]) -> None:
    depth = [0]
    for step in steps:
        depth.append(max(1, depth[-1] + step))
    scheme = planted_of(np.array(depth, dtype=np.int32))
    count = len(depth)
    a, b = np.repeat(np.arange(count), count), np.tile(np.arange(count), count)
    found = scheme.common_ancestor(a, b)
    for one, other, common in zip(a, b, found, strict=True):
        assert common == max(set(scheme.chain(int(one))) & set(scheme.chain(int(other))))


def planted_of(depth: np.ndarray) -> Scheme:
    from patstone.patents.schemes.scheme import Titles

    names = np.array([f"t{number}".encode() for number in range(len(depth))])
    return Scheme(
        name="t",
        kind="other",
        symbols=names,
        titles=Titles.of([""] * len(depth)),
        parent=parents(depth),
        depth=depth,
        term=np.arange(len(depth), dtype=np.int32),
    )


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that keeps even the smallest scheme."""
    monkeypatch.setenv("PATSTONE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "WORTH_KEEPING", 0)
    return tmp_path / "cache"


def test_a_kept_scheme_is_the_same(write: Write, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(CPC, "cpc.tsv")
    made = read_scheme(path)
    assert len(list(kept.iterdir())) == 1
    monkeypatch.setattr("patstone.patents.schemes.sources._read", lambda *_: pytest.fail("read again"))
    again = read_scheme(path)
    assert (again.name, again.kind, again.notes) == (made.name, made.kind, made.notes)
    assert drawn(again) == drawn(made)
    assert again.terms(["A01B 1/04"]).tolist() == made.terms(["A01B 1/04"]).tolist()


def test_a_changed_source_is_read_anew(write: Write, kept: Path) -> None:
    read_scheme(write(CPC, "cpc.tsv"))
    assert "Shovels" in drawn(read_scheme(write(CPC.replace("Hoes", "Shovels"), "cpc.tsv")))[7]
    assert len(list(kept.iterdir())) == 2


@pytest.mark.parametrize(
    "damage", [lambda raw: raw[:0], lambda raw: raw[:100], lambda raw: raw.replace(b"A01B3/00", b"A01B5/00")]
)
def test_a_damaged_cache_is_read_anew(write: Write, kept: Path, damage: Callable[[bytes], bytes]) -> None:
    path = write(CPC, "cpc.tsv")
    made = drawn(read_scheme(path))
    [file] = kept.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert drawn(read_scheme(path)) == made


def test_a_folder_that_cannot_be_written_to_is_passed_over(
    write: Write, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.write_text("a file stands where the folder should be")
    assert len(read_scheme(write(CPC, "cpc.tsv"))) == 12
    monkeypatch.setenv("PATSTONE_CACHE", "")
    assert len(read_scheme(write(CPC, "cpc.tsv"))) == 12


def test_small_schemes_are_not_kept(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PATSTONE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    read_scheme(write(CPC, "cpc.tsv"))
    assert not (tmp_path / "home").exists()
