"""Short fingerprints of what was read: equal content, equal digest, whatever the order of rows.

Every row is hashed, and the hashes are added up, for a sum has no order. A digest tells sources apart; it is no
defence against someone who wants two of them to look alike.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids


def bits(numbers: NDArray[np.float64]) -> ids.Words:
    # Adding zero turns -0.0, which is the same number, into 0.0, which has other bits.
    return (numbers + 0.0).view(np.uint64)


def sums(rows: ids.Words) -> list[int]:
    """How many rows there are, and two sums of their hashes."""
    again = ids.hashed([rows], 1)
    return [len(rows), int(rows.sum()), int(again.sum())]


def together(row: ids.Words, groups: NDArray[np.int64]) -> ids.Words:
    """Replace a group's code, which depends on the order of rows, by the sum of its members' hashes."""
    _, codes = np.unique(groups, return_inverse=True)
    total = np.zeros(codes.max(initial=-1) + 1, dtype=np.uint64)
    np.add.at(total, codes, row)
    return total[codes]


def hexed(parts: Sequence[int]) -> str:
    """Twelve hex digits of the parts, in their order."""
    whole = ids.hashed([np.array([part], dtype=np.uint64) for part in parts])
    return f"{int(whole[0]):016x}"[:12]
