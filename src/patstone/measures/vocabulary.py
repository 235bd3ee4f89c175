"""Class symbols as terms of their schemes: how they are spelled, at which level they count, how close they are.

One scheme serves every topic, or several F-term themes serve the topics that name theirs after a stroke, as in
`JP2001-123456/2C088`. A term has a number within its scheme; -1 is a symbol that the scheme lacks, which is close to
nothing but itself. Similarities over a small scheme are looked up in a table of all its pairs, made once for each
cost; over a large one, such as the CPC, they are computed pair by pair.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.files.fingerprint import bits, hexed, sums
from patstone.files.index import first_places
from patstone.gold.columns import offsets
from patstone.gold.qrels import Floats, Ints, Qrels
from patstone.measures.hierarchy import Hierarchy, similarity
from patstone.measures.ranked import Bools
from patstone.patents.schemes.levels import at_level, kind_at
from patstone.patents.schemes.scheme import Kind, Scheme
from patstone.patents.schemes.spelling import spelled
from patstone.systems.run import Run

THEME = re.compile(r".*/([0-9][A-Z][0-9]{3})")
_LARGEST_TABLE = 3_000
"""Terms of a scheme whose pairs fit a table: 72 MB."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Vocabulary:
    schemes: tuple[Scheme, ...] = ()
    level: str | None = None
    """Symbols count at this level of the CPC or IPC, or as viewpoints of F-terms."""
    _tables: dict[tuple[int, str], Floats] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        return tuple(map(Hierarchy.of, self.schemes))

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits of the schemes' symbols and shapes, and of the level."""
        level = ids.pack([f"level {self.level}"])
        found = sums(ids.hashed(list(ids.words(level).T)))
        for scheme in self.schemes:
            symbols = ids.words(scheme.symbols[scheme.term])
            found += sums(ids.hashed(list(symbols.T), bits(scheme.parent.astype(np.float64))))
        return hexed(found)

    def trees(self, topics: Sequence[str]) -> Ints:
        """Which scheme each topic is answered in; -1 where there is none."""
        if len(self.schemes) < 2 and not (self.schemes and self.schemes[0].kind == "f-term"):
            return np.full(len(topics), len(self.schemes) - 1)
        number = {scheme.name: place for place, scheme in enumerate(self.schemes)}
        alone = 0 if len(self.schemes) == 1 else -1
        named = [THEME.fullmatch(topic) for topic in topics]
        return np.array([number.get(theme[1], -1) if theme else alone for theme in named], dtype=np.int64)

    def refuse_strangers(self, topics: Sequence[str]) -> None:
        """Every topic of the gold standard must have its scheme."""
        trees = self.trees(topics)
        if self.schemes and (trees < 0).any():
            topic = topics[int(np.argmin(trees))]
            names = ", ".join(scheme.name for scheme in self.schemes)
            theme = THEME.fullmatch(topic)
            what = f"is of theme {theme[1]}" if theme else "names no theme"
            raise UsageError(f"The topic {topic!r} {what}, and the schemes are {names}; name one for each theme.")

    def written(self, docs: ids.Ids, trees: Ints) -> ids.Ids:
        """The symbols as their schemes write them, at the level; `trees` says each symbol's scheme."""
        if not len(docs):
            return docs
        known = self.numbers(docs, trees) >= 0
        # Most runs write symbols as the scheme does, and then there is nothing to do.
        if known.all() and self.level is None:
            return docs
        first = first_places(docs, trees)
        rows = np.flatnonzero(first == np.arange(len(first)))
        texts = ids.texts(docs[rows])
        for kind in dict.fromkeys(map(self._kind, trees[rows].tolist())):
            which = [place for place, tree in enumerate(trees[rows].tolist()) if self._kind(tree) == kind]
            for place, text in zip(which, self._spelled([texts[place] for place in which], kind), strict=True):
                texts[place] = text
        number = np.empty(len(docs), dtype=np.int64)
        number[rows] = np.arange(len(rows))
        return ids.pack(texts)[number[first]]

    def _kind(self, tree: int) -> Kind:
        if self.schemes:
            return self.schemes[tree].kind
        return kind_at(self.level) if self.level else "other"

    def _spelled(self, texts: Sequence[str], kind: Kind) -> list[str]:
        plain = spelled(texts, kind)
        return plain if self.level is None else at_level(plain, self.level)

    def numbers(self, docs: ids.Ids, trees: Ints) -> Ints:
        """The term of each symbol in its scheme, or -1."""
        found = np.full(len(docs), -1)
        for tree in np.unique(trees[trees >= 0]).tolist():
            rows = slice(None) if len(self.schemes) == 1 else np.flatnonzero(trees == tree)
            found[rows] = self.schemes[tree].find(docs[rows])
        return found

    def similarities(self, cost: str, tree: int, keys: Ints, responses: Ints) -> Floats:
        """The similarity of each response to its key, arrays that fit each other; 0 where either is unknown."""
        keys, responses = np.broadcast_arrays(keys, responses)
        scheme = self.schemes[tree]
        if len(scheme.symbols) <= _LARGEST_TABLE:
            # The last row and column are those of unknown terms.
            return np.asarray(self._table(cost, tree)[keys, responses])
        found = np.zeros(keys.shape)
        known = (keys >= 0) & (responses >= 0)
        found[known] = similarity(self.hierarchies[tree], cost, keys[known], responses[known])
        return found

    def _table(self, cost: str, tree: int) -> Floats:
        if (tree, cost) not in self._tables:
            size = len(self.schemes[tree].symbols)
            terms = np.arange(size)
            table = np.zeros((size + 1, size + 1))
            table[:size, :size] = similarity(
                self.hierarchies[tree], cost, np.repeat(terms, size), np.tile(terms, size)
            ).reshape(size, size)
            self._tables[tree, cost] = table
        return self._tables[tree, cost]

    def codes(self, tree: int) -> Ints:
        """Each term's place in the order of symbols; last of all, for -1, that of unknown ones."""
        return self._codes[tree]

    @cached_property
    def _codes(self) -> tuple[Ints, ...]:
        return tuple(np.append(np.argsort(np.argsort(scheme.symbols)), -1) for scheme in self.schemes)

    def of_gold(self, gold: Qrels, *, unknown: str) -> tuple[Qrels, dict[str, int]]:
        """The gold standard in the schemes' spelling and at the level, and counts; equal terms keep the best grade."""
        self.refuse_strangers(gold.topics)
        tree = self.trees(gold.topics)[gold.topic]
        docs = self.written(gold.docs, tree)
        first = _firsts(docs, gold.topic, np.argsort(-gold.grades, kind="stable"))
        kept = np.flatnonzero(first == np.arange(len(docs)))
        lacking = self.numbers(docs[kept], tree[kept]) < 0 if self.schemes else np.zeros(len(kept), dtype=np.bool_)
        if unknown == "error" and lacking.any():
            value = ids.texts(docs[kept[lacking][:1]])[0]
            raise DataError("A class of the gold standard must be a term of its scheme (unknown=error).", value=value)
        counts = np.bincount(gold.topic[kept], minlength=len(gold.topics))
        mapped = replace(
            gold, docs=docs[kept], grades=gold.grades[kept], starts=offsets(counts), inventions=None, of_classes=True
        )
        return mapped, {"gold_unknown_terms": int(lacking.sum()), "gold_merged_terms": len(gold) - len(kept)}

    def of_run(self, run: Run) -> tuple[Run, int]:
        """The run in the same spelling and level; of terms that become one the best score; how many rows that cost."""
        topic = np.repeat(np.arange(len(run.topics)), np.diff(run.starts))
        docs = self.written(run.docs, self.trees(run.topics)[topic])
        if docs is run.docs:
            return run, 0
        # A term twice in a list is the duplicates policy's to settle; here only different ones become equal.
        twins = first_places(run.docs, topic) != np.arange(len(run))
        first = _firsts(docs, topic, np.argsort(-run.scores, kind="stable"))
        kept = np.flatnonzero(twins | (first == np.arange(len(run))))
        moved = replace(run, docs=docs, assigned=_any_of(run.assigned, first))
        starts = offsets(np.bincount(topic[kept], minlength=len(run.topics)))
        return moved.take(kept, starts), len(run) - len(kept)


def _firsts(docs: ids.Ids, topic: Ints, order: Ints) -> Ints:
    """For each row, which of the rows with the same symbol and topic comes first in `order`."""
    first = np.empty(len(docs), dtype=np.int64)
    first[order] = order[first_places(docs[order], topic[order])]
    return first


def _any_of(assigned: Bools | None, first: Ints) -> Bools | None:
    """What becomes one term is in the set when any of it was."""
    if assigned is None:
        return None
    found = np.zeros(len(first), dtype=np.bool_)
    np.logical_or.at(found, first, assigned)
    return found[first]
