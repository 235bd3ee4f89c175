"""Values worked out by hand: every measure has at least three, in tests/golden/measures/*.toml.

One file holds a family of measures; each `[[example]]` is one topic:

    [[example]]
    measure = "AP@3"                # as on the command line
    gold = "a:1 b:2 c:0"            # document:grade
    run = "b x a"                   # best first; "" for an unanswered topic; "b (x a)" gives x and a one score
    value = "(1/1 + 2/3) / 2"       # the arithmetic; it may use log2, log, exp and sqrt
    why = "b at rank 1, a at rank 3; two relevant documents are known"

and where the measure needs it:

    gold = { c1 = "a:1 b:1", c2 = "b:1 d:2" }    # by subtopic, in place of one line
    independent = ["c1"]                         # the independent claims; the others are dependent
    weights = { c1 = 3, c2 = 1 }                 # importance given with the data
    inventions = ["a b", "c d"]                  # documents of one invention; any other is its own
    lengths = "a:100 b:50 x:300"                 # words of every document in the run
    view = "a b x"                               # the viewing order, where it is not the ranking
    ties = "expected"                            # the mean over all orders of equal scores
    scheme = "A:root B:root A1:A"                # what the documents are terms of: child and parent
    assigned = "A1 B"                            # the classes assigned, where that is not the whole ranking
"""

import math
import re
import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orders import tied
from patstone.files import ids
from patstone.gold.qrels import Qrels, Subtopics
from patstone.measures.engine import score
from patstone.measures.measure import parse, registry
from patstone.measures.policies import Policies
from patstone.measures.ranked import Ranked, Reading
from patstone.measures.vocabulary import Vocabulary
from patstone.systems.lengths import Lengths
from patstone.systems.run import Run
from terms import scheme_of, with_terms

FOLDER = Path(__file__).parents[1] / "golden" / "measures"
EXAMPLES = {
    f"{path.stem}-{number}-{example['measure']}": example
    for path in sorted(FOLDER.glob("*.toml"))
    for number, example in enumerate(tomllib.loads(path.read_text())["example"], start=1)
}
# A run that answers no topic at all is an error.
ANSWERED = {name: example for name, example in EXAMPLES.items() if example["run"]}
ARITHMETIC = {"log2": math.log2, "log": math.log, "exp": math.exp, "sqrt": math.sqrt}
TOPIC = "t"

Example = dict[str, Any]


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_value(example: Example) -> None:
    measure = parse(example["measure"])
    kernel = measure.card.expected if example.get("ties") == "expected" else measure.card.kernel
    assert kernel is not None
    value = kernel(ranked(example, measure.cutoff), **measure.arguments)
    assert value == pytest.approx([arithmetic(example["value"])], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("example", ANSWERED.values(), ids=ANSWERED)
def test_value_from_the_engine(example: Example) -> None:
    scores = run(example["run"])
    answers = Run.from_dict({TOPIC: scores})
    if "view" in example:
        answers = replace(answers, order=np.array([example["view"].split().index(doc) + 1.0 for doc in scores]))
    if "assigned" in example:
        answers = replace(answers, assigned=np.array([doc in example["assigned"].split() for doc in scores]))
    result = score(
        gold(example),
        [answers],
        [example["measure"]],
        vocabulary=vocabulary(example["scheme"]) if "scheme" in example else None,
        policies=Policies(ties=example.get("ties", "docid"), self="keep"),
        lengths=Lengths.from_dict(pairs(example["lengths"])) if "lengths" in example else None,
    )
    assert result.values[0, 0] == pytest.approx([arithmetic(example["value"])], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", registry())
def test_every_measure_has_three_examples(name: str) -> None:
    examples = Counter(parse(example["measure"]).name for example in EXAMPLES.values())
    assert examples[name] >= 3, f"{name} has {examples[name]} examples in {FOLDER}"


@cache
def vocabulary(pairs: str) -> Vocabulary:
    return Vocabulary(schemes=(scheme_of(pairs),))


def arithmetic(expression: str) -> float:
    return float(eval(expression.replace("\n", " "), {"__builtins__": {}}, ARITHMETIC))  # noqa: S307 - our own files


def ranked(example: Example, cutoff: int | None) -> Ranked:
    scores = run(example["run"])
    plain = tied(gold(example), {TOPIC: scores} if scores else {})
    hits = [ids.texts(plain.gold.docs)[row] for row in plain.row]
    if "view" in example:
        order = example["view"].split()
        plain = replace(plain, view=np.array([order.index(doc) + 1 for doc in hits], dtype=np.int64))
    if "scheme" in example:
        assigned = example["assigned"].split() if "assigned" in example else None
        plain = with_terms(plain, {TOPIC: scores}, vocabulary(example["scheme"]), assigned=assigned)
    if "lengths" in example:
        order = sorted(scores, key=lambda doc: (scores[doc], doc), reverse=True)
        plain = replace(plain, reading=reading(pairs(example["lengths"]), order, hits, cutoff or 0))
    return plain


def run(text: str) -> dict[str, float]:
    groups = re.findall(r"\(([^)]*)\)|(\S+)", text)
    return {doc: -float(place) for place, group in enumerate(groups) for doc in (group[0] or group[1]).split()}


def pairs(text: str) -> dict[str, float]:
    return {doc: float(number) for doc, number in (pair.split(":") for pair in text.split())}


def gold(example: Example) -> Qrels:
    described = example["gold"]
    by_subtopic = described if isinstance(described, dict) else {"": described}
    rows = [(name, doc, grade) for name, line in by_subtopic.items() for doc, grade in pairs(line).items()]
    invention = {doc: group for group in example.get("inventions", []) for doc in group.split()}
    made = Qrels.from_columns(
        [TOPIC] * len(rows),
        [doc for _, doc, _ in rows],
        [grade for _, _, grade in rows],
        subtopics=[name for name, _, _ in rows] if isinstance(described, dict) else None,
        inventions=[invention.get(doc, doc) for _, doc, _ in rows] if invention else None,
    )
    return replace(made, subtopics=subtopics(example, made.subtopics)) if made.subtopics else made


def subtopics(example: Example, made: Subtopics) -> Subtopics:
    independent, weights = example.get("independent"), example.get("weights")
    return replace(
        made,
        independent=None if independent is None else np.array([name in independent for name in made.names]),
        weights=None if weights is None else np.array([weights[name] for name in made.names], dtype=np.float64),
    )


def reading(lengths: dict[str, float], order: list[str], hits: list[str], cutoff: int) -> Reading:
    passed = [sum(lengths[doc] for doc in order[:place]) for place in range(max(len(order), cutoff) + 1)]
    return Reading(
        own=np.array([lengths[doc] for doc in hits]),
        before=np.array([passed[order.index(doc)] for doc in hits]),
        until={place: np.array([words]) for place, words in enumerate(passed)},
    )
