"""The languages of claims: a table of words each, compiled when a claim in it is first met.

In a table a space stands for white space of any kind. Every repetition is bounded and what stands before a number is
looked for in a short window only, so that no text, however hostile, takes more than linear time.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de", "fr", "ru", "zh", "ja")
_TABLES = Path(__file__).parent / "words"
_SPACE, _GAP = r"\s{1,8}", r"\s{0,8}"
_DASHES = "[-‐‑‒–—―−~～〜]"
# A number that counts something is no claim: `claims 1 and 2, 10 %`.
_UNITS = (
    r"(?:[%‰°℃℉]|(?:[mcnkµμ]?m|[mkµμ]?g|[mµμ]?l|wt|mol|vol|ppm|parts?|percent|degrees?|hours?|h|min|minutes?|seconds?"
    r"|times|or (?:more|less|fewer)|teile|stunden|minuten|heures?|час\w{0,3}|мас)(?!\w))"
)


@dataclass(frozen=True, kw_only=True)
class Language:
    code: str
    claim: re.Pattern[str]
    """Where a mention may be."""
    plural: re.Pattern[str] | None
    """Matches the word for claims in the plural; None in a language whose word does not tell."""
    listed: re.Pattern[str]
    """The numbers behind the word: `1, 3 and 5 to 7`."""
    number: re.Pattern[str]
    """A number, a range's `to`, or a joint between numbers."""
    lead: re.Pattern[str]
    """What stands right before the word: a condition, `any of`, `any preceding`."""
    trail: re.Pattern[str]
    """What stands right behind the word or its numbers."""
    bare: re.Pattern[str]
    """A condition behind a mention that does not repeat the word: `when dependent on 2`."""
    ordinals: Mapping[str, int]
    head_last: bool
    """Whether a claim's subject stands at its end, behind the features."""
    lead_in: re.Pattern[str]
    """What may stand before a mention that opens a claim: `According to claim 1, a method …`."""
    subject_end: re.Pattern[str]
    categories: re.Pattern[str]
    dividing: re.Pattern[str]
    """What parts the known from the new, wherever it stands: `characterised in that`."""
    strong: re.Pattern[str]
    weak: re.Pattern[str]
    """What is a transition only where there is no strong one: `having`."""
    items: re.Pattern[str]
    """Where a list of features parts that has no semicolons."""
    clauses: re.Pattern[str]
    """Where clauses part: `, wherein`."""
    conjunction: re.Pattern[str]
    """What joins the last feature to those before it."""
    cancelled: re.Pattern[str]


@cache
def language(code: str) -> Language:
    table = tomllib.loads((_TABLES / f"{code}.toml").read_text(encoding="utf-8"))
    return Language(code=code, **_mentions(table["mention"]), **_category(table["category"]), **_parts(table))


def fold(text: str) -> str:
    """Lower the case without moving an offset."""
    # İ becomes two characters in lower case; offsets must stay those of the text.
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def pattern(words: str) -> str:
    """A table's words as a regular expression: a space is any white space, an apostrophe any of its shapes."""
    return words.replace(" ?", _GAP).replace(" ", _SPACE).replace("'", "['’`´]")


def choice(words: Iterable[str]) -> str:
    """Any of the words; nothing at all where there are none."""
    return "(?:" + "|".join(map(pattern, words)) + ")" if words else "(?!)"


def _mentions(table: Mapping[str, Any]) -> dict[str, Any]:
    edge = "" if table.get("unspaced") else r"(?!\w)"
    word, every, condition = choice(table["claim"]), choice(table["any"]), choice(table["condition"])
    either, also = f"{choice(table['or'])}{edge}", f"{choice(table['and'])}{edge}"
    until = f"(?:{choice(table['range'])}{edge}|{_DASHES})"
    article = pattern(table["article"])
    listed = _listed(table, word=word, joint=f"(?:{either}|{also})", until=until, lead=f"(?:{every}{_GAP})?{article}")
    ordinal = choice(table["ordinals"])
    further = f"(?:{_SPACE}{either}{_SPACE}{article}{ordinal})*"
    ranks = f"{choice(table['ordinal_lead'])}{_SPACE}(?P<ordinals>{ordinal}{further})"
    before = f"(?P<previous>{choice(table['previous'])})|(?P<preceding>{choice(table['preceding'])})|(?P<any>{every})"
    start, inner = ("", "") if table.get("unspaced") else (r"(?<!\w)", r"(?<![^\W\d])")
    after = f"(?P<preceding>{choice(table['preceding_after'])})|(?P<any>{choice(table['any_after'])})"
    return {
        "claim": re.compile(word),
        "plural": re.compile(table["plural"]) if table["plural"] else None,
        "listed": re.compile(listed),
        "number": re.compile(
            # A joint begins no sooner than its word: French `à` may lose its accent, and `la` ends with an a.
            rf"(?P<number>\d{{1,4}}|(?<!\w)[il](?!\w))"
            rf"|{inner}(?:(?P<until>{until})|(?P<either>{either})|(?P<also>{also}))|(?P<comma>[,，、/])"
        ),
        "lead": re.compile(f"{start}(?:(?P<condition>{condition}){_GAP})?(?:{before}|{ranks})?{_GAP}{article}$"),
        "trail": re.compile(f"{_GAP}(?:{after})?(?:{_GAP}(?P<condition>{choice(table['condition_after'])}))?"),
        "bare": re.compile(f"{_GAP}[,(]?{_GAP}(?P<condition>{condition}){_GAP}(?:{every}{_GAP})?{listed}"),
        "ordinals": table["ordinals"],
    }


def _listed(table: Mapping[str, Any], *, word: str, joint: str, until: str, lead: str) -> str:
    number = rf"{pattern(table['prefix'])}[(\[]?\d{{1,4}}(?!\d)[)\]]?{pattern(table['suffix'])}"
    item = rf"{number}(?:{_GAP}{until}{_GAP}(?:{word}{_GAP})?{number})?"
    more = rf"(?:[,，、/]{_GAP}(?:{joint})?|{joint}){_GAP}{lead}(?:{word}{_GAP})?{item}"
    # Scanning takes 1 for I or l.
    letter = r"(?P<letter>[il](?![\w).'’]))" if table["letters"] else "(?P<letter>(?!))"
    return rf"{_GAP}(?P<listed>(?:{item}|{letter})(?:{_GAP}{more}(?!\.\d|-[a-z]|{_GAP}{_UNITS}))*)"


def _category(table: Mapping[str, Any]) -> dict[str, Any]:
    groups = "|".join(f"(?P<{name}>{choice(table[name])})" for name in ("medium", "use", "method", "system"))
    return {
        "head_last": table["head_last"],
        "lead_in": re.compile(f"{_GAP}{choice(table['lead_in'])}{_GAP}"),
        "subject_end": re.compile(choice(table["subject_end"])),
        "categories": re.compile(f"(?:{groups}){table['tail']}"),
    }


def _parts(table: Mapping[str, Any]) -> dict[str, Any]:
    transition, element = table["transition"], table["element"]
    return {
        **{strength: re.compile(_kinds(transition[strength])) for strength in ("dividing", "strong", "weak")},
        "items": re.compile(choice(element["items"])),
        "clauses": re.compile(choice(element["clauses"])),
        "conjunction": re.compile(f"{choice(element['conjunction'])}{_GAP}"),
        "cancelled": re.compile(choice(element["cancelled"])),
    }


def _kinds(table: Mapping[str, Any]) -> str:
    """Phrases by what they say of further features, the narrower before the wider that they contain."""
    kinds = [f"(?P<{kind}>{choice(table[kind])})" for kind in ("partly", "closed", "clause", "open") if kind in table]
    return "|".join(kinds) or "(?!)"


# Words that one of the languages in Latin letters has and the others lack.
_TELLING = re.compile(
    r"\b(?:(?P<en>claims?|the|of|wherein|comprising|and|with|which|said)"
    r"|(?P<de>[a-z]{0,12}anspr(?:uch|üchen?)|gemäß|der|das|und|wobei|nach|ein|eine|einer|zur|mit|dass|daß|verfahren|vorrichtung)"
    r"|(?P<fr>revendications?|le|la|les|selon|dans|une?|des|du|et|procédé|dispositif|caractérisée?s?))\b"
)
_SCRIPTS = (("ja", re.compile("[ぁ-ヿ]")), ("zh", re.compile("[一-鿿]")), ("ru", re.compile("[Ѐ-ӿ]")))
# A claim's first lines tell its language; the whole of a long one would cost more than the claims.
_SAMPLE = 1000


def detect(text: str) -> str:
    """The language by script, then by words; English where nothing tells."""
    sample = fold(text[:_SAMPLE])
    for code, letters in () if sample.isascii() else _SCRIPTS:
        # A formula's Greek or a name in another script is no language.
        if len(letters.findall(sample)) * 5 > sum(map(str.isalpha, sample)):
            return code
    votes = [found.lastgroup or "" for found in _TELLING.finditer(sample)]
    return max(LANGUAGES, key=votes.count)


def tongue(text: str, code: str) -> Language:
    """The language named, where it is one of ours; else the one that the text itself shows."""
    known = code.lower()[:2]
    return language(known if known in LANGUAGES else detect(text))
