"""Where a claim's words name things: noun phrases behind an article, and every other word as a sign of what is known.

There is no grammar in it. An English phrase ends at a word of a closed class, a verb of the table, or a participle; a
German one at its noun, which has a capital. Reading on too far does no harm, since a phrase counts as known by any of
its words that is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from patstone.patents.claims.checks.lexicon import Lexicon

_TOKEN = re.compile(r"[^\W\d_][^\W_]*(?:[-‐‑’'][^\W_]+)*|\d+|[^\w\s]")
_LONGEST = 6
"""Words of a phrase that are looked at: longer runs are no names."""


@dataclass(frozen=True, slots=True)
class Phrase:
    start: int
    """Where its article begins."""
    words: tuple[tuple[str, int, int], ...]
    """Word in lower case, from where to where."""
    definite: bool
    followed: str
    """The word or sign behind it."""

    @property
    def end(self) -> int:
        return self.words[-1][2]


def phrases(text: str, folded: str, start: int, words: Lexicon) -> Iterator[Phrase]:
    """Give the phrases of a claim from `start` on; those without any article count as indefinite."""
    return _german(text, folded, start, words) if words.code == "de" else _english(folded, start, words)


def _english(folded: str, start: int, words: Lexicon) -> Iterator[Phrase]:
    article, definite = start, False
    run: list[tuple[str, int, int]] = []
    stop, articles, indefinite, nouns = words.stop, words.definite, words.indefinite, words.nouns
    for found in _TOKEN.finditer(folded, start):
        word, first, last = found.group(), found.start(), found.end()
        if word in articles or word in indefinite or word in stop or not word[0].isalpha() or _closes(word, run, nouns):
            if run:
                yield Phrase(article, tuple(run), definite, word)
                run = []
            # `All of the said springs`: the article next to the noun decides.
            definite = word in articles
            article = first
            continue
        if not run and not definite:
            article = first
        run.append((word, first, last))
        if len(run) == _LONGEST:
            yield Phrase(article, tuple(run), definite, word)
            run, definite = [], False
    if run:
        yield Phrase(article, tuple(run), definite, "")


def _closes(word: str, run: list[tuple[str, int, int]], nouns: frozenset[str]) -> bool:
    """Whether a participle or an adverb ends the phrase: it does unless it begins it."""
    return bool(run) and word.endswith(("ing", "ed", "ly")) and word not in nouns and "-" not in word


def _german(text: str, folded: str, start: int, words: Lexicon) -> Iterator[Phrase]:
    article, definite, before = start, False, ""
    run: list[tuple[str, int, int]] = []
    for found in _TOKEN.finditer(folded, start):
        word, first, last = found.group(), found.start(), found.end()
        if text[first].isupper() and word not in words.definite and word not in words.indefinite:
            behind = _TOKEN.search(folded, last)
            followed = behind.group() if behind else ""
            yield Phrase(article if run or definite else first, (*run, (word, first, last)), definite, followed)
            run, definite = [], False
        elif word in words.definite:
            # Behind a comma it may as well begin a relative clause: `eine Feder, die Wellen trägt`.
            run, article, definite = [], first, before != ","
        elif word in words.stop or word in words.indefinite or not word[0].isalpha() or len(run) == _LONGEST:
            run, article, definite = [], first, False
        else:
            run.append((word, first, last))
        before = word
