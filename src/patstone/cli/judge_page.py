"""The reference page on the judge in the wheel, written from its own file: weights, training, validation."""

import json
from importlib.resources import files
from typing import Any

HEAD = "<!-- Written by `make docs` from the judge's own file: `make judge` makes that. -->\n"
INTRO = """\
`--judge patstone` scores a candidate beside its gold, for each of the five criteria, without any extra. It is linear in
few features; each is in [0, 1] and 1 where the candidate is the gold, and weights are not negative and sum to 1. So the
gold scores 1 and nothing scores more, and the order of A and B cannot matter. Completeness uses only features that no
deletion can raise. The measures of likeness keep a fixed share of the other criteria: likeness is what agrees with
experts elsewhere, and made faults alone would train it away.

It was trained by `make judge` on degradations of invented claims and of the claims of public US samples
(`patstone claims degrade`); only weights are kept. No expert label was seen, so that this page cannot say how far it
agrees with experts: `patstone claims meta` does, on labels of your own.
"""
VALIDATION = """\
Each kind of degradation in turn was left out of training, with half of the golds; then the comparisons of that kind and
of the other golds were judged. `right` is the share put in order, half a point for equal scores; the lead is ours over
each measure, with a 95 % interval from samples of golds. For a criterion the better candidate is the less degraded one,
or one that was degraded in another criterion; so likeness alone cannot answer, and a measure of likeness may well be
worse than a coin. For overall quality the comparisons are degrees of one kind, and one fault against three others:
likeness answers those nearly always, and the judge is level with the best measure there, not better.
"""


ELSEWHERE = """\
The benchmark of `patstone reproduce paper4` is made up by another program: its own claims, faults and synonyms, and
annotators with noise. Nothing was trained or chosen on it. The values are tau-b of score differences with labels, on
all comparisons and on those in which no candidate is the gold; the lead has a 95 % interval from samples of golds.
"""


def page() -> str:
    model = json.loads((files("patstone.systems.judges") / "shipped.json").read_text(encoding="utf-8"))
    told = model["trained_on"]
    trained = (
        f"{told['golds']:,} golds, {told['texts']:,} texts, {told['pairs']:,} comparisons; digest `{model['digest']}`."
    )
    parts = [
        HEAD + "# The judge `patstone`\n",
        INTRO,
        f"Trained on {trained}\n",
        "## Weights\n",
        *_weights(model["weights"]),
    ]
    return "\n".join(
        [
            *parts,
            "## Validation\n",
            VALIDATION,
            *_validation(model["validation"]),
            "\n## Elsewhere\n",
            ELSEWHERE,
            *_elsewhere(model["elsewhere"]),
            "",
        ]
    )


def _weights(weights: dict[str, dict[str, float]]) -> list[str]:
    names = list(dict.fromkeys(name for own in weights.values() for name in own))
    head = [f"| feature | {' | '.join(weights)} |", "| :--- |" + " ---: |" * len(weights)]
    rows = [
        f"| {name} | " + " | ".join(f"{own[name]:.3f}" if name in own else "" for own in weights.values()) + " |"
        for name in names
    ]
    return [*head, *rows, ""]


def _validation(rows: list[dict[str, Any]]) -> list[str]:
    head = [
        "| criterion | judge | comparisons | golds | right | lead of patstone |",
        "| :--- | :--- | ---: | ---: | ---: | :--- |",
    ]
    return [
        *head,
        *(
            f"| {row['criterion']} | {row['judge']} | {row['pairs']:,} | {row['golds']} | {row['accuracy']:.3f} | "
            + ("" if row["judge"] == "patstone" else _lead(row))
            + " |"
            for row in rows
        ),
    ]


def _elsewhere(rows: list[dict[str, Any]]) -> list[str]:
    head = ["| criterion | comparisons | judge | number | tau-b | lead of patstone |"]
    head.append("| :--- | :--- | :--- | ---: | ---: | :--- |")
    return [
        *head,
        *(
            f"| {row['criterion']} | {row['subset']} | {row['judge']} | {row['pairs']:,} | {row['tau_b']:.3f} | "
            + ("" if row["judge"] == "patstone" else _lead(row))
            + " |"
            for row in rows
        ),
    ]


def _lead(row: dict[str, Any]) -> str:
    return f"{row['lead']:+.3f} [{row['ci'][0]:+.3f}, {row['ci'][1]:+.3f}]"
