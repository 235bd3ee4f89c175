"""Grants of the US office from 1976 to 2001: the green book, lines of a four-letter tag and a text.

A line that begins with blanks goes on with the one before; a tag without a text opens a group (INVT, UREF, CLMS).
Numbers end in a check digit (WKU, APN). Nothing tells who cited, and nothing marks which claims depend on which.
Letters that the tape could not hold are spelt: `.alpha.` is α, and `CO.sub.2` is CO2.
"""

import re
from collections.abc import Iterator
from html.entities import html5
from itertools import chain, pairwise

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Citation, Claim, Publication, Rejected, Text
from patstone.patents.readers import pieces, uspto
from patstone.patents.readers.markup import fold
from patstone.patents.readers.reader import Reader

NAME = "green-book"
KINDS = {"D": "S", "PP": "P", "RE": "E", "H": "H", "T": "T"}
"""Before 2001 a number's letters say what it is; without letters it is a patent, of kind A."""
_LINE = re.compile(r"([A-Z][A-Z0-9]{2,3}) *(?: (.*))?")
_SPELT = re.compile(r"\.([A-Za-z]{2,10}|\+-)\.")
_SIGNS = {"sub": "", "sup": "", "degree": "°", "times": "×", "+-": "±", "ltoreq": "≤", "gtoreq": "≥", "noteq": "≠"}
_SIGNS |= {"apprxeq": "≈", "sqroot": "√", "div": "÷", "infin": "∞", "angle": "∠", "intg": "∫"}
_COUNTRIES = {"DT": "DE", "DL": "DD", "JA": "JP", "OE": "AT", "SW": "SE", "UK": "GB"}
"""Codes that offices used before 1978, and what they are now."""
Group = list[tuple[str, str]]


def convert(document: str) -> Publication:
    groups = list(_groups(document))
    # Tags repeat; reversed, the first of each is the one that stays.
    head = dict(reversed(groups[0][1])) if groups else {}
    if "WKU" not in head:
        raise DataError("A document has a number (WKU).")
    # The ninth character, where there is one, is a check digit.
    number = head["WKU"][:8] if len(head["WKU"]) == 9 else head["WKU"]
    kind = _kind(number)
    date, filed = uspto.day(head.get("ISD")), uspto.day(head.get("APD"))
    priorities = list(chain(_claimed(groups), _parents(groups)))
    title = head.get("TTL", "")
    abstract = _words(groups, "ABST")
    return Publication(
        number=uspto.publication_number("US", number, kind, date),
        raw=head["WKU"],
        source=NAME,
        country="US",
        kind=kind,
        date=date,
        application=_application(head, filed),
        filed=filed,
        priorities=tuple(dict.fromkeys(number for number, _ in priorities)),
        priority_date=min(filter(None, (date for _, date in priorities)), default=""),
        language=uspto.LANGUAGE,
        titles=(Text(language=uspto.LANGUAGE, text=title),) if title else (),
        abstracts=(Text(language=uspto.LANGUAGE, text=abstract),) if abstract else (),
        description=_words(groups, "GOVT", "PARN", "BSUM", "DRWD", "DETD"),
        claims=uspto.claim_set(list(_claims(groups))),
        ipc=uspto.symbols(_ipc(groups), columns=True),
        applicants=uspto.applicants(_names(groups, "ASSG"), _names(groups, "INVT")),
        citations=tuple(_citations(groups)),
    )


def _groups(document: str) -> Iterator[tuple[str, Group]]:
    """The document's groups, and in each its lines with what continues them."""
    name, lines = "", Group()
    for line in document.splitlines():
        match = _LINE.fullmatch(line)
        if match and match[2] and match[2].strip():
            # Positions count in a class (`B32B  302`), so that inner blanks stay until they are not needed.
            lines.append((match[1], match[2].strip()))
        elif match:
            if name:
                yield name, _joined(lines)
            name, lines = match[1], Group()
        elif lines and line.startswith(" "):
            lines.append(("", line.strip()))
    if name:
        yield name, _joined(lines)


def _joined(lines: Group) -> Group:
    found: list[tuple[str, list[str]]] = []
    for tag, value in lines:
        if tag or not found:
            found.append((tag, [value]))
        else:
            found[-1][1].append(value)
    # A class never goes on: what follows one is padding.
    return [(tag, " ".join(values) if tag != "ICL" else values[0]) for tag, values in found]


def _named(groups: list[tuple[str, Group]], *names: str) -> Iterator[tuple[str, Group]]:
    return ((name, lines) for name, lines in groups if name in names)


def _words(groups: list[tuple[str, Group]], *names: str) -> str:
    return _joined_words([line for _, lines in _named(groups, *names) for line in lines])


def spelt_out(words: str) -> str:
    return fold(_SPELT.sub(_sign, words))


def _sign(match: re.Match[str]) -> str:
    name = match[1]
    sign = _SIGNS.get(name)
    letter = html5.get(f"{name};", "") if sign is None else sign
    # Only Greek letters and the signs above are spelt so; `.and.` is a slip of the pen.
    return letter if sign is not None or "\u0391" <= letter <= "\u03c9" else match[0]


def _kind(number: str) -> str:
    return KINDS.get(number.rstrip("0123456789,. ").rstrip(".").upper(), "A")


def _application(head: dict[str, str], filed: str) -> str:
    """Six digits and a check digit, after a series code."""
    serial, series = head.get("APN", "").replace("-", ""), head.get("SRC", "")
    if not serial:
        return ""
    # Without its series the serial number is one of several applications'.
    number = f"{series:0>2}{serial[:6]}" if series.isdecimal() else serial[:6]
    return uspto.application_number("US", number, filed)


def _country(code: str) -> str:
    return _COUNTRIES.get(code[:2], code[:2])


def _claimed(groups: list[tuple[str, Group]]) -> Iterator[tuple[str, str]]:
    for _, lines in _named(groups, "PRIR"):
        said = dict(lines)
        date = uspto.day(said.get("APD"))
        if "APN" in said:
            yield uspto.application_number(_country(said.get("CNT", "")), said["APN"], date), date


def _parents(groups: list[tuple[str, Group]]) -> Iterator[tuple[str, str]]:
    """Earlier applications at home (RLAP), and the international one (PCTA)."""
    for name, lines in _named(groups, "RLAP", "PCTA"):
        said = dict(lines)
        number = said.get("APN" if name == "RLAP" else "PCN")
        date = uspto.day(said.get("APD" if name == "RLAP" else "PD3"))
        if number:
            yield uspto.application_number("US" if name == "RLAP" else "WO", number, date), date


def _names(groups: list[tuple[str, Group]], group: str) -> Iterator[str]:
    for _, lines in _named(groups, group):
        last, _, first = dict(lines).get("NAM", "").partition(";")
        yield uspto.person(last.strip(), first.strip())


def _ipc(groups: list[tuple[str, Group]]) -> Iterator[str]:
    return (value for _, lines in _named(groups, "CLAS") for tag, value in lines if tag == "ICL")


def _citations(groups: list[tuple[str, Group]]) -> Iterator[Citation]:
    for name, lines in _named(groups, "UREF", "FREF", "OREF"):
        said = dict(lines)
        if name == "OREF":
            yield from (uspto.cited_text(spelt_out(value)) for tag, value in lines if tag in ("PAL", "PAR"))
        elif "PNO" in said:
            number, date = said["PNO"], uspto.day(said.get("ISD"))
            if name == "FREF":
                yield uspto.cited_patent(_country(said.get("CNT", "")), number, "", date)
            else:
                yield uspto.cited_patent("US", number, _kind(number), date)


def _claims(groups: list[tuple[str, Group]]) -> Iterator[Claim | None]:
    """A claim begins at each NUM; a design has one, without."""
    for _, lines in _named(groups, "CLMS", "DCLM"):
        # STM is `What is claimed is:`.
        said = [line for line in lines if line[0] != "STM"]
        starts = [place for place, (tag, _) in enumerate(said) if tag == "NUM"]
        if not starts and said:
            yield uspto.claim(1, _joined_words(said), None)
        for place, (start, end) in enumerate(pairwise([*starts, len(said)]), start=1):
            digits = re.match("[0-9]{1,6}", said[start][1])
            yield uspto.claim(int(digits[0]) if digits else place, _joined_words(said[start + 1 : end]), None)


def _joined_words(lines: Group) -> str:
    return spelt_out(" ".join(value for _, value in lines))


def _knows(head: bytes, _: str) -> bool:
    return (
        re.search(rb"^PATN\s", head, re.MULTILINE) is not None and re.search(rb"^WKU\s", head, re.MULTILINE) is not None
    )


def _read(source: Rewindable) -> Iterator[Publication | Rejected]:
    with source.open() as stream:
        for piece in pieces.lines(stream, "PATN"):
            try:
                if not piece.whole:
                    raise DataError(f"A document is larger than {pieces.LARGEST >> 20} MB.")
                # Tapes hold odd bytes; Latin-1 maps each to something, and none of them is in a tag.
                found = convert(piece.data.decode("latin-1"))
            except DataError as error:
                yield Rejected(path=source.name, offset=piece.offset, reason=str(error))
            else:
                yield found


READER = Reader(name=NAME, about="US grants 1976-2001 (green book)", knows=_knows, read=_read)
