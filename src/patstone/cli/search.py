"""`patstone search`: answer every query of a test collection, with a baseline or with an engine of one's own."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from patstone.errors import DataError, UsageError

if TYPE_CHECKING:
    from patstone.experiments.retrieval import Backend
    from patstone.gold.dataset import Dataset
    from patstone.systems.run import Run
    from patstone.systems.searchers.endpoint import Endpoint
    from patstone.systems.searchers.filters import Before
    from patstone.systems.searchers.search import Search

HEADERS = "PATSTONE_ENDPOINT_HEADERS"


def search(
    dataset: str,
    *,
    model: Sequence[str] = ("bm25",),
    query: Sequence[str] = ("claims",),
    k: int = 1000,
    out: str = "-",
    run_format: Literal["trec", "mapping"] = "trec",
    before: "Before" = "priority",
    self: Literal["family", "document", "keep"] = "family",
    offices: Sequence[str] = (),
    fields: str = "title+abstract+claims+description",
    grid: bool = False,
    backend: "Backend" = "processes",
    jobs: int = -1,
    fuse: Sequence[str] = (),
    endpoint: str | None = None,
    request_template: str | None = None,
    hits: str = "hits.hits:_id:_score",
    rate: float = 0,
    retries: int = 5,
    timeout: float = 60,
    quiet: bool = False,
) -> None:
    """Search a test collection with each of its queries and write the ranked answers.

    Models: bm25(k1=1.2,b=0.75), tfidf, lm-dirichlet(mu=2000), lm-jm(lambda=0.7), dense(ENCODER), rrf(MODEL+MODEL).
    A query is made of title, abstract, first-claim, claims, each-claim, description and key-sentences, joined by +, and
    then, after commas: idf=LOW..HIGH, nouns, top=N. FILE.json beside the run says how it was made. With --endpoint
    your own engine answers; PATSTONE_ENDPOINT_HEADERS, a JSON object, goes with each request.

    Try:
      patstone search DATASET --model bm25 --query claims+title --out bm25.run
      patstone search DATASET --grid --model bm25 lm-jm --query claims each-claim claims,nouns --out runs
      patstone search DATASET --endpoint http://localhost:9200/patents/_search --query abstract --out mine.run
    """
    from patstone.gold.dataset import open_dataset
    from patstone.systems.searchers.filters import Filters
    from patstone.systems.searchers.formulation import Formulation
    from patstone.systems.searchers.models import endpoint_model, parse_model
    from patstone.systems.searchers.search import Search, parse_fields

    _refuse(model, query, grid=grid, out=out, k=k, engine=endpoint is not None, fuse=fuse)
    opened = open_dataset(dataset)
    tell = _silent if quiet else _say
    if fuse:
        return _written(_fused(fuse, k), opened, out, run_format, f"rrf|runs:{'+'.join(fuse)}|k:{k}", tell)
    models = [endpoint_model(endpoint)] if endpoint is not None else [parse_model(one) for one in model]
    filters = Filters(before=before, self=self, offices=tuple(offices))
    searches = [
        Search(model=one, query=Formulation.parse(text), k=k, filters=filters, fields=parse_fields(fields))
        for one in models
        for text in query
    ]
    if grid:
        return _grid(opened, searches, out, backend, jobs, tell)
    engine = None
    if endpoint is not None:
        engine = _engine(endpoint, request_template, hits, rate=rate, retries=retries, timeout=timeout)
    return _single(opened, searches[0], out, run_format, engine, tell)


def _refuse(
    model: Sequence[str], query: Sequence[str], *, grid: bool, out: str, k: int, engine: bool, fuse: Sequence[str]
) -> None:
    """Calls that can't be meant, told before anything is read."""
    if k < 1:
        raise UsageError(f"The depth k must be an int in [1, inf). Got {k} instead.")
    if not grid and (len(model) > 1 or len(query) > 1):
        raise UsageError("Several models or queries make a matrix of runs: add --grid and --out DIR.")
    if grid and out == "-":
        raise UsageError("A grid of runs needs a folder: --out DIR.")
    if engine and (grid or fuse):
        raise UsageError("An endpoint answers one run at a time, without --grid and without --fuse.")
    if len(fuse) == 1:
        raise UsageError("A fusion needs two runs at least.")


def _fused(paths: Sequence[str], k: int) -> "Run":
    from patstone.sources import open_run
    from patstone.systems.searchers.ranking import fused_runs

    return fused_runs([open_run(path) for path in paths], name="rrf", k=k)


def _engine(url: str, template: str | None, hits: str, *, rate: float, retries: int, timeout: float) -> "Endpoint":
    from patstone.systems.searchers.endpoint import TEMPLATE, Endpoint

    places = hits.split(":")
    if len(places) != 3:
        raise UsageError(f"--hits is LIST:ID:SCORE, keys joined by dots. Got {hits!r}.")
    body = TEMPLATE if template is None else template
    if template is not None and not template.lstrip().startswith("{"):
        try:
            body = Path(template).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise DataError(f"The template can't be read: {error}.", path=template) from None
    try:
        headers = json.loads(os.environ.get(HEADERS) or "{}")
    except ValueError:
        headers = None
    if not isinstance(headers, dict):
        raise UsageError(f"{HEADERS} must be a JSON object of headers.")
    return Endpoint(
        url=url, template=body, hits=places[0], id=places[1], score=places[2],
        rate=rate, retries=retries, timeout=timeout, headers={name: str(value) for name, value in headers.items()},
    )  # fmt: skip


def _single(
    dataset: "Dataset", one: "Search", out: str, run_format: str, engine: "Endpoint | None", tell: "_Tell"
) -> None:
    from patstone.systems.searchers.endpoint import Remote
    from patstone.systems.searchers.index import build

    index = build(dataset, one.indexed)
    remote = None
    if engine is not None:
        kept = None if out == "-" else Path(out).with_name(f".{Path(out).name}.answers")
        remote = Remote(engine, index.shelf, one.filters, kept)
    run = one.run(dataset, index, remote=remote)
    request = f"|request:{engine.digest}" if engine is not None else ""
    _written(run, dataset, out, run_format, one.signature(dataset, index) + request, tell)
    if remote is not None and remote.kept is not None:
        remote.kept.unlink(missing_ok=True)


def _written(run: "Run", dataset: "Dataset", out: str, run_format: str, signature: str, tell: "_Tell") -> None:
    if run_format == "mapping":
        from patstone.systems.mapping import write_mapping

        if out == "-":
            raise UsageError("The format mapping is a folder: name it with --out DIR.")
        write_mapping(run, out, dataset)
    elif out == "-":
        from patstone.systems.trec import trec_lines

        for line in trec_lines(run):
            sys.stdout.buffer.write(line)
    else:
        from patstone.experiments.retrieval import write_run

        write_run(run, Path(out), signature)
    tell(f"{out}: {len(run.topics):,} topics, {len(run):,} answers; {signature}" if out != "-" else signature)
    for note in run.notes:
        tell(f"note: {note}")


def _grid(
    dataset: "Dataset", searches: "Sequence[Search]", out: str, backend: "Backend", jobs: int, tell: "_Tell"
) -> None:
    from patstone.experiments.retrieval import grid

    made = 0
    for one in grid(dataset, searches, out, backend=backend, jobs=jobs):
        made += one.made
        tell(f"{'made' if one.made else 'kept'} {one.path}: {one.card['rows']:,} answers")
    tell(f"{len(searches)} runs in {out}, {made} of them made now")


class _Tell:
    """What a user is told, on standard error."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def __call__(self, text: str) -> None:
        if self.prefix:
            print(f"{self.prefix}{text}", file=sys.stderr)


_say, _silent = _Tell("patstone: "), _Tell("")
