"""Schemes from files: the layout is told by the content, or named.

`titles` are the title lists of CPC and IPC, `xml` their scheme files, `f-terms` an F-term list as a page or as text,
`table` anything with a header that says each term's parent or level.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from patstone.errors import DataError, UsageError
from patstone.files.formats import COMPRESSED, format_of
from patstone.files.streams import Rewindable, rewindable
from patstone.files.text import decoded
from patstone.patents.schemes.cache import cached
from patstone.patents.schemes.scheme import Scheme

Layout: TypeAlias = Literal["titles", "xml", "f-terms", "table"]
LAYOUTS: tuple[str, ...] = get_args(Layout)
_GLANCE = 1 << 16


def read_scheme(
    path: str | Path, *, layout: str | None = None, columns: Mapping[str, str] | None = None, keep: bool = True
) -> Scheme:
    """Read a scheme; with `keep` a large one is kept in the cache and taken from there."""
    if layout is not None and layout not in LAYOUTS:
        raise UsageError(f"The layout of a scheme is one of {', '.join(LAYOUTS)}. Got {layout!r} instead.")
    source, name = rewindable(path), _name(path)
    chosen = layout or _told(source, path)
    if chosen == "table":
        from patstone.patents.schemes.tables import read_scheme_table

        return read_scheme_table(path, name, columns=columns)
    if columns:
        raise UsageError("Columns can be named in tables with a header, and this scheme is none.")
    if not keep:
        return _read(source, chosen, name)
    with source.packed() as stream:
        stored = stream.read()
    # The name of the file stands in the scheme and in its notes.
    return cached(stored, f"{chosen} {name} {source.name}", lambda: _read(source, chosen, name))


def _name(path: str | Path) -> str:
    """What to call the scheme: the file's name without its endings."""
    stem = Path(path).name
    for ending in COMPRESSED:
        stem = stem.removesuffix(ending)
    return Path(stem).stem or str(path)


def _told(source: Rewindable, path: str | Path) -> str:
    with source.open() as stream:
        head = stream.read(_GLANCE)
    # A glance may end within a character.
    start = head.decode("utf-8-sig", errors="ignore").lstrip()
    if start.startswith("<"):
        return "f-terms" if "<html" in start.lower() or "<table" in start.lower() else "xml"
    first = start.partition("\n")[0]
    if _is_title_line(first):
        return "titles"
    if format_of(path) is not None:
        return "table"
    from patstone.patents.schemes.f_terms import has_codes

    if has_codes(start):
        return "f-terms"
    rule = "This is no scheme that is known by its content; say what it is: " + ", ".join(LAYOUTS) + "."
    raise DataError(rule, path=path, line=1, value=first)


def _is_title_line(line: str) -> bool:
    return re.match(r"[A-HY]([0-9]{2}[A-Z]?)?\t", line) is not None


def _read(source: Rewindable, layout: str, name: str) -> Scheme:
    with source.open() as stream:
        raw = stream.read()
    if layout == "titles":
        from patstone.patents.schemes.title_list import read_title_list

        return read_title_list(raw, source.name, name)
    if layout == "f-terms":
        from patstone.patents.schemes.f_terms import read_f_terms

        return read_f_terms(decoded(raw, source.name), source.name, name)
    from patstone.patents.schemes.xml import read_scheme_xml

    return read_scheme_xml(source, name)
