"""From child and parent pairs to a scheme; a term with several parents gets a place on every chain that leads to it.

Terms that name no parent hang below the root. Where no row says so, the one term that is only ever a parent is the
root itself; several such terms are orphans. A cycle is an error that spells it out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.patents.schemes.scheme import Kind, Scheme, Titles

MOST_PLACES = 5_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Edges:
    """A table of pairs, as it was read; a child without a parent hangs below the root."""

    path: str
    children: Sequence[str]
    parents: Sequence[str]
    lines: Sequence[int]
    titles: Mapping[str, str]

    def refuse(self, rule: str, row: int, value: object) -> DataError:
        return DataError(rule, path=self.path, line=self.lines[row], value=value)


def unfolded(edges: Edges, name: str, kind: Kind) -> Scheme:
    _refuse_twins(edges)
    root = _root(edges)
    below: dict[str, list[str]] = {}
    for child, parent in zip(edges.children, edges.parents, strict=True):
        if child != root:
            below.setdefault(parent or root, []).append(child)
    _refuse_cycles(edges, below, root)
    terms, parents, depths = _walked(below, root)
    names = list(dict.fromkeys(terms))
    number = {term: place for place, term in enumerate(names)}
    return Scheme(
        name=name,
        kind=kind,
        symbols=_packed(names),
        titles=Titles.of([edges.titles.get(term, "") for term in names]),
        parent=np.array(parents, dtype=np.int32),
        depth=np.array(depths, dtype=np.int32),
        term=np.array([number[term] for term in terms], dtype=np.int32),
    )


def _packed(names: Sequence[str]) -> ids.Ids:
    # The root may have no name, which no id may.
    named = ids.pack(names[1:])
    return ids.concatenate([ids.widen(np.array([names[0].encode()], dtype=np.bytes_)), named])


def _refuse_twins(edges: Edges) -> None:
    seen: dict[tuple[str, str], int] = {}
    for row, pair in enumerate(zip(edges.children, edges.parents, strict=True)):
        if pair in seen:
            rule = f"A term stands below a parent once; line {edges.lines[seen[pair]]} says so too."
            raise edges.refuse(rule, row, " below ".join(filter(None, pair)))
        seen[pair] = row


def _root(edges: Edges) -> str:
    """The root's symbol; empty where the scheme has several terms without a parent."""
    known = set(edges.children)
    orphans = {parent: row for row, parent in reversed([*enumerate(edges.parents)]) if parent and parent not in known}
    tops = list(dict.fromkeys(c for c, parent in zip(edges.children, edges.parents, strict=True) if not parent))
    if not tops and len(orphans) == 1:
        return next(iter(orphans))
    if orphans:
        parent, row = min(orphans.items(), key=lambda found: found[1])
        rule = "A parent needs a row of its own, with an empty parent if it is a top of the scheme"
        raise edges.refuse(f"{rule}; {parent!r} has none.", row, edges.children[row])
    # Without a top everything is in a cycle, which is found below.
    return tops[0] if len(tops) == 1 else ""


def _refuse_cycles(edges: Edges, below: Mapping[str, Sequence[str]], root: str) -> None:
    """Count the chains to each term, parents first; what never gets its turn is in a cycle or below one."""
    waiting = Counter(child for children in below.values() for child in children)
    chains = Counter({root: 1})
    ready = [root]
    while ready:
        parent = ready.pop()
        for child in below.get(parent, ()):
            chains[child] += chains[parent]
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    stuck = {child for child, count in waiting.items() if count}
    if stuck:
        raise _cycle(edges, stuck)
    if chains.total() > MOST_PLACES:
        rule = f"The chains of a scheme must not be more than {MOST_PLACES:,}, counting those to inner terms."
        raise DataError(rule, path=edges.path, value=chains.total())


def _cycle(edges: Edges, stuck: set[str]) -> DataError:
    """Climb from any stuck term: it has a stuck parent, and so has that one, until a term comes again."""
    above = {
        child: (parent, row)
        for row, (child, parent) in enumerate(zip(edges.children, edges.parents, strict=True))
        if child in stuck and parent in stuck
    }
    path = [next(child for child in edges.children if child in stuck)]
    while path.count(path[-1]) == 1:
        path.append(above[path[-1]][0])
    cycle = path[path.index(path[-1]) :]
    row = max(above[child][1] for child, _ in pairwise(cycle))
    return edges.refuse("A term can't stand below itself.", row, " below ".join(cycle))


def _walked(below: Mapping[str, Sequence[str]], root: str) -> tuple[list[str], list[int], list[int]]:
    """Every chain from the root, in the order of the rows: the term, the place above, and the depth of each place."""
    terms: list[str] = []
    parents: list[int] = []
    depths: list[int] = []
    stack = [(root, -1, 0)]
    while stack:
        term, above, depth = stack.pop()
        place = len(terms)
        terms.append(term)
        parents.append(above)
        depths.append(depth)
        stack.extend((child, place, depth + 1) for child in reversed(below.get(term, ())))
    return terms, parents, depths
