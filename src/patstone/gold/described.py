"""What is known of each family or publication beside its label: offices, year, languages, kinds; and where to look.

A family has every office, kind and language of its publications, so it counts in each of them; its year is that of
its first publication. Languages are told from the titles: by the script, and in Latin letters by small words, so that
short titles often have none ("unknown").
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from urllib.parse import quote

import numpy as np

from patstone.errors import UsageError
from patstone.gold.labels import Bools, GoldStandard
from patstone.patents.dates import iso_date

FIELDS = ("office", "year", "language", "kind")
UNKNOWN = "unknown"
_REGISTER = "https://worldwide.espacenet.com/patent/search?q=pn%3D"
_OFFICE = re.compile(r"\s*([A-Za-z]{2})")
_KIND = re.compile(r"\d[-\s]?([A-Za-z]\d?)\s*$")
# Kana before Han: Japanese has both.
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
)
_WORD = re.compile(r"[\w']+")


def sliced(gold: GoldStandard, field: str) -> dict[str, Bools]:
    """For each value of a field, in order, the units that have it."""
    if field not in FIELDS:
        raise UsageError(f"Labels can be sliced by {', '.join(FIELDS)}. Got {field!r}.")
    told = _years(gold) if field == "year" else [(unit, _FIELDS[field](gold, row)) for row, unit in _rows(gold)]
    found: dict[str, Bools] = {}
    for unit, value in told:
        found.setdefault(value, np.zeros(len(gold), dtype=np.bool_))[unit] = True
    return {value: found[value] for value in sorted(found)}


def _rows(gold: GoldStandard) -> list[tuple[int, int]]:
    return list(enumerate(gold.of.tolist()))


def _years(gold: GoldStandard) -> list[tuple[int, str]]:
    first: dict[int, str] = {}
    for row, unit in _rows(gold):
        year = (iso_date(gold.dates[row]) or "")[:4] if gold.dates else ""
        first[unit] = min(filter(None, (first.get(unit, ""), year)), default="")
    return [(unit, year or UNKNOWN) for unit, year in first.items()]


def office_of(number: str) -> str:
    found = _OFFICE.match(number)
    return found[1].upper() if found else UNKNOWN


def kind_of(number: str) -> str:
    found = _KIND.search(number)
    return found[1].upper() if found else UNKNOWN


@cache
def language_of(title: str) -> str:
    """The language that most of a title's small words belong to; unknown where none does, or two tie."""
    for code, script in _SCRIPTS:
        if script.search(title):
            return code
    words = set(_WORD.findall(title.casefold()))
    hits = sorted(((len(words & known), code) for code, known in _small_words().items()), reverse=True)
    return hits[0][1] if hits[0][0] > hits[1][0] else UNKNOWN


@cache
def _small_words() -> dict[str, frozenset[str]]:
    table = tomllib.loads(Path(__file__).with_name("languages.toml").read_text(encoding="utf-8"))
    return {code: frozenset(words) for code, words in table.items()}


_FIELDS: Mapping[str, Callable[[GoldStandard, int], str]] = {
    "office": lambda gold, row: office_of(gold.numbers[row]),
    "kind": lambda gold, row: kind_of(gold.numbers[row]),
    "language": lambda gold, row: language_of(gold.titles[row]) if gold.titles else UNKNOWN,
}


def link_to(number: str) -> str:
    """Where the public register shows a publication."""
    return _REGISTER + quote(re.sub(r"[\s./-]+", "", number), safe="")
