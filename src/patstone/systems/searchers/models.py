"""The models a user can name: `bm25`, `bm25(k1=0.9,b=0.4)`, `dense(NAME)`, `rrf(bm25+lm-jm)`.

A specification is a value that prints as it is read, with every parameter, so that it can stand in a signature.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

from patstone.errors import UsageError
from patstone.systems.searchers.weights import BM25, Dirichlet, JelinekMercer, Model, TfIdf

DENSE, RRF, ENDPOINT = "dense", "rrf", "endpoint"
LEXICAL: Mapping[str, type[BM25 | TfIdf | Dirichlet | JelinekMercer]] = {
    "bm25": BM25,
    "tfidf": TfIdf,
    "lm-dirichlet": Dirichlet,
    "lm-jm": JelinekMercer,
}
NAMES = (*LEXICAL, f"{DENSE}(ENCODER)", f"{RRF}(MODEL+MODEL)")
# What each parameter may be: above the first, up to the second.
_RANGES = {"k1": (-1e-9, 100.0), "b": (-1e-9, 1.0), "mu": (0.0, 1e9), "lam": (0.0, 1 - 1e-9)}
_SPELT = {"lambda": "lam"}


@dataclass(frozen=True, kw_only=True)
class Spec:
    """A model as it was asked for."""

    kind: str
    lexical: Model | None = None
    encoder: str = ""
    parts: tuple["Spec", ...] = ()
    text: str = field(default="", compare=False)
    """As the user wrote it."""

    @property
    def label(self) -> str:
        return self.text or str(self)

    def __str__(self) -> str:
        if self.kind == ENDPOINT:
            return f"{ENDPOINT}({self.text})"
        if self.parts:
            return f"{RRF}({'+'.join(map(str, self.parts))})"
        if self.encoder:
            return f"{DENSE}({self.encoder})"
        spelt = {lam: name for name, lam in _SPELT.items()}
        values = {each.name: getattr(self.lexical, each.name) for each in fields(LEXICAL[self.kind])}
        given = ",".join(f"{spelt.get(name, name)}={value:g}" for name, value in values.items())
        return f"{self.kind}({given})" if given else self.kind

    def leaves(self) -> "Iterator[Spec]":
        """The models that rank, without the fusions over them."""
        for part in self.parts:
            yield from part.leaves()
        if not self.parts:
            yield self


def parse_model(text: str) -> Spec:
    text = text.replace(" ", "")
    match = re.fullmatch(r"([a-z0-9-]+)(?:\((.*)\))?", text)
    kind, inner = (match[1], match[2]) if match else ("", None)
    if kind in LEXICAL:
        return Spec(kind=kind, lexical=_lexical(kind, inner or ""), text=text)
    if kind == DENSE and inner:
        return Spec(kind=kind, encoder=inner.removeprefix("encoder="), text=text)
    if kind == RRF and inner and len(parts := _split(inner)) > 1:
        return Spec(kind=kind, parts=tuple(map(parse_model, parts)), text=text)
    raise UsageError(f"A model is one of {', '.join(NAMES)}. Got {text!r}.")


def endpoint_model(url: str) -> Spec:
    return Spec(kind=ENDPOINT, text=url)


def _lexical(kind: str, inner: str) -> Model:
    known = {each.name for each in fields(LEXICAL[kind])}
    values = {}
    for part in filter(None, inner.split(",")):
        name, _, value = part.partition("=")
        key = _SPELT.get(name, name)
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        low, high = _RANGES.get(key, (0, 0))
        if key not in known or not low < number <= high:
            raise UsageError(_rule(kind, known, part))
        values[key] = number
    return LEXICAL[kind](**values)


def _rule(kind: str, known: set[str], part: str) -> str:
    if not known:
        return f"{kind} has no parameters. Got {part!r}."
    ranges = {"k1": "k1 from 0", "b": "b in [0, 1]", "mu": "mu above 0", "lam": "lambda in (0, 1)"}
    return f"{kind} takes {', '.join(ranges[name] for name in sorted(known))}. Got {part!r}."


def _split(text: str) -> list[str]:
    """Split at every + that is in no parentheses."""
    parts, depth = [""], 0
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "+" and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return parts
