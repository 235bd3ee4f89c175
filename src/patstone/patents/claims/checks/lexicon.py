"""The words that rules go by, one table a language, and what a word is reduced to so that its forms count as one.

A stem is not linguistics: plural endings go, so that `bodies` and `body` meet; for German the endings of cases go too
and umlauts lose their dots. Stems are kept, since the words of claims come again and again.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from patstone.patents.claims.languages import choice

LANGUAGES = ("en", "de")
_TABLES = Path(__file__).parent / "words"
_KEPT = 200_000
_UMLAUTS = str.maketrans("äöüß", "aous")
_CASES = ("ern", "en", "er", "es", "em", "e", "n", "s")


class Stems(dict[str, str]):
    """Word to stem, reckoned when a word is first met."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._reduce = _german if code == "de" else _english

    def __missing__(self, word: str) -> str:
        if len(self) > _KEPT:
            self.clear()
        stem = self[word] = self._reduce(word)
        return stem


def _english(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return _IRREGULAR.get(word, word)


_IRREGULAR = {
    "feet": "foot", "teeth": "tooth", "vertices": "vertex", "indices": "index", "axes": "axis", "matrices": "matrix",
    "media": "medium", "criteria": "criterion", "data": "data", "halves": "half", "knives": "knife", "shelves": "shelf",
    "leaves": "leaf", "bases": "base", "analyses": "analysis", "apices": "apex", "radii": "radius", "loci": "locus",
    "bacteria": "bacterium", "spectra": "spectrum", "maxima": "maximum", "minima": "minimum", "men": "man",
}  # fmt: skip


def _german(word: str) -> str:
    bare = word.translate(_UMLAUTS)
    # Twice, so that `Ofens` and `Ofen` meet whatever goes first.
    for _ in range(2):
        ending = next((each for each in _CASES if len(bare) - len(each) >= 3 and bare.endswith(each)), "")
        bare = bare.removesuffix(ending)
    return bare


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    code: str
    definite: frozenset[str]
    indefinite: frozenset[str]
    stop: frozenset[str]
    """Words that end a noun phrase."""
    ignored: frozenset[str]
    """Modifiers that name nothing: respective, same."""
    ordinals: frozenset[str]
    relational: frozenset[str]
    ahead: frozenset[str]
    """What points to something that comes behind: the following formula."""
    inherent: frozenset[str]
    """Stems of what a thing has without its being said: its surface, its length."""
    deverbal: tuple[str, ...]
    """Endings of nouns made of verbs."""
    acts: tuple[str, ...]
    """Those that name an act where `of` and what is done follow."""
    of: frozenset[str]
    nouns: frozenset[str]
    """Nouns that end like participles or adverbs: housing, assembly."""
    synonyms: Mapping[str, frozenset[str]]
    degree: re.Pattern[str]
    optional: re.Pattern[str]
    sound: re.Pattern[str]
    abbreviations: frozenset[str]
    counted: frozenset[str]
    units: frozenset[str]
    no_transition_needed: re.Pattern[str]
    taken_up: re.Pattern[str]
    stems: Stems = field(repr=False)


@cache
def lexicon(code: str) -> Lexicon | None:
    """The words of a language; None for one that has no table."""
    if code not in LANGUAGES:
        return None
    table = tomllib.loads((_TABLES / f"{code}.toml").read_text(encoding="utf-8"))
    terms, vague, form, stems = table["terms"], table["vague"], table["form"], Stems(code)
    return Lexicon(
        code=code,
        **{
            name: _words(terms, name)
            for name in ("definite", "indefinite", "ignored", "ordinals", "relational", "ahead")
        },
        stop=_words(terms, "stop") | _words(terms, "verbs"),
        inherent=frozenset(stems[word.lower()] for word in _words(terms, "inherent")),
        deverbal=tuple(terms["deverbal"].split()),
        acts=tuple(terms["acts"].split()),
        of=_words(terms, "of"),
        nouns=_words(terms, "nouns_in_ing") | _words(terms, "nouns_in_ed") | _words(terms, "nouns_in_ly"),
        synonyms=_synonyms(terms["synonyms"], stems),
        degree=_phrases(vague["degree"]),
        optional=_phrases(vague["optional"]),
        sound=_phrases(vague["sound"]),
        abbreviations=_words(form, "abbreviations"),
        counted=_words(form, "counted"),
        units=_words(form, "units"),
        no_transition_needed=re.compile(form["no_transition_needed"]),
        taken_up=re.compile(form["taken_up"]),
        stems=stems,
    )


def _words(table: Mapping[str, Any], name: str) -> frozenset[str]:
    return frozenset(str(table.get(name, "")).split())


def _phrases(words: list[str]) -> re.Pattern[str]:
    # The longest first: `most preferably` before `preferably`.
    return re.compile(rf"(?<![\w-]){choice(sorted(words, key=len, reverse=True))}(?![\w-])")


def _synonyms(lines: list[str], stems: Stems) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in lines:
        alike = frozenset(stems[word] for word in line.split())
        for stem in alike:
            found[stem] = found.get(stem, frozenset()) | alike
    return found
