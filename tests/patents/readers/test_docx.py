"""Word documents: text, lists that count, tracked changes, and archives that are hostile."""

import io
import zipfile
from pathlib import Path

import pytest

from patstone.errors import DataError
from patstone.files.streams import rewindable
from patstone.patents.readers.docx import docx_text

HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>'
)
NUMBERING = """<?xml version="1.0"?>
<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="6"><w:abstractNumId w:val="1"/></w:num>
</w:numbering>"""


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def item(text: str, number: int, level: int = 0) -> str:
    properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{properties}</w:pPr>{run(text)}</w:p>"


def docx(path: Path, body: str, numbering: str = NUMBERING, **parts: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f"{HEAD}{body}</w:body></w:document>")
        archive.writestr("word/numbering.xml", numbering)
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def text_of(path: Path) -> str:
    return docx_text(rewindable(path))


def test_paragraphs_tabs_and_breaks(tmp_path: Path) -> None:
    body = f"<w:p>{run('1.')}<w:r><w:tab/></w:r>{run('A pump')}<w:r><w:br/></w:r>{run('with a lid.')}</w:p><w:p/>"
    assert text_of(docx(tmp_path / "a.docx", body)) == "1. A pump\nwith a lid.\n"


def test_a_list_counts_from_its_start_and_other_lists_do_not(tmp_path: Path) -> None:
    body = item("A pump.", 5) + item("with a lid", 5, 1) + item("A cup.", 5) + item("a point", 6)
    assert text_of(docx(tmp_path / "a.docx", body)) == "3. A pump.\nwith a lid\n4. A cup.\na point"


def test_tracked_changes_are_read_as_accepted(tmp_path: Path) -> None:
    body = (
        f"<w:p>{run('A ')}<w:del><w:r><w:delText>red </w:delText></w:r></w:del><w:ins>{run('blue ')}</w:ins>"
        f"<w:moveFrom>{run('old ')}</w:moveFrom>{run('pump.')}</w:p>"
    )
    assert text_of(docx(tmp_path / "a.docx", body)) == "A blue pump."


def test_a_table_and_a_fallback(tmp_path: Path) -> None:
    body = (
        f"<w:tbl><w:tr><w:tc><w:p>{run('1. A pump.')}</w:p></w:tc></w:tr></w:tbl>"
        f"<w:p><mc:AlternateContent><mc:Choice>{run('x')}</mc:Choice><mc:Fallback>{run('x')}</mc:Fallback>"
        "</mc:AlternateContent></w:p>"
    )
    assert text_of(docx(tmp_path / "a.docx", body)) == "1. A pump.\nx"


def test_entities_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        bomb = '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><w:document>&b;</w:document>'
        archive.writestr("word/document.xml", bomb)
    with pytest.raises(DataError, match=r"document\.xml: .*entit"):
        text_of(tmp_path / "a.docx")


def test_bombs_and_damage_are_refused(tmp_path: Path) -> None:
    docx(tmp_path / "bomb.docx", "", **{"word/media/image1.bin": "0" * (70 << 20)})
    with pytest.raises(DataError, match="zip bomb"):
        text_of(tmp_path / "bomb.docx")
    whole = docx(tmp_path / "whole.docx", "<w:p/>").read_bytes()
    (tmp_path / "cut.docx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"cut\.docx: .*damaged"):
        text_of(tmp_path / "cut.docx")


def test_an_archive_that_is_no_document(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("readme.txt", "hello")
    (tmp_path / "a.docx").write_bytes(packed.getvalue())
    with pytest.raises(DataError, match=r"holds word/document\.xml"):
        text_of(tmp_path / "a.docx")


def test_broken_xml_names_the_part(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.docx/word/document\.xml: .*not well-formed"):
        text_of(docx(tmp_path / "a.docx", "<w:p>"))
