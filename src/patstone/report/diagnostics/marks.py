"""Diagnostics for a terminal: the part of the claim that is meant, with marks under it, as compilers show it.

A claim is one long line, so that a window of it is shown. Its width is the terminal's, and what could move the cursor
or colour the screen is shown as an escape.
"""

import shutil
from collections.abc import Iterator

from patstone.patents.claims.checks import Diagnostic
from patstone.report.cells import printable
from patstone.report.diagnostics.findings import CheckedSet, Findings
from patstone.report.text import display_width, wrapped

_INDENT = "    "
_NARROWEST = 40
_BEFORE = 3
"""The part of the window, as one over this, that stands before the mark."""


def marked(findings: Findings, width: int | None = None) -> str:
    room = max(width if width is not None else shutil.get_terminal_size().columns, _NARROWEST)
    parts = ["\n".join(_lines(one, found, room)) for one, found in findings]
    return "\n\n".join([*parts, findings.sentence]) + "\n"


def _lines(one: CheckedSet, found: Diagnostic, room: int) -> Iterator[str]:
    # Only in a plain text do claims have lines of their own.
    starts = one.named.starts
    line = f":{starts[found.place][0]}" if starts else ""
    yield wrapped(
        printable(f"{one.named.name}{line}: claim {found.claim}: {found.code} {found.severity}: {found.message}"), room
    )
    yield from _window(one.text(found), found.start, found.end, room - len(_INDENT))
    yield wrapped(f"{_INDENT}= {found.rule.fix}", room)


def _window(text: str, start: int, end: int, room: int) -> Iterator[str]:
    """A line of the claim around the mark, and the marks; a point where something is missing."""
    first = max(start - room // _BEFORE, 0)
    last = min(first + room - 2, len(text))
    first = max(min(first, last - room + 2), 0)
    head, tail = "…" if first else "", "…" if last < len(text) else ""
    before = head + _flat(text[first:start])
    meant = _flat(text[start : min(end, last)])
    behind = _flat(text[min(end, last) : last])
    yield f"{_INDENT}{before}{meant}{behind}{tail}".rstrip()
    yield f"{_INDENT}{' ' * display_width(before)}{'^' * max(display_width(meant), 1)}"


def _flat(text: str) -> str:
    return printable("".join(" " if letter.isspace() else letter for letter in text))
