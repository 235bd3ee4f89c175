"""The public functions: each is also a command of the same name, with the same words.

A gold standard is a path, a `Qrels` or {topic: {document: grade}}; a run is a path, anything with `parts` (see
`patstone.systems.run`) or {topic: {document: score}}; `runs` is one of those or a sequence of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict, Unpack

from patstone.gold.qrels import Qrels
from patstone.measures.measure import Card, Measure, parse, registry
from patstone.measures.policies import Policies
from patstone.measures.scores import Scores
from patstone.sources import (
    Gold,
    OneRun,
    PathLike,
    Schemes,
    TopicTable,
    families_for,
    open_all,
    open_lengths,
    open_run,
    open_vocabulary,
    read_qrels,
    topic_columns,
)

if TYPE_CHECKING:
    from patstone.compare.discrimination import Discrimination
    from patstone.compare.significance import Comparison
    from patstone.experiments.plan import Protocol, Search
    from patstone.experiments.training import RunsWatch, Training
    from patstone.gold.building.build import Also
    from patstone.gold.building.selection import Before, CitedBy, Split
    from patstone.gold.dataset import Dataset
    from patstone.gold.labels import GoldStandard
    from patstone.patents.claims.checks.files import CheckedFile
    from patstone.patents.collection.collection import Collection
    from patstone.patents.collection.converting import Watch
    from patstone.patents.families import Families
    from patstone.systems.lengths import Lengths
    from patstone.systems.run import Run

__all__ = [
    "build",
    "check_claims",
    "compare",
    "convert",
    "default_measures",
    "discriminate",
    "measures",
    "open_run",
    "read_collection",
    "read_qrels",
    "score",
    "search",
    "train",
]

Measures: TypeAlias = str | Measure | Sequence[str | Measure]

PLAIN = ("nDCG@10", "AP", "P@10", "R@100", "RR")
INVENTIONS = ("nDCG@10", "AP", "S@20", "H@20", "MP@20", "MR@20")
SUBTOPICS = ("nDCG@10", "AP", "alpha_nDCG@10", "ERR_IA@10", "D_nDCG@10", "I_rec@10", "CT@20")

CLASSES = ("AP", "Rprec", "P", "R", "F1")
NEAR = (*CLASSES, *(f"{name}(cost={cost})" for cost in ("bdm-high", "bdm-low") for name in ("AP", "Rprec", "F1")), "hF")


class Scoring(TypedDict, total=False):
    """The keywords of `score`, for functions that pass them on."""

    ties: Literal["docid", "input", "expected"]
    missing: Literal["zero", "skip", "error"]
    norel: Literal["zero", "skip"]
    duplicates: Literal["error", "first"]
    self: Literal["family", "document", "keep"]
    scores: Literal["float64", "float32"]
    rel: float
    unknown: Literal["apart", "error"]
    depth: int | None
    offices: Sequence[str]
    families: "PathLike | Mapping[str, str] | Families | None"
    lengths: "PathLike | Mapping[str, float] | Lengths | None"
    subtopics: PathLike | None
    scheme: Schemes
    level: str | None
    topics: TopicTable | None
    gold_format: str | None
    run_format: str | None
    columns: Mapping[str, str] | None


def score(
    gold: Gold,
    runs: OneRun | Sequence[OneRun],
    measures: Measures = (),
    *,
    ties: Literal["docid", "input", "expected"] = "docid",
    missing: Literal["zero", "skip", "error"] = "zero",
    norel: Literal["zero", "skip"] = "zero",
    duplicates: Literal["error", "first"] = "error",
    self: Literal["family", "document", "keep"] = "family",
    scores: Literal["float64", "float32"] = "float64",
    rel: float = 1,
    unknown: Literal["apart", "error"] = "apart",
    depth: int | None = None,
    offices: Sequence[str] = (),
    families: "PathLike | Mapping[str, str] | Families | None" = None,
    lengths: "PathLike | Mapping[str, float] | Lengths | None" = None,
    subtopics: PathLike | None = None,
    scheme: Schemes = None,
    level: str | None = None,
    topics: TopicTable | None = None,
    gold_format: str | None = None,
    run_format: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Scores:
    """Score runs against a gold standard; without measures, those that `default_measures` chooses.

    The keywords from `ties` to `offices` are the policies of `patstone.Policies`; `topics` is a table of topics,
    whose columns results can then be sliced by. `scheme` is that of the classes where they are what is ranked, or one
    for each F-term theme, and `level` the level at which they count.
    """
    from patstone.measures.engine import score as evaluate

    policies = Policies(
        ties=ties, missing=missing, norel=norel, duplicates=duplicates, self=self,
        scores=scores, rel=rel, unknown=unknown, depth=depth, offices=tuple(offices),
    )  # fmt: skip
    judged, answers = open_all(
        gold, runs, gold_format=gold_format, run_format=run_format, columns=columns, subtopics=subtopics
    )
    known, words, terms = families_for(gold, families), open_lengths(lengths), open_vocabulary(scheme, level)
    with_scheme = terms is not None and bool(terms.schemes)
    chosen = _chosen(measures, judged, with_families=known is not None, with_scheme=with_scheme)
    found = evaluate(judged, answers, chosen, policies=policies, families=known, lengths=words, vocabulary=terms)
    return found if topics is None else replace(found, metadata=topic_columns(topics, found.topics))


def _chosen(measures: Measures, gold: Qrels, *, with_families: bool, with_scheme: bool) -> list[Measure]:
    asked = [measures] if isinstance(measures, str | Measure) else list(measures)
    found = [
        parse(one) if isinstance(one, str) else one
        for one in asked or default_measures(gold, with_families=with_families, with_scheme=with_scheme)
    ]
    # AP and map are one measure: a column that comes twice would count twice in agreement tables.
    return list(dict.fromkeys(found))


def default_measures(gold: Qrels, *, with_families: bool = False, with_scheme: bool = False) -> tuple[str, ...]:
    """What is measured when nobody says what: by what the gold standard, the families and the scheme know."""
    if with_scheme:
        return NEAR
    if gold.of_classes:
        return CLASSES
    if gold.subtopics is not None:
        return SUBTOPICS
    return INVENTIONS if with_families or gold.inventions is not None else PLAIN


def compare(
    gold: Gold,
    runs: Sequence[OneRun],
    measures: Measures = (),
    *,
    test: Literal["randomisation", "t", "tukey"] = "randomisation",
    permutations: int | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
    baseline: str | None = None,
    **scoring: Unpack[Scoring],
) -> "Comparison":
    """Tell which differences between runs are real; takes the keywords of `score` too."""
    from patstone.compare.significance import compare as differences

    return differences(
        score(gold, runs, measures, **scoring),
        test=test,
        permutations=permutations,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        baseline=baseline,
    )


def discriminate(
    gold: Gold,
    runs: Sequence[OneRun],
    measures: Measures = (),
    *,
    test: Literal["bootstrap", "tukey"] = "bootstrap",
    resamples: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
    **scoring: Unpack[Scoring],
) -> "Discrimination":
    """Tell how well measures tell runs apart, and how far they agree; takes the keywords of `score` too."""
    from patstone.compare.discrimination import discriminate as power

    return power(score(gold, runs, measures, **scoring), test=test, resamples=resamples, alpha=alpha, seed=seed)


def search(
    dataset: "PathLike | Dataset",
    *,
    model: str = "bm25",
    query: str = "claims",
    k: int = 1000,
    before: Literal["priority", "publication", "any"] = "priority",
    self: Literal["family", "document", "keep"] = "family",
    offices: Sequence[str] = (),
    fields: str = "title+abstract+claims+description",
) -> "Run":
    """Answer every query of a test collection with one model and one formulation, as `patstone search` does."""
    from patstone.gold.dataset import open_dataset
    from patstone.systems.searchers.filters import Filters
    from patstone.systems.searchers.formulation import Formulation
    from patstone.systems.searchers.index import build
    from patstone.systems.searchers.models import parse_model
    from patstone.systems.searchers.search import Search, parse_fields

    opened = open_dataset(dataset) if isinstance(dataset, str | Path) else dataset
    asked = Search(
        model=parse_model(model),
        query=Formulation.parse(query),
        k=k,
        filters=Filters(before=before, self=self, offices=tuple(offices)),
        fields=parse_fields(fields),
    )
    return asked.run(opened, build(opened, asked.indexed))


def measures(name: str | None = None) -> list[Card]:
    """The cards of all measures, or of the one that `name` stands for in any notation that is read."""
    from patstone.measures.binary import BINARY

    if name is None:
        return [*registry().values(), *BINARY.values()]
    # A bare P is a name here, though as a measure it would lack its cutoff.
    found = [cards[name] for cards in (registry(), BINARY) if name in cards]
    return found or [parse(name).card]


def convert(
    sources: PathLike | Sequence[PathLike],
    out: PathLike,
    *,
    format: str = "auto",  # noqa: A002 - the word that users know
    jobs: int = 1,
    strict: bool = False,
    watch: "Watch | None" = None,
) -> "Collection":
    """Turn patent data of any source into a collection; several sources merge, the first named winning.

    `watch` is called as the work goes on, with files done, files in all and documents read.
    """
    from patstone.patents.collection.converting import convert as converted

    named = [sources] if isinstance(sources, str | Path) else sources
    told = {} if watch is None else {"watch": watch}
    return converted(named, out, format=format, jobs=jobs, strict=strict, **told)


def read_collection(path: PathLike) -> "Collection":
    """Open a folder that `convert` made."""
    from patstone.patents.collection.collection import read_collection as opened

    return opened(path)


def build(
    collection: "PathLike | Collection",
    out: PathLike,
    *,
    office: Sequence[str] = (),
    kinds: Sequence[str] = (),
    from_: str | None = None,
    to: str | None = None,
    class_: Sequence[str] = (),
    language: Sequence[str] = (),
    cited_by: "Sequence[CitedBy]" = ("auto",),
    before: "Before" = "priority",
    with_claims: bool = False,
    sample: int | None = None,
    seed: int = 0,
    split: "Split" = "none",
    also: "Sequence[Also]" = (),
    licence: str = "",
    memory: str = "1GB",
    jobs: int = 1,
) -> "Dataset":
    """Make a prior-art test collection from the citations of a collection, in the new folder `out`."""
    from patstone.gold.building.build import build as built
    from patstone.gold.building.selection import Selection

    selection = Selection(
        office=tuple(office), kinds=tuple(kinds), from_=from_, to=to, classes=tuple(class_), language=tuple(language),
        cited_by=tuple(cited_by), before=before, claims=with_claims, sample=sample, seed=seed, split=split,
    )  # fmt: skip
    opened = read_collection(collection) if isinstance(collection, str | Path) else collection
    return built(opened, out, selection, also=also, licence=licence, memory=memory, jobs=jobs)


def check_claims(
    claims: PathLike,
    *,
    gold: PathLike | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    format: str = "auto",  # noqa: A002 - the word that users know
    language: str = "",
) -> "CheckedFile":
    """Check the claim sets of a file by the rules of a linter; `patstone.patents.claims.checks.check` takes claims."""
    from patstone.patents.claims.checks.files import check_file

    return check_file(claims, gold=gold, select=select, ignore=ignore, format=format, language=language)


def train(
    gold: "PathLike | GoldStandard",
    *,
    protocol: "Protocol" = "directed",
    model: str | Sequence[str] = ("kernel-ridge",),
    runs: int | None = None,
    alpha: int | None = None,
    beta: int | None = None,
    gamma: float = 0.2,
    delta: int = 5,
    controls: Sequence[str] = (),
    operator: Sequence[str] = ("worst-errors",),
    search: "Search" = "none",
    trials: int = 20,
    seed: int = 0,
    jobs: int = 1,
    backend: str | None = None,
    folder: PathLike | None = None,
    resume: bool = False,
    columns: Mapping[str, str] | None = None,
    gold_format: str | None = None,
    watch: "RunsWatch | None" = None,
) -> "Training":
    """Simulate training (Algorithm 1 of paper 1); finished runs are kept in `folder`, and `resume` continues them."""
    from pathlib import Path

    from patstone.experiments.plan import planned
    from patstone.experiments.training import run
    from patstone.gold.labels import GoldStandard, read_labels
    from patstone.systems.classifiers.models import parse as model_of

    judged = gold if isinstance(gold, GoldStandard) else read_labels(gold, columns=columns, format=gold_format)
    plan = planned(
        judged.positive,
        protocol=protocol,
        models=[model_of(each) for each in ([model] if isinstance(model, str) else model)],
        controls=controls,
        operators=operator,
        runs=runs,
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        delta=delta,
        seed=seed,
        search=search,
        trials=trials,
    )
    place = None if folder is None else Path(folder)
    return run(judged, plan, jobs=jobs, backend=backend, folder=place, resume=resume, watch=watch)
