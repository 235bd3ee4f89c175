"""Symbols as people and offices write them, brought to the way in which schemes write them."""

import re
from collections.abc import Sequence

from patstone.patents.schemes.scheme import Kind

_LONG = re.compile(r"([A-Z][0-9]{2}[A-Z])([0-9]{4})([0-9]{6})")
_SHORT = re.compile(r"[A-HY]([0-9]{2}([A-Z](\s*[0-9]{1,4}/[0-9]{2,6})?)?)?")
_F_TERM = re.compile(r"[A-Z]{2}([0-9]{2})?")
_THEME = re.compile(r"[0-9][A-Z][0-9]{3}\s*")


def spelled(symbols: Sequence[str], kind: Kind) -> list[str]:
    if kind in ("cpc", "ipc"):
        return [_group(symbol) for symbol in symbols]
    if kind == "f-term":
        return [_f_term(symbol) for symbol in symbols]
    return [symbol.strip() for symbol in symbols]


def kind_of(symbols: Sequence[str]) -> Kind:
    """What a table's symbols look like, all of them."""
    if all(map(_F_TERM.fullmatch, symbols)):
        return "f-term"
    return "cpc" if all(map(_SHORT.fullmatch, symbols)) else "other"


def _group(symbol: str) -> str:
    """`a01b 1/02` and `A01B0001020000` are A01B1/02."""
    text = re.sub(r"\s+", "", symbol).upper()
    long = _LONG.fullmatch(text)
    if long is None:
        return text
    # Two digits stand after the stroke at least.
    subgroup = long[3].rstrip("0").ljust(2, "0")
    return f"{long[1]}{int(long[2])}/{subgroup}"


def _f_term(symbol: str) -> str:
    """`2C088 AA01` within its theme is AA01, and AA00 is the viewpoint AA itself."""
    text = symbol.strip().upper()
    text = _THEME.sub("", text) or text
    return text[:2] if re.fullmatch("[A-Z]{2}00", text) else text
