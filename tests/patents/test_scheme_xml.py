"""The scheme files of the CPC and the IPC in XML."""

from collections.abc import Callable
from pathlib import Path

import pytest

from patstone.errors import DataError
from patstone.patents.schemes.scheme import Scheme
from patstone.patents.schemes.sources import read_scheme


def item(level: int, symbol: str, title: str = "", *below: str) -> str:
    part = f"<class-title><title-part>{title}</title-part></class-title>" if title else ""
    return (
        f'<classification-item level="{level}"><classification-symbol>{symbol}</classification-symbol>{part}\n'
        + "".join(below)
        + "</classification-item>\n"
    )


def text(words: str) -> str:
    return f'<text scheme="ipc">{words}</text>'


CPC = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE class-scheme>\n<class-scheme scheme-type="cpc">\n'
    + item(
        2,
        "X",
        text("TOYS"),
        item(
            3,
            "X01-X09",
            text("TURNING TOYS"),
            item(
                4,
                "X01",
                text("TOPS"),
                item(
                    5,
                    "X01B",
                    text("WOODEN TOPS") + "<reference>" + text("tin tops X01C") + "</reference>",
                    item(
                        6,
                        "X01B1/00",
                        "",
                        item(
                            7,
                            "X01B1/00",
                            text("Tops H<sub>2</sub>O &amp; all")
                            + "<CPC-specific-text>"
                            + text("with whips")
                            + "</CPC-specific-text>",
                            item(8, "X01B1/02", text("Whips")),
                        ),
                        item(7, "X01B3/00", text("Strings")),
                    ),
                ),
            ),
        ),
    )
    + "</class-scheme>\n"
)
IPC = """\
<?xml version="1.0" encoding="UTF-8"?>
<IPCScheme xmlns="http://example.org/ipc" lang="EN">
<ipcEntry kind="s" symbol="X"><textBody><title><titlePart><text>TOYS</text></titlePart></title></textBody>
<ipcEntry kind="t" symbol="X01"><textBody><title><titlePart><text>ALL</text></titlePart></title></textBody></ipcEntry>
<ipcEntry kind="c" symbol="X01"><ipcEntry kind="u" symbol="X01B">
<ipcEntry kind="n" symbol="X01B"/>
<ipcEntry kind="m" symbol="X01B0001000000"><textBody><title><titlePart><text>Tops</text></titlePart><titlePart>\
<text>Humming tops</text><entryReference><text>pegs</text></entryReference></titlePart></title></textBody>
<ipcEntry kind="1" symbol="X01B0001020000"><ipcEntry kind="2" symbol="X01B0001022000"/></ipcEntry>
</ipcEntry></ipcEntry></ipcEntry></ipcEntry></IPCScheme>
"""

Read = Callable[[str], Scheme]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def written(document: str) -> Scheme:
        path = tmp_path / "toys.xml"
        path.write_text(document)
        return read_scheme(path)

    return written


def drawn(scheme: Scheme) -> list[str]:
    return [
        f"{'.' * int(depth)}{scheme.symbol(term)} {scheme.titles[term]}".rstrip()
        for term, depth in enumerate(scheme.depth)
    ]


def test_a_cpc_scheme_without_its_headings_and_references(read: Read) -> None:
    scheme = read(CPC)
    assert (scheme.name, scheme.kind, scheme.notes) == ("toys", "cpc", ())
    assert drawn(scheme) == [
        "toys",
        ".X TOYS",
        "..X01 TOPS",
        "...X01B WOODEN TOPS",
        "....X01B1/00 Tops H2O & all {with whips}",
        ".....X01B1/02 Whips",
        "....X01B3/00 Strings",
    ]


def test_a_subclass_gets_what_stands_above_it(read: Read) -> None:
    scheme = read("<class-scheme>" + item(5, "X01B", text("TOPS"), item(7, "X01B1/00")) + "</class-scheme>")
    assert drawn(scheme) == ["toys", ".X", "..X01", "...X01B TOPS", "....X01B1/00"]
    [note] = scheme.notes
    assert note.endswith("X and X01 stand above X01B by its symbol")


def test_an_ipc_scheme(read: Read) -> None:
    scheme = read(IPC)
    assert (scheme.kind, scheme.notes) == ("ipc", ())
    assert drawn(scheme) == [
        "toys",
        ".X TOYS",
        "..X01",
        "...X01B",
        "....X01B1/00 Tops; Humming tops",
        ".....X01B1/02",
        "......X01B1/022",
    ]


@pytest.mark.parametrize(
    ("document", "marker", "rule"),
    [
        (
            CPC.replace('level="8"', 'level="9"'),
            'level="9"',
            "at most one level below the term before it; this one is 2",
        ),
        (CPC.replace('level="8"', 'level="x"'), 'level="x"', "A classification-item has a level from 2 to 99"),
        (CPC.replace("X01B3/00", "X01B1/02"), "Strings", "A term comes once in a scheme; line 10 has it too"),
        (CPC.replace("X01B3/00", " "), "Strings", "A term has a symbol"),
        (IPC.replace('kind="2"', 'kind="y"'), 'kind="y"', "An ipcEntry has a kind"),
        (IPC.replace('kind="2"', 'kind="4"'), 'kind="4"', "at most one level below the term before it; this one is 3"),
    ],
)
def test_a_malformed_scheme_names_its_line(read: Read, document: str, marker: str, rule: str) -> None:
    with pytest.raises(DataError, match=rule) as error:
        read(document)
    assert error.value.line == document.partition(marker)[0].count("\n") + 1


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        ("<owls><owl/></owls>", "this document has no term. Got 'owls'"),
        ("<class-scheme>", "not well-formed"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><class-scheme/>', "declares the entity 'a'"),
    ],
)
def test_what_is_no_scheme_is_refused_by_its_name(read: Read, document: str, rule: str) -> None:
    with pytest.raises(DataError, match=rule) as error:
        read(document)
    assert str(error.value.path).endswith("toys.xml")
