"""Finished runs on disk, a line each, so that a run that was killed at any moment can be continued.

The first line says what the runs depend on; a journal of other runs is refused. A line counts when its end of line
is there: what a kill cut off in the middle is dropped, and that run is done again. Lines are in the order of
finishing, which says nothing; whoever reads sorts them by arm and number.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.experiments.directed import Trace
from patstone.files.streams import atomic

_KIND = "patstone training journal 1"


@dataclass(frozen=True, eq=False, kw_only=True)
class Done:
    """One finished run of one arm."""

    arm: str
    run: int
    trace: Trace
    parameters: str = ""
    """What a search chose for it."""

    def written(self) -> bytes:
        trace = {field.name: getattr(self.trace, field.name).tolist() for field in fields(Trace)}
        line = {"arm": self.arm, "run": self.run, "parameters": self.parameters, **trace}
        return json.dumps(line, separators=(",", ":")).encode() + b"\n"


class Journal:
    def __init__(self, path: Path, constants: str, *, resume: bool) -> None:
        self.path = path
        self._header = json.dumps({"kind": _KIND, "constants": constants}).encode() + b"\n"
        if path.exists() and not resume:
            raise UsageError(f"{path} holds runs already: continue them with --resume, or choose another folder.")
        if not path.exists():
            with atomic(path) as temporary:
                temporary.write_bytes(self._header)

    def finished(self) -> list[Done]:
        """The runs that are complete; what a kill cut off is taken away from the file."""
        data = self.path.read_bytes()
        kept = data.rfind(b"\n") + 1
        lines = data[:kept].splitlines(keepends=True)
        if not lines or lines[0] != self._header:
            found = lines[0].decode(errors="replace") if lines else ""
            raise DataError(
                "The runs in this file were made with other data, words or another version; choose another folder.",
                path=self.path,
                line=1,
                value=found,
            )
        if kept < len(data):
            os.truncate(self.path, kept)
        return list(self._read(lines[1:]))

    def add(self, done: list[Done]) -> None:
        with self.path.open("ab") as stream:
            stream.writelines(one.written() for one in done)

    def _read(self, lines: list[bytes]) -> Iterator[Done]:
        for number, line in enumerate(lines, start=2):
            try:
                yield _done(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise DataError("This line holds no finished run.", path=self.path, line=number) from error


def _done(line: dict[str, Any]) -> Done:
    trace = Trace(**{field.name: np.array(line[field.name], dtype=np.int64) for field in fields(Trace)})
    return Done(arm=line["arm"], run=int(line["run"]), parameters=line["parameters"], trace=trace)
