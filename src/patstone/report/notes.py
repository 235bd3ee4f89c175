"""Counts as sentences: what a reader of the numbers should know about what stands behind them.

Every count that is not zero is said. Runs with the same count share a sentence; many different counts are given as a
range, since the exact ones stand under `counts` in the JSON.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from patstone.measures.policies import Policies
from patstone.measures.scores import Scores

_NAMED = 3
"""So many runs are called by name, and so many different amounts get a sentence each."""

_SENTENCES = {
    "missing_topics": "{n} of {topics} judged topics {are} not in the run; each {missing}.",
    "norel_topics": "{n} of {topics} topics {have} no relevant document; each {norel}.",
    "extra_topics": "{n} {topic} of the run {are} not judged and {are} not scored.",
    "self_removed": "{n} {document} of the topic's own {self} {were} removed from the rankings (self={policy.self}).",
    "self_kept": "{n} {document} named like the topic {were} left in the rankings; self=document takes them out.",
    "beyond_depth": "{n} ranked {document} beyond depth {policy.depth} {were} not looked at (depth={policy.depth}).",
    "office_removed": "{n} {document} of other offices {were} removed from the rankings (offices={offices}).",
    "duplicates": "{n} {document} stood twice in a topic's list; the better place counts (duplicates=first).",
    "tied": "{n} {document} {have} the score of another one; ties are broken {ties} (ties={policy.ties}).",
    "unjudged": "{n} ranked {document}{first} {are} not judged; each counts as not relevant.",
}
_TOTAL = re.compile(r"topics|(retrieved|judged)(@\d+)?")
_ZERO_OR_SKIP = {"zero": "counts as 0", "skip": "is left out of the mean", "error": "is an error"}
_TIES = {
    "docid": "by document id, descending",
    "input": "in the order given",
    "expected": "by the mean over all orders",
}


@dataclass(frozen=True)
class Amount:
    count: int
    total: int | None = None

    def __str__(self) -> str:
        return f"{self.count:,}" if self.total is None else f"{self.count:,} of {self.total:,}"


def notes(scores: Scores) -> tuple[str, ...]:
    depths = dict.fromkeys("" if measure.cutoff is None else f"@{measure.cutoff}" for measure in scores.measures)
    amounts = {system: _remarkable(counts, depths) for system, counts in scores.counts.items()}
    keys = dict.fromkeys(key for found in amounts.values() for key in found)
    found = ({system: of[key] for system, of in amounts.items() if key in of} for key in keys)
    return tuple(sentence for key, by in zip(keys, found, strict=True) for sentence in _sentences(scores, key, by))


def _remarkable(counts: Mapping[str, int], depths: Iterable[str]) -> dict[str, Amount]:
    """The counts that are not zero; of totals, how many documents nobody judged as deep as a measure looks."""
    found = {key: Amount(count) for key, count in counts.items() if count and not _TOTAL.fullmatch(key)}
    for depth in depths:
        retrieved = counts.get(f"retrieved{depth}", 0)
        unjudged = retrieved - counts.get(f"judged{depth}", retrieved)
        if unjudged:
            found[f"unjudged{depth}"] = Amount(unjudged, retrieved)
    return found


def _sentences(scores: Scores, key: str, amounts: Mapping[str, Amount]) -> list[str]:
    by_amount: dict[Amount, list[str]] = {}
    for system, amount in amounts.items():
        by_amount.setdefault(amount, []).append(system)
    if len(by_amount) > _NAMED:
        counts = [amount.count for amount in by_amount]
        total = f" of {amount.total:,}" if len({each.total for each in by_amount}) == 1 and amount.total else ""
        what = _what(scores, key, f"{min(counts):,} to {max(counts):,}{total}", are=True, many=True)
        return [f"{_who(scores, list(amounts))}: {what}"]
    return [
        f"{_who(scores, systems)}: "
        + _what(scores, key, str(amount), are=amount.count > 1, many=amount.count > 1 or amount.total is not None)
        for amount, systems in by_amount.items()
    ]


def _who(scores: Scores, systems: list[str]) -> str:
    if len(systems) <= _NAMED:
        return ", ".join(systems)
    return "every run" if len(systems) == len(scores.systems) else f"{len(systems)} of {len(scores.systems)} runs"


def _what(scores: Scores, key: str, amount: str, *, are: bool, many: bool) -> str:
    rules = scores.policies
    name, _, cutoff = key.partition("@")
    unknown = "{n} " + name.replace("_", " ").replace("{", "{{").replace("}", "}}") + "{first}."
    return _SENTENCES.get(name, unknown).format(
        n=amount,
        first=f" in the first {cutoff}" if cutoff else "",
        topics=f"{len(scores.topics):,}",
        policy=rules,
        offices=",".join(rules.offices),
        missing=_fate("missing", rules),
        norel=_fate("norel", rules),
        ties=_TIES[rules.ties],
        self="document or family" if rules.self == "family" else "document",
        are="are" if are else "is",
        have="have" if are else "has",
        were="were" if are else "was",
        document="documents" if many else "document",
        topic="topics" if many else "topic",
    )


def _fate(policy: str, rules: Policies) -> str:
    choice = getattr(rules, policy)
    return f"{_ZERO_OR_SKIP[choice]} ({policy}={choice})"
