"""Class codes of a gold standard's units, from a table of codes, from columns of codes, or from a collection.

A family has every code of its publications. At a depth, such as subclass, a code counts as its ancestor there, and one
that is wider than the depth as itself. What can't be read, and codes of strangers, are counted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import get_args

import numpy as np

from patstone.errors import DataError, UsageError, shorten
from patstone.files import ids
from patstone.files.header import Wanted
from patstone.files.tables import Table, read_table
from patstone.gold.codes import Codes
from patstone.gold.labels import LABEL_COLUMNS, GoldStandard
from patstone.patents.symbols import Level, Scheme, read

FULL = "full"
DEPTHS = (FULL, "section", "class", "subclass", "main group", "subgroup", "theme", "viewpoint", "term")
SCHEMES: tuple[Scheme, ...] = ("cpc", "ipc", "fi", "fterm")
_NAMES = {"cpc": "CPC", "ipc": "IPC", "fi": "FI", "fterm": "F-term"}
_SPELLED = {"cpc": "cpc", "ipc": "ipc", "ipcr": "ipc", "ipc8": "ipc", "fi": "fi", "fterm": "fterm", "fterms": "fterm"}
_SEPARATORS = re.compile(r"[;|\n]|,\s*(?=[A-Z0-9]{4})")
_NAMED = next(column for column in LABEL_COLUMNS if column.name == "document")
_FAMILY = next(column for column in LABEL_COLUMNS if column.name == "family")
CODE_COLUMNS = (
    Wanted(name="family", synonyms=_FAMILY.synonyms, required=False, blank=True),
    Wanted(name="document", synonyms=_NAMED.synonyms, required=False, blank=True),
    Wanted(name="scheme", synonyms=("system", "classification"), kind="text", required=False),
    Wanted(name="code", synonyms=("symbol", "class_code", "codes"), kind="text", required=False, blank=True),
    *(
        Wanted(
            name=name, synonyms=(f"{name}_codes", f"{name}s", f"{name}_code"), kind="text", required=False, blank=True
        )
        for name in ("cpc", "ipc", "fi", "fterm")
    ),
)


Told = tuple[int, Scheme | None, str]
"""A unit's place, or -1 for a stranger, the scheme where it is known, and the code as it stands."""


def read_codes(
    path: str | Path,
    gold: GoldStandard,
    *,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    depth: str = FULL,
) -> tuple[list[Codes], dict[str, int]]:
    """The codes scheme by scheme, and counts: rows, rows of strangers, codes that can't be read.

    A table has a row for each code (with a column `code`, and `scheme` where it is not all CPC), or columns `cpc`,
    `ipc`, `fi`, `fterm` with several codes each, parted by semicolons or bars. A folder is a collection.
    """
    if depth not in DEPTHS:
        raise UsageError(f"A depth of class codes is one of {', '.join(DEPTHS)}. Got {shorten(repr(depth))}.")
    if Path(path).is_dir():
        told, counts = _from_collection(path, gold)
    else:
        told, counts = _from_table(read_table(path, CODE_COLUMNS, columns=columns, format=format), gold)
    pairs: dict[str, set[tuple[int, str]]] = {}
    counts["unread"] = 0
    for unit, scheme, text in told:
        symbol = read(text, scheme)
        if symbol is None:
            counts["unread"] += 1
        elif unit >= 0:
            # A symbol wider than the depth has nothing there, and stays as it is.
            name = symbol.text if depth == FULL else symbol.at(_level(depth)) or symbol.text
            pairs.setdefault(_NAMES[symbol.scheme], set()).add((unit, name))
    if not pairs:
        raise DataError("There is no class code of any unit of the gold standard here.", path=path)
    return [_codes(scheme, found, gold) for scheme, found in sorted(pairs.items())], counts


def _level(depth: str) -> Level:
    level: Level = next(level for level in get_args(Level) if level == depth)
    return level


def _from_collection(path: str | Path, gold: GoldStandard) -> tuple[list[Told], dict[str, int]]:
    """Documents are found by their canonical numbers; those of other families are no concern of the gold standard."""
    from patstone.patents.collection.collection import read_collection
    from patstone.patents.numbers import identify_all

    read_as = identify_all(gold.numbers, dates=gold.dates or None).canonical
    units = dict(zip(gold.numbers, gold.of.tolist(), strict=True))
    units |= {number: unit for number, unit in zip(read_as, gold.of.tolist(), strict=True) if number}
    told: list[Told] = []
    rows = 0
    for batch in read_collection(path).batches("documents", ["number", *SCHEMES]):
        for document in batch.to_pylist():
            unit = units.get(document["number"], -1)
            if unit >= 0:
                rows += 1
                told += [(unit, scheme, code) for scheme in SCHEMES for code in document[scheme] or ()]
    return told, {"rows": rows, "unknown": 0}


def _from_table(table: Table, gold: GoldStandard) -> tuple[list[Told], dict[str, int]]:
    units = _units(table, gold)
    told = [(units[row], scheme, code) for row, scheme, code in _written(table)]
    return told, {"rows": len(table), "unknown": units.count(-1)}


def _units(table: Table, gold: GoldStandard) -> Sequence[int]:
    """Each row's unit, by family where the row has one, else by publication; -1 for strangers."""
    numbers = dict(zip(gold.numbers, gold.of.tolist(), strict=True))
    names = {unit: place for place, unit in enumerate(gold.units)}
    columns = [ids.texts(table.columns[name]) for name in ("family", "document") if name in table.columns]
    if not columns:
        raise DataError("A file of class codes needs a column of families or of publications.", path=table.path, line=1)
    return [
        next((place for name in row if (place := names.get(name, numbers.get(name, -1))) >= 0), -1)
        for row in zip(*columns, strict=True)
    ]


def _written(table: Table) -> Iterator[tuple[int, Scheme | None, str]]:
    """Each code with its row and scheme."""
    wide = [scheme for scheme in SCHEMES if scheme in table.columns]
    if "code" not in table.columns and not wide:
        rule = "A file of class codes needs a column 'code', or 'cpc', 'ipc', 'fi', 'fterm'."
        raise DataError(rule, path=table.path, line=1)
    schemes = table.columns.get("scheme")
    for row, cell in enumerate(table.columns.get("code", ())):
        scheme = None if schemes is None else _scheme(table, row, str(schemes[row]))
        yield from ((row, scheme, code) for code in _split(str(cell)))
    for scheme in wide:
        for row, cell in enumerate(table.columns[scheme]):
            yield from ((row, scheme, code) for code in _split(str(cell)))


def _scheme(table: Table, row: int, text: str) -> Scheme:
    plain = re.sub(r"[^a-z0-9]", "", text.casefold())
    known: Scheme | None = next((scheme for scheme in get_args(Scheme) if scheme == _SPELLED.get(plain)), None)
    if known is None:
        raise table.refuse("A scheme of class codes is CPC, IPC, FI or F-term.", row, text)
    return known


def _split(cell: str) -> list[str]:
    return [code.strip() for code in _SEPARATORS.split(cell) if code.strip()]


def _codes(scheme: str, pairs: set[tuple[int, str]], gold: GoldStandard) -> Codes:
    names = tuple(sorted({name for _, name in pairs}))
    places = {name: place for place, name in enumerate(names)}
    has = np.zeros((len(gold), len(names)), dtype=np.bool_)
    rows = np.array([(unit, places[name]) for unit, name in pairs], dtype=np.int64)
    has[rows[:, 0], rows[:, 1]] = True
    return Codes(scheme=scheme, names=names, has=has, positive=gold.positive)
