"""C101 and C102: whether what a claim speaks of as known was named before, in it or in a claim it depends on.

A term is known when its last word stood anywhere before, in whatever form: so a claim is not blamed for what its reader
can resolve. What a thing has by nature (its surface, its length) needs no introduction. A fault is told once: where the
claim first says it, and not again in the claims that depend on it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from patstone.patents.claims.checks.lexicon import Lexicon
from patstone.patents.claims.checks.phrases import Phrase, phrases
from patstone.patents.claims.labels import label_end
from patstone.patents.claims.mentions import Mention
from patstone.patents.claims.resolving import ResolvedClaim

_REACH = 30
"""How far behind `the device` its `of claim 1` may begin."""
_ROOT = 5
"""Letters that a verb and the noun made of it share: rotat-ing, rotat-ion."""
_EDGES = frozenset({"and", "or", "und", "oder", ",", "/"})


@dataclass(slots=True)
class Known:
    """What a claim has named, by stem."""

    words: dict[str, int] = field(default_factory=dict)
    """Where each word first stood."""
    heads: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The words before each noun that ends a phrase, where the phrase first stood."""
    ordered: set[tuple[str, str]] = field(default_factory=set)
    """First wheel, second wheel."""
    numbered: set[str] = field(default_factory=set)
    """What has ordinals at all."""
    pending: list[str] = field(default_factory=list)
    """Ordinals whose noun is still to come: `a first and a second wheel`."""


@dataclass(frozen=True, slots=True)
class Term:
    """A definite term that was not introduced under its name."""

    drift: bool
    start: int
    end: int
    message: str


def strangers(
    claim: ResolvedClaim, text: str, folded: str, words: Lexicon, above: list[Known], own: Known
) -> Iterator[Term]:
    """Read a claim once: note in `own` what it names, and give what it speaks of as known that is not."""
    start = label_end(folded)
    subject = claim.references.mentions[0].start if claim.depends_on and claim.references.mentions else start
    scope = [own, *above]
    for phrase in phrases(text, folded, start, words):
        stems = [words.stems[word] for word, _, _ in phrase.words]
        # The subject of a dependent claim names its parent, and so does whatever stands before `of claim 1`.
        named = phrase.end <= subject or phrase.start == start or _names_claim(phrase, claim.references.mentions)
        if phrase.definite and not named and (term := _judged(phrase, stems, text, words, scope)):
            yield term
        _note(phrase, stems, words, own)


def _names_claim(phrase: Phrase, mentions: tuple[Mention, ...]) -> bool:
    reach = phrase.end + _REACH
    return any(mention.start <= reach and mention.end > phrase.start for mention in mentions)


def _note(phrase: Phrase, stems: list[str], words: Lexicon, own: Known) -> None:
    for stem, (_, start, _) in zip(stems, phrase.words, strict=True):
        if stem not in own.words:
            own.words[stem] = start
    head = stems[-1]
    if head not in own.heads:
        own.heads[head] = tuple(word for word, _, _ in phrase.words[:-1])
    given = [stem for stem, (word, _, _) in zip(stems, phrase.words, strict=True) if word in words.ordinals]
    if len(given) == len(stems):
        own.pending += given
        return
    for ordinal in (*own.pending, *given):
        # `First drive wheels`: either word may be meant by the first wheel.
        own.ordered.update((ordinal, stem) for stem in stems)
        own.numbered.update(stems)
    own.pending.clear()


def _judged(phrase: Phrase, stems: list[str], text: str, words: Lexicon, scope: list[Known]) -> Term | None:
    plain = [place for place, (word, _, _) in enumerate(phrase.words) if word not in words.ignored]
    telling = [place for place in plain if phrase.words[place][0] not in words.ordinals]
    if not telling or _is_edge(phrase, words) or _goes_on(phrase, words):
        return None
    head = telling[-1]
    stem = stems[head]
    if stem in words.inherent or phrase.words[head][0].endswith("est") or len(stem) == 1:
        return None
    if _is_known(stem, scope):
        return _misordered(phrase, stem, text, words, scope) or _drifted(phrase, stems, telling, text, words, scope)
    # A verb that no table has may stand at the end: the first word that is known then is the noun. German nouns show.
    nouns = [] if words.code == "de" else [stems[place] for place in telling[:-1]]
    if any(_is_known(each, scope) or each in words.inherent for each in nouns):
        return None
    if _named_by_verb(phrase.words[head][0], words, scope) or _in_compound(stem, words, scope):
        return None
    return _unknown(phrase, head, stem, text, words, scope)


def _is_edge(phrase: Phrase, words: Lexicon) -> bool:
    """Whether it is the first half of `the upper and lower ends`."""
    last = phrase.words[-1][0]
    return (last in words.relational or last in words.ordinals) and phrase.followed in _EDGES


def _goes_on(phrase: Phrase, words: Lexicon) -> bool:
    """Whether what is meant comes behind: `the light emitting side`, `the following`, `the removal of the part`."""
    said = [word for word, _, _ in phrase.words]
    behind = phrase.followed
    participle = len(said) == 1 and said[0].endswith("ed") and behind in words.indefinite
    act = said[-1].endswith(words.acts) and behind in words.of
    ahead = not words.ahead.isdisjoint(said)
    return participle or act or ahead or (behind.endswith("ing") and behind not in words.stop)


def _is_known(stem: str, scope: list[Known]) -> bool:
    return any(stem in known.words for known in scope)


def _named_by_verb(word: str, words: Lexicon, scope: list[Known]) -> bool:
    """Whether a verb before says it: heating … the heating; rotating … the rotation."""
    if len(word) < _ROOT or not word.endswith(words.deverbal):
        return False
    root = words.stems[word][:_ROOT]
    return any(each.startswith(root) for known in scope for each in known.words)


def _in_compound(stem: str, words: Lexicon, scope: list[Known]) -> bool:
    """Whether it is the end of a longer German word: eine Antriebswelle … die Welle; or the start of one."""
    if words.code != "de":
        # `A micro-controller … the controller`.
        return any(stem in each.split("-") for known in scope for each in known.words if "-" in each)
    return any(each.endswith(stem) or stem.endswith(each) for known in scope for each in known.words if len(each) > 3)


def _misordered(phrase: Phrase, stem: str, text: str, words: Lexicon, scope: list[Known]) -> Term | None:
    """`The second wheel` where there is only a first."""
    given = [words.stems[word] for word, _, _ in phrase.words if word in words.ordinals]
    if not given or not any(stem in known.numbered for known in scope):
        return None
    if all(any((one, stem) in known.ordered for known in scope) for one in given):
        return None
    return _term(phrase, len(phrase.words) - 1, text, "“{}” was not introduced; there are others of that name")


def _drifted(
    phrase: Phrase, stems: list[str], telling: list[int], text: str, words: Lexicon, scope: list[Known]
) -> Term | None:
    """`The drive shaft` where there is a rotary shaft: the noun is known, and by another modifier."""
    said = [place for place in telling[:-1] if _modifies(phrase.words[place][0], words)]
    before = next((known.heads[stems[telling[-1]]] for known in scope if stems[telling[-1]] in known.heads), None)
    other = [word for word in before or () if _modifies(word, words) and word not in words.ordinals]
    if not said or not other or words.code == "de":
        return None
    if any(_is_known(stems[place], scope) or _named_before(stems[place], scope) for place in said):
        return None
    message = "“{}” was not called so before; it may be “" + " ".join([*other, phrase.words[telling[-1]][0]]) + "”"
    return _term(phrase, telling[-1], text, message, drift=True)


def _modifies(word: str, words: Lexicon) -> bool:
    """Whether a modifier tells things apart: not so a participle, which says what was done to one."""
    return word not in words.relational and word not in words.ignored and not word.endswith(("ed", "ing", "est", "ly"))


def _named_before(stem: str, scope: list[Known]) -> bool:
    root = stem[:_ROOT]
    # `An ASIC-chip … the ASIC chip`: a modifier may have been part of a word.
    return any(root in each or (len(each) > 3 and stem.startswith(each)) for known in scope for each in known.words)


def _unknown(phrase: Phrase, head: int, stem: str, text: str, words: Lexicon, scope: list[Known]) -> Term:
    alike = words.synonyms.get(stem, frozenset())
    other = next((each for known in scope for each in known.heads if each in alike), None)
    if other is not None:
        return _term(
            phrase, head, text, "“{}” was not introduced; it may be what was called “" + other + "”", drift=True
        )
    return _term(phrase, head, text, "“{}” has no antecedent: nothing before introduces it")


def _term(phrase: Phrase, head: int, text: str, message: str, *, drift: bool = False) -> Term:
    end = phrase.words[head][2]
    said = " ".join(text[phrase.start : end].split())
    return Term(drift, phrase.start, end, message.format(said))
