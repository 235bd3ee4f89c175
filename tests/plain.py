"""A plain reference engine: dictionaries and sorting, no tricks. The fast one must agree with it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from patstone.files import ids
from patstone.gold.qrels import Qrels
from patstone.measures.policies import Policies
from patstone.measures.ranked import Ranked, Reading

KEEP = Policies(self="keep")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One retrieved document, as a run gives it."""

    topic: str
    doc: str
    score: float
    given: int | None = None
    view: float | None = None
    line: int = 0


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Everything that shapes a ranking."""

    policies: Policies = KEEP
    families: Mapping[str, str] | None = None
    lengths: Mapping[str, float] | None = None
    default_length: float = 0.0
    cutoffs: tuple[int, ...] = ()

    @property
    def removes_own(self) -> bool:
        return self.policies.self == "document" or self.by_family

    @property
    def by_family(self) -> bool:
        return self.policies.self == "family" and self.families is not None

    def own(self, topic: str, doc: str) -> bool:
        family = (self.families or {}).get(topic) if self.by_family else None
        return doc == topic or (bool(family) and (self.families or {}).get(doc) == family)

    def score(self, row: Row) -> float:
        if self.policies.scores == "float64":
            return row.score
        with np.errstate(over="ignore"):
            return float(np.float32(row.score))

    def length(self, doc: str) -> float:
        return (self.lengths or {}).get(doc, self.default_length)


@dataclass
class Hit:
    topic: int
    rank: int
    row: int
    tie_first: int
    tie_size: int
    view: int
    words: float
    before: float


@dataclass
class Evaluated:
    """A ranking while it is made."""

    gold: Qrels
    rules: Rules
    hits: list[Hit] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    retrieved: dict[str, int] = field(default_factory=dict)
    until: dict[tuple[str, int], float] = field(default_factory=dict)


class Twice(Exception):
    """A document stands on two lines of a topic's list."""


def by_topic(rows: Iterable[Row]) -> dict[str, list[Row]]:
    lists: dict[str, list[Row]] = {}
    for row in rows:
        lists.setdefault(row.topic, []).append(row)
    return lists


def ranked(gold: Qrels, answers: Mapping[str, Mapping[str, float]]) -> Ranked:
    """Rank by score descending, then document id descending; keep the judged documents."""
    return as_ranked(
        evaluate(
            gold,
            {
                topic: [Row(topic=topic, doc=doc, score=score) for doc, score in docs.items()]
                for topic, docs in answers.items()
            },
            Rules(),
        )
    )


def evaluate(gold: Qrels, lists: Mapping[str, Sequence[Row]], rules: Rules) -> Evaluated:
    found = Evaluated(gold, rules)
    for topic, rows in lists.items():
        judged = topic in gold.topics
        kept = _kept(found, topic, rows, judged=judged)
        found.counts["extra_topics"] += not judged
        if judged:
            _rank(found, topic, kept)
    _count(found)
    return found


def _kept(found: Evaluated, topic: str, rows: Sequence[Row], *, judged: bool) -> list[Row]:
    rules, counts = found.rules, found.counts
    kept = _once(rows, rules)
    counts["duplicates"] += len(rows) - len(kept)
    if rules.policies.offices:
        ours = [row for row in kept if row.doc.startswith(rules.policies.offices)]
        counts["office_removed"] += len(kept) - len(ours)
        kept = ours
    own = [row for row in kept if judged and rules.own(topic, row.doc)]
    counts["self_removed" if rules.removes_own else "self_kept"] += len(own)
    kept = [row for row in kept if row not in own] if rules.removes_own else kept
    counts["no_length"] += sum(rules.lengths is not None and row.doc not in rules.lengths for row in kept)
    return kept


def _once(rows: Sequence[Row], rules: Rules) -> list[Row]:
    """Of a document's rows the one in the better place, where it stood in the list."""
    places = defaultdict(list)
    for place, row in enumerate(rows):
        places[row.doc].append((-rules.score(row), _given(row, rules), place))
    twice = [[rows[place].line for _, _, place in found[:2]] for found in places.values() if len(found) > 1]
    if rules.policies.duplicates == "error" and twice:
        raise Twice(*min(twice, key=lambda lines: lines[1]))
    return [rows[place] for place in sorted(min(found)[2] for found in places.values())]


def _given(row: Row, rules: Rules) -> int:
    return row.given if rules.policies.ties == "input" and row.given is not None else 0


def ordered(rows: Sequence[Row], rules: Rules) -> list[Row]:
    if rules.policies.ties == "input":
        return sorted(rows, key=lambda row: (-rules.score(row), _given(row, rules)))
    by_doc = sorted(rows, key=lambda row: row.doc.encode(), reverse=True)
    return sorted(by_doc, key=lambda row: -rules.score(row))


def _rank(found: Evaluated, topic: str, rows: Sequence[Row]) -> None:
    rules, gold = found.rules, found.gold
    number = gold.topics.index(topic)
    low, high = gold.starts[number : number + 2].tolist()
    judged = {doc: low + place for place, doc in enumerate(ids.texts(gold.docs[low:high]))}
    ranking = ordered(rows, rules)
    scores = [rules.score(row) for row in ranking]
    viewed = sorted(rows, key=lambda row: row.view or 0.0)
    words = [rules.length(row.doc) for row in ranking]
    for place, row in enumerate(ranking):
        if row.doc in judged:
            size = scores.count(scores[place])
            found.counts["tied"] += size > 1
            view, first = viewed.index(row) + 1, scores.index(scores[place]) + 1
            hit = Hit(number, place + 1, judged[row.doc], first, size, view, words[place], sum(words[:place]))
            found.hits.append(hit)
    depth = rules.policies.depth or len(rows)
    found.hits = [hit for hit in found.hits if hit.topic != number or hit.rank <= depth]
    found.retrieved[topic] = min(len(rows), depth)
    found.counts["beyond_depth"] += max(len(rows) - depth, 0)
    found.until |= {(topic, cutoff): sum(words[: min(cutoff, depth)]) for cutoff in rules.cutoffs}


def _count(found: Evaluated) -> None:
    gold, counts, rel = found.gold, found.counts, found.rules.policies.rel
    relevant = {topic for topic, grade in zip(gold.topic.tolist(), gold.grades.tolist(), strict=True) if grade >= rel}
    counts["topics"] = len(gold.topics)
    counts["missing_topics"] = len(gold.topics) - len(found.retrieved)
    counts["norel_topics"] = len(gold.topics) - len(relevant)
    counts["retrieved"], counts["judged"] = sum(found.retrieved.values()), len(found.hits)
    for cutoff in found.rules.cutoffs:
        counts[f"retrieved@{cutoff}"] = sum(min(size, cutoff) for size in found.retrieved.values())
        counts[f"judged@{cutoff}"] = sum(hit.rank <= cutoff for hit in found.hits)


def as_ranked(found: Evaluated, *, viewed: bool = False) -> Ranked:
    gold, rules = found.gold, found.rules
    hits = sorted(found.hits, key=lambda hit: (hit.topic, hit.rank))
    whole = {name: np.array([getattr(hit, name) for hit in hits], dtype=np.int64) for name in _WHOLE}
    expected = rules.policies.ties == "expected"
    reading = Reading(
        own=np.array([hit.words for hit in hits], dtype=np.float64),
        before=np.array([hit.before for hit in hits], dtype=np.float64),
        until={k: np.array([found.until.get((topic, k), 0.0) for topic in gold.topics]) for k in rules.cutoffs},
    )
    return Ranked(
        gold=gold,
        topic=whole["topic"],
        rank=whole["rank"],
        row=whole["row"],
        retrieved=np.array([found.retrieved.get(topic, 0) for topic in gold.topics], dtype=np.int64),
        answered=np.array([topic in found.retrieved for topic in gold.topics], dtype=np.bool_),
        tie_first=whole["tie_first"] if expected else None,
        tie_size=whole["tie_size"] if expected else None,
        view=whole["view"] if viewed else None,
        reading=None if rules.lengths is None else reading,
    )


_WHOLE = ("topic", "rank", "row", "tie_first", "tie_size", "view")
