"""A made-up world of inventions, bundled for trials: small, exact, and with the troubles that patents give."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def words() -> Mapping[str, Any]:
    """What its inventions are made of: areas with features, qualities, sentences."""
    return tomllib.loads(files("patstone.gold.world").joinpath("words.toml").read_text(encoding="utf-8"))
