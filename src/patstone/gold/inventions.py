"""Whose invention a judged document is, where families are known.

A gold standard that names inventions itself keeps them. A document without a known family is an invention of its
own; the topic's own family is the one that no ranking may show.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids
from patstone.gold.qrels import Qrels

if TYPE_CHECKING:
    from patstone.patents.families import Families

Bools = NDArray[np.bool_]


def with_inventions(gold: Qrels, families: "Families") -> Qrels:
    """Take each document's family for its invention."""
    if gold.inventions is not None:
        return gold
    codes = families.of(gold.docs)
    # Families are numbered below their documents, so nobody shares the numbers above those.
    return replace(gold, inventions=np.where(codes < 0, len(families) + np.arange(len(gold)), codes))


def own_rows(gold: Qrels, families: "Families | None") -> Bools:
    """Per row: whether it is the topic's own document or one of its family."""
    names = ids.pack(gold.topics)
    own = np.asarray(gold.docs == names[gold.topic])
    if families is None:
        return own
    family = families.of(names)[gold.topic]
    return np.asarray(own | ((family >= 0) & (family == families.of(gold.docs))))
