"""Means over all orders of equal scores, without trying the orders (McSherry and Najork, ECIR 2008).

In a group of equal scores every document is equally likely to stand at each of the group's ranks. What holds for
one document (its chance to be among the first k, its mean discount) therefore needs only the group's first rank
and its size; what depends on several (the first relevant one, precision at each relevant one) needs how many of
the group's documents are marked. A `Ranked` without tie groups is taken as having none.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from patstone.gold.qrels import Floats, Ints
from patstone.measures.ranked import Ranked

Limit = int | Ints | Floats | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Groups:
    """Groups of equal scores that hold a marked hit, by topic, then rank."""

    topic: Ints
    first: Ints
    """The first rank of the group."""
    size: Ints
    """How many documents share the score, judged or not."""
    marked: Ints
    """How many of them are marked."""
    before: Ints
    """How many marked ones the topic has above the group."""


def bounds(ranked: Ranked, index: Ints) -> tuple[Ints, Ints]:
    """The first rank and the size of the group of each hit in `index`."""
    if ranked.tie_first is None or ranked.tie_size is None:
        return ranked.rank[index], np.ones(len(index), dtype=np.int64)
    return ranked.tie_first[index], ranked.tie_size[index]


def groups(ranked: Ranked, index: Ints) -> Groups:
    """Gather the marked hits, `index`, into their groups."""
    topic = ranked.topic[index]
    first, size = bounds(ranked, index)
    new_topic = np.diff(topic, prepend=-1) != 0
    starts = np.flatnonzero(new_topic | (np.diff(first, prepend=0) != 0))
    heads = np.flatnonzero(new_topic)
    topic_start = np.repeat(heads, np.diff(heads, append=len(index)))
    return Groups(
        topic=topic[starts],
        first=first[starts],
        size=size[starts],
        marked=np.diff(starts, append=len(index)),
        before=starts - topic_start[starts],
    )


def places_within(first: Ints, size: Ints, limit: Limit) -> Ints:
    """How many of a group's ranks are among the first k, k for all or one for each."""
    if limit is None:
        return size
    places: Ints = np.clip(np.asarray(limit, dtype=np.int64) - first + 1, 0, size)
    return places


def share_within(ranked: Ranked, index: Ints, limit: Limit) -> Floats:
    """Per hit in `index`: the chance that it is among the first k."""
    first, size = bounds(ranked, index)
    return places_within(first, size, limit) / size


def stretch(discount: Callable[[Floats], Floats], first: Ints, places: Ints) -> Floats:
    """Add up a discount over `places` ranks from `first` on."""
    last = first - 1 + places
    ranks = np.arange(1.0, last.max(initial=0) + 1)
    upto = np.concatenate([[0.0], np.cumsum(discount(ranks))])
    total: Floats = upto[last] - upto[first - 1]
    return total


def chance_of_none(size: Ints, drawn: Ints, marked: Ints) -> Floats:
    """The chance that the first `drawn` documents of a group hold none of its marked ones, at least one."""
    chance = np.where(drawn == 0, 1.0, 0.0)
    # Most groups are wholly within the first k or beyond; only those that k cuts need the product.
    cut = np.flatnonzero((drawn > 0) & (drawn < size))
    size, drawn, marked, product = size[cut], drawn[cut], marked[cut], np.ones(len(cut))
    for picked in range(marked.max(initial=0)):
        left = np.maximum(size - picked, 1)
        product *= np.where(picked < marked, np.maximum(left - drawn, 0) / left, 1.0)
    chance[cut] = product
    return chance


def reciprocal_of_first(found: Groups, limit: Limit) -> Floats:
    """Per group: the mean of 1 / rank of its first marked document, 0 where that is beyond the first k."""
    value, none = np.zeros(len(found.first)), np.ones(len(found.first))
    within = places_within(found.first, found.size, limit)
    reach = np.minimum(within, found.size - found.marked + 1)
    for place in range(reach.max(initial=0)):
        live = np.flatnonzero(reach > place)
        chance = found.marked[live] / (found.size[live] - place)
        value[live] += none[live] * chance / (found.first[live] + place)
        none[live] *= 1 - chance
    return value
