"""Symbols of patent classes in CPC, IPC, FI and F-term: parsed, normalised, and filtered by prefix.

The canonical text has no space, as in the CPC title list: `H01L39/223`, FI `A23L1/28,301@Z`, F-term `4B018MJ01`; a
main group is written with its `/00`. Everything here goes by notation alone: which subgroup really stands under which
is told by the scheme's tree, not by its symbol.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError, UsageError, shorten
from patstone.patents.numbers.text import clean

Scheme = Literal["cpc", "ipc", "fi", "fterm"]
Level = Literal[
    "section", "class", "subclass", "main group", "subgroup", "subdivision", "discrimination",
    "theme", "viewpoint", "term", "addition",
]  # fmt: skip

_CLASSED = re.compile(
    r"(?P<section>[A-HY])(?:(?P<class>\d\d)(?:\s*(?P<subclass>[A-Z])"
    r"(?:[\s-]*(?P<group>\d{1,4})(?:\s*[/:-]\s*(?P<subgroup>\d{2,6}))?)?)?)?"
)
# 14 places, as WIPO's ST.8 and the files made after it have them.
_FIXED = re.compile(
    r"(?P<section>[A-HY])(?P<class>\d\d)(?P<subclass>[A-Z])(?P<group>\d{4})(?P<subgroup>\d{2}\d*?)0*(?<=\d{10})"
)
# The group in three places, then the subgroup: US files before 2006.
_COLUMNS = re.compile(r"(?P<section>[A-H])(?P<class>\d\d)(?P<subclass>[A-Z])(?P<group>[ \d]{2}\d)(?P<subgroup>\d{2,5})")
_FILE = re.compile(r"(?:[\s,.]*(?P<subdivision>\d{3}))?(?:\s*@?\s*(?P<discrimination>[A-Z]))?")
_EDITION = re.compile(r"\s*(?:\(?(?:19|20)\d\d\.\d\d\)?|\s\d{8}.*)?")
_FTERM = re.compile(
    r"(?P<theme>\d[A-Z]\d{3})(?:\s*(?P<viewpoint>[A-Z]{2})(?:\s*(?P<term>\d\d)(?:\s*\.?\s*(?P<addition>[A-Z]))?)?)?"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Symbol:
    scheme: Scheme
    """CPC and IPC symbols look alike: cpc where nobody says which."""
    steps: tuple[tuple[Level, str], ...]
    """From the widest level down to the symbol itself, each with its canonical text."""

    @property
    def text(self) -> str:
        return self.steps[-1][1]

    @property
    def level(self) -> Level:
        return self.steps[-1][0]

    def at(self, level: Level) -> str:
        """The symbol at a wider level, such as its subclass; empty where it has none."""
        return dict(self.steps).get(level, "")

    def __str__(self) -> str:
        return self.text


def parse(text: str, scheme: Scheme | None = None, *, columns: bool = False) -> Symbol:
    """Read a symbol; `columns` says that it stands in the fixed columns of US files before 2006 (`H04M 1100`)."""
    found = read(text, scheme, columns=columns)
    if found is None:
        name = {"cpc": "CPC", "ipc": "IPC", "fi": "FI", "fterm": "F-term", None: "CPC, IPC, FI or F-term"}[scheme]
        raise DataError(f"This is no {name} symbol.", value=text)
    return found


@lru_cache(maxsize=1 << 16)
def read(text: str, scheme: Scheme | None = None, *, columns: bool = False) -> Symbol | None:
    """Read a symbol, or None where the text is none of the scheme."""
    if scheme is not None and scheme not in get_args(Scheme):
        raise UsageError(f"A scheme is one of {', '.join(get_args(Scheme))}. Got {shorten(repr(scheme))}.")
    cleaned = clean(text)
    if columns:
        return _classed(_COLUMNS.fullmatch(cleaned), scheme or "ipc")
    if scheme == "fterm" or (scheme is None and cleaned[:1].isdigit()):
        found = _FTERM.fullmatch(cleaned)
        return None if found is None else Symbol(scheme="fterm", steps=tuple(_fterm_steps(found)))
    return _classed(_FIXED.fullmatch(cleaned), scheme or "cpc") or _slashed(cleaned, scheme)


def _slashed(cleaned: str, scheme: Scheme | None) -> Symbol | None:
    found = _CLASSED.match(cleaned)
    if found is None:
        return None
    rest = cleaned[found.end() :]
    if scheme != "fi" and _EDITION.fullmatch(rest):
        return _classed(found, scheme or "cpc")
    file = _FILE.fullmatch(rest)
    if file is None or found["subgroup"] is None or scheme in ("cpc", "ipc"):
        return _classed(found, "fi") if not rest and scheme == "fi" else None
    plain = _classed(found, "fi")
    return plain and Symbol(scheme="fi", steps=(*plain.steps, *_file_steps(plain.text, file)))


def _classed(found: "re.Match[str] | None", scheme: Scheme) -> Symbol | None:
    if found is None or (found["section"] == "Y" and scheme != "cpc"):
        return None
    steps = tuple(_class_steps(found))
    zero = found["group"] is not None and not int(found["group"])
    return None if zero else Symbol(scheme=scheme, steps=steps)


def _class_steps(found: "re.Match[str]") -> Iterator[tuple[Level, str]]:
    text = found["section"]
    yield "section", text
    if found["class"]:
        yield "class", (text := text + found["class"])
    if found["subclass"]:
        yield "subclass", (text := text + found["subclass"])
    if found["group"]:
        text = f"{text}{int(found['group'])}/"
        yield "main group", text + "00"
        if (found["subgroup"] or "00") != "00":
            yield "subgroup", text + found["subgroup"]


def _file_steps(text: str, found: "re.Match[str]") -> Iterator[tuple[Level, str]]:
    if found["subdivision"]:
        yield "subdivision", (text := f"{text},{found['subdivision']}")
    if found["discrimination"]:
        yield "discrimination", f"{text}@{found['discrimination']}"


def _fterm_steps(found: "re.Match[str]") -> Iterator[tuple[Level, str]]:
    text = ""
    for level in ("theme", "viewpoint", "term"):
        if found[level]:
            text += found[level]
            yield level, text
    if found["addition"]:
        yield "addition", f"{text}.{found['addition']}"


def normalise(text: str, scheme: Scheme | None = None, *, columns: bool = False) -> str:
    """The canonical text; empty where it is no symbol."""
    found = read(text, scheme, columns=columns)
    return "" if found is None else found.text


def normalise_all(texts: Sequence[str], scheme: Scheme | None = None, *, columns: bool = False) -> NDArray[np.object_]:
    """A column of symbols in canonical form, empty where a text is none; each distinct text is read once."""
    known = {text: normalise(text, scheme, columns=columns) for text in set(texts)}
    return np.array([known[text] for text in texts], dtype=object)


def under(symbol: str, prefix: str, scheme: Scheme | None = None) -> bool:
    """Whether a symbol is `prefix` or stands below it by notation: H01L39/223 is under H, H01L, H01L39 and H01L39/22.

    H01L391/00 is not under H01L39. What is no symbol is under nothing; a prefix that is none is an error.
    """
    return _test(prefix, scheme)(normalise(symbol, scheme))


def under_all(symbols: Sequence[str], prefix: str, scheme: Scheme | None = None) -> NDArray[np.bool_]:
    """The same over a column of symbols in any notation."""
    test = _test(prefix, scheme)
    return np.array([test(symbol) for symbol in normalise_all(symbols, scheme)], dtype=np.bool_)


def _test(prefix: str, scheme: Scheme | None) -> Callable[[str], bool]:
    beginning = stem(parse(prefix, scheme))
    return lambda symbol: symbol.startswith(beginning)


def stem(symbol: Symbol) -> str:
    """What the canonical texts of everything under a symbol, by notation, begin with: H01L39/ for H01L39/00."""
    return symbol.text.removesuffix("00") if symbol.level == "main group" else symbol.text
