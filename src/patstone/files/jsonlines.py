"""JSON Lines: an object on each line, whose keys are the columns; a key that a line lacks is an empty cell there.

What JSON leaves open is refused: a key given twice, NaN, an array or an object as a cell.
"""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from patstone.errors import DataError, shorten
from patstone.files.cells import Grid
from patstone.files.delimited import Choose
from patstone.files.streams import Rewindable
from patstone.files.text import read_text


def read_jsonl(source: Rewindable, choose: Choose) -> Grid:
    parse = strict_parser()
    chosen: dict[tuple[str, ...], dict[str, str]] = {}
    columns: dict[str, list[Any]] = {}
    lines: list[int] = []
    # Not splitlines: JSON may hold other line separators inside its strings.
    for line, text in enumerate(read_text(source).split("\n"), start=1):
        if not text.strip():
            continue
        record = _object(parse, text, source.name, line)
        keys = tuple(record)
        if keys not in chosen:
            chosen[keys] = {name: keys[place] for name, place in choose(keys, line).items()}
        for name, key in chosen[keys].items():
            column = columns.setdefault(name, [])
            column += [None] * (len(lines) - len(column))
            column.append(record[key])
        lines.append(line)
    if not lines:
        choose((), 1)
    for name, column in columns.items():
        columns[name] = column + [None] * (len(lines) - len(column))
    names = {name: key for found in chosen.values() for name, key in found.items()}
    return Grid(path=source.name, cells=columns, names=names, lines=np.array(lines, dtype=np.int64))


def strict_parser() -> Callable[[str], Any]:
    return strict_decoder().decode


def strict_decoder() -> json.JSONDecoder:
    """JSON that raises ValueError for what is ambiguous or can't be told apart from a number."""
    return json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        again = next(name for place, name in enumerate(names) if name in names[:place])
        raise ValueError(f"the key {shorten(repr(again))} is given twice")
    return record


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _object(parse: Callable[[str], Any], text: str, path: str, line: int) -> dict[str, Any]:
    try:
        record = parse(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"The line is not valid JSON: {reason(error)}.", path=path, line=line, value=text) from None
    if not isinstance(record, dict):
        raise DataError("A line must be a JSON object with named columns.", path=path, line=line, value=record)
    return record


def reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at column {error.colno}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
