"""Repairs to a document that is not quite XML, by rules that are named and counted, and nothing more.

Old files use entities that only a DTD elsewhere declares (`&deg;`, `&mgr;`), write `&` alone, or hold control
characters. These are mended; an element that never ends, or ends in the wrong place, is not, since nobody can tell
what it was to hold. Entities become characters by the tables of HTML and, for the Greek of ISO 8879, our own.
"""

import re
from html.entities import html5

UNDECLARED = "undeclared entity"
UNKNOWN = "unknown entity"
AMPERSAND = "stray ampersand"
CONTROL = "control character"
UNDECODABLE = "undecodable byte"
PREFIX = "undeclared prefix"

# ISO 8879 names Greek letters by their transliteration and "gr".
_GREEK = ["a", "b", "g", "d", "e", "z", "ee", "th", "i", "k", "l", "m", "n", "x", "o", "p", "r", "sf", "s", "t", "u"]
_GREEK += ["ph", "kh", "ps", "oh"]
_SMALL = {f"{name}gr": chr(place) for place, name in enumerate(_GREEK, start=0x3B1)}
ISO = _SMALL | {name[:-2].upper() + "gr": letter.upper() for name, letter in _SMALL.items() if name != "sfgr"}

_REFERENCE = re.compile(rb"&(?:#(?:x([0-9A-Fa-f]{1,8})|([0-9]{1,8}));|([A-Za-z][A-Za-z0-9.]{0,31});)?")
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_PREDEFINED = {b"amp", b"lt", b"gt", b"quot", b"apos"}
_PREFIXES = re.compile(rb"</?([A-Za-z_][\w.-]*):|\s([A-Za-z_][\w.-]*):[\w.-]+\s*=")
_ROOT = re.compile(rb"<[A-Za-z_:][^\s/>]*")


def character(name: str) -> str | None:
    """What an entity's name stands for, if it is one that the world knows."""
    # Old files write accented capitals as &SACUTE;.
    return ISO.get(name) or html5.get(f"{name};") or (html5.get(f"{name.capitalize()};") if name.isupper() else None)


def mend(body: bytes, *, utf8: bool) -> tuple[bytes, tuple[str, ...]]:
    """Mend what can be mended without a guess; also tells what was, each kind once."""
    repairs: dict[str, None] = {}

    def reference(match: re.Match[bytes]) -> bytes:
        text, repair = _reference(match)
        if repair:
            repairs[repair] = None
        return text

    # In other encodings every byte is some character, so that nothing shows as wrong.
    if utf8:
        body, repair = _decodable(body)
        repairs |= repair
    body, controls = _CONTROLS.subn(b"", body)
    if controls:
        repairs[CONTROL] = None
    body = _REFERENCE.sub(reference, body)
    body, repair = _declared(body)
    return body, tuple(repairs | repair)


def _reference(match: re.Match[bytes]) -> tuple[bytes, str]:
    hexadecimal, decimal, name = match.groups()
    if name in _PREDEFINED:
        return match[0], ""
    if name:
        text = character(name.decode())
        if text is None:
            # Shown as it was written: a wrong character would be worse than a visible name.
            return b"&amp;" + name + b";", UNKNOWN
        return "".join(f"&#{ord(letter)};" for letter in text).encode(), UNDECLARED
    if hexadecimal or decimal:
        code = int(hexadecimal, 16) if hexadecimal else int(decimal)
        return (match[0], "") if _is_character(code) else (b"", CONTROL)
    return b"&amp;", AMPERSAND


def _is_character(code: int) -> bool:
    return code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000


def _decodable(body: bytes) -> tuple[bytes, dict[str, None]]:
    try:
        body.decode()
    except UnicodeDecodeError:
        return body.decode(errors="replace").encode(), {UNDECODABLE: None}
    return body, {}


def _declared(body: bytes) -> tuple[bytes, dict[str, None]]:
    """Declare the prefixes that the root element forgot; single records cut from an exchange file have such."""
    used = {prefix for pair in _PREFIXES.findall(body) for prefix in pair if prefix}
    missing = [prefix for prefix in sorted(used - {b"xml", b"xmlns"}) if b"xmlns:" + prefix not in body]
    root = _ROOT.match(body)
    if not missing or not root:
        return body, {}
    declarations = b"".join(b' xmlns:%b="urn:undeclared:%b"' % (prefix, prefix) for prefix in missing)
    return body[: root.end()] + declarations + body[root.end() :], {PREFIX: None}
