"""Class symbols in every notation that sources have them in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.errors import DataError, UsageError
from patstone.patents.symbols import Scheme, normalise, normalise_all, parse, read, stem, under, under_all

SAME = {
    "H01L39/223": ["H01L 39/223", "h01l39/223", "H01L0039223000", "H01L  39/223        ", "H01L 39-223", "H01L 39:223",
                   "H01L0039/223", "Ｈ０１Ｌ　３９／２２３", "H01L 39/223 (2006.01)",
                   "H01L  39/223       20060101A I20051008RMEP"],
    "A61K9/00": ["A61K 9/00", "A61K9", "A61K0009000000", "A61K   9/00"],
    "G06F3/01": ["G06F0003010000", "G06F 3/01"],
    "F02M2700/1358": ["F02M2700/1358", "F02M 2700/1358"],
    "A23L1/28@Z": ["A23L1/28@Z", "A23L 1/28 Z", "A23L 1/28@z"],
    "A23L1/28,301@Z": ["A23L 1/28,301@Z", "A23L1/28,301Z", "A23L 1/28 301 Z"],
    "A23L1/28,301": ["A23L 1/28,301"],
    "A23L31/00@A": ["A23L 31/00 A"],
    "4B018MJ01": ["4B018MJ01", "4b018 MJ 01", "４Ｂ０１８ＭＪ０１"],
    "4B018MJ": ["4B018 MJ"],
    "4B018MJ01.A": ["4B018MJ01.A", "4B018 MJ01 A"],
    "2C088": ["2C088"],
    "H01": ["H01", "h01"],
    "Y": ["Y"],
}  # fmt: skip
NONE = ["", "H1L39/22", "H01L39/2", "H01L 0/00", "Z01L39/22", "H01L12345/00", "1402", "DIG.001", "4B18MJ01", "x" * 500,
        "H01L39/22@ZZ", "\x00", "A61K9/00 and more", "H01L39223"]  # fmt: skip


@pytest.mark.parametrize(("canonical", "texts"), SAME.items())
def test_every_notation_of_a_symbol_reads_alike(canonical: str, texts: list[str]) -> None:
    assert {normalise(text) for text in [canonical, *texts]} == {canonical}


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_symbol_is_none(text: str) -> None:
    assert read(text) is None
    assert normalise(text) == ""
    with pytest.raises(DataError, match="This is no CPC, IPC, FI or F-term symbol"):
        parse(text)


def test_levels() -> None:
    assert parse("A23L 1/28,301@Z").steps == (
        ("section", "A"),
        ("class", "A23"),
        ("subclass", "A23L"),
        ("main group", "A23L1/00"),
        ("subgroup", "A23L1/28"),
        ("subdivision", "A23L1/28,301"),
        ("discrimination", "A23L1/28,301@Z"),
    )
    assert [level for level, _ in parse("4B018MJ01.A").steps] == ["theme", "viewpoint", "term", "addition"]
    assert parse("A61K 9/00").level == "main group"
    assert parse("H01L39/223").at("subclass") == "H01L"
    assert parse("H01L").at("main group") == ""
    assert str(parse("h01l 39/22")) == "H01L39/22"


SCHEMES: list[tuple[str, Scheme | None, Scheme | None]] = [
    ("H01L39/22", None, "cpc"),
    ("H01L39/22", "ipc", "ipc"),
    ("H01L39/22", "fi", "fi"),
    ("A23L1/28@Z", None, "fi"),
    ("A23L1/28@Z", "cpc", None),
    ("Y10S418/01", "cpc", "cpc"),
    ("Y10S418/01", "ipc", None),
    ("Y10S418/01", "fi", None),
    ("2C088AA01", None, "fterm"),
    ("2C088AA01", "ipc", None),
    ("H01L39/22", "fterm", None),
]


@pytest.mark.parametrize(("text", "scheme", "found"), SCHEMES)
def test_schemes_are_told_apart(text: str, scheme: Scheme | None, found: Scheme | None) -> None:
    symbol = read(text, scheme)
    assert (symbol and symbol.scheme) == found


def test_an_unknown_scheme_is_a_wrong_call() -> None:
    with pytest.raises(UsageError, match="A scheme is one of cpc, ipc, fi, fterm"):
        read("H01L", "uspc")


def test_fixed_columns_of_old_us_files() -> None:
    """The group stands in places 5 to 7, so that these could not be told from longer groups without being said."""
    assert normalise("H04M 1100", columns=True) == "H04M11/00"
    assert normalise("B60R  900", columns=True) == "B60R9/00"
    assert normalise("A61K 31495", columns=True) == "A61K31/495"
    assert normalise("1402", columns=True) == ""
    assert normalise("H01L39/22", columns=True) == ""


def test_prefixes_follow_the_notation() -> None:
    for prefix in ("H", "H01", "H01L", "H01L39", "H01L 39/00", "H01L39/22", "H01L0039223000"):
        assert under("H01L 39/223", prefix), prefix
    for prefix in ("H01L3", "H01L3/00", "H01L39/224", "H01L40", "H01M", "4B018"):
        assert not under("H01L 39/223", prefix), prefix
    assert not under("H01L391/00", "H01L39")
    assert under("4B018MJ01", "4B018MJ")
    assert under("A23L1/28,301@Z", "A23L1/28")
    assert not under("nonsense", "H")
    with pytest.raises(DataError):
        under("H01L39/22", "nonsense")


def test_columns_of_symbols() -> None:
    texts = ["H01L 39/223", "H01L391/00", "", "H01L 39/223"]
    assert normalise_all(texts).tolist() == ["H01L39/223", "H01L391/00", "", "H01L39/223"]
    assert under_all(texts, "H01L39").tolist() == [True, False, False, True]
    assert normalise_all([]).tolist() == []


CLASSED = st.from_regex(r"[A-HY][0-9]{2}[A-Z][1-9][0-9]{0,3}/[0-9]{2}([0-9]{0,3}[1-9])?", fullmatch=True)
FILED = st.from_regex(r"[A-H][0-9]{2}[A-Z][1-9][0-9]{0,2}/[0-9]{2}(,[0-9]{3})?@[A-Z]", fullmatch=True)
FTERM = st.from_regex(r"[0-9][A-Z][0-9]{3}([A-Z]{2}([0-9]{2})?)?", fullmatch=True)


@given(st.one_of(CLASSED, FILED, FTERM).filter(str.isascii))
def test_canonical_texts_read_as_themselves(text: str) -> None:
    symbol = parse(text)
    assert symbol.text == text
    for _, wider in symbol.steps:
        assert parse(wider, symbol.scheme).text == wider
        assert under(text, wider, symbol.scheme)
    assert text.startswith(stem(symbol))


@given(CLASSED.filter(str.isascii))
def test_fixed_width_is_the_same_symbol(text: str) -> None:
    group, subgroup = text[4:].split("/")
    assert normalise(f"{text[:4]}{group:0>4}{subgroup:0<6}") == text


@given(st.text(max_size=100))
def test_no_text_breaks_it(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
