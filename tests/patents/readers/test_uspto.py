"""Every layout of the US office, on small files made for it: what is read, and each trap that is known of it."""

import re
import time
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.patents.numbers import canonical
from patstone.patents.publication import Citation, Claim, Publication, Rejected, Text
from patstone.patents.readers import green_book, uspto
from patstone.patents.readers.formats import open_source

FILES = Path(__file__).parent / "uspto"


def read(path: Path) -> list[Publication]:
    found = list(open_source(path))
    assert [one for one in found if isinstance(one, Rejected)] == []
    return [one for one in found if isinstance(one, Publication)]


def only(name: str) -> Publication:
    (found,) = read(FILES / name)
    return found


def changed(tmp_path: Path, name: str, old: str, new: str) -> Publication | Rejected:
    text = (FILES / name).read_text()
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new))
    (found,) = open_source(tmp_path / name)
    return found


def claims(*parts: tuple[int, str, tuple[int, ...] | None]) -> tuple[Claim, ...]:
    return tuple(
        Claim(number=number, text=text, language="en", references=references) for number, text, references in parts
    )


def english(words: str) -> tuple[Text, ...]:
    return (Text(language="en", text=words),)


def test_a_grant() -> None:
    assert only("grant.xml") == Publication(
        number="US9123456B2",
        raw="US 09123456 B2",
        source="uspto-xml",
        country="US",
        kind="B2",
        date="2015-09-01",
        application=canonical("US", "13999888", role="application"),
        filed="2014-04-02",
        priorities=(
            canonical("JP", "2013-077001", role="application"),
            canonical("US", "13173486", role="application"),
            canonical("US", "61763412", role="application"),
            canonical("WO", "PCT/JP2013/060001", date="2013-04-01", role="application"),
        ),
        priority_date="2011-06-30",
        language="en",
        titles=english("Valve with a soft seat"),
        abstracts=english("A valve has a seat of SiO2, 10\u2009μm thick."),
        description="BACKGROUND Valves leak. Seats wear, as FIG. 1 shows. Much. 7 8",
        claims=claims(
            (1, "A valve, comprising: a body; and a seat.", ()),
            (2, "The valve of claim 1, wherein the seat is soft.", (1,)),
            (3, "The valve of claim 1 or claim 2, wherein 5. 2 mm are left.", (1, 2)),
            (4, "A method of closing a valve.", ()),
        ),
        ipc=("F16K1/22",),
        cpc=("F16K1/222", "Y10T137/0318"),
        applicants=("Valve Holdings Inc.", "Soft Seats Ltd."),
        citations=(
            Citation(cited="US4446424A", raw="US 4446424 A", cited_by="examiner", date="1984-05"),
            Citation(cited="US20070140112A1", raw="US 2007/0140112 A1", cited_by="applicant", date="2007-06"),
            Citation(cited="WO2005080928A1", raw="WO 2005/080928 A1", cited_by="third-party", date="2005-09"),
            Citation(raw="Potter, J. et al., Seats for valves, Valve Letters 4 (1999).", patent=False),
        ),
    )


def test_an_application_of_2005() -> None:
    """Its claims have no marks for the claims they refer to, and two of them were canceled."""
    found = only("application.xml")
    assert (found.number, found.date, found.filed) == ("US20050004321A1", "2005-01-06", "2004-04-23")
    assert found.ipc == ("A61B5/00", "G06F17/60")
    assert found.applicants == ("Bell, Ann",)
    assert found.claims == claims((3, "A kettle comprising a lid.", None), (4, "The kettle of claim 3, in red.", None))


def test_a_grant_of_2001_in_sgml() -> None:
    """Empty elements are left open, entities come from a DTD elsewhere, and an ampersand stands alone."""
    found = only("st32.sgm")
    assert (found.number, found.date, found.source) == ("US6200123B1", "2001-03-13", "uspto-st32")
    assert found.application == canonical("US", "09413215", role="application")
    assert found.priorities == (
        canonical("JP", "10-186098", date="1998-07-01", role="application"),
        canonical("US", "09312927", role="application"),
    )
    assert found.priority_date == "1998-07-01"
    assert found.titles == english("Stacked sheets")
    assert found.abstracts == english("Sheets of 5 μm at 20° C.")
    assert found.description == "BACKGROUND H2O wets sheets. R & D helps."
    assert found.ipc == ("B32B3/02", "G06F15/16")
    assert found.applicants == ("Sheet & Co.",)
    assert found.claims == claims((1, "A stack comprising: sheets.", ()), (2, "The stack of claim 1, bound.", (1,)))
    assert [(one.cited, one.cited_by, one.patent) for one in found.citations] == [
        ("US5825759A", "examiner", True),
        (canonical("EP", "0482574", date="1992-04"), "unknown", True),
        ("", "unknown", False),
    ]
    assert found.citations[2].raw == "Reed et al., Sheets, 1998."
    assert found.repairs == ("undeclared entity", "stray ampersand")


def test_the_same_grant_as_xml(tmp_path: Path) -> None:
    text = re.sub(r"<(CITED-BY-[A-Z]+|EMI[^<>]*)>", r"<\1/>", (FILES / "st32.sgm").read_text())
    (tmp_path / "st32.xml").write_text(text)
    assert read(tmp_path / "st32.xml") == [only("st32.sgm")]


def test_an_application_of_2001() -> None:
    found = only("pap.xml")
    assert (found.number, found.date, found.source) == ("US20010000987A1", "2001-05-10", "uspto-pap")
    assert found.application == canonical("US", "09727454", role="application")
    assert (found.filed, found.priority_date) == ("2000-12-04", "1999-04-05")
    assert found.priorities == (
        canonical("JP", "11-097727", date="1999-04-05", role="application"),
        canonical("US", "60128037", role="application"),
    )
    assert found.titles == english("Lamp & shade")
    assert found.abstracts == english("A lamp of −20 nm.")
    assert found.description == "BACKGROUND Lamps glow. Shades dim."
    assert found.ipc == ("H01J1/62", "H01J63/04")
    assert found.applicants == ("LAMPS LTD.",)
    assert found.claims == claims(
        (1, "A lamp comprising: a bulb.", ()), (2, "The lamp of claim 1, with a shade.", (1,))
    )
    assert found.citations == ()


def test_grants_of_1976() -> None:
    phone, bell = read(FILES / "green.txt")
    assert (phone.number, phone.raw, phone.date) == ("US3932709A", "039327094", "1976-01-13")
    # Serial number 449,155 of series 05, and a check digit.
    assert phone.application == canonical("US", "05449155", role="application")
    assert phone.titles == english("Telephone with a long cord")
    assert phone.abstracts == english("A telephone for H2 O at 20° C. and α-rays.")
    assert phone.description == "BACKGROUND Cords are short. e.g.this one. The cord 5 is long."
    assert phone.ipc == ("H04M11/00", "G06F7/28")
    assert phone.applicants == ("General Cords Incorporated",)
    assert phone.priorities[0] == canonical("JP", "53/84696", date="1978-07-10", role="application")
    assert phone.claims == claims(
        (1, "A telephone comprising: a. a cord; and b. a bell.", None),
        (2, "The telephone of claim 1 in which the cord is long.", None),
    )
    assert [(one.cited, one.raw, one.cited_by) for one in phone.citations] == [
        ("US3518629A", "US 3518629 A", "unknown"),
        (canonical("US", "RE28123", "E"), "US RE28123 E", "unknown"),
        (canonical("GB", "1,234,567", date="1971-02-10"), "GB 1,234,567", "unknown"),
        ("", 'Cord, L., "On cords", Cord Letters, 1971, pp. 1- 4.', "unknown"),
        ("", "Another letter.", "unknown"),
    ]
    assert (bell.number, bell.kind, bell.ipc, bell.applicants) == ("USD242358S", "S", (), ("Bell, Ann",))
    assert bell.claims == claims((1, "The ornamental design for a bell, as shown.", None))


def test_a_weekly_file_is_many_documents(tmp_path: Path) -> None:
    """Generations mix in nothing but tests; a broken document between two good ones is told by its place."""
    good, other = (FILES / "grant.xml").read_bytes(), (FILES / "application.xml").read_bytes()
    week = good + good[: len(good) // 2] + b"\n" + other
    with ZipFile(tmp_path / "week.zip", "w") as archive:
        archive.writestr("week.xml", week)
    first, broken, last = open_source(tmp_path / "week.zip")
    assert first == only("grant.xml")
    assert last == only("application.xml")
    assert isinstance(broken, Rejected)
    assert (broken.path, broken.offset) == (f"{tmp_path}/week.zip/week.xml", len(good))
    assert "not well-formed" in broken.reason


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        ("grant.xml", "<doc-number>09123456</doc-number>", "", "number can't be read"),
        ("grant.xml", "us-bibliographic-data-grant>", "other>", "bibliographic data"),
        ("st32.sgm", "06200123</PDAT></DNUM></B110>", "</PDAT></DNUM></B110>", "number can't be read"),
        ("st32.sgm", "SDOBI>", "OTHER>", "bibliographic data"),
        ("pap.xml", "<doc-number>20010000987</doc-number>", "", "number can't be read"),
        ("pap.xml", "subdoc-bibliographic-information>", "other>", "bibliographic data"),
    ],
)
def test_a_document_without_its_number_is_rejected(tmp_path: Path, name: str, old: str, new: str, reason: str) -> None:
    found = changed(tmp_path, name, old, new)
    assert isinstance(found, Rejected)
    assert reason in found.reason


def test_a_green_book_document_without_its_number_is_rejected_alone(tmp_path: Path) -> None:
    text = (FILES / "green.txt").read_text().replace("WKU  D02423580\n", "")
    (tmp_path / "green.txt").write_text(text)
    phone, bell = open_source(tmp_path / "green.txt")
    assert isinstance(phone, Publication)
    assert bell == Rejected(
        path=str(tmp_path / "green.txt"),
        offset=text.index("PATN", text.index("PATN") + 1),
        reason="A document has a number (WKU).",
    )


@pytest.mark.parametrize(("word", "who"), [("cited by other", "unknown"), ("", "unknown"), ("imported", "unknown")])
def test_only_what_the_office_says_is_said(tmp_path: Path, word: str, who: str) -> None:
    found = changed(tmp_path, "grant.xml", "cited by examiner", word)
    assert isinstance(found, Publication)
    assert found.citations[0].cited_by == who


DATES = st.sampled_from(["", "1984-05", "2015-09-01"])


@given(st.integers(900_000, 9_999_999), st.sampled_from(["A", "B1", "B2", "S", ""]), DATES)
def test_the_short_way_to_a_cited_grant_agrees_with_the_long_one(number: int, kind: str, date: str) -> None:
    assert uspto.cited_patent("US", str(number), kind, date).cited == canonical("US", str(number), kind, date=date)


@given(st.integers(1999, 2025), st.integers(0, 9_999_999), st.sampled_from(["A1", "A2", "A"]), DATES)
def test_the_short_way_to_a_cited_application_agrees_too(year: int, serial: int, kind: str, date: str) -> None:
    number = f"{year}/{serial:07}"
    assert uspto.cited_patent("US", number, kind, date).cited == canonical("US", number, kind, date=date)


@pytest.mark.parametrize(
    ("written", "columns", "symbol"),
    [
        ("G06F 1516", True, "G06F15/16"),
        ("B32B  302", True, "B32B3/02"),
        ("H04M 1100", True, "H04M11/00"),
        ("C12N 15113", True, "C12N15/113"),
        ("1402", True, ""),
        ("D1402", True, ""),
        ("", True, ""),
        ("G06F015/00", False, "G06F15/00"),
        ("A61B005/00", False, "A61B5/00"),
        ("1402", False, ""),
    ],
)
def test_class_symbols_of_every_era(written: str, columns: bool, symbol: str) -> None:
    assert uspto.symbols([written], columns=columns) == ((symbol,) if symbol else ())


@pytest.mark.parametrize(
    ("number", "words", "kept"),
    [
        (1, "1. A valve.", "A valve."),
        (1, "1 . A valve.", "A valve."),
        (1, "1.A valve.", "A valve."),
        (2, "Claim 2. A valve.", "A valve."),
        (1, "2. A valve.", "2. A valve."),
        (1, "A valve of 1. 5 mm.", "A valve of 1. 5 mm."),
    ],
)
def test_a_claim_is_kept_without_its_own_number(number: int, words: str, kept: str) -> None:
    found = uspto.claim(number, words, None)
    assert found is not None
    assert found.text == kept


@pytest.mark.parametrize("words", ["1. (canceled)", "1-20. (cancelled)", "5. Canceled.", "1-3, 5. (Canceled)"])
def test_a_canceled_claim_is_none(words: str) -> None:
    assert uspto.claim(1, words, None) is None


def test_a_claim_of_digits_takes_no_time() -> None:
    start = time.process_time()
    assert uspto.claim(1, "1" * 100_000, None) is not None
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("spelt", "written"),
    [
        ("CO.sub.2", "CO2"),
        ("10.sup.-3", "10-3"),
        (".mu.m and .OMEGA. or .Omega.", "μm and .OMEGA. or Ω"),
        ("5.+-.1", "5±1"),
        ("end.and.start", "end.and.start"),
        ("see fig.3. The", "see fig.3. The"),
    ],
)
def test_letters_that_the_tape_could_not_hold(spelt: str, written: str) -> None:
    assert green_book.spelt_out(spelt) == written
