"""What experts prefer: two candidate claim sets for the same gold claims, and for each criterion which is better.

A label is +1 where A is better, -1 where B is, 0 where they are equal, and NaN where nobody judged. An item with one
candidate only has a rating in the label's place, on any scale; `compared` turns rated items of one gold into
comparisons. Texts are kept once, however often they recur. What is odd is kept as findings and never dropped silently.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids
from patstone.files.fingerprint import bits, hexed, sums
from patstone.gold.findings import Finding, Severity
from patstone.gold.qrels import Floats, Ints

Bools = NDArray[np.bool_]
NOTHING = -1
"""In place of a text: no gold, or no second candidate."""


def folded(text: str) -> str:
    """White space does not tell claims apart."""
    return " ".join(text.split())


def text_key(text: str) -> int:
    """64 bits that tell texts apart; of a folded text, so that line ends don't count."""
    return int.from_bytes(blake2b(folded(text).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


@dataclass(frozen=True, eq=False, kw_only=True)
class Preferences:
    name: str
    texts: tuple[str, ...]
    """Each different text once."""
    gold: Ints
    """For each item: which text is its gold, or NOTHING."""
    a: Ints
    b: Ints
    """The second candidate, or NOTHING."""
    items: tuple[str, ...]
    """What the source calls each item; its number where it has no name."""
    criteria: tuple[str, ...]
    labels: Floats
    """Items × criteria; NaN where there is no label."""
    lines: Ints
    """The line (of a text), row (of a sheet) or record of each item, from 1."""
    findings: tuple[Finding, ...] = ()

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """The key of each text."""
        return np.array([text_key(text) for text in self.texts], dtype=np.uint64)

    @cached_property
    def digest(self) -> str:
        """Equal for equal items in any order."""
        known = np.append(self.keys, np.uint64(0))
        row = ids.hashed([known[self.gold], known[self.a], known[self.b]])
        parts = sums(row)
        for criterion, column in zip(self.criteria, self.labels.T, strict=True):
            told = ~np.isnan(column)
            parts += sums(ids.hashed([row[told], bits(column[told])], text_key(criterion)))
        return hexed(parts)

    @cached_property
    def identical(self) -> Bools:
        """Whether a candidate of the item is its gold, white space aside."""
        known = self.gold != NOTHING
        found = (self.keys[self.a] == self.keys[self.gold]) | (
            (self.b != NOTHING) & (self.keys[self.b] == self.keys[self.gold])
        )
        return np.asarray(found & known, dtype=np.bool_)

    @cached_property
    def groups(self) -> Ints:
        """The gold of each item as a number from 0; items without a gold are groups of their own."""
        own = np.where(self.gold == NOTHING, len(self.texts) + np.arange(len(self)), self.gold)
        return np.unique(own, return_inverse=True)[1].astype(np.int64)

    def taken(self, kept: Bools | Ints) -> "Preferences":
        """Some of the items."""
        rows = np.flatnonzero(kept) if kept.dtype == np.bool_ else kept
        return replace(
            self,
            gold=self.gold[rows],
            a=self.a[rows],
            b=self.b[rows],
            items=tuple(self.items[row] for row in rows.tolist()),
            labels=self.labels[rows],
            lines=self.lines[rows],
        )

    @property
    def counts(self) -> dict[str, int]:
        return {
            "items": len(self),
            "golds": len(np.unique(self.gold[self.gold != NOTHING])),
            "candidates": len(np.unique(np.concatenate([self.a, self.b[self.b != NOTHING]]))),
            "with_identical_candidate": int(self.identical.sum()),
            **{finding.rule: len(finding.rows) for finding in self.findings},
        }


@dataclass(frozen=True, kw_only=True)
class Item:
    """One item while it is read."""

    name: str
    gold: str
    a: str
    b: str | None
    labels: dict[str, float]
    line: int


def collected(items: Sequence[Item], *, name: str, criteria: Sequence[str]) -> Preferences:
    """Put items into columns and look for what is odd."""
    places: dict[str, int] = {}

    def placed(text: str | None) -> int:
        return NOTHING if not text else places.setdefault(text, len(places))

    columns = [[placed(text) for text in (item.gold, item.a, item.b)] for item in items]
    gold, a, b = np.array(columns, dtype=np.int64).reshape(len(items), 3).T
    found = Preferences(
        name=name,
        texts=tuple(places),
        gold=gold,
        a=a,
        b=b,
        items=tuple(item.name for item in items),
        criteria=tuple(criteria),
        labels=np.array(
            [[item.labels.get(key, np.nan) for key in criteria] for item in items], dtype=np.float64
        ).reshape(len(items), len(criteria)),
        lines=np.array([item.line for item in items], dtype=np.int64),
    )
    return replace(found, findings=tuple(oddities(found)))


def compared(preferences: Preferences) -> Preferences:
    """Comparisons only: rated candidates of one gold are compared two by two, a higher rating being better."""
    single = np.flatnonzero(preferences.b == NOTHING)
    if not len(single):
        return preferences
    members: dict[int, list[int]] = defaultdict(list)
    for row in single.tolist():
        members[int(preferences.gold[row])].append(row)
    pairs = [pair for group in members.values() for pair in combinations(group, 2)]
    one, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    labels = np.sign(preferences.labels[one] - preferences.labels[other])
    # Two candidates that no criterion rates both are no comparison.
    told: Bools = np.asarray(~np.isnan(labels).all(axis=1), dtype=np.bool_)
    whole = preferences.taken(preferences.b != NOTHING)
    joined = replace(
        whole,
        gold=np.concatenate([whole.gold, preferences.gold[one[told]]]),
        a=np.concatenate([whole.a, preferences.a[one[told]]]),
        b=np.concatenate([whole.b, preferences.a[other[told]]]),
        items=(*whole.items, *(f"{preferences.items[i]}:{preferences.items[j]}" for i, j in _rows(one, other, told))),
        labels=np.concatenate([whole.labels, labels[told]]),
        lines=np.concatenate([whole.lines, preferences.lines[one[told]]]),
    )
    alone = sorted({*single.tolist()} - {*one[told].tolist(), *other[told].tolist()})
    unused = _finding(
        preferences, "unpaired", "warning", alone, "{n} rated candidates have none of the same gold to compare with."
    )
    return replace(joined, findings=(*oddities(joined), *unused))


def _rows(one: Ints, other: Ints, told: Bools) -> Iterator[tuple[int, int]]:
    return zip(one[told].tolist(), other[told].tolist(), strict=True)


def oddities(preferences: Preferences) -> Iterator[Finding]:
    both = preferences.b != NOTHING
    same = both & (preferences.keys[preferences.a] == preferences.keys[preferences.b])
    differing = (np.abs(np.nan_to_num(preferences.labels)) > 0).any(axis=1)
    # A file without any labels is there to be scored, and lacks nothing.
    unlabelled = np.isnan(preferences.labels).all(axis=1) & bool(preferences.criteria)
    rows = {
        "same-candidates": (same & ~differing, "{n} comparisons have the same text as A and as B."),
        "same-but-unequal": (same & differing, "{n} comparisons call one of two equal texts better."),
        "no-label": (unlabelled, "{n} items have no label at all."),
    }
    for rule, (found, message) in rows.items():
        severity: Severity = "error" if rule == "same-but-unequal" else "warning"
        yield from _finding(preferences, rule, severity, np.flatnonzero(found).tolist(), message)
    yield from _repetitions(preferences)


def _repetitions(preferences: Preferences) -> Iterator[Finding]:
    """The same three texts again: an annotation more, or a copy; also with A and B changed over."""
    seen: dict[tuple[int, int, int], list[tuple[int, Floats]]] = defaultdict(list)
    again, torn = [], []
    for row, (gold, a, b) in enumerate(zip(preferences.gold, preferences.a, preferences.b, strict=True)):
        turned = a > b != NOTHING
        key, sign = ((int(gold), int(b), int(a)), -1.0) if turned else ((int(gold), int(a), int(b)), 1.0)
        labels = sign * preferences.labels[row]
        before = seen[key]
        again += [row] if before else []
        torn += [row] if any(((first * labels) < 0).any() for _, first in before) else []
        before.append((row, labels))
    yield from _finding(
        preferences, "repeated", "warning", again, "{n} items repeat the texts of an earlier one; all of them count."
    )
    yield from _finding(
        preferences, "conflicting", "warning", torn, "{n} of the repeated items prefer the other candidate."
    )


def _finding(
    preferences: Preferences, rule: str, severity: Severity, rows: Iterable[int], message: str
) -> list[Finding]:
    lines = tuple(int(preferences.lines[row]) for row in rows)
    told = message.format(n=len(lines))
    return [Finding(rule=rule, severity=severity, rows=lines, message=told)] if lines else []


def recurring(preferences: Preferences) -> float:
    """The share of candidates, counted each time they are used, whose text is used more than once."""
    used = np.concatenate([preferences.a, preferences.b[preferences.b != NOTHING]]).tolist()
    times = Counter(used)
    return sum(count for count in times.values() if count > 1) / max(len(used), 1)
