"""What a claim set is built like, next to the gold's: features that anyone can recompute, and a plain score of them.

Each feature is a number in [0, 1], 1 being what a drafter wants, so that no weights need to be learned: the score of a
criterion is the mean of its features (`FEATURES`), and overall quality is the mean of the other four. Features that
compare with a gold are left out where there is none. A trained judge takes the same features and weighs them.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np

from patstone.gold.criteria import OVERALL
from patstone.gold.qrels import Floats
from patstone.patents.claims import ClaimSet, ResolvedClaim, resolve, split
from patstone.systems.judges.judge import Drivers
from patstone.systems.judges.tokens import words


@dataclass(frozen=True, eq=False)
class Reading:
    """One claim set, read once."""

    claims: ClaimSet
    tokens: tuple[tuple[str, ...], ...]
    """Of each claim."""
    elements: tuple[Counter[str], ...]
    """Content words of each element, over all claims."""

    @property
    def length(self) -> int:
        return sum(map(len, self.tokens))


@cache
def _words() -> dict[str, frozenset[str]]:
    text = (files("patstone.systems.judges") / "structural.toml").read_text(encoding="utf-8")
    return {name: frozenset(listed.split()) for name, listed in tomllib.loads(text).items()}


@lru_cache(maxsize=1 << 14)
def read(text: str) -> Reading:
    found = resolve(split(text))
    return Reading(
        claims=found,
        tokens=tuple(words(claim.claim.text) for claim in found),
        elements=tuple(content for claim in found for content in _elements(claim) if content),
    )


def _elements(claim: ResolvedClaim) -> list[Counter[str]]:
    """A claim without a transition phrase is one element."""
    texts = [element.text for element in claim.elements] or [claim.claim.text]
    return [_content(words(text)) for text in texts]


def _content(tokens: Sequence[str]) -> Counter[str]:
    small = _words()["small"]
    return Counter(token for token in tokens if token.isalpha() and token not in small)


# Against the gold


def elements_found(gold: Reading, own: Reading) -> float:
    """How much of the gold's elements is found: for each, the best share of its words in one element of ours."""
    return _coverage(gold.elements, own.elements)


def elements_known(gold: Reading, own: Reading) -> float:
    """How much of our elements the gold has."""
    return _coverage(own.elements, gold.elements)


def _coverage(asked: Sequence[Counter[str]], given: Sequence[Counter[str]]) -> float:
    if not asked or not given:
        return float(not asked)
    places = {word: place for place, word in enumerate({word for each in asked for word in each})}
    wanted, there = _table(asked, places), _table(given, places)
    shared = np.minimum(wanted[:, None], there[None]).sum(axis=2)
    size = wanted.sum(axis=1)
    return float((shared.max(axis=1)).sum() / size.sum())


def _table(elements: Sequence[Counter[str]], places: Mapping[str, int]) -> Floats:
    table = np.zeros((len(elements), len(places)))
    for row, element in enumerate(elements):
        for word, count in element.items():
            if word in places:
                table[row, places[word]] = count
    return table


def claim_count(gold: Reading, own: Reading) -> float:
    return _nearness(len(gold.claims), len(own.claims))


def length(gold: Reading, own: Reading) -> float:
    return _nearness(gold.length, own.length)


def independent_count(gold: Reading, own: Reading) -> float:
    return _nearness(*(each.claims.counts.get("independent", 0) for each in (gold, own)))


def _nearness(one: int, other: int) -> float:
    """Ratio of the smaller to the larger; two nothings are near."""
    return min(one, other) / max(one, other) if max(one, other) else 1.0


def terms_shared(gold: Reading, own: Reading) -> float:
    """The share of the nouns-to-be that both introduce (`a …`), of all that either does."""
    one, other = ({term for claim in each.tokens for term in introduced(claim)} for each in (gold, own))
    return len(one & other) / len(one | other) if one | other else 1.0


def preamble(gold: Reading, own: Reading) -> float:
    """Likeness of the first claims' preambles."""
    one, other = (
        _content(words(each.claims.claims[0].preamble)) if len(each.claims) else Counter[str]() for each in (gold, own)
    )
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def dependencies(gold: Reading, own: Reading) -> float:
    """Likeness of the shares of claims at each depth of dependency."""
    one, other = (_depths(each.claims) for each in (gold, own))
    return sum(min(one[depth], other[depth]) for depth in one)


def _depths(claims: ClaimSet) -> Mapping[int | None, float]:
    found = Counter(claim.depth for claim in claims)
    return Counter({depth: count / max(len(claims), 1) for depth, count in found.items()})


# On its own


def antecedents(own: Reading) -> float:
    """The share of `the X` and `said X` whose head was named before in the claim or in one above it."""
    numbers = {claim.number: place for place, claim in enumerate(own.claims)}
    known: list[set[str]] = []
    sound = total = 0
    for claim, tokens in zip(own.claims, own.tokens, strict=True):
        above = [known[numbers[parent]] for parent in claim.depends_on if numbers.get(parent, len(known)) < len(known)]
        seen = set[str]().union(*above)
        for place, token in enumerate(tokens):
            if token in _words()["definite"] and (head := _head(tokens, place)):
                total += 1
                sound += head in seen
            seen.add(token)
        known.append(seen)
    return sound / total if total else 1.0


def _head(tokens: Sequence[str], place: int) -> str:
    """The word behind an article, where it is one that can be introduced."""
    following = tokens[place + 1 : place + 2]
    return following[0] if following and following[0].isalpha() and following[0] not in _words()["free"] else ""


def introduced(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """The one or two words behind each indefinite article."""
    small, found = _words()["small"], []
    for place, token in enumerate(tokens):
        if token in _words()["indefinite"]:
            behind = tokens[place + 1 : place + 3]
            kept = [word for word in behind if word.isalpha() and word not in small]
            found += [tuple(kept)] if kept and kept[0] == behind[0] else []
    return found


def introduced_once(own: Reading) -> float:
    """The share of terms that one chain of claims introduces once: a second `a spring` is another spring or a slip."""
    again = total = 0
    for tokens in own.tokens:
        counts = Counter(introduced(tokens))
        total += counts.total()
        again += counts.total() - len(counts)
    return 1 - again / total if total else 1.0


def references(own: Reading) -> float:
    """The share of claims that the dependency graph has nothing against."""
    wrong = {finding.claim for finding in own.claims.findings}
    return 1 - len(wrong) / max(len(own.claims), 1)


def depends(own: Reading) -> float:
    """Whether claims build on each other: the share of dependent claims, at most as usual (0.8)."""
    share = own.claims.counts.get("dependent", 0) / max(len(own.claims), 1)
    return min(share / 0.8, 1.0)


def transitions(own: Reading) -> float:
    """The share of independent claims with a transition phrase."""
    tops = [claim for claim in own.claims if claim.kind == "independent"]
    return sum(claim.transition is not None for claim in tops) / max(len(tops), 1)


def plain_words(own: Reading) -> float:
    """One minus the share of vague words, a hundredfold: one in fifty is half, one in a hundred is none of it left."""
    vague = sum(token in _words()["vague"] for tokens in own.tokens for token in tokens)
    return max(0.0, 1 - 50 * vague / max(own.length, 1))


def plain_phrases(own: Reading) -> float:
    """One minus the share of elements that say what a thing is for and not what it is (`configured to`)."""
    functional = sum(len(_FUNCTIONAL.findall(claim.claim.text.casefold())) for claim in own.claims)
    return max(0.0, 1 - functional / max(len(own.elements), 1))


_FUNCTIONAL = re.compile(r"\b(?:configured|adapted|operable|arranged|designed|capable|able|eingerichtet|ausgebildet)\b")


def one_sentence(own: Reading) -> float:
    """The share of claims that are one sentence with one full stop at its end."""
    single = sum(_SENTENCE.fullmatch(claim.claim.text.strip()) is not None for claim in own.claims)
    return single / max(len(own.claims), 1)


_SENTENCE = re.compile(r"(?:[^.]|\.(?!\s+[A-ZÄÖÜ]))*\.", re.DOTALL)


def parted(own: Reading) -> float:
    """Whether elements are short enough to follow: 1 up to 40 words on average, then falling as 40 / words."""
    mean = sum(element.total() for element in own.elements) / max(len(own.elements), 1)
    return min(1.0, 40 / mean) if mean else 1.0


def not_repeated(own: Reading) -> float:
    """The share of claims that no other claim says in the same words, references aside."""
    bodies = Counter(tuple(_content(tokens).items()) for tokens in own.tokens)
    return len(bodies) / max(len(own.tokens), 1)


AGAINST: Mapping[str, Callable[[Reading, Reading], float]] = {
    "elements_found": elements_found,
    "elements_known": elements_known,
    "claim_count": claim_count,
    "length": length,
    "independent_count": independent_count,
    "terms_shared": terms_shared,
    "preamble": preamble,
    "dependencies": dependencies,
}
ALONE: Mapping[str, Callable[[Reading], float]] = {
    "antecedents": antecedents,
    "introduced_once": introduced_once,
    "references": references,
    "depends": depends,
    "transitions": transitions,
    "plain_words": plain_words,
    "plain_phrases": plain_phrases,
    "one_sentence": one_sentence,
    "parted": parted,
    "not_repeated": not_repeated,
}
FEATURES: Mapping[str, tuple[str, ...]] = {
    "completeness": ("elements_found", "length", "claim_count", "independent_count"),
    "clarity": ("plain_words", "plain_phrases", "one_sentence", "parted", "transitions"),
    "consistency": ("terms_shared", "introduced_once", "preamble"),
    "linkage": ("antecedents", "references", "depends", "dependencies", "not_repeated"),
}
"""By criterion, those that speak of it."""


def features(gold: str, candidate: str) -> dict[str, float]:
    """All features by name; without a gold those of the candidate alone."""
    own = read(candidate)
    found = {name: feature(own) for name, feature in ALONE.items()}
    if gold:
        reference = read(gold)
        found |= {name: feature(reference, own) for name, feature in AGAINST.items()}
    return found


@dataclass(frozen=True)
class Structural:
    name: str = "structural"
    criteria: tuple[str, ...] = (*FEATURES, OVERALL)
    needs_gold: bool = False
    signature: str = f"structural|features:{len(AGAINST) + len(ALONE)}|weights:equal"

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        rows = [_by_criterion(found) for found in self.explain(gold_claims, candidate_claims)]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.criteria))

    def explain(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> list[Drivers]:
        return [features(gold, text) for gold, text in zip(gold_claims, candidate_claims, strict=True)]


def _by_criterion(found: Mapping[str, float]) -> list[float]:
    """Without a gold nothing speaks of completeness, and its score is NaN."""
    told = [[found[name] for name in names if name in found] for names in FEATURES.values()]
    means = [sum(values) / len(values) if values else float("nan") for values in told]
    return [*means, float(np.nanmean(means))]
