"""Every judge by name, and the names that stand for several; a judge is made when it is asked for.

`lexical` stands for all quick measures of likeness, `structural` for the features of the claims' structure. A folder
is a trained judge, `command:…` a program, `http://…` an endpoint; further judges come by the entry points of
`patstone.systems` whose names begin with `judge-`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path

from patstone.errors import MissingExtra, UsageError, shorten
from patstone.gold.criteria import plain
from patstone.systems.judges.judge import Judge

CARD = "judge.json"
Maker = Callable[[], Judge]


def _overlap(name: str) -> Judge:
    from patstone.systems.judges.overlap import OVERLAPS

    return OVERLAPS[name]


def _sacre(name: str) -> Judge:
    from patstone.systems.judges.sacre import SacreBleu

    return SacreBleu.of(name)  # type: ignore[arg-type]


def _meteor() -> Judge:
    from patstone.systems.judges.meteor import Meteor

    return Meteor.of()


def _structural() -> Judge:
    from patstone.systems.judges.structural import Structural

    return Structural()


def _shipped() -> Judge:
    from patstone.systems.judges.shipped import shipped

    return shipped()


JUDGES: Mapping[str, Maker] = {
    "patstone": _shipped,
    "BLEU": partial(_sacre, "BLEU"),
    "chrF": partial(_sacre, "chrF"),
    "ROUGE-1": partial(_overlap, "ROUGE-1"),
    "ROUGE-2": partial(_overlap, "ROUGE-2"),
    "ROUGE-L": partial(_overlap, "ROUGE-L"),
    "TER": partial(_overlap, "TER"),
    "edit": partial(_overlap, "edit"),
    "token-F1": partial(_overlap, "token-F1"),
    "METEOR": _meteor,
    "TER-shifts": partial(_sacre, "TER-shifts"),
    "structural": _structural,
}
LEXICAL = ("BLEU", "chrF", "ROUGE-1", "ROUGE-2", "ROUGE-L", "TER", "edit", "token-F1", "METEOR")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "lexical": LEXICAL,
    "default": (*LEXICAL, "structural", "patstone"),
    "all": (*LEXICAL, "structural", "patstone", "TER-shifts"),
}
"""TER with shifts takes seconds for each pair, and runs only with `all` or by its own name."""


def find_judges(names: Sequence[str]) -> tuple[list[Judge], list[str]]:
    """The judges asked for, each once, and notes on members of a group that an extra is missing for."""
    found: dict[str, Judge] = {}
    notes = []
    for name in names:
        members = GROUPS.get(name)
        for member in members or (name,):
            try:
                judge = find_judge(member)
            except MissingExtra as error:
                # Asked for by its own name it is an error; as one of many it is left out, and said.
                if members is None:
                    raise
                notes.append(f"{member} is left out: {error}")
                continue
            found.setdefault(judge.name, judge)
    if not found:
        raise UsageError("None of these judges can run here: " + " ".join(notes))
    return list(found.values()), notes


def find_judge(name: str) -> Judge:
    kind, colon, rest = name.partition(":")
    if kind in ("http", "https"):
        from patstone.systems.judges.outside import http

        return http(name)
    if colon and kind == "command":
        from patstone.systems.judges.outside import command

        return command(rest)
    if colon and kind == "embedding":
        from patstone.systems.judges.embedding import Embedding

        return Embedding.of(rest)
    if Path(name, CARD).is_file():
        return trained(name)
    known = {plain(key): key for key in JUDGES}
    if plain(name) in known:
        return JUDGES[known[plain(name)]]()
    return _plugged_in(name)


def trained(folder: str) -> Judge:
    """A judge from its folder; what kind it is stands in its card."""
    from patstone.systems.judges.learned import load, read_card

    if read_card(folder).get("kind") == "longformer":
        from patstone.systems.judges.longformer import LongformerJudge

        return LongformerJudge.load(folder)
    return load(folder)


def _plugged_in(name: str) -> Judge:
    for plugin in entry_points(group="patstone.systems", name=f"judge-{name}"):
        made: Judge = plugin.load()()
        return made
    raise UsageError(f"Unknown judge {shorten(repr(name))}. There are: {', '.join(known_names())}.")


def known_names() -> Iterable[str]:
    return (*GROUPS, *JUDGES, "embedding:NAME", "a folder of a trained judge", "command:PROGRAM", "http://…")
