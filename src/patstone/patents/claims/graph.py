"""Who depends on whom in a claim set, how deep, from which roots, and what is wrong with it.

Claims are known by their places, since numbers may occur twice; a number means its nearest claim before the one that
names it, else the first behind it. Without references forward there are no cycles, so the search for them is rare.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Rule = Literal[
    "cycle",
    "self-reference",
    "forward-reference",
    "missing-claim",
    "multiple-on-multiple",
    "markup-differs",
    "number-gap",
    "number-duplicate",
    "number-restart",
    "number-order",
    "unnumbered",
    "empty",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    rule: Rule
    claim: int
    """The number of the claim that it is about."""
    others: tuple[int, ...] = ()
    """The claims that it speaks of: those missing, those of a cycle, what the words name where mark-up differs."""
    message: str


@dataclass(frozen=True)
class Graph:
    numbers: tuple[int, ...]
    """The number of the claim at each place."""
    named: tuple[tuple[int, ...], ...]
    """The numbers of its parents."""

    @cached_property
    def parents(self) -> list[list[int]]:
        """The places of the parents that there are; a claim is not its own."""
        return [[place for place in self._places(child) if place != child] for child in range(len(self.numbers))]

    def _places(self, child: int) -> list[int]:
        found = (self._find(number, child) for number in self.named[child])
        return [place for place in found if place is not None]

    @cached_property
    def _by_number(self) -> dict[int, list[int]]:
        places = defaultdict(list)
        for place, number in enumerate(self.numbers):
            places[number].append(place)
        return dict(places)

    def _find(self, number: int, child: int) -> int | None:
        places = self._by_number.get(number)
        if not places:
            return None
        # A file may hold two sets with numbers from 1; each refers to its own.
        before = [place for place in places if place <= child] if len(places) > 1 else places
        return before[-1] if before else places[0]

    @cached_property
    def depths(self) -> list[int | None]:
        """Steps to the nearest claim without parents, breadth first."""
        children: list[list[int]] = [[] for _ in self.numbers]
        for child, parents in enumerate(self.parents):
            for parent in parents:
                children[parent].append(child)
        depths: list[int | None] = [None if named else 0 for named in self.named]
        front = [place for place, depth in enumerate(depths) if depth == 0]
        for place in front:
            for child in children[place]:
                if depths[child] is None:
                    depths[child] = (depths[place] or 0) + 1
                    front.append(child)
        return depths

    @cached_property
    def roots(self) -> list[tuple[int, ...]]:
        """The numbers of the claims without parents that each goes back to."""
        independent = [place for place, named in enumerate(self.named) if not named]
        # A set of roots is the bits of one number: sets of thousands of claims join in one step.
        bits = {place: 1 << bit for bit, place in enumerate(independent)}
        found = [bits.get(place, 0) for place in range(len(self.numbers))]
        before: list[int] = []
        # Parents that all stand before their children are settled in one round.
        while found != before:
            before = found.copy() if self.any_forward else found
            for child, parents in enumerate(self.parents):
                for parent in parents:
                    found[child] |= found[parent]
        return [tuple(self.numbers[place] for place in independent if bits[place] & joined) for joined in found]

    def missing(self, child: int) -> tuple[int, ...]:
        return tuple(number for number in self.named[child] if number not in self._by_number)

    def forward(self, child: int) -> tuple[int, ...]:
        return tuple(self.numbers[parent] for parent in self.parents[child] if parent > child)

    @cached_property
    def any_forward(self) -> bool:
        return any(parent > child for child, parents in enumerate(self.parents) for parent in parents)

    @cached_property
    def cycles(self) -> list[list[int]]:
        """The places of the claims of each cycle: strongly connected components, after Tarjan, without recursion."""
        if not self.any_forward:
            return []
        return sorted(sorted(part) for part in _components(self.parents) if len(part) > 1)


def _components(edges: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    open_nodes: set[int] = set()
    for start in range(len(edges)):
        work = [] if start in order else [(start, iter(edges[start]))]
        while work:
            node, rest = work[-1]
            if node not in order:
                order[node] = low[node] = len(order)
                path.append(node)
                open_nodes.add(node)
            # The walk goes on where it left off, since generators hold their place: no recursion, however long the
            # chain.
            following = next((other for other in rest if other not in order or other in open_nodes), None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    cut = path.index(node)
                    yield path[cut:]
                    open_nodes.difference_update(path[cut:])
                    del path[cut:]
            elif following in order:
                low[node] = min(low[node], order[following])
            else:
                work.append((following, iter(edges[following])))


def findings(graph: Graph) -> Iterator[Finding]:
    """What is wrong with the references, claim by claim; cycles at the first of their claims."""
    # Told once, at the first of its claims, else a circle of twenty would be twenty findings.
    cycles = {cycle[0]: cycle for cycle in graph.cycles}
    for place, number in enumerate(graph.numbers):
        named = graph.named[place]
        if number in named and graph._find(number, place) == place:
            yield Finding(rule="self-reference", claim=number, others=(number,), message="refers to itself")
        if missing := graph.missing(place):
            yield _finding("missing-claim", number, missing, "refers to {}, which the set lacks")
        if forward := graph.forward(place):
            yield _finding("forward-reference", number, forward, "refers forward to {}")
        several = [graph.numbers[parent] for parent in graph.parents[place] if len(graph.named[parent]) > 1]
        if several and len(named) > 1:
            yield _finding("multiple-on-multiple", number, several, "has several parents, like {}")
        if place in cycles:
            yield _finding("cycle", number, [graph.numbers[each] for each in cycles[place]], "is in a cycle: {}")


def numbering(numbers: Sequence[int]) -> Iterator[Finding]:
    """What is odd about the numbers themselves, in the order in which they stand."""
    seen: set[int] = set()
    last = 0
    for number in numbers:
        if not number:
            yield Finding(rule="unnumbered", claim=0, message="is text without a number before the first claim")
            continue
        # A claim 1 behind others is another set, or an amended one: the rest is judged anew.
        if number == 1 and seen:
            yield _finding("number-restart", number, [last], "begins the numbers anew behind {}")
        elif number in seen:
            yield _finding("number-duplicate", number, [number], "has a number that {} had before")
        elif number > last + 1:
            skipped = range(last + 1, number)
            yield _finding("number-gap", number, skipped, "comes without {} before it")
        elif number < last:
            yield _finding("number-order", number, [last], "stands behind {}")
        seen.add(number)
        last = number


def _finding(rule: Rule, claim: int, others: Sequence[int], sentence: str) -> Finding:
    return Finding(rule=rule, claim=claim, others=tuple(others), message=sentence.format(listed(others)))


def listed(numbers: Sequence[int]) -> str:
    """Numbers as people write them: `claims 1 to 3 and 5`, shortened where they go on for long."""
    words = [str(first) if first == last else f"{first} to {last}" for first, last in spans(numbers)]
    shown = [*words[:5], "more"] if len(words) > 6 else words
    joined = " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)
    return f"claim {joined}" if len(numbers) == 1 else f"claims {joined}"


def spans(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Rising numbers as ranges with both ends."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
