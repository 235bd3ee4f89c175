"""Paper 4, evaluation of generated claims: the whole study on a made-up benchmark whose qualities are known.

The tables answer on that benchmark what the paper asks of its own: do measures of words beat embeddings, does one model
for each criterion beat a shared one, how do margin and tolerance matter. `traps` shows three ways to a number that
means nothing. `patent-ce` holds baselines against the published test pairs where the user has them.
"""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from patstone.experiments.reproduce.registry import Given, PaperTable, Row, declare

if TYPE_CHECKING:
    from patstone.experiments.judging import MetaEvaluation
    from patstone.gold.preferences import Preferences
    from patstone.systems.judges.judge import Marks

PUBLISHED = "patent-ce/test.json"
NGRAMS = ("BLEU", "chrF", "ROUGE-1", "ROUGE-2", "ROUGE-L")
EMBEDDING = "embedding:subword"
RESAMPLES = 200


@cache
def published() -> dict[str, Any]:
    text = files("patstone.experiments.reproduce").joinpath("paper4.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@declare(
    paper="paper4",
    name="judges",
    title="judges and criteria on a made-up benchmark: tau_b, and words against embeddings",
)
def judges(table: PaperTable, given: Given) -> Iterator[Row]:
    whole, marks, found = _study(given.seed)
    for criterion in whole.criteria:
        for each in marks:
            yield table.shown(f"{each.judge}, {criterion}", "tau_b", found.value(each.judge, criterion))
            rest = found.value(each.judge, criterion, subset="not-identical")
            yield table.shown(f"{each.judge}, {criterion}", "tau_b not identical", rest)
    there = [each.judge for each in marks if each.judge in NGRAMS]
    for criterion in whole.criteria:
        best = max(found.value(name, criterion) for name in there)
        gap = best - found.value(EMBEDDING, criterion)
        yield table.shown(f"best n-gram measure less {EMBEDDING}, {criterion}", "tau_b", gap)


@declare(
    paper="paper4",
    name="tasks",
    title="one model for each criterion against one for all, on golds not seen; some seconds",
    needs="the extra train for the boosted model",
)
def tasks(table: PaperTable, given: Given) -> Iterator[Row]:
    for kind in _kinds():
        single, multi = (_trained(given.seed, kind, multi_task=shared) for shared in (False, True))
        for criterion, value in single.items():
            yield table.shown(f"{kind}, {criterion}", "tau_b single-task", value)
            yield table.shown(f"{kind}, {criterion}", "tau_b multi-task", multi[criterion])
        mean = sum(single[name] - multi[name] for name in single) / len(single)
        yield table.shown(f"{kind}, single less multi, mean of criteria", "tau_b", mean)


@declare(paper="paper4", name="sweep", title="margin and tolerance: validation of the linear judge, overall quality")
def sweep(table: PaperTable, given: Given) -> Iterator[Row]:
    for row in _rows(given.seed, "linear", ("overall",), multi_task=False):
        if row.stage == "sweep":
            cell = f"m {row.margin}, n {row.tolerance}"
            yield table.shown(cell, "tau_b", row.value)
            yield table.shown(cell, "share of pairs within n", row.within_tolerance)
            yield table.finding(cell, "scores have not collapsed", holds=not row.collapsed)


@declare(paper="paper4", name="traps", title="identical candidates, leaky folds and tie bands, each with its numbers")
def traps(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.experiments.judging import inflated

    whole, marks, found = _study(given.seed)
    alone = found.value("control:identical", "overall")
    yield table.shown("is it the gold?", "tau_b", alone)
    for name in ("ROUGE-L", "edit"):
        every, rest = (found.value(name, "overall", subset=part) for part in ("all", "not-identical"))
        yield table.shown(name, "tau_b all", every)
        yield table.shown(name, "tau_b not identical", rest)
        yield table.finding(name, "identical candidates flatter it", holds=every > rest)
    leaky, clean = (found.value(f"control:text-blind-{part}-folds", "overall") for part in ("random", "gold"))
    yield table.shown("no text, random folds", "tau_b", leaky)
    yield table.shown("no text, folds by gold", "tau_b", clean)
    yield table.finding("no text", "random folds leak", holds=leaky > 0.1 and not clean > 0.1)
    rouge = next(each for each in marks if each.judge == "ROUGE-L")
    tuned = inflated(whole, rouge, "overall")
    honest = found.value("ROUGE-L", "overall", predictions="ternary")
    yield table.shown("ROUGE-L, continuous", "tau_b", found.value("ROUGE-L", "overall"))
    yield table.shown("ROUGE-L, ternary, band chosen on other golds", "tau_b", honest)
    yield table.shown("ROUGE-L, ternary, band chosen on the test", "tau_b", tuned)
    yield table.finding("tie band", "choosing it on the test flatters", holds=tuned >= honest)
    yield table.shown("continuous differences", "largest possible tau_b", found.ceilings["overall"])


@declare(
    paper="paper4",
    name="patent-ce",
    title="baselines on the published test pairs, overall quality",
    needs=f"{PUBLISHED} in --data: the published test pairs; the extra claims",
)
def patent_ce(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.experiments.judging import inflated
    from patstone.gold.preference_files import read_preferences

    whole, printed = read_preferences(given.file(PUBLISHED)), published()["patent-ce"]
    marks, found = _evaluated(whole, [*printed["all"]], given.seed)
    near = printed["tolerance"]
    for subset in ("all", "not-identical"):
        for name, value in printed[subset].items():
            ours = found.value(name, "overall", subset=subset)
            yield table.held(name, f"tau_b {subset}", value, ours, near)
    controls = {"identical": "identical", "length": "length", "text_blind": "text-blind-random-folds"}
    for key, name in controls.items():
        yield table.held(name, "tau_b all", printed[key], found.value(f"control:{name}", "overall"), near)
    bleu = next(each for each in marks if each.judge == "BLEU")
    yield table.held(
        "BLEU, tie band chosen on the test", "tau_b", printed["tuned_band_BLEU"], inflated(whole, bleu, "overall"), near
    )
    yield table.held(
        "continuous differences", "largest possible tau_b", printed["ceiling"], found.ceilings["overall"], near
    )


@cache
def _world(seed: int) -> "Preferences":
    from patstone.experiments.claim_world import benchmark

    return benchmark(seed=seed)


@cache
def _study(seed: int) -> "tuple[Preferences, list[Marks], MetaEvaluation]":
    whole = _world(seed)
    return whole, *_evaluated(whole, ["default", EMBEDDING], seed)


def _evaluated(whole: "Preferences", names: Sequence[str], seed: int) -> "tuple[list[Marks], MetaEvaluation]":
    from patstone.experiments.judging import Settings, evaluate
    from patstone.systems.judges.judge import judged
    from patstone.systems.judges.registry import find_judges

    found, _ = find_judges(names)
    marks = [judged(judge, whole) for judge in found]
    return marks, evaluate(whole, marks, Settings(resamples=RESAMPLES, seed=seed))


def _kinds() -> list[str]:
    from importlib.util import find_spec

    return ["linear", *(["boosted"] if find_spec("sklearn") else [])]


def _trained(seed: int, kind: str, *, multi_task: bool) -> dict[str, float]:
    rows = _rows(seed, kind, (), multi_task=multi_task, margins=(0.2,), tolerances=(0.05,))
    return {row.criterion: row.value for row in rows if row.stage == "test"}


def _rows(seed: int, kind: str, criteria: Sequence[str], *, multi_task: bool, **swept: Any) -> Sequence[Any]:  # noqa: ANN401
    from tempfile import TemporaryDirectory

    from patstone.experiments.judge_training.material import prepare
    from patstone.experiments.judge_training.train import Plan, train

    plan = Plan(model=kind, multi_task=multi_task, seed=seed, **swept)  # type: ignore[arg-type]
    with TemporaryDirectory() as folder:
        return train(prepare(_world(seed), criteria, seed=seed), plan, folder).rows
