"""Counts as sentences: what a reader of the numbers should know about what stands behind them.

Every count that is not zero is said. Runs with the same count share a sentence; many different counts are given as a
range, since the exact ones stand under `counts` in the JSON.
"""

from patstone.measures.policies import Policies
from patstone.measures.scores import Scores

_NAMED = 3
"""So many runs are called by name, and so many different counts get a sentence each."""

_SENTENCES = {
    "missing_topics": "{n} of {topics} judged topics {are} not in the run; each {missing}.",
    "norel_topics": "{n} of {topics} topics {have} no relevant document; each {norel}.",
    "extra_topics": "{n} {topic} of the run {are} not judged and {are} not scored.",
    "self_removed": "{n} {document} of the topic's own {self} {were} removed from the rankings (self={policy.self}).",
    "office_removed": "{n} {document} of other offices {were} removed from the rankings (offices={offices}).",
    "duplicates": "{n} {document} stood twice in a topic's list; the better place counts (duplicates=first).",
    "tied": "{n} {document} {have} the score of another one; ties are broken {ties} (ties={policy.ties}).",
    "unjudged": "{n} ranked {document} {are} not judged; each counts as not relevant.",
}
_ZERO_OR_SKIP = {"zero": "counts as 0", "skip": "is left out of the mean", "error": "is an error"}
_TIES = {
    "docid": "by document id, descending",
    "input": "in the order given",
    "expected": "by the mean over all orders",
}


def notes(scores: Scores) -> tuple[str, ...]:
    keys = dict.fromkeys(key for counts in scores.counts.values() for key in counts)
    return tuple(sentence for key in keys for sentence in _sentences(scores, key))


def _sentences(scores: Scores, key: str) -> list[str]:
    by_count: dict[int, list[str]] = {}
    for system, counts in scores.counts.items():
        if counts.get(key):
            by_count.setdefault(counts[key], []).append(system)
    if len(by_count) > _NAMED:
        everyone = [system for systems in by_count.values() for system in systems]
        span = f"{min(by_count):,} to {max(by_count):,}"
        return [f"{_who(scores, everyone)}: {_what(scores, key, span, plural=True)}"]
    return [
        f"{_who(scores, systems)}: {_what(scores, key, f'{count:,}', plural=count > 1)}"
        for count, systems in by_count.items()
    ]


def _who(scores: Scores, systems: list[str]) -> str:
    if len(systems) <= _NAMED:
        return ", ".join(systems)
    return "every run" if len(systems) == len(scores.systems) else f"{len(systems)} of {len(scores.systems)} runs"


def _what(scores: Scores, key: str, count: str, *, plural: bool) -> str:
    rules = scores.policies
    pattern = _SENTENCES.get(key, "{n} " + key.replace("_", " ").replace("{", "{{").replace("}", "}}") + ".")
    return pattern.format(
        n=count,
        topics=f"{len(scores.topics):,}",
        policy=rules,
        offices=",".join(rules.offices),
        missing=_fate("missing", rules),
        norel=_fate("norel", rules),
        ties=_TIES[rules.ties],
        self="document or family" if rules.self == "family" else "document",
        **_forms(plural=plural),
    )


def _fate(policy: str, rules: Policies) -> str:
    choice = getattr(rules, policy)
    return f"{_ZERO_OR_SKIP[choice]} ({policy}={choice})"


def _forms(*, plural: bool) -> dict[str, str]:
    if plural:
        return {"are": "are", "have": "have", "were": "were", "document": "documents", "topic": "topics"}
    return {"are": "is", "have": "has", "were": "was", "document": "document", "topic": "topic"}
