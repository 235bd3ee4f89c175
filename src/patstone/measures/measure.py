"""A measure is a value: a name, parameters, a cutoff. `str(measure)` parses back to the same measure.

A `Card` declares a measure once: formula, reference, range, direction, rule for the undefined case, parameters,
aliases, what it needs from the gold standard, and its kernel. Parsing, validation, `patstone measures`, the
documentation and the contract tests all read the card; nothing else lists measures.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from math import isfinite
from sys import float_info
from typing import Any, Literal, TypeAlias

from patstone.errors import UsageError, shorten
from patstone.gold.qrels import Floats
from patstone.measures.ranked import Kernel, Ranked

Value: TypeAlias = int | float | str
Need: TypeAlias = Literal["subtopics", "inventions", "lengths", "scheme", "scores"]

MODULES = ("ranking", "inventions", "effort", "subtopics", "cube", "classes")


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A declared parameter: a choice of words, or a number within bounds (`open_low` leaves the bound out)."""

    name: str
    default: Value
    doc: str
    choices: tuple[str, ...] = ()
    low: float = float("-inf")
    high: float = float("inf")
    open_low: bool = False
    open_high: bool = False
    integer: bool = False

    def check(self, measure: str, value: Value) -> Value:
        if self.choices:
            if value in self.choices:
                return value
            raise self.refusal(measure, value)
        if isinstance(value, str | bool) or not self._within(value) or (self.integer and int(value) != value):
            raise self.refusal(measure, value)
        return int(value) if self.integer else float(value)

    def _within(self, value: float) -> bool:
        # Python's ints have no bound; those that no float holds are out of every range.
        if abs(value) > _LARGEST or not isfinite(value):
            return False
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return above and below

    @property
    def allowed(self) -> str:
        if self.choices:
            return "one of " + ", ".join(map(repr, self.choices))
        kind = "an int" if self.integer else "a number"
        left = "(" if self.open_low or self.low == float("-inf") else "["
        right = ")" if self.open_high or self.high == float("inf") else "]"
        return f"{kind} in {left}{self.low:g}, {self.high:g}{right}"

    def refusal(self, measure: str, value: object) -> UsageError:
        got = shorten(repr(value))
        return UsageError(f"The {self.name!r} parameter of {measure} must be {self.allowed}. Got {got} instead.")


_LARGEST = float_info.max
REL = Parameter(name="rel", default=1, doc="the grade from which a document counts as relevant")
COST = Parameter(
    name="cost",
    default="binary",
    choices=("binary", "bdm-high", "bdm-low", "path", "ancestor", "learning-accuracy"),
    doc="what an assigned class counts that is no true one: nothing (binary), or its similarity to true ones in their"
    " class scheme (--scheme), by BDM to the closest true one (bdm-high) or to one that no other assigned class is"
    " matched with (bdm-low), or to the closest by path length, first common ancestor or learning accuracy",
)


@dataclass(frozen=True)
class Alias:
    """Another tool's spelling of a measure."""

    written: str
    """As people read it, with k for the cutoff."""
    pattern: str
    """A regular expression for the whole text."""
    meaning: str | Callable[[re.Match[str]], str]
    """The measure that it stands for, with \\1, \\2, … for what the pattern caught, or made from the match."""

    def read(self, match: re.Match[str]) -> str:
        return match.expand(self.meaning) if isinstance(self.meaning, str) else self.meaning(match)


@dataclass(frozen=True, kw_only=True)
class Card:
    name: str
    title: str
    section: str
    formula: str
    reference: str
    undefined: str
    """The rule for each case in which the formula says nothing: 0/0, short rankings, missing data."""
    kernel: Kernel = field(repr=False)
    expected: Kernel | None = field(default=None, repr=False)
    """The mean over all orders of equal scores, where a closed form exists."""
    parameters: tuple[Parameter, ...] = ()
    cutoff: Literal["required", "optional", "none"] = "none"
    default_cutoff: int | None = None
    cutoff_doc: str = "look at the first k documents"
    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = True
    needs: tuple[Need, ...] = ()
    judges_relevance: bool = True
    """Whether a topic without relevant documents leaves it undefined (the `norel` policy then decides)."""
    aliases: tuple[Alias, ...] = ()

    def parameter(self, name: str) -> Parameter:
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        known = ", ".join(parameter.name for parameter in self.parameters) or "no parameters"
        raise UsageError(f"{self.name} has no parameter {name!r}; it takes {known}.")

    @property
    def has_rel(self) -> bool:
        return any(parameter.name == "rel" for parameter in self.parameters)


@dataclass(frozen=True)
class Measure:
    name: str
    params: tuple[tuple[str, Value], ...] = ()
    """Only what differs from the default, in the order of the card."""
    cutoff: int | None = None
    given: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The parameters that the user wrote, equal to their default or not: no policy may replace them."""

    @property
    def card(self) -> Card:
        return card_of(self.name)

    @property
    def needs(self) -> frozenset[Need]:
        """What it needs with its parameters: costs other than binary need the scheme of the classes."""
        by_cost: frozenset[Need] = frozenset({"scheme"} if self.arguments.get("cost", "binary") != "binary" else ())
        return by_cost | frozenset(self.card.needs)

    @property
    def arguments(self) -> dict[str, Any]:
        """What the kernel is called with."""
        given = {parameter.name: parameter.default for parameter in self.card.parameters} | dict(self.params)
        return given if self.card.cutoff == "none" else {**given, "cutoff": self.cutoff}

    def with_default(self, name: str, value: Value) -> "Measure":
        """Set a parameter that the user left open; unchanged when they set it or the measure has none."""
        known = {parameter.name for parameter in self.card.parameters}
        if name not in known or name in self.given or self.arguments[name] == value:
            return self
        return make(self.name, {**dict(self.params), name: value}, self.cutoff)

    def compute(self, ranked: Ranked) -> Floats:
        return self.card.kernel(ranked, **self.arguments)

    def __str__(self) -> str:
        shown = dict(self.params)
        if self.given - shown.keys():
            # What was written out stays, so that the text means the same under any policy.
            shown = {name: value for name, value in self.arguments.items() if name in self.given}
        inner = ", ".join(f"{name}={_show(value)}" for name, value in shown.items())
        # A default cutoff is printed too, so that S@20 reads as the paper writes it.
        suffix = f"@{self.cutoff}" if self.cutoff is not None else ""
        return f"{self.name}({inner}){suffix}" if inner else f"{self.name}{suffix}"


def _show(value: Value) -> str:
    if isinstance(value, str):
        return value if re.fullmatch(r"[\w-]+", value) else f'"{value}"'
    return repr(int(value)) if float(value).is_integer() else repr(value)


_CARDS: dict[str, Card] = {}


def declare(**fields: Any) -> Callable[[Kernel], Kernel]:  # noqa: ANN401 - Card checks them
    """Register the decorated kernel under the card that the keywords describe."""

    def register(kernel: Kernel) -> Kernel:
        card = Card(kernel=kernel, **fields)
        if card.name in _CARDS:
            raise UsageError(f"Two measures are called {card.name!r}.")
        _CARDS[card.name] = card
        return kernel

    return register


def registry() -> dict[str, Card]:
    """Every measure that is known by now: ours, and those of plug-ins once `load_plugins` has run."""
    _load_ours()
    return _CARDS


def card_of(name: str) -> Card:
    if not is_known(name):
        raise UsageError(_unknown(name))
    return _CARDS[name]


def is_known(name: str) -> bool:
    """Whether a measure has that very name; loads no more modules of ours than it takes to tell."""
    for module in MODULES:
        if name in _CARDS:
            break
        import_module(f"patstone.measures.{module}")
    return name in _CARDS


@cache
def _load_ours() -> None:
    for module in MODULES:
        import_module(f"patstone.measures.{module}")


@cache
def load_plugins() -> None:
    """Looking for plug-ins reads every installed package's metadata, so it waits until a name is not ours."""
    # Importing it takes as long as half of NumPy.
    from importlib.metadata import entry_points

    _load_ours()
    for plugin in entry_points(group="patstone.measures"):
        plugin.load()


def make(name: str, params: Mapping[str, Value] | None = None, cutoff: int | None = None) -> Measure:
    """Build a checked measure; parameters equal to their default are dropped, so equal measures are equal."""
    card = card_of(name)
    checked = {key: card.parameter(key).check(name, value) for key, value in (params or {}).items()}
    ordered = tuple(
        (parameter.name, checked[parameter.name])
        for parameter in card.parameters
        if parameter.name in checked and checked[parameter.name] != parameter.default
    )
    return Measure(name, ordered, _checked_cutoff(card, cutoff), frozenset(checked))


def _checked_cutoff(card: Card, cutoff: int | None) -> int | None:
    if cutoff is None:
        if card.cutoff == "required" and card.default_cutoff is None:
            raise UsageError(f"{card.name} needs a cutoff, such as {card.name}@10.")
        return card.default_cutoff
    if card.cutoff == "none":
        raise UsageError(f"{card.name} takes no cutoff. Got @{cutoff}.")
    if not isinstance(cutoff, int) or cutoff < 1:
        raise _refused_cutoff(card.name, cutoff)
    return cutoff


def _refused_cutoff(name: str, cutoff: object) -> UsageError:
    got = shorten(repr(cutoff))
    return UsageError(f"The 'cutoff' parameter of {name} must be an int in [1, inf). Got {got} instead.")


def _unknown(text: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(text.lower(), {name.lower(): name for name in registry()}, n=3, cutoff=0.5)
    by_lower = {name.lower(): name for name in registry()}
    hint = f" Did you mean {', '.join(by_lower[name] for name in near)}?" if near else ""
    return f"Unknown measure {shorten(repr(text))}.{hint} `patstone measures` lists them."


_GRAMMAR = re.compile(r"(?P<name>[^\W\d][\w#-]*)(?:\((?P<params>[^()]*)\))?(?:@(?P<cutoff>[^@()]+))?")
_PARAM = re.compile(r"""\s*(?P<name>\w+)\s*=\s*(?:"(?P<d>[^"]*)"|'(?P<s>[^']*)'|(?P<bare>[^\s,'"]+))\s*""")


def parse(text: str) -> Measure:
    """Read `nDCG@10`, `P(rel=2)@5`, `CT(gamma=0.5)@20`, or another tool's name such as `ndcg_cut_10`.

    >>> str(parse("ndcg_cut_10")), str(parse("PRES@100")), str(parse("P(rel=2)@5"))
    ('nDCG@10', 'PRES@100', 'P(rel=2)@5')
    """
    text = text.strip()
    found = _by_name(text) or _by_alias(text)
    if found is None:
        load_plugins()
        found = _by_name(text) or _by_alias(text)
    if found is None:
        raise UsageError(_unknown(text))
    return found


def _by_name(text: str) -> Measure | None:
    match = _GRAMMAR.fullmatch(text)
    if match is None:
        return None
    name = match["name"]
    if not is_known(name):
        # Case is forgiven where it leaves no doubt.
        name = {known.lower(): known for known in registry()}.get(name.lower(), "")
    if not name:
        return None
    cutoff = match["cutoff"]
    if cutoff is not None and not re.fullmatch(r"[0-9]{1,18}", cutoff):
        raise _refused_cutoff(name, cutoff)
    return make(name, _params(match["params"] or "", text), int(cutoff) if cutoff else None)


def _params(inner: str, text: str) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for part in inner.split(",") if inner.strip() else []:
        match = _PARAM.fullmatch(part)
        if match is None:
            got = shorten(repr(part.strip()))
            raise UsageError(f"Can't read {got} in {shorten(text)}: parameters are written name=value.")
        if match["name"] in found:
            raise UsageError(f"The parameter {match['name']!r} stands twice in {shorten(text)}.")
        quoted = match["d"] if match["d"] is not None else match["s"]
        found[match["name"]] = quoted if quoted is not None else _number_or_word(match["bare"])
    return found


def _number_or_word(text: str) -> Value:
    # Python would read 1_0 as 10.
    for kind in () if "_" in text else (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _by_alias(text: str) -> Measure | None:
    for card in registry().values():
        for alias in card.aliases:
            match = re.fullmatch(alias.pattern, text)
            if match:
                return _by_name(alias.read(match))
    return None
