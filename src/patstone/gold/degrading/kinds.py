"""The kinds of degradation: where in a claim set each could be done. How often it is, is decided elsewhere.

Each function gives every change of its kind that the claims allow; they must not depend on each other's order.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from random import Random
from typing import Any

from patstone.gold.degrading.edits import Change, Edit
from patstone.patents.claims import ClaimSet, ResolvedClaim
from patstone.patents.claims.checks.lexicon import Lexicon, lexicon
from patstone.patents.claims.checks.phrases import Phrase, phrases
from patstone.patents.claims.labels import label_end
from patstone.patents.claims.languages import fold

_WORD_BEFORE = re.compile(r"([^\W\d_]+)\s+$")


@dataclass(frozen=True)
class Place:
    """One claim with the words of its language."""

    index: int
    claim: ResolvedClaim
    words: Lexicon
    table: Mapping[str, Any]

    @property
    def text(self) -> str:
        return self.claim.claim.text

    def phrases(self) -> Iterator[Phrase]:
        folded = fold(self.text)
        return phrases(self.text, folded, label_end(folded), self.words)

    def article(self, phrase: Phrase) -> tuple[int, str]:
        """Where the word before a phrase begins, and that word in lower case."""
        found = _WORD_BEFORE.search(self.text, 0, phrase.words[0][1])
        return (found.start(), fold(found[1])) if found else (phrase.words[0][1], "")

    def edit(self, start: int, end: int, after: str) -> Change:
        return Change(claim=self.claim.number, edits=(Edit(place=self.index, start=start, end=end, after=after),))


@cache
def tables() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((files("patstone.gold.degrading") / "words.toml").read_text(encoding="utf-8"))


def places(claims: ClaimSet) -> Iterator[Place]:
    """The claims whose language has words."""
    for index, claim in enumerate(claims):
        words = lexicon(claim.references.language)
        if words is not None:
            yield Place(index, claim, words, tables()[words.code])


# Completeness


def drop_element(claims: ClaimSet, rng: Random) -> Iterator[Change]:  # noqa: ARG001
    """Take an element out, with what parts it from the one before."""
    for index, claim in enumerate(claims):
        elements = claim.elements
        # The last element goes as well as any, as long as one stays.
        for before, element in pairwise(elements):
            edit = Edit(place=index, start=before.end, end=element.end, after="")
            yield Change(claim=claim.number, edits=(edit,))


def weaken_element(claims: ClaimSet, rng: Random) -> Iterator[Change]:  # noqa: ARG001
    """Keep what an element is and cut what it does or how it is: from its first joint on."""
    for index, claim in enumerate(claims):
        for element in claim.elements:
            found = _JOINT.search(element.text, _SHORTEST)
            if found and len(element.text) - found.start() > _SHORTEST:
                start = element.start + found.start()
                yield Change(claim=claim.number, edits=(Edit(place=index, start=start, end=element.end, after=""),))


_SHORTEST = 8
_JOINT = re.compile(
    r",? (?=(?:configured|adapted|arranged|operable|coupled|connected|having|which|that|wherein|whereby|for|in|on|from"
    r"|with|to|der|die|das|zum|zur|mit|für|aus|welche[rs]?) )"
)


def drop_claim(claims: ClaimSet, rng: Random) -> Iterator[Change]:  # noqa: ARG001
    """Take a dependent claim out that no other depends on."""
    named = {parent for claim in claims for parent in claim.depends_on}
    for index, claim in enumerate(claims):
        if claim.kind == "dependent" and claim.number not in named:
            yield Change(claim=claim.number, dropped=index)


# Clarity


def vague_words(claims: ClaimSet, rng: Random) -> Iterator[Change]:
    """Put a word of degree behind an article."""
    for place in places(claims):
        for phrase in place.phrases():
            _, article = place.article(phrase)
            # All the words begin with a consonant.
            if article in _ARTICLES - {"an"} or article in place.words.definite:
                words = place.table["vague" if len(phrase.words) > 1 else "before_nouns"]
                start = phrase.words[0][1]
                yield place.edit(start, start, f"{rng.choice(words)} ")


def asides(claims: ClaimSet, rng: Random) -> Iterator[Change]:
    """Put an aside behind an element's first phrase."""
    for place in places(claims):
        for element in place.claim.elements:
            gap = place.text.find(" ", element.start + (element.end - element.start) // 2, element.end)
            if gap >= 0:
                yield place.edit(gap, gap, rng.choice(place.table["asides"]))


def run_on(claims: ClaimSet, rng: Random) -> Iterator[Change]:  # noqa: ARG001
    """Take out what parts two elements."""
    for place in places(claims):
        elements = place.claim.elements
        for before, element in pairwise(elements):
            yield place.edit(before.end, element.start, place.table["run_on"])


# Consistency


def rename_term(claims: ClaimSet, rng: Random) -> Iterator[Change]:
    """Call a thing by another name from one of its mentions on."""
    for spots in _mentions(claims).values():
        first = rng.randrange(len(spots))
        yield _renamed(spots[first:], rng.random())


def vary_term(claims: ClaimSet, rng: Random) -> Iterator[Change]:
    """Call a thing by another name once."""
    for spots in _mentions(claims).values():
        for spot in spots:
            yield _renamed([spot], rng.random())


Spot = tuple[Place, str, int, int]
"""Where a definite phrase's noun stands: place, stem, from where to where."""


def _mentions(claims: ClaimSet) -> dict[str, list[Spot]]:
    """The definite mentions of each thing, by its stem, that is introduced anywhere."""
    known: set[str] = set()
    found: dict[str, list[Spot]] = {}
    for place in places(claims):
        for phrase in place.phrases():
            word, start, end = phrase.words[-1]
            stem = place.words.stems[word]
            if not phrase.definite:
                known.add(stem)
            elif stem in known and stem not in place.words.inherent:
                found.setdefault(stem, []).append((place, stem, start, end))
    return found


def _renamed(spots: list[Spot], draw: float) -> Change:
    edits = []
    for place, stem, start, end in spots:
        others = sorted(place.words.synonyms.get(stem, frozenset()) - {stem})
        name = others[int(draw * len(others))] if others else ""
        generic = place.table["generic"][int(draw * len(place.table["generic"]))]
        joint = "" if place.words.code == "de" else " "
        text = place.text[start:end]
        after = (name.capitalize() if text[:1].isupper() else name) if name else f"{text}{joint}{generic}"
        edits.append(Edit(place=place.index, start=start, end=end, after=after))
    return Change(claim=spots[0][0].claim.number, edits=tuple(edits))


# Linkage


def break_antecedent(claims: ClaimSet, rng: Random) -> Iterator[Change]:  # noqa: ARG001
    """Speak of a thing as known where it is first named."""
    seen: set[str] = set()
    for place in places(claims):
        for phrase in place.phrases():
            stem = place.words.stems[phrase.words[-1][0]]
            start, article = place.article(phrase)
            if article in _ARTICLES and stem not in seen and start > _SUBJECT:
                yield place.edit(start, start + len(article), place.table["definite"])
            seen.add(stem)


_ARTICLES = frozenset({"a", "an", "ein", "eine", "einen", "einem", "einer"})
_SUBJECT = 5


def break_dependency(claims: ClaimSet, rng: Random) -> Iterator[Change]:
    """Refer to a claim that there is not, or to one that comes later."""
    last = max((claim.number for claim in claims), default=0)
    for index, claim in enumerate(claims):
        for mention in claim.references.mentions[:1]:
            number = re.search(r"\d+", claim.claim.text[mention.start : mention.end])
            if number is not None and len(claim.depends_on) == 1:
                start = mention.start + number.start()
                wrong = rng.choice([last + 1 + rng.randrange(5), *range(claim.number + 1, last + 1)])
                edit = Edit(place=index, start=start, end=mention.start + number.end(), after=f"{wrong}")
                yield Change(claim=claim.number, edits=(edit,))


def shuffle_elements(claims: ClaimSet, rng: Random) -> Iterator[Change]:  # noqa: ARG001
    """Let two neighbouring elements change places."""
    for index, claim in enumerate(claims):
        elements = claim.elements
        for one, other in zip(elements[::2], elements[1::2], strict=False):
            edits = (
                Edit(place=index, start=one.start, end=one.end, after=other.text),
                Edit(place=index, start=other.start, end=other.end, after=one.text),
            )
            yield Change(claim=claim.number, edits=edits)


# Overall


def copy_claim(claims: ClaimSet, rng: Random) -> Iterator[Change]:  # noqa: ARG001
    """Write a dependent claim again at the end."""
    for index, claim in enumerate(claims):
        if claim.kind == "dependent":
            yield Change(claim=claim.number, copied=index)


def pad(claims: ClaimSet, rng: Random) -> Iterator[Change]:
    """Add words at a claim's end that say nothing."""
    for place in places(claims):
        end = len(place.text.rstrip(" .;\n"))
        yield place.edit(end, end, f", {rng.choice(place.table['padding'])}")


Kind = Callable[[ClaimSet, Random], Iterator[Change]]
KINDS: Mapping[str, tuple[str, Kind]] = {
    "drop-element": ("completeness", drop_element),
    "weaken-element": ("completeness", weaken_element),
    "drop-claim": ("completeness", drop_claim),
    "vague-words": ("clarity", vague_words),
    "asides": ("clarity", asides),
    "run-on": ("clarity", run_on),
    "rename-term": ("consistency", rename_term),
    "vary-term": ("consistency", vary_term),
    "break-antecedent": ("linkage", break_antecedent),
    "break-dependency": ("linkage", break_dependency),
    "shuffle-elements": ("linkage", shuffle_elements),
    "copy-claim": ("overall", copy_claim),
    "pad": ("overall", pad),
}
"""By name: the criterion that it speaks to, and where it can be done."""
