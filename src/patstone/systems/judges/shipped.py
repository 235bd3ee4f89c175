"""`patstone`: the judge that comes in the wheel. Linear in few features, all weights non-negative, a file of numbers.

Each feature is in [0, 1] and is 1 where the candidate is the gold; the weights of a criterion sum to 1. So the gold
itself scores 1 and nothing scores more. Completeness uses only features that no deletion can raise. Most of the weight
lies on likeness, which carries over to other data; the rest on what the linter finds beyond what it finds in the gold.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np

from patstone.gold.preferences import folded
from patstone.gold.qrels import Floats
from patstone.patents.claims.checks import check
from patstone.systems.judges import structural
from patstone.systems.judges.judge import Drivers
from patstone.systems.judges.overlap import edit_similarity
from patstone.systems.judges.strings import Pattern

_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = 4
_SHARP = 8
"""The power that lets only what is nearly verbatim count."""


@dataclass(frozen=True, eq=False)
class Text:
    """A claim set read once."""

    tokens: tuple[str, ...]
    """Words without numbers: those change when claims are renumbered."""
    bag: Counter[str]
    pairs: Counter[tuple[str, str]]
    letters: Counter[str]
    parts: tuple[frozenset[tuple[str, str]], ...]
    """The word pairs of each claim."""
    dependent: int
    elements: tuple[frozenset[str], ...]
    found: Counter[str]
    """What the linter finds, by the first letters of its codes."""
    repeated: int
    """Claims that say what another says."""


@lru_cache(maxsize=1 << 13)
def read(text: str) -> Text:
    # The structural judge reads the same texts, and remembers them.
    resolved = structural.read(text).claims
    tokens = tuple(_WORD.findall(text.lower()))
    plain = " ".join(tokens)
    spoken = [tuple(_WORD.findall(claim.claim.text.lower())) for claim in resolved]
    elements = [element.text for claim in resolved for element in claim.elements or ()]
    return Text(
        tokens=tokens,
        bag=Counter(tokens),
        pairs=Counter(pairwise(tokens)),
        letters=Counter(plain[start : start + _LETTERS] for start in range(len(plain) - _LETTERS + 1)),
        parts=tuple(frozenset(pairwise(body)) for body in spoken),
        dependent=resolved.counts.get("dependent", 0),
        elements=tuple(frozenset(_WORD.findall(element.lower())) for element in elements),
        found=Counter(_GROUPS[found.code] for found in check(resolved, select=[*_GROUPS]).diagnostics),
        repeated=len(spoken) - len(set(spoken)),
    )


_GROUPS = {
    "C101": "antecedents", "C102": "terms",
    **dict.fromkeys(["C201", "C202", "C203", "C204", "C205"], "references"),
    **dict.fromkeys(["C301", "C302", "C304", "C305"], "form"),
    **dict.fromkeys(["C401", "C402"], "wording"),
}  # fmt: skip


def features(gold: str, candidate: str) -> dict[str, float]:
    """All features of a candidate beside its gold, each 1 where they are the same."""
    if folded(gold) == folded(candidate):
        return dict.fromkeys(FEATURES, 1.0)
    one, own = read(gold), read(candidate)
    common = _pattern(gold).common(own.tokens)
    shared = (one.bag & own.bag).total()
    edit = edit_similarity(gold, candidate)["score"]
    size, length = max(len(one.tokens), 1), max(len(own.tokens), 1)
    return {
        "edit": edit,
        "sequence": 2 * common / (size + length),
        "words": 2 * shared / (size + length),
        "pairs": _f1(one.pairs, own.pairs),
        "letters": _f1(one.letters, own.letters),
        "verbatim": edit**_SHARP,
        "claimwise": (_kept(one, own) + _kept(own, one)) / 2,
        "length": min(size, length) / max(size, length),
        "brevity": min(1.0, size / length),
        "claims": min(len(one.parts), len(own.parts)) / max(len(one.parts), len(own.parts), 1),
        "dependents": 1 - abs(one.dependent / max(len(one.parts), 1) - own.dependent / max(len(own.parts), 1)),
        "elements_known": _coverage(own.elements, one.elements),
        "order": common / shared if shared else 1.0,
        "sequence_recall": common / size,
        "words_recall": shared / size,
        "kinds_recall": len(one.bag.keys() & own.bag.keys()) / max(len(one.bag), 1),
        **{name: _excess(one, own, name) for name in ("antecedents", "terms", "references", "form", "wording")},
        "repeated": 1 / (1 + max(0, own.repeated - one.repeated)),
    }


LIKENESS = ("edit", "sequence", "words", "pairs", "letters", "verbatim", "claimwise")
RECALL = ("sequence_recall", "words_recall", "kinds_recall")
"""What no deletion can raise."""
USED: Mapping[str, tuple[str, ...]] = {
    "completeness": RECALL,
    "clarity": (*LIKENESS, "length", "brevity", "wording", "form", "repeated"),
    "consistency": (*LIKENESS, "terms", "elements_known"),
    "linkage": (*LIKENESS, "antecedents", "references", "order", "dependents"),
    "overall": (
        *LIKENESS, "length", "brevity", "claims", "dependents", "elements_known", "order",
        "antecedents", "terms", "references", "form", "wording", "repeated",
    ),
}  # fmt: skip
"""By criterion: the features that may have a weight."""
FEATURES = tuple(dict.fromkeys(name for names in USED.values() for name in names))


@lru_cache(maxsize=256)
def _pattern(text: str) -> Pattern:
    return Pattern.of(read(text).tokens)


def _f1(one: Counter[Any], other: Counter[Any]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def _coverage(asked: Sequence[frozenset[str]], given: Sequence[frozenset[str]]) -> float:
    """The share of the words of some elements that the best of others has."""
    size = sum(map(len, asked))
    best = sum(max((len(each & other) for other in given), default=0) for each in asked)
    return best / size if size else 1.0


def _kept(asked: Text, given: Text) -> float:
    """How alike the claims of one set are to the nearest of the other, on average."""
    best = (
        max((2 * len(one & other) / max(len(one) + len(other), 1) for other in given.parts), default=0.0)
        for one in asked.parts
    )
    return sum(best) / max(len(asked.parts), 1)


def _excess(one: Text, own: Text, name: str) -> float:
    """Falls with what is found in a claim beyond what is found in one of the gold's."""
    more = own.found[name] / max(len(own.parts), 1) - one.found[name] / max(len(one.parts), 1)
    return 1 / (1 + 2 * max(0.0, more))


Weights = Mapping[str, Mapping[str, float]]
"""By criterion and feature."""


@dataclass(frozen=True)
class Shipped:
    weights: Weights
    digest: str
    """What it was trained on, in short."""
    seen: frozenset[int]
    """The keys of the golds that it was trained on, by which a test on them is noticed."""
    name: str = "patstone"
    needs_gold: bool = True

    @property
    def criteria(self) -> tuple[str, ...]:
        return tuple(self.weights)

    @property
    def signature(self) -> str:
        return f"patstone|linear|features:{len(FEATURES)}|trained:{self.digest}"

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        # Summed row by row: a matrix product may round in another way when there are more rows.
        parts = table(gold_claims, candidate_claims)[:, :, None] * matrix(self.weights)
        return np.asarray(parts.sum(axis=1), dtype=np.float64)

    def explain(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> list[Drivers]:
        return [features(gold, text) for gold, text in zip(gold_claims, candidate_claims, strict=True)]


def table(golds: Sequence[str], candidates: Sequence[str]) -> Floats:
    """The features of each candidate, a row each."""
    told = (features(gold, text) for gold, text in zip(golds, candidates, strict=True))
    rows = [[found[name] for name in FEATURES] for found in told]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(FEATURES))


def matrix(weights: Weights) -> Floats:
    """Features × criteria; the rounded weights of a criterion made to sum to 1."""
    found = np.array([[own.get(name, 0.0) for own in weights.values()] for name in FEATURES], dtype=np.float64)
    return np.asarray(found / found.sum(axis=0), dtype=np.float64)


@cache
def shipped() -> Shipped:
    """The judge in the wheel; `patstone.experiments.shipping` trained it."""
    model = json.loads((files("patstone.systems.judges") / "shipped.json").read_text(encoding="utf-8"))
    return Shipped(weights=model["weights"], digest=model["digest"], seen=frozenset(model["seen"]))
