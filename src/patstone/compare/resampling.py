"""Seeded draws that tests and intervals share, in blocks of bounded memory.

The stream of random numbers does not depend on the size of a block, so that neither the memory at hand nor the
number of rows that a caller asks about changes a result. Each caller starts its own generator from the seed.
"""

from collections.abc import Iterator

import numpy as np

from patstone.gold.qrels import Floats, Ints

BLOCK = 1 << 20
"""Numbers in one block of draws: 8 MB."""


def blocks(count: int, width: int) -> Iterator[slice]:
    """Cut `count` rows of `width` numbers into slices of about one block."""
    step = max(1, BLOCK // max(1, width))
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def bootstrap_weights(size: int, count: int, seed: int) -> Iterator[tuple[slice, Floats]]:
    """Draw `size` items with replacement, `count` times: how often each resample holds each item."""
    generator = np.random.default_rng(seed)
    for part in blocks(count, size):
        rows = part.stop - part.start
        drawn = generator.integers(size, size=(rows, size))
        drawn += (np.arange(rows) * size)[:, None]
        yield part, np.bincount(drawn.reshape(-1), minlength=rows * size).reshape(rows, size).astype(np.float64)


def signs(size: int, count: int, seed: int) -> Iterator[tuple[slice, Floats]]:
    """Toss `size` coins, `count` times: rows of +1 and -1."""
    generator = np.random.default_rng(seed)
    # The generator hands out four bytes at a time; whole words a row keep the stream free of the block size.
    octets = -(-size // 32) * 4
    for part in blocks(count, size):
        rows = part.stop - part.start
        tossed = np.frombuffer(generator.bytes(rows * octets), dtype=np.uint8).reshape(rows, octets)
        yield part, np.unpackbits(tossed, axis=1, count=size).astype(np.float64) * 2 - 1


def shuffles(items: int, topics: int, count: int, seed: int) -> Iterator[tuple[slice, Ints]]:
    """Shuffle the labels of `items` within each topic, `count` times: trials × topics × items."""
    generator = np.random.default_rng(seed)
    for part in blocks(count, items * topics):
        rows = part.stop - part.start
        labels = np.tile(np.arange(items), (rows * topics, 1))
        yield part, generator.permuted(labels, axis=1, out=labels).reshape(rows, topics, items)


def by_pattern(values: Floats) -> Iterator[tuple[Ints, Floats]]:
    """Group rows that lack the same columns: which rows they are, and their values where they have any."""
    present = ~np.isnan(values)
    packed = np.packbits(present, axis=1)
    _, first, pattern = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    for number, row in enumerate(first):
        rows = np.flatnonzero(pattern.reshape(-1) == number)
        yield rows, values[np.ix_(rows, present[row])]
