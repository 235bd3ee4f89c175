"""The rules at work: a function for each code, which gives (place, start, end, message) for each fault."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from patstone.patents.claims.checks.lexicon import Lexicon
from patstone.patents.claims.checks.phrases import phrases
from patstone.patents.claims.checks.subject import Subject
from patstone.patents.claims.graph import Rule as GraphRule
from patstone.patents.claims.labels import label_end
from patstone.patents.claims.resolving import ResolvedClaim

Fault: TypeAlias = tuple[int, int, int, str]
Finder: TypeAlias = Callable[[Subject], Iterator[Fault]]

_SENTENCE = re.compile(r"[.!?]\s+(?=[^\W\d_a-z])|[。！？](?=\s*\S)")
_WORD_BEFORE = re.compile(r"([^\W_]+(?:\.[^\W_]+)*)$")
_ENDS = re.compile(r"(?:[.。]|\(?\[?(?:cancelled|canceled|deleted|withdrawn|gestrichen|entfallen)\)?\]?)[\s)\]\"'”’]*$")
_SIGN = re.compile(r"\s(\d{1,4}[a-z]?['’′]?)(?=[\s,;:.]|$)")
_NEXT = re.compile(r"\s?([^\W\d_]+|[%°])?")
_LABEL = re.compile(r"(?:^|[;:,.(\n]|(?<!\w)(?:and|or|und|oder))\s*\(?(?:\d{1,3}|[^\W\d_]|[ivx]{1,4})\s?$")


def missing_antecedent(subject: Subject) -> Iterator[Fault]:
    return _terms(subject, drift=False)


def term_drift(subject: Subject) -> Iterator[Fault]:
    return _terms(subject, drift=True)


def _terms(subject: Subject, *, drift: bool) -> Iterator[Fault]:
    for place, terms in enumerate(subject.terms):
        for term in terms:
            if term.drift == drift:
                yield place, term.start, term.end, term.message


def missing_claim(subject: Subject) -> Iterator[Fault]:
    return _graph(subject, "missing-claim")


def forward_reference(subject: Subject) -> Iterator[Fault]:
    # Where claims go round in a circle one of them must look forward; the circle says it all.
    circling = {number for found in subject.findings.get("cycle", ()) for number in (found.claim, *found.others)}
    return (fault for fault in _graph(subject, "forward-reference") if subject.graph.numbers[fault[0]] not in circling)


def cyclic_reference(subject: Subject) -> Iterator[Fault]:
    return _graph(subject, "cycle", "self-reference")


def multiple_on_multiple(subject: Subject) -> Iterator[Fault]:
    return _graph(subject, "multiple-on-multiple")


def _graph(subject: Subject, *rules: GraphRule) -> Iterator[Fault]:
    for rule in rules:
        for found in subject.findings.get(rule, ()):
            place = subject.place_of(found.claim)
            start, end = _mention(subject.claims.claims[place], {*found.others})
            yield place, start, end, f"claim {found.claim} {found.message}"


def _mention(claim: ResolvedClaim, numbers: set[int]) -> tuple[int, int]:
    """Where a claim names one of these; its first mention where none says so in words."""
    mentions = claim.references.mentions
    named = next(
        (each for each in mentions if any(first <= n <= last for n in numbers for first, last in each.spans)), None
    )
    chosen = named or (mentions[0] if mentions else None)
    return (chosen.start, chosen.end) if chosen else (0, len(claim.claim.text))


def numbering(subject: Subject) -> Iterator[Fault]:
    for rule in ("number-gap", "number-duplicate", "number-restart", "number-order", "unnumbered"):
        for found in subject.findings.get(rule, ()):
            place = subject.place_of(found.claim)
            yield place, 0, min(1, len(subject.texts[place])), f"claim {found.claim} {found.message}"


def mixed_category(subject: Subject) -> Iterator[Fault]:
    for place, claim in subject:
        words = subject.lexicons[place]
        if not claim.cross_category or words is None or not claim.references.mentions:
            continue
        mention, start = claim.references.mentions[0], label_end(subject.folded[place])
        # `A method of using the pump of claim 1` takes the pump up; `The method of claim 1` says that it is one.
        said = subject.folded[place][start : mention.start].partition(" ")[2]
        if mention.start - start < _LONGEST_SUBJECT and not words.taken_up.search(said):
            parent = subject.claims.claims[subject.graph.parents[place][0]]
            message = (
                f"claim {claim.number} is about a {claim.category}, and claim {parent.number} about a {parent.category}"
            )
            yield place, start, mention.end, message


_LONGEST_SUBJECT = 150


def no_transition(subject: Subject) -> Iterator[Fault]:
    for place, claim in subject:
        text, words = subject.folded[place], subject.lexicons[place]
        if claim.kind != "independent" or claim.transition or not text.strip():
            continue
        if words is None or not words.no_transition_needed.search(text):
            yield (
                place,
                label_end(text),
                len(text.rstrip()),
                "no “comprising”, “consisting of” or “wherein” parts preamble and features",
            )


def several_sentences(subject: Subject) -> Iterator[Fault]:
    for place, _ in subject:
        text, folded, words = subject.texts[place], subject.folded[place], subject.lexicons[place]
        for found in _SENTENCE.finditer(text, label_end(folded)):
            if not _is_abbreviated(folded, found.start(), words):
                yield place, found.end(), min(found.end() + _SHOWN, len(text)), "a second sentence begins here"
                break


_SHOWN = 30


def _is_abbreviated(folded: str, period: int, words: Lexicon | None) -> bool:
    """Whether a period stands behind an abbreviation or a step's label: `fig. 1`, `; b. mixing`."""
    start = max(period - 20, 0)
    before = _WORD_BEFORE.search(folded, start, period)
    abbreviated = before is not None and words is not None and before[1] in words.abbreviations
    return before is None or abbreviated or _LABEL.search(folded[start:period]) is not None


def bare_reference_sign(subject: Subject) -> Iterator[Fault]:
    for place, _ in subject:
        text, folded, words = subject.texts[place], subject.folded[place], subject.lexicons[place]
        # Most claims have no numbers at all.
        if words is None or _SIGN.search(folded) is None:
            continue
        for phrase in phrases(text, folded, label_end(folded), words):
            sign = _SIGN.match(folded, phrase.end)
            if sign and not _counts(folded, phrase.words[-1][0], sign, words):
                said = text[phrase.words[-1][1] : phrase.end]
                yield (
                    place,
                    sign.start(1),
                    sign.end(1),
                    f"“{text[sign.start(1) : sign.end(1)]}” behind “{said}” looks like a reference sign",
                )


def _counts(folded: str, before: str, sign: re.Match[str], words: Lexicon) -> bool:
    """Whether a number counts or measures something, or is part of a name."""
    following = _NEXT.match(folded, sign.end())
    unit = following[1] if following and following[1] else ""
    # `Hydrogen 2 and`: a list may go on behind a sign.
    measured = unit in words.units and unit not in ("and", "or", "und", "oder", "to", "bis", "in")
    return before in words.counted or measured or len(before) < 3


def empty_claim(subject: Subject) -> Iterator[Fault]:
    for place, text in enumerate(subject.texts):
        if not text.strip():
            yield place, 0, len(text), "the claim has no text"


def no_full_stop(subject: Subject) -> Iterator[Fault]:
    for place, text in enumerate(subject.folded):
        bare = text.rstrip()
        if bare and not _ENDS.search(bare[-40:]):
            start = max(bare.rfind(" ") + 1, 0)
            yield place, start, len(bare), "the claim does not end with a full stop"


def vague_term(subject: Subject) -> Iterator[Fault]:
    return _worded(subject, lambda words: words.degree, "“{}” is a matter of degree")


def optional_language(subject: Subject) -> Iterator[Fault]:
    return _worded(subject, lambda words: words.optional, "“{}” leaves open whether what follows is claimed")


def _worded(subject: Subject, table: Callable[[Lexicon], re.Pattern[str]], message: str) -> Iterator[Fault]:
    for place, text in enumerate(subject.folded):
        words = subject.lexicons[place]
        if words is None:
            continue
        sound = [found.span() for found in words.sound.finditer(text)]
        for found in table(words).finditer(text):
            if not any(start <= found.start() < end for start, end in sound):
                yield place, found.start(), found.end(), message.format(subject.texts[place][slice(*found.span())])


FINDERS: dict[str, Finder] = {
    "C101": missing_antecedent,
    "C102": term_drift,
    "C201": missing_claim,
    "C202": forward_reference,
    "C203": cyclic_reference,
    "C204": mixed_category,
    "C205": multiple_on_multiple,
    "C206": numbering,
    "C301": no_transition,
    "C302": several_sentences,
    "C303": bare_reference_sign,
    "C304": empty_claim,
    "C305": no_full_stop,
    "C401": vague_term,
    "C402": optional_language,
}
