"""Large schemes are kept as Arrow files, so that the next command has them in a moment.

A cached file is named by a digest of the source's bytes and of how they were read, so that a changed source is never
mistaken for the old one; it carries a digest of all that numbers depend on, and one that does not match is made anew.
The folder is $PATSTONE_CACHE, else patstone in $XDG_CACHE_HOME or in ~/.cache; an empty PATSTONE_CACHE keeps nothing.
Nothing is ever written beside the source, and a folder that can't be written to is passed over.
"""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files.streams import atomic
from patstone.patents.schemes.scheme import Scheme, Titles

WORTH_KEEPING = 1 << 18
"""Sources of fewer bytes, as they are stored, are read faster than they are looked up."""
_FORM = "1"
"""Counts up whenever the readers or this form change, so that no old file is taken for a new one."""


def cached(raw: bytes, how: str, make: Callable[[], Scheme]) -> Scheme:
    """The scheme of these bytes: from the cache, or made and then kept."""
    folder = _folder()
    if folder is None or len(raw) < WORTH_KEEPING:
        return make()
    path = folder / f"scheme-{sha256(f'{_FORM} {how} '.encode() + raw).hexdigest()}.arrow"
    found = _load(path)
    if found is None:
        found = make()
        _keep(found, path)
    return found


def _folder() -> Path | None:
    chosen = os.environ.get("PATSTONE_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    # A user without a home keeps nothing.
    with suppress(RuntimeError):
        return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "patstone"
    return None


def _columns(scheme: Scheme) -> dict[str, NDArray[Any]]:
    return {
        "parent": scheme.parent,
        "depth": scheme.depth,
        "term": scheme.term,
        "symbols": scheme.symbols,
        "starts": scheme.titles.starts,
        "ends": scheme.titles.ends,
        "text": scheme.titles.text,
    }


def _digest(columns: Mapping[str, NDArray[Any]]) -> str:
    """Of all but the titles, whose length would take most of the time; no number depends on them."""
    digest = sha256()
    for name, column in columns.items():
        digest.update(b"" if name == "text" else np.ascontiguousarray(column).view(np.uint8).data)
    return digest.hexdigest()


def _keep(scheme: Scheme, path: Path) -> None:
    import pyarrow as pa

    columns = _columns(scheme)
    about = {
        "name": scheme.name,
        "kind": scheme.kind,
        "notes": list(scheme.notes),
        "digest": _digest(columns),
        "types": {name: column.dtype.str for name, column in columns.items()},
    }
    cells = [pa.array([np.ascontiguousarray(column).tobytes()], pa.large_binary()) for column in columns.values()]
    batch = pa.record_batch(cells, names=list(columns)).replace_schema_metadata({"scheme": json.dumps(about)})
    with suppress(OSError, DataError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic(path) as temporary, pa.ipc.new_file(str(temporary), batch.schema) as file:
            file.write(batch)


def _load(path: Path) -> Scheme | None:
    """What a cached file holds; None where there is none, or it is not what it should be."""
    if not path.is_file():
        return None
    import pyarrow as pa

    try:
        batch = pa.ipc.open_file(pa.memory_map(str(path))).get_batch(0)
        about = json.loads(batch.schema.metadata[b"scheme"])
        columns = {
            name: np.frombuffer(batch.column(name)[0].as_buffer(), dtype=np.dtype(kind))
            for name, kind in about["types"].items()
        }
        if _digest(columns) != about["digest"]:
            return None
        titles = Titles(text=columns.pop("text"), starts=columns.pop("starts"), ends=columns.pop("ends"))
        return Scheme(name=about["name"], kind=about["kind"], notes=tuple(about["notes"]), titles=titles, **columns)
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException):
        return None
