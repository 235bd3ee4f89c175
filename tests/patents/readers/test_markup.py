import io
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.errors import DataError, MissingExtra
from patstone.files.streams import Rewindable
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers import entities, markup
from patstone.patents.readers.markup import parse, read_documents, text


def said(body: str, head: str = '<?xml version="1.0" encoding="UTF-8"?>') -> tuple[str, tuple[str, ...]]:
    document = parse(f"{head}{body}".encode())
    return text(document.root), document.repairs


def test_plain_xml_needs_no_repair() -> None:
    assert said("<a>H<sub>2</sub>O &amp;\n  &#xe9;<!-- no --><?pi no?></a>") == ("H2O & é", ())


def test_entities_that_a_dtd_elsewhere_declares_are_characters() -> None:
    body = (
        "<!DOCTYPE a SYSTEM 'far.dtd' [<!ENTITY P SYSTEM \"p]>.tif\" NDATA TIF> ]><a>20&deg; &mgr;m&thinsp;x &rsqb;</a>"
    )
    assert said(body) == ("20° μm\u2009x ]", (entities.UNDECLARED,))


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("agr", "α"),
        ("mgr", "μ"),
        ("sgr", "σ"),
        ("sfgr", "ς"),
        ("ohgr", "ω"),
        ("Dgr", "Δ"),
        ("PSgr", "Ψ"),
        ("OHgr", "Ω"),
    ],
)
def test_greek_letters_of_old_files_are_letters(name: str, letter: str) -> None:
    assert entities.character(name) == letter


def test_an_entity_that_nobody_knows_stays_as_it_is_written() -> None:
    assert said("<a>x &unheard; y</a>") == ("x &unheard; y", (entities.UNKNOWN,))


@pytest.mark.parametrize(
    ("body", "words", "repair"),
    [
        ("<a>R & D</a>", "R & D", entities.AMPERSAND),
        ("<a>R &D; AT&T</a>", "R &D; AT&T", entities.UNKNOWN),
        ("<a>x\x01y&#2;z&#xFFFF;</a>", "xyz", entities.CONTROL),
        ("<x:a y:b='1'>z</x:a>", "z", entities.PREFIX),
    ],
)
def test_what_can_be_mended_is_mended_and_named(body: str, words: str, repair: str) -> None:
    found, repairs = said(body)
    assert found == words
    assert repair in repairs


def test_bytes_of_another_encoding_are_marked() -> None:
    document = parse(b"<a>caf\xe9</a>")
    assert (text(document.root), document.repairs) == ("caf\ufffd", (entities.UNDECODABLE,))


def test_a_declared_encoding_is_believed() -> None:
    assert (
        text(parse('<?xml version="1.0" encoding="ISO-8859-1"?><a>café &deg;</a>'.encode("latin-1")).root) == "café °"
    )


@pytest.mark.parametrize("body", ["<a><b></a>", "<a>half", "<a></a><b/>", "no mark-up", "", "<a b=>c</a>"])
def test_what_nobody_can_mend_is_refused(body: str) -> None:
    with pytest.raises(DataError):
        said(body)


def laughs() -> str:
    lines = ["<!ENTITY l0 'ha'>"] + [f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10)]
    return f"<!DOCTYPE a [{''.join(lines)}]><a>&l9;</a>"


@pytest.mark.parametrize(
    "body",
    [
        laughs(),
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'SECRET'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY x PUBLIC 'NDATA' 'SECRET'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY % x SYSTEM 'SECRET'> %x;]><a/>",
        "<!DOCTYPE a [<!-- ]> --><!ENTITY x 'y'>]><a>&x;</a>",
    ],
)
def test_declared_entities_are_never_expanded(body: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    start = time.process_time()
    with pytest.raises(DataError, match="declares the entity") as raised:
        said(body.replace("SECRET", secret.as_uri()))
    assert "secret" not in str(raised.value)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    "body",
    [
        "<!DOCTYPE a><!DOCTYPE b [<!ENTITY x SYSTEM 'SECRET'>]><a>&x;</a>",
        "<!DOCTYPE a><!-- --><!DOCTYPE b [<!ENTITY x 'y'>]><a>&x;</a>",
        "<?xml version='1.0'?><!DOCTYPE b [<!ENTITY x 'y'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY x 'y>]><a>&x;</a>",
    ],
)
def test_a_doctype_in_the_wrong_place_does_not_reach_the_parser(body: str) -> None:
    with pytest.raises(DataError):
        said(body)


def test_a_dtd_elsewhere_is_not_fetched(tmp_path: Path) -> None:
    dtd = tmp_path / "a.dtd"
    dtd.write_text("<!ENTITY deg 'from the DTD'><!ATTLIST a b CDATA 'default'>")
    document = parse(f'<!DOCTYPE a SYSTEM "{dtd.as_uri()}"><a>&deg;</a>'.encode())
    assert text(document.root) == "°"
    assert dict(document.root.attrib) == {}


def test_the_parser_s_complaint_counts_lines_as_the_file_does() -> None:
    with pytest.raises(DataError, match=r"mismatch: b line 4 and a, line 5, column 5\.$"):
        parse(b'<?xml version="1.0"?>\n<!DOCTYPE a [\n]>\n<a><b>\n</a>')


def test_utf16_is_refused_by_name() -> None:
    with pytest.raises(DataError, match="UTF-16"):
        parse('<?xml version="1.0" encoding="UTF-16"?><a/>'.encode("utf-16"))


@pytest.mark.parametrize(
    "hostile", [b"<!--" * 300_000, b"<!DOCTYPE a [" + b"'" * 999_999, b"<a>" * 300_000, b"&" * 999_999]
)
def test_hostile_documents_are_refused_at_once(hostile: bytes) -> None:
    start = time.process_time()
    for data in (hostile, b"<a>" + hostile, b"<!DOCTYPE a [" + hostile):
        with pytest.raises(DataError):
            parse(data)
    assert time.process_time() - start < 5


def test_blocks_are_kept_apart() -> None:
    root = parse(b"<d><p>one</p><p>two<br/>three</p>four</d>").root
    markup.space_out(root, ("p", "br"))
    assert text(root) == "one two three four"


@given(st.binary(max_size=300))
def test_nothing_but_a_data_error(data: bytes) -> None:
    for body in (data, b"<a>" + data + b"</a>", b"<!DOCTYPE a [" + data + b"]><a/>"):
        with suppress(DataError):
            text(parse(body).root)


def publication(root: Any) -> Publication:
    if root.tag == "broken":
        raise DataError("No number.")
    return Publication(number=text(root), raw=text(root), source="test", country="US")


def test_a_broken_document_is_rejected_where_it_begins_and_reading_goes_on() -> None:
    head = b'<?xml version="1.0"?>'
    documents = [b"<a>US1&deg;</a>", b"<a>half", b"<broken/>", b"<a>US2</a>"]
    data = b"\n".join(head + document for document in documents)
    source = Rewindable("week.xml", lambda: io.BytesIO(data))
    first, half, broken, last = read_documents(source, publication)
    assert isinstance(first, Publication)
    assert isinstance(last, Publication)
    assert (first.number, first.repairs, last.number, last.repairs) == ("US1°", ("undeclared entity",), "US2", ())
    assert isinstance(half, Rejected)
    assert (half.path, half.offset) == ("week.xml", data.index(head + b"<a>half"))
    assert "not well-formed" in half.reason
    assert broken == Rejected(path="week.xml", offset=data.index(head + b"<broken"), reason="No number.")


def test_records_under_one_root_are_read_one_by_one() -> None:
    source = Rewindable("all.xml", lambda: io.BytesIO(b"<all><x:a>1</x:a><x:a>2<x:a>3</x:a></all>"))
    found = list(read_documents(source, publication, element="a"))
    assert [type(one).__name__ for one in found] == ["Publication", "Rejected", "Publication"]


def test_without_lxml_the_message_is_its_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lxml", None)
    markup._parser.cache_clear()
    try:
        with pytest.raises(MissingExtra, match=r"pip install 'patstone\[patents\]'"):
            parse(b"<a/>")
    finally:
        markup._parser.cache_clear()
