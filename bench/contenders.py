"""One contender on one task, in a process of its own: `python -m bench.contenders NAME TASK OUT GOLD RUN...`.

Prints what the process has used when the per-topic results are there, as JSON; then writes the results to OUT, so
that they can be compared. The bytes that a tool reads and its start-up count; with the task `memory` only the
evaluation of what was read does. Runs under the interpreter that has the tool, so imports stay in the functions.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

Results = list[dict[str, dict[str, float]]]
"""By run: measure, topic, value; measures in our names."""

TREC = {
    "AP": "map",
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "P@10": "P_10",
    "R@100": "recall_100",
    "RR": "recip_rank",
    "Bpref": "bpref",
    "Rprec": "Rprec",
}
RANX = {
    "AP": "map",
    "nDCG@10": "ndcg@10",
    "nDCG": "ndcg",
    "P@10": "precision@10",
    "R@100": "recall@100",
    "RR": "mrr",
    "Bpref": "bpref",
    "Rprec": "r-precision",
}
NDEVAL = {"alpha_nDCG@20": "alpha-nDCG@20", "ERR_IA@20": "ERR-IA@20", "I_rec@20": "strec@20"}
IR_MEASURES = {name: name for name in TREC} | {
    "alpha_nDCG@20": "alpha_nDCG@20",
    "ERR_IA@20": "ERR_IA@20",
    "I_rec@20": "StRecall@20",
}


@dataclass(frozen=True, kw_only=True)
class Contender:
    package: str
    gold: Callable[[str], Any]
    run: Callable[[str], Any]
    score: Callable[[Any, Iterable[Any], list[str]], Any]
    """Per-topic results in the tool's own form."""
    results: Callable[[Any, list[str]], Results] = lambda found, measures: found  # noqa: ARG005
    """The same in ours, to compare them; not part of what is measured."""
    held: Callable[[Any], Any] = lambda run: run
    """Brings a run wholly into memory, where reading it does not."""
    command: bool = False
    """What counts is a command that the process starts, not the process."""


def patstone_score(gold: Any, runs: Iterable[Any], measures: list[str]) -> Any:
    import patstone

    return patstone.score(gold, list(runs), measures)


def patstone_results(scores: Any, measures: list[str]) -> Results:
    return [
        {name: dict(zip(scores.topics, row.tolist(), strict=True)) for name, row in zip(measures, rows, strict=True)}
        for rows in scores.values
    ]


def patstone_gold(path: str) -> Any:
    import patstone

    return patstone.read_qrels(path, format="diversity" if "subtopics" in Path(path).name else "trec")


def patstone_run(path: str) -> Any:
    import patstone

    return patstone.open_run(path)


def command_score(gold: str, runs: Iterable[str], measures: list[str]) -> Results:
    patstone = str(Path(sys.executable).with_name("patstone"))
    command = [patstone, "score", gold, *runs, "-m", *measures, "--by-topic", "--json", "--quiet"]
    answer = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for row in json.loads(answer.stdout)["results"]:
        if "topic" in row:
            found.setdefault(row["system"], {}).setdefault(row["measure"], {})[row["topic"]] = row["value"]
    return list(found.values())


def trec_eval_score(gold: str, runs: Iterable[str], measures: list[str]) -> Results:
    names = {TREC[measure]: measure for measure in measures}
    asked = [f"-m{_asked(measure)}" for measure in measures]
    return [_trec_eval([os.environ["TREC_EVAL"], "-q", *asked, gold, run], names) for run in runs]


def _asked(measure: str) -> str:
    """Say ndcg_cut.10 for what is then reported as ndcg_cut_10."""
    return ".".join(TREC[measure].rsplit("_", 1)) if "@" in measure else TREC[measure]


def _trec_eval(command: list[str], names: dict[str, str]) -> dict[str, dict[str, float]]:
    answer = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, dict[str, float]] = {}
    for name, topic, value in map(str.split, answer.stdout.splitlines()):
        if name in names and topic != "all":
            found.setdefault(names[name], {})[topic] = float(value)
    return found


def pytrec_eval_gold(path: str) -> Any:
    import pytrec_eval

    with Path(path).open() as lines:
        return pytrec_eval.parse_qrel(lines)


def pytrec_eval_run(path: str) -> Any:
    import pytrec_eval

    with Path(path).open() as lines:
        return pytrec_eval.parse_run(lines)


def pytrec_eval_score(gold: Any, runs: Iterable[Any], measures: list[str]) -> Any:
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(gold, {_asked(measure) for measure in measures})
    return [evaluator.evaluate(run) for run in runs]


def pytrec_eval_results(found: Any, measures: list[str]) -> Results:
    return [_by_measure(rows, {measure: TREC[measure] for measure in measures}) for rows in found]


def _by_measure(found: dict[str, dict[str, float]], names: dict[str, str]) -> dict[str, dict[str, float]]:
    return {ours: {topic: row[theirs] for topic, row in found.items()} for ours, theirs in names.items()}


def ir_measures_gold(path: str) -> Any:
    import ir_measures

    return list(ir_measures.read_trec_qrels(path))  # type: ignore[no-untyped-call]


def ir_measures_run(path: str) -> Any:
    import ir_measures

    return ir_measures.read_trec_run(path)  # type: ignore[no-untyped-call]


def ir_measures_score(gold: Any, runs: Iterable[Any], measures: list[str]) -> Results:
    import ir_measures

    names = {ir_measures.parse_measure(IR_MEASURES[measure]): measure for measure in measures}
    evaluator = ir_measures.evaluator(list(names), gold)
    results: Results = []
    for run in runs:
        found: dict[str, dict[str, float]] = {measure: {} for measure in measures}
        for metric in evaluator.iter_calc(run):
            found[names[metric.measure]][metric.query_id] = metric.value
        results.append(found)
    return results


def ranx_gold(path: str) -> Any:
    from ranx import Qrels

    return Qrels.from_file(path, kind="trec")


def ranx_run(path: str) -> Any:
    from ranx import Run

    return Run.from_file(path, kind="trec")


def ranx_score(gold: Any, runs: Iterable[Any], measures: list[str]) -> Any:
    from ranx import evaluate

    evaluated = []
    for run in runs:
        evaluate(gold, run, [RANX[measure] for measure in measures], return_mean=False)
        evaluated.append(run.scores)
    return evaluated


def ranx_results(found: Any, measures: list[str]) -> Results:
    return [{measure: dict(scores[RANX[measure]]) for measure in measures} for scores in found]


def pyndeval_gold(path: str) -> Any:
    with Path(path).open() as lines:
        return [(topic, subtopic, doc, int(grade)) for topic, subtopic, doc, grade in map(str.split, lines)]


def pyndeval_run(path: str) -> Any:
    with Path(path).open() as lines:
        return [(topic, doc, float(score)) for topic, _, doc, _, score, _ in map(str.split, lines)]


def pyndeval_score(gold: Any, runs: Iterable[Any], measures: list[str]) -> Any:
    import pyndeval

    evaluator = pyndeval.RelevanceEvaluator(gold, [NDEVAL[measure] for measure in measures])
    return [evaluator.evaluate(run) for run in runs]


def pyndeval_results(found: Any, measures: list[str]) -> Results:
    return [_by_measure(rows, {measure: NDEVAL[measure] for measure in measures}) for rows in found]


CONTENDERS = {
    "patstone": Contender(
        package="patstone",
        gold=patstone_gold,
        run=patstone_run,
        score=patstone_score,
        results=patstone_results,
        held=lambda run: run.whole(),
    ),
    "patstone score": Contender(package="patstone", gold=str, run=str, score=command_score, command=True),
    "trec_eval": Contender(package="pytrec_eval-terrier", gold=str, run=str, score=trec_eval_score, command=True),
    "pytrec_eval": Contender(
        package="pytrec_eval-terrier",
        gold=pytrec_eval_gold,
        run=pytrec_eval_run,
        score=pytrec_eval_score,
        results=pytrec_eval_results,
    ),
    "ir_measures": Contender(
        package="ir_measures", gold=ir_measures_gold, run=ir_measures_run, score=ir_measures_score
    ),
    "ranx": Contender(package="ranx", gold=ranx_gold, run=ranx_run, score=ranx_score, results=ranx_results),
    "pyndeval": Contender(
        package="pyndeval", gold=pyndeval_gold, run=pyndeval_run, score=pyndeval_score, results=pyndeval_results
    ),
}


def spent(*, command: bool) -> tuple[float, float]:
    """CPU seconds, user and system, and peak memory in MB: of the commands that were run, or of this process."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN if command else resource.RUSAGE_SELF)
    if command:
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    # ru_maxrss of a process begins with what its parent had; the kernel's own mark does not.
    marks = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line]
    return used.ru_utime + used.ru_stime, int(marks[0]) / 1024


def from_files(contender: Contender, gold: str, runs: list[str], measures: list[str]) -> tuple[float, Results]:
    found = contender.score(contender.gold(gold), map(contender.run, runs), measures)
    cpu = spent(command=contender.command)[0]
    return cpu, contender.results(found, measures)


def in_memory(contender: Contender, gold: str, runs: list[str], measures: list[str]) -> tuple[float, Results]:
    """The second of two evaluations: none of the tools is then compiling or importing."""
    judged, answers = contender.gold(gold), [contender.held(contender.run(path)) for path in runs]
    for _ in range(2):
        begin = time.process_time()
        found = contender.score(judged, answers, measures)
        cpu = time.process_time() - begin
    return cpu, contender.results(found, measures)


def main(name: str, task: str, out: str, gold: str, *runs: str) -> None:
    contender = CONTENDERS[name]
    measures = list(NDEVAL if task == "subtopics" else TREC)
    cpu, results = (in_memory if task == "memory" else from_files)(contender, gold, list(runs), measures)
    peak = spent(command=contender.command)[1]
    print(json.dumps({"cpu": cpu, "peak": peak, "version": f"{contender.package} {version(contender.package)}"}))
    Path(out).write_text(json.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
