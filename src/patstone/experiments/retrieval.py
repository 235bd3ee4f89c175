"""Searches over one test collection, alone or as a whole matrix: indexed once, spread over processes, resumable.

Each run is a TREC file with its signature in a JSON file beside it. The run appears last and whole, so a run whose
signature fits is done, and a matrix that was stopped goes on where it stood.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any, Literal

from patstone.errors import DataError, MissingExtra, UsageError
from patstone.files.streams import atomic, atomic_folder, ensured_folder
from patstone.gold.dataset import Dataset, open_dataset
from patstone.systems.run import Run
from patstone.systems.searchers.index import Index, build
from patstone.systems.searchers.search import Search
from patstone.systems.trec import write_trec

Backend = Literal["none", "processes", "threads", "dask", "ray"]
_JOBLIB = {"processes": "loky", "threads": "threading", "dask": "dask", "ray": "ray"}


@dataclass(frozen=True, kw_only=True)
class Done:
    name: str
    path: Path
    made: bool
    """False where it was there already."""
    card: Mapping[str, Any]
    """What stands in the JSON file beside the run."""


def card_of(run: Run, signature: str) -> dict[str, Any]:
    return {"name": run.name, "signature": signature, "topics": len(run.topics), "rows": len(run),
            "notes": list(run.notes)}  # fmt: skip


def write_run(run: Run, path: Path, signature: str) -> Done:
    """The card first: a run that is there has its card."""
    card = card_of(run, signature)
    with atomic(card_path(path)) as temporary:
        temporary.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    write_trec(run, path)
    return Done(name=run.name, path=path, made=True, card=card)


def card_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.json")


def done(path: Path, name: str, signature: str) -> Done | None:
    """The run that is there, where it was made in just this way."""
    if not path.exists():
        return None
    try:
        card = json.loads(card_path(path).read_text(encoding="utf-8"))
        found = card["signature"]
    except (OSError, ValueError, KeyError, TypeError):
        found = None
    if found == signature:
        return Done(name=name, path=path, made=False, card=card)
    rule = "A run is there that was made in another way; remove it, or write to another folder."
    raise DataError(rule, path=path, value=found)


def grid(
    dataset: Dataset,
    searches: Sequence[Search],
    out: str | Path,
    *,
    backend: Backend = "processes",
    jobs: int = -1,
) -> Iterator[Done]:
    """Run every search that is not done yet, in whatever order they end."""
    folder, paths = ensured_folder(out), file_names(searches)
    fields = {search.indexed for search in searches}
    index = build(dataset, max(fields, key=len))
    signatures = [search.signature(dataset, index) for search in searches]
    left = []
    for search, name, signature in zip(searches, paths, signatures, strict=True):
        there = done(folder / name, search.name, signature)
        if there is not None:
            yield there
        else:
            left.append((search, folder / name, signature))
    if backend == "none" or len(left) < 2:
        yield from (_made(dataset, index, *one) for one in left)
    elif left:
        yield from _spread(dataset, index, left, folder, backend, jobs)


def _made(dataset: Dataset, index: Index, search: Search, path: Path, signature: str) -> Done:
    return write_run(search.run(dataset, index), path, signature)


def _spread(
    dataset: Dataset, index: Index, left: Sequence[tuple[Search, Path, str]], out: Path, backend: Backend, jobs: int
) -> Iterator[Done]:
    try:
        from joblib import Parallel, delayed, parallel_config
    except ImportError as error:
        raise MissingExtra("search", "Searching in parallel") from error
    with _shared(index, out) as folder, _connected(backend):
        tasks = (delayed(_in_worker)(dataset.path, folder, *one) for one in left)
        # Named this way and no other, joblib looks for a cluster's backend. Ray's can only give everything at once.
        with parallel_config(backend=_JOBLIB[backend], n_jobs=jobs):
            yield from Parallel(return_as="list" if backend == "ray" else "generator_unordered")(tasks)


@contextmanager
def _shared(index: Index, out: Path) -> Iterator[Path]:
    """The index as files beside the runs, since workers on other machines share no other folder with us."""
    folder = out / f".index-{index.digest}"
    # One that is there was left by a grid that was killed.
    if not folder.exists():
        with atomic_folder(folder) as made:
            index.save(made)
    try:
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)


def _in_worker(dataset: Path, index: Path, search: Search, path: Path, signature: str) -> Done:
    return _made(open_dataset(dataset), Index.load(index), search, path, signature)


@contextmanager
def _connected(backend: Backend) -> Iterator[None]:
    """A cluster for joblib to work on: the one that the environment names, or one on this machine."""
    try:
        if backend == "ray":
            from ray.util.joblib import register_ray

            register_ray()
            yield
        elif backend == "dask":
            import os

            from distributed import Client

            address = os.environ.get("DASK_SCHEDULER_ADDRESS")
            with Client(address) if address else Client(processes=True, dashboard_address=None):
                yield
        else:
            with nullcontext():
                yield
    except ImportError as error:
        raise MissingExtra(backend, f"The backend {backend!r}") from error


def file_names(searches: Sequence[Search]) -> list[str]:
    """`bm25.claims+title.run`: what says most of a search, in letters that every file system takes."""
    names = ["".join(_letter(char) for char in f"{one.model.label}.{one.query}") + ".run" for one in searches]
    again = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if again is not None:
        raise UsageError(f"Two searches of the grid are alike: {again!r}.")
    return names


def _letter(char: str) -> str:
    return char if char.isalnum() or char in "+=._-" else "-"
