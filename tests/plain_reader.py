"""A plain reference reader of white-space separated lines; the fast one must agree with it."""

from collections.abc import Sequence
from typing import NamedTuple

MARK = b"\xef\xbb\xbf"


class Line(NamedTuple):
    number: int
    fields: tuple[str, ...]


def read(raw: bytes) -> list[Line]:
    """The lines that are not blank, numbered from 1."""
    lines = enumerate(raw.removeprefix(MARK).split(b"\n"), start=1)
    return [Line(number, tuple(field.decode() for field in line.split())) for number, line in lines if line.split()]


def grouped(lines: Sequence[Line], field: int) -> list[list[Line]]:
    """Neighbouring lines that agree in a field."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and groups[-1][-1].fields[field] == line.fields[field]:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups
