"""One source file as a part: what it holds, in Arrow files of its own, so that no file is ever read twice.

A part appears under its name when it is complete, so that whatever kills a conversion leaves whole parts and rubbish,
and never half of one. Within a part documents stand in the order of the file, in small batches that can be read one by
one; `keys.parquet` is the little that the plan needs to know of each.
"""

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from patstone.errors import DataError
from patstone.patents.collection import packing
from patstone.patents.collection.schema import PART_CITATIONS, PART_DOCUMENTS, PART_KEYS, VERSION
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers.formats import open_file

BATCH, LONGEST = 1_000_000, 4_000
"""Characters of text, and documents, in a batch: what a process holds in memory, and reads for one document."""
DOCUMENTS, CITATIONS, KEYS, REJECTED, FACTS = (
    "documents.arrow",
    "citations.arrow",
    "keys.parquet",
    "rejected.jsonl",
    "part.json",
)
OVERLAYS = frozenset({"uspto-citations"})
"""Readers whose documents are no publications, but say something about those of an application."""
Tell = Callable[[int], None]
"""Is told how many documents have been read so far."""


@dataclass(frozen=True, kw_only=True)
class SourceFile:
    path: str
    source: int
    """The place among the sources named, which is its precedence."""
    asked: bool
    """Whether it was named itself, rather than found in a folder: then it must be readable."""
    format: str = "auto"

    def key(self) -> str:
        """The name of its part: equal as long as the file has not changed."""
        if self.path == "-":
            return f"stdin-{os.getpid()}"
        told = Path(self.path).stat()
        facts = (VERSION, str(Path(self.path).absolute()), told.st_size, told.st_mtime_ns, self.format)
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:24]


@dataclass(frozen=True, kw_only=True)
class Part:
    folder: Path
    file: SourceFile
    facts: dict[str, Any]


def part(file: SourceFile, folder: Path, *, strict: bool, tell: Tell = lambda _: None) -> Part:
    """Read a file, unless that was done before."""
    target = folder / file.key()
    if not target.exists():
        temporary = folder / f".{target.name}-{os.getpid()}"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        try:
            _write(file, temporary, strict=strict, tell=tell)
            temporary.rename(target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    facts = json.loads((target / FACTS).read_text())
    if strict and facts["rejected"]:
        raise _refused(json.loads((target / REJECTED).read_text().partition("\n")[0]))
    return Part(folder=target, file=file, facts=facts)


def _write(file: SourceFile, folder: Path, *, strict: bool, tell: Tell) -> None:
    with (folder / REJECTED).open("w", encoding="utf-8") as rejections, _Batches(folder) as batches:
        rejected = 0
        for found in _found(file):
            if isinstance(found, Publication):
                batches.add(found)
                tell(batches.read)
                continue
            said = {"file": found.path, "offset": found.offset, "reason": found.reason, "number": found.number}
            if strict:
                raise _refused(said)
            rejections.write(json.dumps(said, ensure_ascii=False) + "\n")
            rejected += 1
    size, digest = fingerprint(file.path)
    facts = {"bytes": size, "sha256": digest, "rejected": rejected, **batches.facts()}
    (folder / FACTS).write_text(json.dumps(facts))


def _found(file: SourceFile) -> Iterator[Publication | Rejected]:
    try:
        yield from open_file(file.path, file.format)
    except DataError as error:
        if file.asked:
            raise
        yield Rejected(path=file.path, offset=0, reason=error.rule)


def _refused(said: dict[str, Any]) -> DataError:
    rule = f"A document can't be read, and --strict stops there: {said['reason']}"
    return DataError(rule, path=said["file"], line=None if not said["offset"] else said["offset"])


def fingerprint(path: str | Path) -> tuple[int, str]:
    """Bytes and digest of a file; nothing is known of standard input."""
    if path == "-":
        return 0, ""
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest


@dataclass
class _Batches:
    """Publications in batches; nothing is kept once a batch is written."""

    folder: Path
    read: int = 0
    batches: int = 0
    pending: list[tuple[int, int, Publication]] = field(default_factory=list)
    """Position in the file, size, and publication."""
    held: int = 0
    counts: dict[str, Counter[str]] = field(default_factory=lambda: {"readers": Counter(), "repairs": Counter()})

    def __enter__(self) -> "_Batches":
        self._documents = pa.ipc.new_file(self.folder / DOCUMENTS, PART_DOCUMENTS)
        self._citations = pa.ipc.new_file(self.folder / CITATIONS, PART_CITATIONS)
        self._keys = parquet.ParquetWriter(self.folder / KEYS, PART_KEYS)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        if kind is None:
            self._flush()
        for writer in (self._documents, self._citations, self._keys):
            writer.close()

    def add(self, one: Publication) -> None:
        size = packing.size(one)
        self.pending.append((self.read, size, one))
        self.read += 1
        self.held += size
        self.counts["readers"][one.source] += 1
        self.counts["repairs"].update(one.repairs)
        if self.held >= BATCH or len(self.pending) >= LONGEST:
            self._flush()

    def facts(self) -> dict[str, Any]:
        return {"documents": self.read, **{name: dict(sorted(count.items())) for name, count in self.counts.items()}}

    def _flush(self) -> None:
        rows, self.pending, self.held = self.pending, [], 0
        if not rows:
            return
        publications = [one for _, _, one in rows]
        self._documents.write_batch(packing.documents(publications))
        self._citations.write_batch(packing.citations(publications))
        columns = {
            "number": [one.number for one in publications],
            "country": [one.country for one in publications],
            "date": [one.date or None for one in publications],
            "application": [one.application or None for one in publications],
            "priorities": [one.priorities or None for one in publications],
            "family": [one.family or None for one in publications],
            "extended": [one.extended or None for one in publications],
            "overlay": [one.source in OVERLAYS for one in publications],
            "position": [position for position, _, _ in rows],
            "batch": [self.batches] * len(rows),
            "place": range(len(rows)),
            "size": [size for _, size, _ in rows],
            "citations": [len(one.citations) for one in publications],
        }
        self._keys.write_batch(pa.record_batch(columns, schema=PART_KEYS))
        self.batches += 1
