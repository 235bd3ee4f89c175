"""What one claim is made of: preamble, transition phrase, elements, and the category of what it claims.

The transition is the phrase that opens the features. A dividing phrase (`characterised in that`) is the transition
wherever it stands; else the first strong one (`comprising`, `wherein`); else the first weak one (`having`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from patstone.patents.claims.labels import label_end
from patstone.patents.claims.languages import LANGUAGES, Language, language
from patstone.patents.claims.mentions import References

Category = Literal["product", "method", "use", "system", "medium"]
TransitionType = Literal["open", "closed", "partly"]

_ASIDE = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]")
_EDGE = " \t\r\n\f\v\xa0,;:.，；：。、-–—•"
_STOP = re.compile(r"[()（）;；\n]")
_LONGEST_CANCELLED = 60
_SUBJECT = 300
"""How far the words that name what is claimed may reach."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Transition:
    phrase: str
    type: TransitionType
    """Whether more features are allowed than those that follow: open (comprising), closed (consisting of), partly."""
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Element:
    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Anatomy:
    category: Category
    preamble: tuple[int, int]
    """From where to where; the whole claim where there is no transition."""
    transition: Transition | None
    elements: tuple[Element, ...]


def anatomy(text: str, folded: str, named: References, spoken: Language) -> Anatomy:
    """Take a claim apart; `folded` is its text in lower case, `named` the claims it names."""
    start = label_end(folded)
    end = len(folded.rstrip(_EDGE))
    found = _transition(folded, start, end, spoken)
    category = _category(folded, start, end, named, spoken)
    if found is None:
        return Anatomy(category=category, preamble=(start, end), transition=None, elements=())
    kind = found.lastgroup or "open"
    transition = Transition(
        phrase=text[found.start() : found.end()],
        type="open" if kind == "clause" else cast(TransitionType, kind),
        start=found.start(),
        end=found.end(),
    )
    before, behind = _trimmed(folded, start, found.start()), _trimmed(folded, found.end(), end)
    # Japanese and its like put the subject last: what stands before the phrase are the features.
    preamble, body = (behind, before) if spoken.head_last else (before, behind)
    return Anatomy(
        category=category,
        preamble=preamble,
        transition=transition,
        elements=tuple(
            Element(start=first, end=last, text=text[first:last])
            for first, last in _elements(folded, *body, spoken, clauses=kind == "clause")
        ),
    )


def is_cancelled(folded: str) -> bool:
    """Whether only `(cancelled)` is left of it, in any language: one word is too little to tell which it is."""
    if len(folded) >= _LONGEST_CANCELLED:
        return False
    start = label_end(folded)
    return any(language(code).cancelled.match(folded, start) for code in LANGUAGES)


def _transition(folded: str, start: int, end: int, spoken: Language) -> re.Match[str] | None:
    # `A device having a lid, characterised in that …`: what divides new from known wins over what stands first.
    for strength in (spoken.dividing, spoken.strong, spoken.weak):
        if found := strength.search(folded, start, end):
            return found
    return None


def _category(folded: str, start: int, end: int, named: References, spoken: Language) -> Category:
    """The first words name it or, in a language whose subjects stand last, the last words."""
    if spoken.head_last:
        found = spoken.categories.search(folded, max(start, end - _SUBJECT), end)
        return cast(Category, found.lastgroup) if found else "product"
    # `According to claim 1, a method …`: what is claimed stands behind.
    if named.mentions and spoken.lead_in.fullmatch(folded, start, named.mentions[0].start):
        start = named.mentions[0].end
    begin = len(folded) - len(folded[start:].lstrip(_EDGE)) if start < len(folded) else start
    # `A device for a method of drying` is a device: the category stands before the first word that leads away.
    stop = spoken.subject_end.search(folded, begin, begin + _SUBJECT)
    subject = _ASIDE.sub(" ", folded[begin : stop.start() if stop else begin + _SUBJECT]).rstrip(_EDGE)
    found = spoken.categories.search(subject)
    return cast(Category, found.lastgroup) if found else "product"


def _trimmed(folded: str, start: int, end: int) -> tuple[int, int]:
    """Without white space and punctuation at the ends."""
    part = folded[start:end]
    first = start + len(part) - len(part.lstrip(_EDGE))
    return (first, max(first, start + len(part.rstrip(_EDGE))))


def _elements(folded: str, start: int, end: int, spoken: Language, *, clauses: bool) -> Iterator[tuple[int, int]]:
    """Part the features at semicolons and lines; where there are none, at the language's joints."""
    cuts = list(_cuts(folded, start, end)) or [
        found.span() for found in (spoken.clauses if clauses else spoken.items).finditer(folded, start, end)
    ]
    for first, last in zip([start, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), end], strict=True):
        begin, stop = _trimmed(folded, first, last)
        if joined := spoken.conjunction.match(folded, begin, stop):
            begin = joined.end()
        if begin < stop:
            yield begin, stop


def _cuts(folded: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Semicolons and line ends that no brackets enclose."""
    depth = 0
    for found in _STOP.finditer(folded, start, end):
        if found.group() in "(（":
            depth += 1
        elif found.group() in ")）":
            # A step's label `a)` closes what nothing opened.
            depth = max(depth - 1, 0)
        elif not depth:
            yield found.span()
