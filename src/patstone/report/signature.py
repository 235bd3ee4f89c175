"""A signature says how a number was made: `nDCG@10|gold:1f0c…|ties:docid|missing:zero|…|version:0.1.0`.

It names the measure, the digests of the gold standard and of families and lengths where they were given, every
policy, the number of topics, the seed and the version, and reads back to an equal value. What could be mistaken for
its own punctuation is percent-encoded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import quote, unquote

from patstone import __version__
from patstone.errors import UsageError
from patstone.measures.measure import Measure
from patstone.measures.policies import Policies
from patstone.measures.scores import Scores

_ALL = "*"
_OPTIONAL = ("families", "lengths", "scheme")
_NONE = "none"
# Everything that a measure's name is made of stays readable.
_READABLE = "@()=,. #+\"'/"


@dataclass(frozen=True, kw_only=True)
class Signature:
    measure: str
    gold: str
    families: str | None = None
    lengths: str | None = None
    scheme: str | None = None
    policies: Policies
    n: int
    """Topics in the gold standard; how many of them count for a system stands beside its score."""
    seed: int | None = None
    version: str = __version__

    def __str__(self) -> str:
        policies = [f"{field.name}:{_written(getattr(self.policies, field.name))}" for field in fields(Policies)]
        seed = _NONE if self.seed is None else self.seed
        parts = [
            f"gold:{_quoted(self.gold)}",
            *(f"{name}:{_quoted(digest)}" for name in _OPTIONAL if (digest := getattr(self, name)) is not None),
            *policies,
            f"n:{self.n}",
            f"seed:{seed}",
            f"version:{_quoted(self.version)}",
        ]
        return "|".join([_quoted(self.measure), *parts])

    @classmethod
    def parse(cls, text: str) -> "Signature":
        measure, *parts = text.strip("\r\n").split("|")
        found = dict(part.partition(":")[::2] for part in parts)
        expected = {"gold", "n", "seed", "version", *(field.name for field in fields(Policies))}
        given = set(found) - set(_OPTIONAL)
        if len(found) != len(parts) or given != expected:
            wrong = sorted(given ^ expected) or [part.partition(":")[0] for part in parts]
            raise UsageError(f"A signature has each of its fields once, joined by '|'. Look at {', '.join(wrong)}.")
        try:
            return cls(
                measure=unquote(measure),
                gold=unquote(found["gold"]),
                **{name: unquote(found[name]) for name in _OPTIONAL if name in found},
                policies=_policies(found),
                n=int(found["n"]),
                seed=None if found["seed"] == _NONE else int(found["seed"]),
                version=unquote(found["version"]),
            )
        except ValueError as error:
            raise UsageError(f"A number in the signature can't be read: {error}.") from None


def sign(scores: Scores, measure: Measure, *, seed: int | None = None) -> Signature:
    return Signature(
        measure=str(measure),
        gold=scores.gold,
        families=scores.families,
        lengths=scores.lengths,
        scheme=scores.scheme,
        policies=scores.policies,
        n=len(scores.topics),
        seed=seed,
    )


def _quoted(text: str) -> str:
    return quote(text, safe=_READABLE)


def _written(value: str | float | tuple[str, ...] | None) -> str:
    """Nothing chosen is `*`, which `quote` would never let through."""
    if value is None or value == ():
        return _ALL
    if isinstance(value, tuple):
        return ",".join(quote(code, safe="") for code in value)
    if isinstance(value, str):
        return value
    return repr(int(value)) if float(value).is_integer() else repr(value)


def _policies(found: Mapping[str, str]) -> Policies:
    values: dict[str, Any] = {field.name: found[field.name] for field in fields(Policies)}
    values["rel"] = float(found["rel"])
    values["depth"] = None if found["depth"] == _ALL else int(found["depth"])
    values["offices"] = () if found["offices"] == _ALL else tuple(map(unquote, found["offices"].split(",")))
    return Policies(**values)
