"""From a patent to a query, as paper 5 varies it: which texts are asked with, and which of their terms.

A formulation reads `claims+title,idf=1..8,nouns`: texts joined by `+`, then what is done to their terms. Of the
texts, `each-claim` asks with every claim on its own (the answers are then fused), and `key-sentences` are those of
the description whose terms are the rarest on the whole. `idf=LOW..HIGH` drops terms that are more common or rarer,
where idf is ln(N / df); `nouns` drops English verbs, adverbs and function words; `top=N` keeps the N terms of highest
tf · idf.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from patstone.errors import UsageError
from patstone.systems.searchers.index import Index

Ints = NDArray[np.int64]
TEXTS = ("title", "abstract", "first-claim", "claims", "each-claim", "description", "key-sentences")
KEY_SENTENCES = 5
_SENTENCE = re.compile(r"(?<=[.;!?。])\s+")


@dataclass(frozen=True, kw_only=True)
class Formulation:
    texts: tuple[str, ...]
    idf: tuple[float, float] | None = None
    nouns: bool = False
    top: int | None = None

    @property
    def chooses(self) -> bool:
        """Whether it leaves terms of its texts out."""
        return self.idf is not None or self.nouns or self.top is not None

    @property
    def needs_terms(self) -> bool:
        """Whether it must know how common terms are in the collection."""
        return self.chooses or "key-sentences" in self.texts

    def __str__(self) -> str:
        limits = [] if self.idf is None else [f"idf={self.idf[0]:g}..{self.idf[1]:g}"]
        nouns = ["nouns"] if self.nouns else []
        return ",".join(["+".join(self.texts), *limits, *nouns, *([f"top={self.top}"] if self.top else [])])

    @classmethod
    def parse(cls, text: str) -> "Formulation":
        named, *changes = text.replace(" ", "").split(",")
        texts = tuple(named.split("+"))
        for one in texts:
            if one not in TEXTS:
                raise UsageError(f"A query is made of {', '.join(TEXTS)}, joined by '+'. Got {one!r}.")
        if "each-claim" in texts and len(texts) > 1:
            raise UsageError("each-claim asks with one claim at a time and joins no other text.")
        made = cls(texts=texts)
        for change in changes:
            made = made._changed(change)
        return made

    def _changed(self, change: str) -> "Formulation":
        if change == "nouns":
            return replace(self, nouns=True)
        if match := re.fullmatch(r"idf=([0-9.]+?)\.\.([0-9.]+)", change):
            low, high = float(match[1]), float(match[2])
            if low <= high:
                return replace(self, idf=(low, high))
        if (match := re.fullmatch("top=([0-9]{1,6})", change)) and int(match[1]):
            return replace(self, top=int(match[1]))
        raise UsageError(f"Terms are chosen by idf=LOW..HIGH, nouns and top=N. Got {change!r}.")


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """One list of terms to ask with, and what the filters need to know of who asks."""

    topic: str
    terms: Ints
    """Numbers of the index's terms, each once, ascending."""
    counts: Ints
    text: str
    own: bytes = b""
    """The asking document's id."""
    family: str = ""
    priority: int = 0
    """YYYYMMDD; the first day where no more is known; 0 for none."""
    date: int = 0
    part: str = ""
    """The claim, where a topic asks with each of its own."""


def questions(queries: pa.Table, formulation: Formulation, index: Index) -> list[Question]:
    """A question for each topic, or for each claim of each topic; those without a known term come with none."""
    asked = [(row, part, text) for row in queries.to_pylist() for part, text in _texts(row, formulation, index)]
    row, term = index.vocabulary.known(pa.array([text for _, _, text in asked], pa.string()))
    dropped = _dropped(formulation, index)
    kept = ~dropped[term]
    ends = np.searchsorted(row[kept], np.arange(len(asked) + 1))
    found = term[kept]
    names = list(index.vocabulary.codes) if formulation.chooses else []
    made = []
    for place, (query, part, text) in enumerate(asked):
        terms, counts = np.unique(found[ends[place] : ends[place + 1]], return_counts=True)
        terms, counts = _best(terms, counts, formulation, index)
        # An engine that is handed a text must see the choice of terms too.
        chosen = " ".join(names[term] for term in terms.repeat(counts).tolist()) if formulation.chooses else text
        made.append(_question(query, part, chosen, terms, counts))
    return made


def _question(query: Mapping[str, Any], part: str, text: str, terms: Ints, counts: Ints) -> Question:
    return Question(
        topic=query["topic"],
        terms=terms,
        counts=counts,
        text=text,
        own=(query["document"] or query["topic"]).encode(),
        family=query["family"] or "",
        priority=first_day(query["priority"]),
        date=first_day(query["date"]),
        part=part,
    )


def first_day(date: str | None) -> int:
    """The earliest day that a date can be: what is limited by it must be older than that."""
    digits = (date or "").replace("-", "")
    return int(digits + "0101"[len(digits) - 4 :]) if re.fullmatch("[0-9]{4}|[0-9]{6}|[0-9]{8}", digits) else 0


def _texts(query: Mapping[str, Any], formulation: Formulation, index: Index) -> Iterator[tuple[str, str]]:
    claims = query["claims"] or []
    if formulation.texts == ("each-claim",):
        yield from ((str(one["number"]), one["text"] or "") for one in claims)
        return
    parts = {
        "claims": "\n".join(one["text"] or "" for one in claims),
        "first-claim": next((one["text"] or "" for one in claims if one["number"] == 1), ""),
    }
    if "key-sentences" in formulation.texts:
        parts["key-sentences"] = "\n".join(key_sentences(query["description"] or "", index))
    yield "", "\n".join(parts[name] if name in parts else query[name] or "" for name in formulation.texts)


def key_sentences(text: str, index: Index, count: int = KEY_SENTENCES) -> list[str]:
    """The sentences whose distinct terms have the highest mean of tf · idf over the text, in the order of the text."""
    sentences = [one for one in _SENTENCE.split(text) if one.strip()]
    row, term = index.vocabulary.known(pa.array(sentences, pa.string()))
    worth = np.bincount(term, minlength=len(index.vocabulary))[term] * index.rarity[term]
    _, once = np.unique(row * max(len(index.vocabulary), 1) + term, return_index=True)
    sums = np.bincount(row[once], weights=worth[once], minlength=len(sentences))
    sizes = np.bincount(row[once], minlength=len(sentences))
    best = np.argsort(-sums / np.maximum(sizes, 1), kind="stable")[:count]
    return [sentences[place] for place in np.sort(best)]


def _dropped(formulation: Formulation, index: Index) -> NDArray[np.bool_]:
    """For each term of the index, whether the formulation leaves it out."""
    dropped = np.zeros(len(index.vocabulary), dtype=np.bool_)
    if formulation.idf is not None:
        low, high = formulation.idf
        dropped |= (index.rarity < low) | (index.rarity > high)
    if formulation.nouns:
        dropped |= np.fromiter(map(is_no_noun, index.vocabulary.codes), dtype=np.bool_, count=len(dropped))
    return dropped


def _best(terms: Ints, counts: Ints, formulation: Formulation, index: Index) -> tuple[Ints, Ints]:
    if formulation.top is None or len(terms) <= formulation.top:
        return terms, counts
    kept = np.sort(np.argsort(-counts * index.rarity[terms], kind="stable")[: formulation.top])
    return terms[kept], counts[kept]


def is_no_noun(word: str) -> bool:
    """By a list of verbs (in all their forms), adverbs and function words, and by the ending -ly."""
    return word in _no_nouns() or (word.endswith("ly") and len(word) > 4 and word not in _exceptions())


@cache
def _no_nouns() -> frozenset[str]:
    verbs, others, _ = _lists()
    return frozenset([*others, *(form for verb in verbs for form in forms(verb))])


@cache
def _exceptions() -> frozenset[str]:
    return frozenset(_lists()[2])


def _lists() -> list[list[str]]:
    text = files("patstone.systems.searchers").joinpath("no-nouns.txt").read_text(encoding="utf-8")
    sections = re.split(r"^\[.*\]$", text, flags=re.MULTILINE)[1:]
    return [section.split() for section in sections]


def forms(verb: str) -> Sequence[str]:
    """The forms of a regular English verb; `stop*` doubles its last letter."""
    if verb.endswith("*"):
        verb = verb[:-1]
        stem = verb + verb[-1]
        return (verb, f"{verb}s", f"{stem}ed", f"{stem}ing")
    if verb.endswith("e"):
        return (verb, f"{verb}s", f"{verb}d", f"{verb[:-1]}ing")
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return (verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
    ending = "es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return (verb, f"{verb}{ending}", f"{verb}ed", f"{verb}ing")
