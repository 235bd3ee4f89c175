"""What claims are judged by: the five criteria of paper 4 under one name each, and any other under its own name."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

OVERALL = "overall"


@cache
def titles() -> dict[str, str]:
    """The five criteria in their order, with the words that name them in prose."""
    return {name: entry["title"] for name, entry in _entries().items()}


def criterion(name: str) -> str:
    """The criterion that a file's name stands for; a name that is not known stands for itself."""
    return _known().get(plain(name), " ".join(name.split()))


def is_criterion(name: str) -> bool:
    return plain(name) in _known()


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Each once: the five in their order, then others as they come."""
    found = dict.fromkeys(names)
    return (*(name for name in titles() if name in found), *(name for name in found if name not in titles()))


def plain(name: str) -> str:
    """A name as it is compared: letters and digits."""
    return re.sub(r"[\W_]+", "", name.casefold())


@cache
def _known() -> dict[str, str]:
    return {plain(name): key for key, entry in _entries().items() for name in entry["names"]}


@cache
def _entries() -> dict[str, Any]:
    return tomllib.loads((files("patstone.gold") / "criteria.toml").read_text(encoding="utf-8"))
