"""Tables for a terminal: no line is longer than the width, and no row is folded into the next line.

What does not fit is first cut in the middle of long texts, where names tell apart by their ends, then split into
blocks of columns that repeat the key columns. Widths are those of the terminal, in which an ideograph takes two.
"""

import re
import shutil
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from patstone.report.cells import Column, Table, printable

GAP = "  "
MARK = "*"
NARROWEST = 24
_NARROW_TEXT = 12
_HEADING = 14


@dataclass(frozen=True, kw_only=True)
class Strip:
    """A column ready to print: heading lines and cells, all padded to one width."""

    heading: tuple[str, ...]
    cells: tuple[str, ...]
    right: bool = False
    joined: bool = False
    prose: bool = False

    @cached_property
    def width(self) -> int:
        return max(map(display_width, [*self.heading, *self.cells]), default=0)


def text(table: Table, width: int | None = None) -> str:
    """Print within `width` columns, or within the terminal's."""
    room = max(width if width is not None else shutil.get_terminal_size().columns, NARROWEST)
    blocks = _blocks(_strips(table), table.keys, room)
    parts = [wrapped(printable(table.title), room)] if table.title else []
    parts += ["\n".join(_lines(block)) for block in blocks]
    remarks = [*table.notes, *([f"{MARK} best in its column"] if table.best else [])]
    parts += ["\n".join(wrapped(printable(remark), room) for remark in remarks)] if remarks else []
    return "\n\n".join(parts) + "\n"


def _strips(table: Table) -> list[Strip]:
    written = list(zip(*table.written(), strict=True)) or [()] * len(table.columns)
    return [_strip(table, place, column, written[place]) for place, column in enumerate(table.columns)]


def _strip(table: Table, place: int, column: Column, cells: Sequence[str]) -> Strip:
    right = column.numeric
    marks = {row for row, where in table.best if where == place}
    if right:
        cells = aligned(cells)
    if marks:
        cells = [cell + (MARK if row in marks else " ") for row, cell in enumerate(cells)]
    widest = max(map(display_width, cells), default=0)
    heading = folded(printable(column.heading), max(widest, _HEADING))
    return Strip(
        heading=tuple(heading), cells=tuple(cells), right=right, joined=column.joined, prose=column.kind == "prose"
    )


def aligned(cells: Sequence[str]) -> list[str]:
    """Pad numbers so that their decimal points stand in one column."""
    halves = [cell.partition(".") if "[" not in cell else (cell, "", "") for cell in cells]
    after = max((len(point + tail) for _, point, tail in halves), default=0)
    before = max((len(head) for head, _, _ in halves), default=0)
    return [f"{head:>{before}}{point + tail:<{after}}" for head, point, tail in halves]


def folded(heading: str, width: int) -> list[str]:
    """Break a long heading where a reader would: after a space or a comma, before a parenthesis."""
    lines: list[str] = []
    for piece in re.findall(r"[^\s(]+\s*|\([^\s]*\s*|\s+", heading):
        if lines and display_width(lines[-1] + piece.rstrip()) <= width:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.strip() for line in lines] or [""]


def _blocks(strips: list[Strip], keys: int, room: int) -> list[list[Strip]]:
    strips = _prose_folded(strips, room)
    narrowed = _narrow(strips, room)
    if _total(narrowed) <= room:
        return [narrowed]
    # With blocks, each pays for the keys again: one key gets a third of the room, two half of it.
    head = _squeeze(strips[:keys], room * keys // (keys + 2))
    rest = room - _total(head) - len(GAP)
    return [[*head, *block] for block in _packed(_families(strips[keys:]), rest)] or [head]


def _prose_folded(strips: list[Strip], room: int) -> list[Strip]:
    """Give running text what the other columns leave, and fold it there; the rows grow in all columns alike."""
    places = [place for place, strip in enumerate(strips) if strip.prose]
    if not places or _total(strips) <= room:
        return strips
    others = _total([strip for strip in strips if not strip.prose]) + len(GAP) * len(places)
    share = max((room - others) // len(places), _HEADING)
    cells = [[wrapped(cell, share).split("\n") if strip.prose else [cell] for cell in strip.cells] for strip in strips]
    heights = [max(map(len, row)) for row in zip(*cells, strict=True)]
    return [
        replace(
            strip,
            cells=tuple(line for lines, height in zip(column, heights, strict=True) for line in _grown(lines, height)),
        )
        for strip, column in zip(strips, cells, strict=True)
    ]


def _grown(lines: list[str], height: int) -> list[str]:
    return lines + [""] * (height - len(lines))


def _narrow(strips: list[Strip], room: int) -> list[Strip]:
    """Cut the longest texts until the table fits or none is left that may be cut."""
    widths = [strip.width for strip in strips]
    while sum(widths) + len(GAP) * (len(widths) - 1) > room:
        longest = max(
            (place for place, strip in enumerate(strips) if not strip.right and widths[place] > _NARROW_TEXT),
            key=widths.__getitem__,
            default=None,
        )
        if longest is None:
            break
        widths[longest] -= 1
    return [_cut(strip, width) for strip, width in zip(strips, widths, strict=True)]


def _squeeze(strips: list[Strip], room: int) -> list[Strip]:
    widths = [strip.width for strip in strips]
    while sum(widths) + len(GAP) * (len(widths) - 1) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return [_cut(strip, width) for strip, width in zip(strips, widths, strict=True)]


def _families(strips: list[Strip]) -> list[list[Strip]]:
    """Each column with those that are joined to it."""
    number = 0
    numbered = []
    for strip in strips:
        number += not strip.joined
        numbered.append((number, strip))
    return [[strip for _, strip in members] for _, members in groupby(numbered, key=lambda pair: pair[0])]


def _packed(families: list[list[Strip]], room: int) -> list[list[Strip]]:
    blocks: list[list[Strip]] = []
    for family in families:
        # A family too wide for any block is torn after all.
        pieces = [family] if _total(family) <= room else [[_cut(strip, room)] for strip in family]
        for piece in pieces:
            if blocks and _total([*blocks[-1], *piece]) <= room:
                blocks[-1] += piece
            else:
                blocks.append([*piece])
    return blocks


def _total(strips: Sequence[Strip]) -> int:
    return sum(strip.width for strip in strips) + len(GAP) * max(len(strips) - 1, 0)


def _cut(strip: Strip, width: int) -> Strip:
    if strip.width <= width:
        return strip
    return replace(
        strip,
        heading=tuple(shortened(line, width) for line in strip.heading),
        cells=tuple(_clipped(cell, width) if strip.right else shortened(cell, width) for cell in strip.cells),
    )


def _lines(block: list[Strip]) -> list[str]:
    height = max(len(strip.heading) for strip in block)
    columns = [
        [*[""] * (height - len(strip.heading)), *strip.heading, "─" * strip.width, *strip.cells] for strip in block
    ]
    padded = [
        [_pad(cell, strip.width, right=strip.right) for cell in column]
        for column, strip in zip(columns, block, strict=True)
    ]
    return [GAP.join(cells).rstrip() for cells in zip(*padded, strict=True)]


def _pad(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - display_width(cell))
    return space + cell if right else cell + space


def display_width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def shortened(text: str, width: int) -> str:
    """Cut out the middle: run names often share their first half."""
    if display_width(text) <= width:
        return text
    room = max(width - 1, 0)
    tail = _start(text[::-1], room // 2)[::-1]
    return _start(text, room - display_width(tail)) + "…" + tail if width > 0 else ""


def _clipped(number: str, width: int) -> str:
    """Cut off the end: a number without its middle would be another number."""
    return number if display_width(number) <= width else _start(number, width - 1) + "…"


def _start(text: str, width: int) -> str:
    taken = 0
    for place, char in enumerate(text):
        taken += _char_width(char)
        if taken > width:
            return text[:place]
    return text


def wrapped(sentence: str, width: int) -> str:
    """Fold running text after spaces and bars; a word longer than the width is cut into pieces of it."""
    lines = [""]
    for word in re.findall(r"[^ |]*(?:\|| +|$)", sentence):
        if display_width(lines[-1] + word.rstrip()) <= width:
            lines[-1] += word
            continue
        lines.append(word)
        while display_width(lines[-1].rstrip()) > width:
            piece = _start(lines[-1], width)
            lines[-1:] = [piece, lines[-1][len(piece) :]]
    return "\n".join(line.rstrip() for line in lines if line.strip())
