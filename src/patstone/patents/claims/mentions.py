"""Which claims a claim's words name: every mention with its place, its numbers and what it says of them.

All claims that are named are parents, as mark-up of claim references has it, but for those that only a condition
names: in `according to claim 3 or 4 when dependent on claim 2` the parents are 3 and 4. `Any preceding claim` means
every number below the claim's own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from patstone.patents.claims.labels import label_end
from patstone.patents.claims.languages import Language, fold, tongue

Spans: TypeAlias = tuple[tuple[int, int], ...]

# How far before the word a mention may begin: `insofar as it is dependent on any one or more of the preceding method`.
_REACH = 110


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    start: int
    end: int
    spans: Spans
    """The numbers named, as ranges with both ends."""
    preceding: bool = False
    """Whether it names the claims before it as a whole: `any preceding claim`."""
    alternative: bool = True
    """Whether any one of them will do; not so in `claims 1 and 2`."""
    condition: bool = False
    """Whether it only limits other mentions: `when dependent on claim 2`."""
    letter: bool = False
    """Whether a letter was read as the number 1: `as claimed in claim I`, from a scan."""

    @property
    def numbers(self) -> tuple[int, ...]:
        return numbers([self])


@dataclass(frozen=True, kw_only=True, slots=True)
class References:
    language: str
    mentions: tuple[Mention, ...]
    parents: tuple[int, ...]
    """The numbers of all claims named, ascending."""
    conditions: tuple[int, ...] = ()
    """The numbers that only conditions name."""

    @property
    def preceding(self) -> bool:
        return any(mention.preceding for mention in self.mentions)

    @property
    def multiple(self) -> bool:
        return len(self.parents) > 1

    @property
    def alternative(self) -> bool:
        """Whether several claims are named of which any one will do."""
        return self.multiple and all(mention.alternative for mention in self.mentions if not mention.condition)


def references(text: str, number: int, language: str = "") -> References:
    """Find the claims that claim `number` names; the language is told by the text where none is given."""
    spoken = tongue(text, language)
    return references_in(fold(text), number, spoken)


def references_in(folded: str, number: int, spoken: Language) -> References:
    mentions = tuple(_mentions(folded, number, spoken))
    if not mentions:
        return References(language=spoken.code, mentions=(), parents=())
    # `When dependent on claim 2` picks among what claim 3 offers; taking 2 for a parent would add a path that is none.
    parents = numbers(mention for mention in mentions if not mention.condition)
    conditions = numbers(mention for mention in mentions if mention.condition)
    return References(language=spoken.code, mentions=mentions, parents=parents, conditions=conditions)


def numbers(mentions: Iterable[Mention]) -> tuple[int, ...]:
    named: set[int] = set()
    # Equal ranges are expanded once: a text may repeat `claims 1 to 9999` without end.
    for first, last in {span for mention in mentions for span in mention.spans}:
        named.update(range(first, last + 1))
    return tuple(sorted(named))


def _mentions(folded: str, number: int, spoken: Language) -> Iterator[Mention]:
    done = label_end(folded)
    for word in spoken.claim.finditer(folded, done):
        # What a longer mention took in, such as `claim 3` in `claim 1 or claim 3`.
        if word.start() < done:
            continue
        for mention in _at(folded, word, number, spoken, done):
            done = mention.end
            yield mention


def _at(folded: str, word: re.Match[str], number: int, spoken: Language, done: int) -> Iterator[Mention]:
    """The mention that the word for claims belongs to, if any, and a condition that follows it."""
    listed = spoken.listed.match(folded, word.end())
    lead = spoken.lead.search(folded, max(done, word.start() - _REACH), word.start())
    trail = spoken.trail.match(folded, listed.end() if listed else word.end())
    said = {name: found.start(name) for found in (lead, trail) if found for name in found.re.groupindex if found[name]}
    single = spoken.plural is not None and not spoken.plural.match(folded, word.start())
    ranks = (lead and lead["ordinals"]) or ""
    if listed:
        spans, end = _counted(listed, spoken, single=single)
    elif spans := _implied(said, ranks, word.start(), number, spoken, single=single or spoken.plural is None):
        end = word.end()
    else:
        return
    yield Mention(
        start=min(word.start(), *said.values()) if said else word.start(),
        end=max(end, trail.end()) if trail and trail.lastgroup else end,
        spans=tuple(span for span in spans if span[0] <= span[1]),  # none precedes claim 1
        preceding=not listed and not ranks and spans == ((1, number - 1),),
        alternative="any" in said or not listed or not _joined(listed, spoken),
        condition="condition" in said,
        letter=bool(listed and listed["letter"]),
    )
    if listed and (bare := spoken.bare.match(folded, end)):
        spans, end = _counted(bare, spoken, single=single)
        yield Mention(start=bare.start("condition"), end=end, spans=spans, condition=True)


def _implied(said: Mapping[str, int], ranks: str, word: int, number: int, spoken: Language, *, single: bool) -> Spans:
    """What is named without a number: nothing, a rank, the claim before, or all before (from 1 to 0 for claim 1)."""
    if ranks:
        found = [rank for name, rank in spoken.ordinals.items() if re.search(rf"\b(?:{name})\b", ranks)]
        return tuple((rank, rank) for rank in found)
    # French puts it behind: `la revendication précédente` is one claim, `les revendications précédentes` are all.
    behind = said.get("preceding", 0) > word and "any" not in said
    if single and ("previous" in said or behind):
        return ((max(number - 1, 1), number - 1),)
    return ((1, number - 1),) if "preceding" in said or "previous" in said else ()


def _joined(listed: re.Match[str], spoken: Language) -> bool:
    """Whether the numbers are joined by `and` alone."""
    kinds = {token.lastgroup for token in spoken.number.finditer(listed["listed"])}
    return "also" in kinds and "either" not in kinds


def _counted(listed: re.Match[str], spoken: Language, *, single: bool) -> tuple[Spans, int]:
    """The ranges of numbers, and where the last of them ends."""
    spans: list[tuple[int, int]] = []
    ends: list[int] = []
    joints: list[str] = []
    joint = ""
    for token in spoken.number.finditer(listed.string, *listed.span("listed")):
        if token.lastgroup != "number":
            joint = token.lastgroup or ""
            continue
        # What is no digit here is the I or l of a scan.
        value = int(token.group()) if token.group().isdecimal() else 1
        if joint == "until":
            first = spans.pop()[0]
            # `Claims 5 to 1` happens; the range is meant all the same.
            spans.append((min(first, value), max(first, value)))
            ends[-1] = token.end()
        else:
            spans.append((value, value))
            ends.append(token.end())
            joints.append(joint)
    # `Claim 1, 10 to 20 parts of salt`: one claim's numbers do not go on behind a mere comma.
    if single and joints[-1] == "comma":
        kept = joints.index("comma")
        return tuple(spans[:kept]), ends[kept - 1]
    return tuple(spans), listed.end("listed")
