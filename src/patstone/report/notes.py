"""Counts as sentences: what a reader of the numbers should know about what stands behind them.

Every count that is not zero is said. Runs with the same count share a sentence; many different counts are given as a
range, since the exact ones stand under `counts` in the JSON.
"""

import re
from collections.abc import Mapping, Sequence
from math import inf

from patstone.measures.policies import Policies
from patstone.measures.scores import Scores

_NAMED = 3
"""So many runs are called by name, and so many different counts get a sentence each."""

_SENTENCES = {
    "missing_topics": "{n} of {topics} judged topics {are} not in the run; each {missing}.",
    "norel_topics": "{n} of {topics} topics {have} no relevant document; each {norel}.",
    "extra_topics": "{n} {topic} of the run {are} not judged and {are} not scored.",
    "self_removed": "{n} {document} of the topic's own {self} {were} removed from the rankings (self={policy.self}).",
    "self_kept": "{n} {document} named like the topic {were} left in the rankings; self=document takes them out.",
    "beyond_depth": "{n} ranked {document} beyond depth {policy.depth} {were} not looked at (depth={policy.depth}).",
    "office_removed": "{n} {document} of other offices {were} removed from the rankings (offices={offices}).",
    "duplicates": "{n} {document} stood twice in a topic's list; the better place counts (duplicates=first).",
    "own_relevant": "{n} relevant {document} of the gold standard {are} the topic's own {self}: no ranking may show "
    "what still counts as relevant (self={policy.self}).",
    "office_relevant": "{n} relevant {document} of the gold standard {are} of other offices: no ranking may show "
    "what still counts as relevant (offices={offices}).",
    "no_invention": "{n} judged {document} {have} no family in the table of families; each is an invention of its own.",
    "no_family": "{n} of {topics} topics {have} no family in the table of families; only the document named like the "
    "topic is taken out.",
    "no_length": "{n} ranked {document} {have} no length in the table of lengths; each is taken to have the default.",
    "unknown_terms": "{n} ranked {classes} {are} not in the scheme; each is close to nothing but itself "
    "(unknown={policy.unknown}).",
    "gold_unknown_terms": "{n} true {classes} {are} not in the scheme; each is close to nothing but itself "
    "(unknown={policy.unknown}).",
    "merged_terms": "{n} ranked {classes} {are} another one of the same list at the level; the better place counts.",
    "gold_merged_terms": "{n} true {classes} {are} another one of the same topic at the level; each counts once.",
    "tied": "{n} {document} {have} the score of another one; ties are broken {ties} (ties={policy.ties}).",
}
_ONE = {"are": "is", "have": "has", "were": "was", "document": "document", "topic": "topic", "classes": "class"}
_MANY = {"are": "are", "have": "have", "were": "were", "document": "documents", "topic": "topics", "classes": "classes"}
_TOTAL = re.compile(r"topics|assigned|(retrieved|judged)(@\d+)?")
_ZERO_OR_SKIP = {"zero": "counts as 0", "skip": "is left out of the mean", "error": "is an error"}
_TIES = {
    "docid": "by document id, descending",
    "input": "in the order given",
    "expected": "by the mean over all orders",
}


def notes(scores: Scores) -> tuple[str, ...]:
    keys = dict.fromkeys(key for counts in scores.counts.values() for key in counts if not _TOTAL.fullmatch(key))
    said = [sentence for key in keys for sentence in _sentences(scores, key)]
    return (*said, *_shares_judged(scores))


def _sentences(scores: Scores, key: str) -> list[str]:
    by_count: dict[int, list[str]] = {}
    for system, counts in scores.counts.items():
        if counts.get(key):
            by_count.setdefault(counts[key], []).append(system)
    if len(by_count) > _NAMED:
        everyone = [system for systems in by_count.values() for system in systems]
        span = f"{min(by_count):,} to {max(by_count):,}"
        return [f"{_who(scores, everyone)}: {_what(scores, key, span, many=True)}"]
    return [
        f"{_who(scores, systems)}: {_what(scores, key, f'{count:,}', many=count > 1)}"
        for count, systems in by_count.items()
    ]


def _shares_judged(scores: Scores) -> list[str]:
    """Judged@k beside the scores, as deep as the measures look; many runs share one sentence of ranges."""
    depths = sorted({measure.cutoff or 0 for measure in scores.measures}, key=lambda depth: depth or inf)
    shares = {
        system: [_share(counts, f"@{depth}" if depth else "") for depth in depths]
        for system, counts in scores.counts.items()
    }
    if all(share == 1 for found in shares.values() for share in found):
        return []
    groups = {system: [found] for system, found in shares.items()}
    if len(shares) > _NAMED:
        groups = {_who(scores, list(shares)): list(shares.values())}
    return [
        f"{who}: judged are "
        + ", ".join(
            f"{_span(column)} of {_depth(depth)}"
            for depth, column in zip(depths, zip(*found, strict=True), strict=True)
        )
        + "; what nobody judged counts as not relevant."
        for who, found in groups.items()
    ]


def _share(counts: Mapping[str, int], depth: str) -> float:
    retrieved = counts.get(f"retrieved{depth}", 0)
    return counts.get(f"judged{depth}", retrieved) / retrieved if retrieved else 1.0


def _span(shares: Sequence[float]) -> str:
    low, high = f"{min(shares):.0%}", f"{max(shares):.0%}"
    return low if low == high else f"{low} to {high}"


def _depth(depth: int) -> str:
    return f"the first {depth:,}" if depth else "all ranked documents"


def _who(scores: Scores, systems: list[str]) -> str:
    if len(systems) <= _NAMED:
        return ", ".join(systems)
    return "every run" if len(systems) == len(scores.systems) else f"{len(systems)} of {len(scores.systems)} runs"


def _what(scores: Scores, key: str, amount: str, *, many: bool) -> str:
    rules = scores.policies
    unknown = "{n} " + key.replace("_", " ").replace("{", "{{").replace("}", "}}") + "."
    return _SENTENCES.get(key, unknown).format(
        n=amount,
        topics=f"{len(scores.topics):,}",
        policy=rules,
        offices=",".join(rules.offices),
        missing=_fate("missing", rules),
        norel=_fate("norel", rules),
        ties=_TIES[rules.ties],
        self="document or family" if rules.self == "family" else "document",
        **(_MANY if many else _ONE),
    )


def _fate(policy: str, rules: Policies) -> str:
    choice = getattr(rules, policy)
    return f"{_ZERO_OR_SKIP[choice]} ({policy}={choice})"
