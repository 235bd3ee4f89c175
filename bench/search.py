"""Indexing 100,000 documents of 250 terms and answering 1,000 queries as long, beside bm25s used bare.

`python -m bench.search [--documents N] [--queries N]` makes a seeded collection in a cache. bm25s gets its texts in
memory; patstone reads them from the collection's Parquet, filters by date and family, and writes the run. Each works in
a process of its own with one thread, in turn, and its best counts. The first 100 documents of each query are compared.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import Any

import numpy as np
import pyarrow as pa
from bench import pages

CACHE = Path(__file__).parent.parent / ".bench"
VOCABULARY, TERMS, DEPTH = 200_000, 250, 100
K1, B = 1.2, 0.75
OURS, PEER = "patstone", "bm25s"
GOAL = 1.2


def collection(documents: int, queries: int) -> Path:
    """Texts whose words are as unevenly spread as in life (Zipf's law), unless an earlier call has made them."""
    folder = CACHE / f"search-{documents}x{queries}"
    if folder.exists():
        return folder
    from patstone.gold import schemas
    from patstone.gold.dataset import write_documents, write_queries

    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    rng = np.random.default_rng(7)
    # bm25s would split a word at anything but letters and digits.
    words = np.array([f"w{number:x}x" for number in range(VOCABULARY)], dtype=object)
    edges = np.cumsum(1 / np.arange(1, VOCABULARY + 1))
    edges /= edges[-1]

    def texts(count: int) -> list[str]:
        drawn = np.searchsorted(edges, rng.random((count, TERMS)))
        return [" ".join(row) for row in words[drawn]]

    def rows(count: int, prefix: str) -> list[dict[str, str]]:
        return [
            {prefix: f"US{number:08}B2", "abstract": text, "date": "2001-01-01", "family": f"{prefix}{number}"}
            for number, text in enumerate(texts(count))
        ]

    write_documents(unfinished, (_batch(rows(min(5000, documents), "id"), schemas.DOCUMENTS, part)
                                 for part in range(-(-documents // 5000))))  # fmt: skip
    asked = [
        {**row, "topic": f"Q{place}", "priority": "2010-01-01"} for place, row in enumerate(rows(queries, "topic"))
    ]
    write_queries(unfinished, [pa.RecordBatch.from_pylist(asked, schema=schemas.QUERIES)])
    unfinished.rename(folder)
    return folder


def _batch(rows: list[dict[str, str]], schema: pa.Schema, part: int) -> pa.RecordBatch:
    named = [{**row, "id": f"US{part:04}{place:04}B2"} for place, row in enumerate(rows)]
    return pa.RecordBatch.from_pylist(named, schema=schema)


def ours(folder: Path) -> dict[str, Any]:
    from patstone.gold.dataset import open_dataset
    from patstone.systems.searchers.formulation import Formulation
    from patstone.systems.searchers.index import build
    from patstone.systems.searchers.models import parse_model
    from patstone.systems.searchers.search import Search
    from patstone.systems.trec import write_trec

    dataset = open_dataset(folder)
    start = process_time()
    index = build(dataset, ("abstract",))
    built = process_time()
    search = Search(model=parse_model(f"bm25(k1={K1},b={B})"), query=Formulation.parse("abstract"), k=DEPTH)
    run = search.run(dataset, index)
    write_trec(run, folder / "ours.run")
    answered = process_time()
    docs = [name.decode() for name in run.docs.tolist()]
    tops = [docs[low : low + 10] for low in run.starts[:-1].tolist()]
    return {"index": built - start, "answer": answered - built, "tops": tops}


def theirs(folder: Path) -> dict[str, Any]:
    import bm25s

    from patstone.gold.dataset import open_dataset

    dataset = open_dataset(folder)
    batches = [batch.to_pydict() for batch in dataset.documents("id", "abstract")]
    names = [name for batch in batches for name in batch["id"]]
    texts = [text for batch in batches for text in batch["abstract"]]
    asked = dataset.queries.column("abstract").to_pylist()
    start = process_time()
    index = bm25s.BM25(k1=K1, b=B)
    index.index(bm25s.tokenize(texts, stopwords=None, show_progress=False), show_progress=False)
    built = process_time()
    queries = bm25s.tokenize(asked, stopwords=None, return_ids=False, show_progress=False)
    found, _ = index.retrieve(queries, k=DEPTH, show_progress=False)
    answered = process_time()
    tops = [[names[place] for place in row[:10]] for row in found.tolist()]
    return {"index": built - start, "answer": answered - built, "tops": tops}


CONTENDERS: Mapping[str, Callable[[Path], dict[str, Any]]] = {OURS: ours, PEER: theirs}


def measured(name: str, folder: Path) -> dict[str, Any]:
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    words = [sys.executable, "-m", "bench.search", "--contender", name, "--folder", str(folder)]
    done = subprocess.run(words, capture_output=True, env=environment, check=True)
    return dict(json.loads(done.stdout))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.search", description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=2, help="how often each runs; its best counts")
    parser.add_argument("--contender", choices=CONTENDERS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.contender:
        found = CONTENDERS[asked.contender](asked.folder)
        # Linux counts in kilobytes.
        print(json.dumps({**found, "peak": getrusage(RUSAGE_SELF).ru_maxrss / 1000}))
        return
    folder = collection(asked.documents, asked.queries)
    best: dict[str, dict[str, Any]] = {}
    for _ in range(asked.repeat):
        for name in CONTENDERS:
            one = measured(name, folder)
            if name not in best or total(one) < total(best[name]):
                best[name] = one
    title = f"Searching {asked.documents:,} documents of {TERMS} terms with {asked.queries:,} queries as long: BM25"
    body = "\n\n".join([pages.machine(), table(best), verdict(best)])
    print(f"## {title}\n\n{body}")
    if (asked.documents, asked.queries) == (100_000, 1_000):
        pages.replace(title, body)


def total(one: Mapping[str, Any]) -> float:
    return float(one["index"] + one["answer"])


def table(best: Mapping[str, Mapping[str, Any]]) -> str:
    rows = [
        [name, f"{one['index']:.1f}", f"{one['answer']:.1f}", f"{total(one) / total(best[OURS]):.2f}",
         f"{one['peak']:,.0f}"]
        for name, one in best.items()
    ]  # fmt: skip
    return pages.table(["contender", "index, CPU s", "answer, CPU s", "times ours", "peak MB"], rows)


def verdict(best: Mapping[str, Mapping[str, Any]]) -> str:
    share = total(best[OURS]) / total(best[PEER])
    pairs = zip(best[OURS]["tops"], best[PEER]["tops"], strict=True)
    # Sets, since bm25s leaves the order of equal scores to chance.
    same = np.mean([len(set(one) & set(other)) / len(one) for one, other in pairs])
    reached = "reached" if share <= GOAL else "MISSED"
    return (
        f"- patstone takes {share:.2f} times the CPU time of bare bm25s; the goal is at most {GOAL:g}: {reached}\n"
        f"- of the first ten documents of each query {same:.2%} are the same"
    )


if __name__ == "__main__":
    main()
