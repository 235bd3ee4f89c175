"""A made-up F-term classification task: themes whose trees have the shape of a real one, and patents as bags of words.

A theme has viewpoints, and below each a walk of up to six dots, as the published lists have. Every term has words of
its own, and a patent with that term uses them, and, less often, those of the terms above it: near terms read alike,
as they do in patents. The rest of a patent's words belong to no term.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from patstone.files import ids
from patstone.patents.schemes.outline import Outline, Root, planted
from patstone.patents.schemes.scheme import Scheme, Titles

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

VIEWPOINTS, TERMS = 5, 40
"""Terms below each viewpoint; with the viewpoints a theme has 205."""
WORDS, COMMON = 6, 1_500
"""A term's own words, and words of no term."""
SHARE, OTHERS = 1.2, 80
"""A patent's words for each of its terms, on average, and its words of no term: chosen once so that the best runs reach
an R-precision of about a half, near the 0.44 of the paper's best."""
STEPS, CHANCES = (-3, -2, -1, 0, 1), (0.05, 0.15, 0.15, 0.35, 0.3)
"""How the number of dots goes from one line of the published list to the next."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Theme:
    scheme: Scheme
    codes: tuple[str, ...]
    parent: Ints
    """By term: the term above it, or -1 for a viewpoint."""
    labels: Bools
    """Patents × terms."""
    likeness: Floats
    """Patents × patents: cosine of their words, weighted by rarity."""


def made_theme(name: str, patents: int, rng: np.random.Generator) -> Theme:
    codes, dots = _list(rng)
    depths = np.array(dots, dtype=np.int32) + 1
    outline = Outline(
        path=name,
        symbols=ids.pack(codes),
        depths=depths,
        titles=Titles.of([""] * len(codes)),
        lines=np.arange(1, len(codes) + 1),
    )
    scheme = planted(outline, Root(name=name, kind="f-term", symbol=name))
    # Place 0 is the theme itself; its terms are the others, in their order.
    parent = scheme.parent[1:].astype(np.int64) - 1
    labels = _labels(rng, patents, dots)
    return Theme(
        scheme=scheme, codes=tuple(codes), parent=parent, labels=labels, likeness=_likeness(_texts(rng, labels, parent))
    )


def _list(rng: np.random.Generator) -> tuple[list[str], list[int]]:
    codes: list[str] = []
    dots: list[int] = []
    for view in range(VIEWPOINTS):
        code = f"{chr(ord('A') + view)}A"
        codes, dots = [*codes, code], [*dots, 0]
        for number in range(1, TERMS + 1):
            deeper = dots[-1] + int(rng.choice(STEPS, p=CHANCES))
            codes.append(f"{code}{number:02}")
            dots.append(min(max(deeper, 1), dots[-1] + 1, 6))
    return codes, dots


def _labels(rng: np.random.Generator, patents: int, dots: list[int]) -> Bools:
    """A patent has two or three viewpoints, and in each a few terms, some of them far more common than others."""
    labels = np.zeros((patents, len(dots)), dtype=np.bool_)
    commonness = rng.pareto(1.2, len(dots)) + 0.2
    size = TERMS + 1
    for patent in range(patents):
        for view in rng.choice(VIEWPOINTS, rng.integers(2, 4), replace=False):
            terms = np.arange(view * size + 1, (view + 1) * size)
            chance = commonness[terms] / commonness[terms].sum()
            labels[patent, rng.choice(terms, rng.integers(1, 4), replace=False, p=chance)] = True
    return labels


def _texts(rng: np.random.Generator, labels: Bools, parent: Ints) -> Floats:
    """Patents × words: counts."""
    terms = len(parent)
    counts = np.zeros((len(labels), terms * WORDS + COMMON))
    for patent, row in enumerate(labels):
        used = []
        for term in np.flatnonzero(row).tolist():
            place, share = term, SHARE
            while place >= 0 and share >= SHARE / 8:
                used += (place * WORDS + rng.integers(0, WORDS, rng.poisson(share))).tolist()
                place, share = int(parent[place]), share / 2
        # Common words follow Zipf's law.
        common = np.minimum(rng.zipf(1.4, OTHERS), COMMON) - 1 + terms * WORDS
        np.add.at(counts[patent], [*used, *common.tolist()], 1)
    return counts


def _likeness(counts: Floats) -> Floats:
    rarity = np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1))
    weighted = np.log1p(counts) * rarity
    weighted /= np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), 1e-12)
    return np.asarray(weighted @ weighted.T)
