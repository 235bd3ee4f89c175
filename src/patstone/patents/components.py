"""Connected components of a graph that comes in chunks: which nodes hang together, directly or through others.

The memory is that of one number for each node and of one chunk, however many links there are. A node's parent never
has a larger number than itself, so that there are no circles and each component ends up called by its smallest node.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]


def components(nodes: int, links: Iterable[tuple[Ints, Ints]]) -> Ints:
    """The smallest node of each node's component; a chunk of links is its ends, node by node."""
    parent = np.arange(nodes, dtype=np.int32)
    for ends, others in links:
        _join(parent, ends, others)
    return _roots(parent, np.arange(nodes, dtype=np.int32))


def _join(parent: Ints, ends: Ints, others: Ints) -> None:
    while len(ends):
        ends, others = _roots(parent, ends), _roots(parent, others)
        # Only what is not yet together is looked at again; a root may be claimed by several, of which the least wins.
        apart = ends != others
        ends, others = ends[apart], others[apart]
        np.minimum.at(parent, np.maximum(ends, others), np.minimum(ends, others))


def _roots(parent: Ints, nodes: Ints) -> Ints:
    """The nodes' roots, at which they point from then on: what is above a node halves with each round."""
    above = parent[nodes]
    while True:
        higher = parent[above]
        if np.array_equal(higher, above):
            return above
        parent[nodes] = above = higher
