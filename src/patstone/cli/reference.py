"""The reference pages, written from the declarations: `python -m patstone.cli.reference docs/reference`.

Nothing in them is kept by hand; a test fails when a page differs from what this writes.
"""

import sys
from pathlib import Path

from patstone.cli import judge_page
from patstone.cli.command import Command, Entry
from patstone.cli.main import COMMANDS, find
from patstone.cli.measures import facts
from patstone.measures.binary import BINARY
from patstone.measures.measure import Card, registry
from patstone.patents.claims.checks import Rule, rules

HEAD = "<!-- Written by `make docs` from the declarations in the code: change those. -->\n"


def pages() -> dict[str, str]:
    """File name: content."""
    return {
        "commands.md": commands(),
        "measures.md": measures(),
        "claim-rules.md": claim_rules(),
        "shipped-judge.md": judge_page.page(),
    }


def commands() -> str:
    parts = [HEAD + "# Commands\n", CONVENTIONS, *(command(find(name)) for name in sorted(COMMANDS)), exit_codes()]
    return "\n".join(parts)


CONVENTIONS = """\
Data goes to standard output, notes to standard error. `-` is standard input. Every command that prints rows takes the
output words; the name given to `--out` chooses the format (.json, .jsonl, .csv, .tex, .md) where no word does.

`--json` prints one object: `signature` (how each number was made), `results` (a row for each number), `counts` (what
each policy touched, by system) and `warnings`. In `results`, `score` gives `system, measure, value, ci, topics` (and
`topic`, or `field, slice`; for labels also `method`, how the interval was made, and `comparisons` of several
classifiers); `compare` gives `a, b, measure, difference, ci, p, p_adjusted, effect, wins, ties, losses,
topics`; `compare --discriminative` gives `measure, power, smallest_difference, …` and `first, second, tau, tau_ap`;
`claims check` gives `document, claim, code, severity, start, end, message, fix`; `claims degrade` gives `id, document,
criterion, kind, severity, wanted, made, candidate, changes`, with `--comparisons` `id, criterion, label, kind,
severity_a, severity_b, gold, a, b`;
`claims score` gives `pair, judge, criterion` and `score_a, score_b` or `score` (and `drivers`);
`claims meta` gives `judge, criterion, subset, statistic, predictions, value, ci, pairs, golds`, and under `differences`
`criterion, subset, a, b, difference, ci, p, p_adjusted, smallest`; `claims train` gives `stage` (sweep or test),
`model, task, criterion, margin, tolerance, statistic, value, ci, loss, within_tolerance, collapsed, pairs`;
`train` gives `size, set` (E or H), `control, measure, value, variance, tp, fp, fn, tn, runs, model, protocol,
operator`;
`gold audit` gives `criterion, verdict, evidence, settle`, and `findings` with `rule, severity, rows, message`;
`gold agree` gives `statistic, of, value, ci, units`; `scheme cost` gives `cost, a, b, value, distance, unit,
parts`; `reproduce` gives `paper, table, row, measure,
published, ours, tolerance, verdict`; `patents number` gives `input, ambiguous, canonical, readings, reason`, and each
of its readings `canonical, country, number, kind, role, date`; `patents claims` gives `document, language, claim, kind,
parents, category, transition, preamble, elements, cross_category, depth, roots, text`, and beside `results` the
`findings` with `document, language, rule, claim, others, message`; `patents convert` and `patents info` give `table,
by, value, rows`, the totals under `counts`, and the manifest's `sources`, `tables`, `precedence` and `snapshot`.
What is undefined is null.
"""


def command(one: Command) -> str:
    summary, rest = one.doc
    body, _, examples = rest.partition("Try:")
    lines = [f"## {one.name}\n", f"    {one.usage}\n", f"{summary}\n"]
    lines += [f"{body.strip()}\n"] if body.strip() else []
    lines += [
        "| word | meaning |",
        "| :--- | :--- |",
        *(f"| {word_of(each)} | {meaning(each)} |" for each in one.entries),
        "",
    ]
    shown = [line.strip() for line in examples.strip().splitlines()]
    lines += ["```console", *(f"$ {line}" for line in shown), "```\n"] if shown else []
    return "\n".join(lines)


def word_of(entry: Entry) -> str:
    word = entry.word
    if entry.positional:
        return f"`{entry.shown}`"
    value = (
        "" if word.switch else " " + ("\\|".join(word.choices) or word.metavar or "TEXT") + ("..." if word.many else "")
    )
    return f"`{', '.join(filter(None, (word.short, entry.flag)))}{value}`"


def meaning(entry: Entry) -> str:
    return entry.sentence.replace("|", "\\|")


def exit_codes() -> str:
    rows = {
        0: "ok",
        1: "a check that was asked for did not pass",
        2: "usage: the call is wrong; the message names the fix",
        3: "bad data; the message names file, line, rule and value",
        4: "an optional part is not installed; the message is its install command",
        70: "a bug of ours; `PATSTONE_DEBUG=1` shows where",
        130: "interrupted",
    }
    return "\n".join(
        ["## Exit codes\n", "| code | meaning |", "| ---: | :--- |", *(f"| {k} | {v} |" for k, v in rows.items()), ""]
    )


def measures() -> str:
    cards = [*registry().values(), *BINARY.values()]
    sections = dict.fromkeys(card.section for card in cards)
    parts = [HEAD + "# Measures\n", GRAMMAR]
    for section in sections:
        parts += [f"## {section}\n", *(measure(card) for card in cards if card.section == section)]
    return "\n".join(parts)


GRAMMAR = """\
A measure is written as its name, its parameters in parentheses where they differ from the default, and its cutoff:
`nDCG@10`, `P(rel=2)@5`, `CT(gamma=0.8, time=rank)@20`. trec_eval's names (`ndcg_cut_10`, `map`, `P_5`) are read too.
Every measure of rankings has a value for each topic first; the mean is over those. Measures of classifiers have one
value for a gold standard of labels, or for each slice of it.
"""


def measure(card: Card) -> str:
    lines = [f"### {card.name}\n", f"{card.title}\n"]
    lines += [f"- **{name}**: {escaped(value)}" for name, value in facts(card)[:1] + facts(card)[2:]]
    return "\n".join([*lines, ""])


def claim_rules() -> str:
    parts = [HEAD + "# Rules of `patstone claims check`\n", RULES, *map(claim_rule, rules().values())]
    return "\n".join(parts)


RULES = """\
A rule of severity error ends the command with exit code 1. `--select` and `--ignore` take codes, their beginnings and
names. What is marked are characters of the claim's own text. The rules that go by words (C1, C204, C303, C4) know
English and German; in other languages only the others run, and a note says on how many claims.
"""


def claim_rule(rule: Rule) -> str:
    lines = [f"## {rule.code} {rule.name}\n", f"{rule.title}. Severity: {rule.severity}.\n", f"{rule.why}\n"]
    lines += ["Beside this gold:\n", indented(rule.gold)] if rule.gold else []
    lines += ["Found in:\n", indented(rule.bad), f"{rule.fix}\n", indented(rule.good)]
    return "\n".join(lines)


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n")) + "\n"


def escaped(text: str) -> str:
    """Keep formulas from being read as markup."""
    for mark in "*_<>|":
        text = text.replace(mark, "\\" + mark)
    return text


def main(folder: str) -> None:
    for name, content in pages().items():
        Path(folder, name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
