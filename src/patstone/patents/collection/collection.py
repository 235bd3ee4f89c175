"""A collection on disk, as a value: what is in it, and its tables, of which nothing is read before it is asked for."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patstone.errors import DataError, UsageError
from patstone.files.parquet import damage
from patstone.patents.collection.schema import TABLES, VERSION

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

MANIFEST, REJECTED = "manifest.json", "rejected.jsonl"
FORMAT = "patstone-collection"


@dataclass(frozen=True)
class Collection:
    """The columns of its tables are in `patstone.patents.collection.schema` and on the page on collections."""

    path: Path
    manifest: Mapping[str, Any] = field(repr=False, hash=False)

    def __len__(self) -> int:
        return int(self.manifest["tables"]["documents"]["rows"])

    @property
    def counts(self) -> Mapping[str, Any]:
        """Totals, and rows of each table by office, kind, year and the like."""
        counts: Mapping[str, Any] = self.manifest["counts"]
        return counts

    def file(self, table: str) -> Path:
        if table not in TABLES:
            raise UsageError(f"The tables of a collection are {', '.join(TABLES)}. Got {table!r}.")
        return self.path / f"{table}.parquet"

    def table(self, table: str, columns: Sequence[str] | None = None) -> "pa.Table":
        """A whole table, or some of its columns; the texts of a large collection don't fit in memory."""
        from pyarrow import parquet

        with damage(str(self.file(table))):
            return parquet.ParquetFile(self.file(table)).read(columns=columns)

    def batches(self, table: str, columns: Sequence[str] | None = None) -> "Iterator[pa.RecordBatch]":
        """The same in pieces, in the order of the table."""
        from pyarrow import parquet

        with damage(str(self.file(table))):
            yield from parquet.ParquetFile(self.file(table)).iter_batches(columns=columns)

    @contextmanager
    def connect(self, *, memory: str = "1GB", threads: int = 1) -> "Iterator[DuckDBPyConnection]":
        """DuckDB with the four tables under their names; beyond its memory it works on the disk."""
        from tempfile import TemporaryDirectory

        from patstone.patents.collection.counts import view
        from patstone.patents.collection.plan import connected

        with TemporaryDirectory() as folder, connected(Path(folder), memory=memory, threads=threads) as connection:
            view(connection, self.path)
            yield connection

    def rejected(self) -> Iterator[dict[str, Any]]:
        """What could not be read: file, offset, reason and number, in the order of the sources."""
        with (self.path / REJECTED).open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    def damaged(self) -> list[str]:
        """The files that are not what the manifest says they were when they were written."""
        told = {f"{name}.parquet": facts["sha256"] for name, facts in self.manifest["tables"].items()}
        told[REJECTED] = self.manifest["rejected"]["sha256"]
        return [name for name, digest in told.items() if _digest(self.path / name) != digest]


def read_collection(path: str | Path) -> Collection:
    """Open a folder that `convert` made."""
    folder = Path(path)
    if not folder.is_dir():
        raise DataError("A collection is a folder, and there is none.", path=path)
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"The folder is no collection: it has no {MANIFEST}.", path=path) from None
    except (OSError, ValueError) as error:
        raise DataError(f"The manifest can't be read: {error}.", path=folder / MANIFEST) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise DataError("This is not the manifest of a collection.", path=folder / MANIFEST)
    if manifest.get("version") != VERSION:
        rule = f"This patstone reads version {VERSION} of collections; convert the sources again."
        raise DataError(rule, path=folder / MANIFEST, value=manifest.get("version"))
    missing = [name for name in (*(f"{table}.parquet" for table in TABLES), REJECTED) if not (folder / name).is_file()]
    if missing:
        raise DataError(f"The collection lacks {', '.join(missing)}.", path=path)
    return Collection(folder, manifest)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
