"""Opens what a call names: a gold standard, runs, families, lengths, a table of topics; paths or objects alike."""

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass, replace
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from patstone.errors import DataError, UsageError, shorten
from patstone.gold.qrels import Qrels
from patstone.systems.run import Answers, Run

if TYPE_CHECKING:
    from patstone.gold.labels import GoldStandard
    from patstone.gold.reviews import Reviews
    from patstone.measures.vocabulary import Vocabulary
    from patstone.patents.families import Families
    from patstone.patents.schemes.scheme import Scheme
    from patstone.systems.lengths import Lengths
    from patstone.systems.predictions import Predictions

PathLike: TypeAlias = str | Path
Gold: TypeAlias = PathLike | Qrels | Mapping[str, Mapping[str, float]]
OneRun: TypeAlias = PathLike | Answers | Mapping[str, Mapping[str, float]]
Schemes: TypeAlias = "PathLike | Scheme | Vocabulary | Sequence[PathLike | Scheme] | None"
Labelled: TypeAlias = "PathLike | GoldStandard"
Answered: TypeAlias = "PathLike | Predictions | Mapping[str, float]"
TopicTable: TypeAlias = PathLike | Mapping[str, Mapping[str, str]]


def open_all(
    gold: Gold,
    runs: OneRun | Sequence[OneRun],
    *,
    gold_format: str | None = None,
    run_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    subtopics: PathLike | None = None,
) -> tuple[Qrels, list[Answers]]:
    """Open a gold standard and runs; `columns` speaks of those that are tables."""
    several = list(runs) if isinstance(runs, Sequence) and not isinstance(runs, str) else [runs]
    # The second reader would find an empty stream and blame the data.
    if [gold, *several].count("-") > 1:
        raise UsageError("Only one source can be standard input; the others need a file.")
    own = {side: _columns_of(side, columns, _judged_columns()) if columns else None for side in ("gold", "run")}
    tables = [_is_table(gold, gold_format), *(_is_table(run, run_format) for run in several)]
    # A map that nothing reads is a mistake, and silence would hide it.
    if columns and not any(tables):
        raise UsageError("Columns can be named in tables with a header, and none of these sources is one.")
    judged = read_qrels(gold, format=gold_format, columns=own["gold"] if tables[0] else None, subtopics=subtopics)
    opened = [
        open_run(run, format=run_format, columns=own["run"] if table else None)
        for run, table in zip(several, tables[1:], strict=True)
    ]
    return judged, named_apart(opened)


def _judged_columns() -> dict[str, list[str]]:
    from patstone.gold.sources import JUDGMENT_COLUMNS, TRUE_CLASS_COLUMNS
    from patstone.systems.sources import RUN_COLUMNS

    classes = ("patent", "theme", "classes", "assigned")
    return {
        "gold": [wanted.name for wanted in (*JUDGMENT_COLUMNS, *TRUE_CLASS_COLUMNS)],
        "run": [*(wanted.name for wanted in RUN_COLUMNS), *classes],
    }


def _labelled_columns() -> dict[str, list[str]]:
    from patstone.gold.labels import LABEL_COLUMNS
    from patstone.systems.predictions import PREDICTION_COLUMNS

    return {"gold": [wanted.name for wanted in LABEL_COLUMNS], "run": [wanted.name for wanted in PREDICTION_COLUMNS]}


def _columns_of(side: str, columns: Mapping[str, str], known: Mapping[str, list[str]]) -> dict[str, str]:
    """What the map says to one side: `doc` speaks to both, `run.doc` to runs only, `grade` to the gold only."""
    own: dict[str, str] = {}
    for key, column in columns.items():
        where, _, name = key.rpartition(".")
        if not any(name in known[each] for each in known if where in ("", each)):
            names = ", ".join(dict.fromkeys(known["gold"] + known["run"]))
            raise UsageError(f"There is no column {key!r} to map; there are: {names}.")
        if where in ("", side) and name in known[side]:
            own[name] = column
    return own


def open_labelled(
    gold: "Labelled",
    predictions: "Answered | Sequence[Answered]",
    *,
    gold_format: str | None = None,
    run_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    **reading: Any,  # noqa: ANN401 - the keywords of read_labels
) -> "tuple[GoldStandard, list[Predictions]]":
    """Open a gold standard of labels and classifiers' answers; `columns` speaks of both, as in `open_all`."""
    listed = isinstance(predictions, Sequence) and not isinstance(predictions, str)
    several = cast("Sequence[Answered]", predictions if listed else [predictions])
    own = {side: _columns_of(side, columns, _labelled_columns()) if columns else None for side in ("gold", "run")}
    opened = [_predictions(one, run_format, own["run"]) for one in several]
    apart = cast("list[Predictions]", named_apart(cast("list[Answers]", opened)))
    return open_gold(gold, format=gold_format, columns=own["gold"], **reading), apart


def open_gold(gold: "Labelled", **reading: Any) -> "GoldStandard":  # noqa: ANN401 - the keywords of read_labels
    """A gold standard of labels, read where it is a path."""
    from patstone.gold.labels import GoldStandard, read_labels

    return gold if isinstance(gold, GoldStandard) else read_labels(gold, **reading)


def open_reviews(reviews: "PathLike | Reviews | None") -> "Reviews | None":
    from patstone.gold.reviews import read_reviews

    return read_reviews(reviews) if isinstance(reviews, str | Path) else reviews


def _predictions(one: "Answered", format: str | None, columns: Mapping[str, str] | None) -> "Predictions":  # noqa: A002
    from patstone.systems.predictions import Predictions, read_predictions

    if isinstance(one, Predictions):
        return one
    if isinstance(one, Mapping):
        return Predictions.from_dict(one)
    return read_predictions(one, format=format, columns=columns)


def _is_table(source: object, format: str | None) -> bool:  # noqa: A002 - the word that users know
    from patstone.files.formats import FORMATS, format_of

    return isinstance(source, str | Path) and (format or format_of(source)) in FORMATS.values()


def read_qrels(
    gold: Gold,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
    subtopics: PathLike | None = None,
) -> Qrels:
    """Read judgments; `subtopics` is a table that says more about each subtopic."""
    if isinstance(gold, Qrels):
        return gold
    if isinstance(gold, Mapping):
        return Qrels.from_dict(gold)
    if not isinstance(cast(object, gold), str | Path):
        rule = "A gold standard is a path, a Qrels or {topic: {document: grade}}."
        raise UsageError(f"{rule} Got {shorten(repr(gold))} instead.")
    from patstone.gold.sources import read_qrels as read

    return read(fspath(gold), format=format, columns=columns, subtopics=subtopics)


def open_run(
    run: OneRun,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Answers:
    """Open ranked answers; a large file is read when it is scored."""
    if isinstance(run, Mapping):
        return Run.from_dict(run, name=name or "run")
    if not isinstance(run, str | Path):
        if not hasattr(run, "parts"):
            rule = "A run is a path, a Run or {topic: {document: score}}."
            raise UsageError(f"{rule} Got {shorten(repr(run))} instead.")
        return run
    from patstone.systems.sources import open_run as open_source

    return open_source(fspath(run), format=format, columns=columns, name=name)


def named_apart(runs: Sequence[Answers]) -> list[Answers]:
    """A name that comes again gets its number, so that every row of a table says which run it is."""
    apart: dict[str, Answers] = {}
    for run in runs:
        name, number = run.name, 2
        # The numbered name may be a file's own name too.
        while name in apart:
            name, number = f"{run.name}#{number}", number + 1
        apart[name] = run if name == run.name else _renamed(run, name)
    return list(apart.values())


def _renamed(run: Any, name: str) -> Answers:  # noqa: ANN401 - a protocol can't say that its values are dataclasses
    if not is_dataclass(run):
        raise UsageError(f"Two runs are called {run.name!r}; give each a name of its own.")
    return cast(Answers, replace(run, name=name))  # type: ignore[type-var]


def families_for(gold: Gold, families: "PathLike | Mapping[str, str] | Families | None") -> "Families | None":
    """The families given; without them those that a test collection knows itself."""
    from patstone.gold.sources import is_dataset

    if families is None and isinstance(gold, str | Path) and is_dataset(gold):
        from patstone.gold.dataset import open_dataset

        return open_dataset(gold).families()
    return open_families(families)


def open_families(families: "PathLike | Mapping[str, str] | Families | None") -> "Families | None":
    if families is None:
        return None
    from patstone.patents.families import Families, read_families

    if isinstance(families, Mapping):
        return Families.from_dict(families)
    return read_families(families) if isinstance(families, str | Path) else families


def open_lengths(lengths: "PathLike | Mapping[str, float] | Lengths | None") -> "Lengths | None":
    if lengths is None:
        return None
    from patstone.systems.lengths import Lengths, read_lengths

    if isinstance(lengths, Mapping):
        return Lengths.from_dict(lengths)
    return read_lengths(lengths) if isinstance(lengths, str | Path) else lengths


def open_vocabulary(schemes: Schemes, level: str | None) -> "Vocabulary | None":
    """The scheme of classes, or one for each theme, and the level at which they count; None without either."""
    if schemes is None and level is None:
        return None
    from patstone.measures.vocabulary import Vocabulary
    from patstone.patents.schemes.levels import LEVELS
    from patstone.patents.schemes.scheme import Scheme
    from patstone.patents.schemes.sources import read_scheme

    if level is not None and level not in LEVELS:
        raise UsageError(f"The level of classes is one of {', '.join(LEVELS)}. Got {shorten(repr(level))} instead.")
    if isinstance(schemes, Vocabulary):
        return schemes
    asked = [schemes] if isinstance(schemes, str | Path | Scheme) else list(schemes or ())
    opened = tuple(each if isinstance(each, Scheme) else read_scheme(fspath(each)) for each in asked)
    names = [scheme.name for scheme in opened]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"Two schemes are called {twice!r}; a theme has one.")
    return Vocabulary(schemes=opened, level=level)


def topic_columns(table: TopicTable, topics: Sequence[str]) -> dict[str, list[str]]:
    """Each column's value for each of `topics`; a topic without a row is an error that names it."""
    described = table if isinstance(table, Mapping) else _read_topics(table)
    missing = [topic for topic in topics if topic not in described]
    if missing:
        path = None if isinstance(table, Mapping) else table
        raise DataError("The table of topics needs a row for each judged topic.", path=path, value=missing[0])
    names = dict.fromkeys(name for topic in topics for name in described[topic])
    return {name: [str(described[topic].get(name, "")) for topic in topics] for name in names}


def _read_topics(path: PathLike) -> dict[str, dict[str, str]]:
    from patstone.files.ids import texts
    from patstone.files.tables import read_table
    from patstone.gold.sources import TOPIC

    table = read_table(path, [TOPIC], rest=True)
    columns = {name: column.tolist() for name, column in table.columns.items()} | {
        "topic": texts(table.columns["topic"])
    }
    rows: dict[str, dict[str, str]] = {}
    for row, topic in enumerate(columns["topic"]):
        if topic in rows:
            raise table.refuse("A topic has one row in the table of topics.", row, topic)
        rows[topic] = {name: column[row] for name, column in columns.items() if name != "topic"}
    return rows
