"""Sources in, a collection out: parts by many processes, the plan, the tables, and one rename at the end.

All work happens in a hidden folder beside the target, `.NAME.unfinished`, which one conversion at a time may hold. A
conversion that is killed leaves its finished parts there; the same call goes on from them, and what comes out does
not depend on that, nor on the number of processes. The target appears whole, or not at all.
"""

import fcntl
import json
import os
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any

from pyarrow import parquet

from patstone.errors import DataError, UsageError
from patstone.files.streams import rewindable
from patstone.patents.collection import counts, plan, writing
from patstone.patents.collection.collection import FORMAT, MANIFEST, REJECTED, Collection, read_collection
from patstone.patents.collection.parts import Part, SourceFile, fingerprint, part
from patstone.patents.collection.schema import TABLES, VERSION
from patstone.patents.readers.formats import files, readers

Watch = Callable[[int, int, int], None]
"""Is told how many files are done, of how many, and how many documents have been read."""
_PRECEDENCE = "the source named first; within a source, what comes later"


def convert(
    sources: Sequence[str | Path],
    out: str | Path,
    *,
    format: str = "auto",  # noqa: A002 - the option's name
    jobs: int = 1,
    strict: bool = False,
    watch: Watch = lambda _done, _files, _documents: None,
) -> Collection:
    """Turn patent data of any formats into a collection in the folder `out`, which must not exist or be empty.

    A document that can't be read is listed in `rejected.jsonl`; with `strict` it is an error. If `out` is the
    collection of these very sources already, nothing is done.
    """
    if jobs < 1:
        raise UsageError(f"The number of jobs must be at least 1. Got {jobs}.")
    if format != "auto" and format not in readers():
        raise UsageError(f"The format must be auto or one of {', '.join(readers())}. Got {format!r} instead.")
    found = source_files(sources, format)
    target = Path(out).resolve()
    if (ready := _existing(target, found, strict=strict)) is not None:
        shutil.rmtree(_hidden(target), ignore_errors=True)
        return ready
    with _held(_hidden(target)) as work, _Workers(jobs) as workers:
        parts = _read(found, work, workers, strict=strict, watch=watch)
        tables = work / "tables"
        _write(parts, work, tables, workers)
        (tables / MANIFEST).write_text(json.dumps(_manifest(parts, work, tables), indent=1) + "\n")
        tables.rename(target)
    return read_collection(target)


def source_files(sources: Sequence[str | Path], format: str) -> list[SourceFile]:  # noqa: A002
    """The files to read, each once, in the order of their precedence."""
    found: dict[str, SourceFile] = {}
    for place, source in enumerate(map(str, sources)):
        for path in files(source):
            # A file that is missing is known before hours of work, not after.
            if path == source != "-":
                rewindable(path)
            found.setdefault(path, SourceFile(path=path, source=place, asked=path == source, format=format))
    if not found:
        raise DataError("There are no files in the sources.", value=" ".join(map(str, sources)))
    return list(found.values())


def _existing(target: Path, found: Sequence[SourceFile], *, strict: bool) -> Collection | None:
    """The collection that is there already, if it is of the same sources."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        if not target.parent.is_dir():
            raise DataError("The folder to write to does not exist; make it first.", path=target.parent)
        return None
    rule = "There is something else here already; name another folder, or delete this one."
    if not (target / MANIFEST).is_file():
        raise DataError(rule, path=target)
    ready = read_collection(target)
    made_of = [(one["file"], one["source"], one["format"], one["sha256"]) for one in ready.manifest["sources"]]
    asked = [(one.path, one.source, one.format, fingerprint(one.path)[1]) for one in found]
    if made_of != asked or (strict and ready.manifest["rejected"]["records"]):
        raise DataError("There is a collection of other sources here already; name another folder.", path=target)
    return ready


def _hidden(target: Path) -> Path:
    return target.with_name(f".{target.name}.unfinished")


@contextmanager
def _held(work: Path) -> Iterator[Path]:
    """A work folder that no other conversion uses; it stays when something goes wrong, for the next attempt."""
    try:
        work.mkdir(exist_ok=True)
        lock = (work / "lock").open("w")
    except OSError as error:
        raise DataError(f"The folder can't be written: {error.strerror or error}.", path=work) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DataError("Another conversion is writing here.", path=work) from None
        for rubbish in (*(work / "parts").glob(".*"), work / "tables", work / "plan"):
            shutil.rmtree(rubbish, ignore_errors=True)
        for name in ("parts", "tables", "plan"):
            (work / name).mkdir(exist_ok=True)
        yield work
        shutil.rmtree(work, ignore_errors=True)


def _read(found: Sequence[SourceFile], work: Path, workers: "_Workers", *, strict: bool, watch: Watch) -> list[Part]:
    done: dict[str, Part] = {}
    count = 0
    # The largest first, so that no process is left alone with one at the end.
    order = sorted(found, key=lambda file: 0 if file.path == "-" else -Path(file.path).stat().st_size)
    tell = lambda read: watch(len(done), len(found), count + read)  # noqa: E731 - closes over what changes
    for one in workers.parts(order, work / "parts", strict=strict, tell=tell):
        done[one.file.path] = one
        count += one.facts["documents"]
        watch(len(done), len(found), count)
    parts = [done[file.path] for file in found]
    if not count:
        raise _nothing(parts)
    return parts


def _nothing(parts: Sequence[Part]) -> DataError:
    lines = (line for one in parts for line in (one.folder / REJECTED).read_text().splitlines())
    first = next(lines, None)
    if first is None:
        return DataError("There is no document in the sources.", path=parts[0].file.path)
    said = json.loads(first)
    return DataError(f"No document in the sources can be read; the first: {said['reason']}", path=said["file"])


def _write(parts: Sequence[Part], work: Path, tables: Path, workers: "_Workers") -> None:
    plans, folders = work / "plan", [one.folder for one in parts]
    with plan.connected(plans, threads=workers.jobs) as connection:
        merged = plan.make(connection, parts, plans)
        raw = plans / "cited.parquet"
        having, _ = workers.run((writing.documents, folders, plans, tables), (writing.citations, folders, plans, raw))
        writing.resolved(connection, raw, tables)
        writing.families(plans, tables)
    with (tables / REJECTED).open("wb") as file:
        for folder in folders:
            file.write((folder / REJECTED).read_bytes())
    with plan.connected(plans, threads=workers.jobs) as connection:
        told = counts.counted(connection, tables)
        told["totals"] |= having
    (plans / "counts.json").write_text(json.dumps({**told, "merged": merged}))


def _manifest(parts: Sequence[Part], work: Path, tables: Path) -> dict[str, Any]:
    """What the collection is made of and what is in it; no time and no place, so that the same gives the same."""
    told = json.loads((work / "plan/counts.json").read_text())
    rejected = sum(one.facts["rejected"] for one in parts)
    repairs: Counter[str] = Counter()
    for one in parts:
        repairs.update(one.facts["repairs"])
    return {
        "format": FORMAT,
        "version": VERSION,
        "sources": [
            {"file": one.file.path, "source": one.file.source, "format": one.file.format, **one.facts} for one in parts
        ],
        "precedence": _PRECEDENCE,
        "tables": {name: _facts(tables / f"{name}.parquet") for name in TABLES},
        "snapshot": told["totals"].pop("snapshot"),
        "rejected": {
            "records": rejected,
            "sha256": fingerprint(tables / REJECTED)[1],
        },
        "repairs": dict(sorted(repairs.items())),
        "counts": told,
    }


def _facts(path: Path) -> dict[str, Any]:
    size, digest = fingerprint(path)
    return {"rows": parquet.ParquetFile(path).metadata.num_rows, "bytes": size, "sha256": digest}


class _Workers:
    """One process, or several that end with this one, whatever ends it."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "_Workers":
        if self.jobs > 1:
            # A fork would copy the threads of Arrow half.
            context = get_context("spawn")
            self._pool = ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_end_with_parent)
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def parts(
        self, order: Sequence[SourceFile], folder: Path, *, strict: bool, tell: Callable[[int], None]
    ) -> Iterator[Part]:
        if self._pool is None:
            yield from (part(file, folder, strict=strict, tell=tell) for file in order)
            return
        # Standard input belongs to this process.
        own = [file for file in order if file.path == "-"]
        given = [self._pool.submit(part, file, folder, strict=strict) for file in order if file.path != "-"]
        yield from (part(file, folder, strict=strict, tell=tell) for file in own)
        yield from _results(as_completed(given))

    def run(self, *calls: tuple[Any, ...]) -> list[Any]:
        """Call functions with their arguments, side by side where there are several processes."""
        if self._pool is None:
            return [function(*arguments) for function, *arguments in calls]
        return list(_results([self._pool.submit(function, *arguments) for function, *arguments in calls]))


def _results(futures: "Iterable[Future[Any]]") -> Iterator[Any]:
    for future in futures:
        yield future.result()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
