"""The model card: what a judge was trained on, how it did on what it had not seen, and what it is not for."""

from collections.abc import Mapping, Sequence
from typing import Any


def model_card(name: str, card: Mapping[str, Any], criteria: Sequence[str]) -> str:
    parts, counts = card["parts"], card["counts"]
    lines = [
        f"# {name}",
        "",
        f"A judge of generated patent claims: {card['model']}, {card['task']}-task, by patstone {card['version']}.",
        f"`patstone claims score pairs.json --judge {name}` uses it.",
        "",
        "## Data",
        "",
        f"- `{card['source']}`, digest {card['data']}: {counts['items']:,} comparisons from {counts['golds']:,} golds",
        f"- {parts['train']:,} to learn from, {parts['validation']:,} to stop and to choose by, {parts['test']:,} only "
        "for the numbers below; golds that share a candidate are never parted",
        f"- {counts['with_identical_candidate']:,} comparisons have the gold itself as a candidate",
        f"- seed {card['seed']}; margin and tolerance: {_margins(card['margins'], criteria)}",
        "",
        "## On golds that it had not seen",
        "",
        "| criterion | tau_b (continuous) | interval | comparisons |",
        "| :--- | ---: | :--- | ---: |",
        *(_row(criterion, found) for criterion, found in card["test"].items()),
        "",
        "## Mind",
        "",
        "- It says how well a candidate would please those who labelled these data, in their field and language.",
        "- Its scores are no probabilities; only differences under one gold mean anything.",
        *(f"- {sign}" for sign in [*card["signs"], *card["notes"]]),
    ]
    return "\n".join(lines) + "\n"


def _margins(found: Sequence[Mapping[str, float]], criteria: Sequence[str]) -> str:
    names = criteria if len(found) > 1 else ["all"]
    return ", ".join(f"{name} {each['margin']}, {each['tolerance']}" for name, each in zip(names, found, strict=True))


def _row(criterion: str, found: Mapping[str, Any]) -> str:
    value = "–" if found["tau_b"] is None else f"{found['tau_b']:.3f}"
    ends = [f"{end:.3f}" for end in found["ci"] or () if end is not None]
    return f"| {criterion} | {value} | {'[' + ', '.join(ends) + ']' if ends else '–'} | {found['pairs']:,} |"
