"""From the pieces of a run to one ranking: look up, apply the policies, keep the places of judged documents.

A piece holds whole topics. What is kept of it is a few numbers for each judged document found, so that memory is
bounded by the gold standard and one piece, not by the run.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.gold.qrels import Floats, Ints
from patstone.measures import canonical
from patstone.measures.encoded import Encoded
from patstone.measures.index import Lookup, Rows
from patstone.measures.policies import Policies
from patstone.measures.ranked import Bools, Ranked, Reading
from patstone.systems.run import Answers, Run, ScatteredTopics

if TYPE_CHECKING:
    from patstone.measures.labelled import Labelled
    from patstone.measures.vocabulary import Vocabulary
    from patstone.systems.lengths import Lengths

Column = TypeVar("Column", Floats, Ints, Bools)


@dataclass(frozen=True, eq=False, kw_only=True)
class Settled:
    """What holds for every piece of every run."""

    encoded: Encoded
    rules: Policies
    removes_own: bool
    foreseen: Mapping[str, int] = field(default_factory=dict)
    """Counts that are the same for every run."""
    lengths: "Lengths | None" = None
    cutoffs: tuple[int, ...] = ()
    """The measures' cutoffs, at which the words read are noted."""
    vocabulary: "Vocabulary | None" = None
    """What documents are terms of, where they are classes; the gold standard is written in it already."""

    @property
    def reads_ranks(self) -> bool:
        return self.rules.ties == "input"


def rank(run: Answers, settled: Settled) -> tuple[Ranked, dict[str, int]]:
    """Make a run's canonical ranking; also count what the policies touched."""
    try:
        pieces = Pieces(settled).read(run)
    except ScatteredTopics:
        pieces = Pieces(settled).read(run.whole(ranks=settled.reads_ranks))
    topics = settled.encoded.gold.topics
    if not pieces.answered.any():
        rule = f"The run {run.name!r} must share a topic with the gold standard, which has {topics[0]!r} for one."
        raise DataError(rule, value=next(iter(pieces.number), None))
    if settled.rules.missing == "error" and not pieces.answered.all():
        lacking = topics[int(np.argmin(pieces.answered))]
        raise DataError(f"The run {run.name!r} must answer every judged topic (missing=error).", value=lacking)
    return pieces.ranked(), pieces.counted()


@dataclass(frozen=True, eq=False, kw_only=True)
class Hits:
    """Judged documents found in one piece; the optional columns follow `Ranked`."""

    rank: Ints
    row: Ints
    tie_first: Ints
    tie_size: Ints
    view: Ints | None
    own_words: Floats | None
    words_before: Floats | None
    assigned: Bools | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Terms:
    """All rows of one piece, as terms, topic after topic in rank order."""

    topic: Ints
    term: Ints
    assigned: Bools | None


class Pieces:
    """Gathers hits piece by piece; `number` gives every topic seen its code, those without gold after the others."""

    def __init__(self, settled: Settled) -> None:
        self.settled = settled
        self.gold = settled.encoded.gold
        topics = len(self.gold.topics)
        self.number: dict[str, int] = {}
        self.counts = Counter({"duplicates": 0, "office_removed": 0})
        self.hits: list[Hits] = []
        self.terms: list[Terms] = []
        self.retrieved = np.zeros(topics, dtype=np.int64)
        self.set_size: Ints | None = None
        self.answered = np.zeros(topics, dtype=np.bool_)
        self.words_until = {cutoff: np.zeros(topics) for cutoff in settled.cutoffs}

    def read(self, run: Answers) -> "Pieces":
        for piece in run.parts(ranks=self.settled.reads_ranks):
            self._take(piece)
        return self

    def _take(self, run: Run) -> None:
        if self.settled.vocabulary is not None:
            run, merged = self.settled.vocabulary.of_run(run)
            self.counts["merged_terms"] += merged
        codes = self._codes(run.topics)
        scores = _comparable(run, self.settled.rules)
        lookup = Lookup.of(Rows.of(run.docs, codes, np.diff(run.starts), run.hashes))
        known = codes[codes < len(self.gold.topics)]
        found, row, own = self.settled.encoded.found(known, lookup)
        leaving = np.zeros(len(run), dtype=np.bool_)
        twins = lookup.repeated()
        if twins:
            stays = self._settle_twins(run, twins, scores, leaving)
            found, own = stays[found], stays[own]
        self._remove(run, own, leaving)
        if leaving.any():
            run, scores, found, row = _without(leaving, run, scores, found, row)
        self._note(codes, np.diff(run.starts))
        self.hits.append(self._placed(run, codes, scores, found, row))
        self._note_assigned(run, codes)
        if self.settled.vocabulary is not None and self.settled.vocabulary.schemes:
            self._keep_terms(run, codes, scores, self.settled.vocabulary)

    def _codes(self, topics: tuple[str, ...]) -> Ints:
        """Number the piece's topics as the gold standard does."""
        gold, mine = self.settled.encoded.number, self.number
        for name in topics:
            if name in mine:
                raise ScatteredTopics
            mine[name] = gold.get(name, len(gold) + len(mine))
        return np.array([mine[name] for name in topics], dtype=np.int64)

    def _settle_twins(self, run: Run, groups: list[Ints], scores: Floats, leaving: Bools) -> Ints:
        """Of a document that stands twice in a list the better place stays; also say which row stands for each."""
        if groups and self.settled.rules.duplicates == "error":
            raise _twice(run, min(groups, key=lambda group: int(group[1])))
        stays = np.arange(len(run))
        for group in groups:
            stays[group] = group[canonical.first(run, scores, group, ties=self.settled.rules.ties)]
            self.counts["duplicates"] += len(group) - 1
        leaving |= stays != np.arange(len(run))
        return stays

    def _remove(self, run: Run, own: Ints, leaving: Bools) -> None:
        """Mark what the policies on offices and on the topic's own documents take out of the ranking."""
        rules = self.settled.rules
        if rules.offices:
            others = foreign(run.docs, rules.offices)
            self.counts["office_removed"] += int((others & ~leaving).sum())
            leaving |= others
        own = own[~leaving[own]]
        self.counts["self_removed" if self.settled.removes_own else "self_kept"] += len(own)
        if self.settled.removes_own:
            leaving[own] = True

    def _note(self, codes: Ints, sizes: Ints) -> None:
        inside = codes < len(self.gold.topics)
        depth = self.settled.rules.depth
        kept = sizes if depth is None else np.minimum(sizes, min(depth, int(sizes.max(initial=0))))
        self.retrieved[codes[inside]] = kept[inside]
        self.answered[codes[inside]] = True
        self.counts["extra_topics"] += int((~inside).sum())
        self.counts["beyond_depth"] += int((sizes - kept)[inside].sum())

    def _note_assigned(self, run: Run, codes: Ints) -> None:
        """Count what the system assigned; a depth cuts rankings and leaves the set alone."""
        if run.assigned is None:
            return
        if self.set_size is None:
            self.set_size = np.zeros(len(self.gold.topics), dtype=np.int64)
        inside = codes < len(self.gold.topics)
        before = np.concatenate([[0], np.cumsum(run.assigned)])
        self.set_size[codes[inside]] = np.diff(before[run.starts])[inside]

    def _keep_terms(self, run: Run, codes: Ints, scores: Floats, vocabulary: "Vocabulary") -> None:
        tree = np.repeat(vocabulary.trees(run.topics), np.diff(run.starts))
        topic, term = np.repeat(codes, np.diff(run.starts)), vocabulary.numbers(run.docs, tree)
        inside = topic < len(self.gold.topics)
        if self.settled.rules.unknown == "error" and (inside & (term < 0)).any():
            raise _not_in_scheme(run, int(np.argmax(inside & (term < 0))))
        self.counts["unknown_terms"] += int((inside & (term < 0)).sum())
        order = canonical.order(run, scores, ties=self.settled.rules.ties)
        if self.settled.rules.depth is not None:
            rank = np.arange(len(run)) - np.repeat(run.starts[:-1], np.diff(run.starts))
            inside &= rank < self.settled.rules.depth
        kept = order[inside]
        assigned = None if run.assigned is None else run.assigned[kept]
        self.terms.append(Terms(topic=topic[kept], term=term[kept].astype(np.int32), assigned=assigned))

    def _placed(self, run: Run, codes: Ints, scores: Floats, found: Ints, row: Ints) -> Hits:
        settled, starts = self.settled, run.starts
        places = canonical.places(run, scores, found, ties=settled.rules.ties)
        self.counts["tied"] += places.tied
        start = starts[np.searchsorted(starts, found, side="right") - 1]
        own_words = before = None
        if settled.lengths is not None:
            own_words, before = self._read_words(run, codes, scores, found, settled.lengths)
        return Hits(
            rank=places.place - start + 1,
            row=row,
            tie_first=places.tie_first - start + 1,
            tie_size=places.tie_size,
            view=canonical.viewed(run, found),
            own_words=own_words,
            words_before=before,
            assigned=None if run.assigned is None else run.assigned[found],
        )

    def _read_words(
        self, run: Run, codes: Ints, scores: Floats, found: Ints, lengths: "Lengths"
    ) -> tuple[Floats, Floats]:
        words = lengths.of(run.docs)
        self.counts["no_length"] += lengths.unknown(run.docs)
        order = canonical.full_order(run, scores, ties=self.settled.rules.ties)
        limit = self.settled.rules.depth or len(run)
        cutoffs = tuple(min(cutoff, limit) for cutoff in self.settled.cutoffs)
        before, until = canonical.words_read(run, order, found, words, cutoffs)
        inside = codes < len(self.gold.topics)
        for cutoff, read in zip(self.settled.cutoffs, until, strict=True):
            self.words_until[cutoff][codes[inside]] = read[inside]
        return words[found], before

    def ranked(self) -> Ranked:
        """All hits as one value, by topic and rank."""
        rank, row = _joined([hits.rank for hits in self.hits]), _joined([hits.row for hits in self.hits])
        topic = self.gold.topic[row]
        # One sort of one number: ranks stay below 2³², and sorting by two keys takes four times as long.
        order = np.argsort((topic << 32) | rank)
        depth = self.settled.rules.depth
        if depth is not None:
            order = order[rank[order] <= depth]
        expected = self.settled.rules.ties == "expected"
        return Ranked(
            gold=self.gold,
            topic=topic[order],
            rank=rank[order],
            row=row[order],
            retrieved=self.retrieved,
            answered=self.answered,
            tie_first=_joined([hits.tie_first for hits in self.hits])[order] if expected else None,
            tie_size=_joined([hits.tie_size for hits in self.hits])[order] if expected else None,
            view=_column([hits.view for hits in self.hits], order),
            reading=self._reading(order),
            assigned=_column([hits.assigned for hits in self.hits], order),
            set_size=self.set_size,
            labelled=self._labelled(),
        )

    def _labelled(self) -> "Labelled | None":
        vocabulary = self.settled.vocabulary
        if vocabulary is None or not vocabulary.schemes:
            return None
        from patstone.measures.labelled import Labelled

        gold = self.gold
        topic = _joined([terms.topic for terms in self.terms])
        order = np.argsort(topic, kind="stable") if (np.diff(topic) < 0).any() else np.arange(len(topic))
        trees = vocabulary.trees(gold.topics)
        return Labelled(
            vocabulary=vocabulary,
            tree=trees,
            starts=np.searchsorted(topic[order], np.arange(len(gold.topics) + 1)),
            term=_joined([terms.term for terms in self.terms])[order],
            gold=vocabulary.numbers(gold.docs, trees[gold.topic]),
            assigned=_column([terms.assigned for terms in self.terms], order),
        )

    def _reading(self, order: Ints) -> Reading | None:
        own = _column([hits.own_words for hits in self.hits], order)
        before = _column([hits.words_before for hits in self.hits], order)
        return None if own is None or before is None else Reading(own=own, before=before, until=self.words_until)

    def counted(self) -> dict[str, int]:
        """What stands behind the scores, and what the policies touched."""
        gold = self.gold
        relevant = np.bincount(gold.topic[gold.grades >= self.settled.rules.rel], minlength=len(gold.topics))
        rank = _joined([hits.rank for hits in self.hits])
        rank = rank[rank <= (self.settled.rules.depth or np.inf)]
        found = {
            "topics": len(gold.topics),
            "missing_topics": int((~self.answered).sum()),
            "norel_topics": int((relevant == 0).sum()),
            "retrieved": int(self.retrieved.sum()),
        }
        if self.set_size is not None:
            found["assigned"] = int(self.set_size.sum())
        # Of classes all are judged: those that are not true are wrong.
        if not gold.of_classes:
            found["judged"] = len(rank)
            for cutoff in self.settled.cutoffs:
                found[f"retrieved@{cutoff}"] = int(np.minimum(self.retrieved, cutoff).sum())
                found[f"judged@{cutoff}"] = int((rank <= cutoff).sum())
        return found | dict(self.settled.foreseen) | dict(self.counts)


def foreign(docs: ids.Ids, offices: Sequence[str]) -> Bools:
    """Whether each document is of another office; an id begins with its office's two letters."""
    return ~np.isin(docs.astype("S2"), np.array(offices, dtype="S2"))


def _comparable(run: Run, rules: Policies) -> Floats:
    bad = np.isnan(run.scores)
    if bad.any():
        row = int(np.argmax(bad))
        line = None if run.lines is None else int(run.lines[row])
        raise DataError("A score must be a number.", path=run.path or run.name, line=line, value="nan")
    if rules.scores == "float64":
        return run.scores
    # Cast and back: compared as 32-bit floats, but one type from here on; what 32 bits can't hold is infinite.
    with np.errstate(over="ignore"):
        return run.scores.astype(np.float32).astype(np.float64)


def _twice(run: Run, group: Ints) -> DataError:
    first, second = int(group[0]), int(group[1])
    topic = run.topics[int(np.searchsorted(run.starts, first, side="right")) - 1]
    lines = np.arange(1, len(run) + 1) if run.lines is None else run.lines
    rule = (
        f"A document stands once in a topic's list; {topic!r} has it on line {int(lines[first])} too"
        " (duplicates=first keeps the better one)."
    )
    value = ids.texts(run.docs[[first]])[0]
    return DataError(rule, path=run.path or run.name, line=int(lines[second]), value=value)


def _not_in_scheme(run: Run, row: int) -> DataError:
    line = None if run.lines is None else int(run.lines[row])
    rule = "A class must be a term of its scheme (unknown=error)."
    return DataError(rule, path=run.path or run.name, line=line, value=ids.texts(run.docs[[row]])[0])


def _without(leaving: Bools, run: Run, scores: Floats, found: Ints, row: Ints) -> tuple[Run, Floats, Ints, Ints]:
    """Take rows out of a piece, and the hits among them."""
    kept = ~leaving
    before = np.concatenate([[0], np.cumsum(kept)])
    slim = run.take(kept, before[run.starts])
    stays = kept[found]
    return slim, scores[kept], before[found[stays]], row[stays]


def _joined(columns: Sequence[Ints]) -> Ints:
    return np.concatenate(columns) if columns else np.empty(0, dtype=np.int64)


def _column(columns: Sequence[Column | None], order: Ints) -> Column | None:
    given = [column for column in columns if column is not None]
    return np.concatenate(given)[order] if given else None
