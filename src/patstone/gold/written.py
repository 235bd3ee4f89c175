"""How publications are written in a gold standard: numbers that can be read in one way, and dates that can be.

An ambiguous number is read in two ways (US10012345 is a patent and an application); an unreadable one in none that our
tables of offices know; two spellings of one number are a duplicate that equal texts would hide.
"""

from collections.abc import Sequence
from datetime import date
from itertools import chain

from patstone.gold.findings import Finding
from patstone.patents.dates import iso_date
from patstone.patents.numbers import identify_all

_FIRST_YEAR = "1617"
"""The oldest English patent; nothing older has a number that anybody writes."""
_SHOWN = 3


def number_findings(numbers: Sequence[str], dates: Sequence[str], lines: Sequence[int]) -> list[Finding]:
    read = identify_all(numbers, dates=dates)
    ambiguous = [row for row in range(len(numbers)) if read.ambiguous[row]]
    unreadable = [row for row in range(len(numbers)) if not read.readings[row]]
    spellings: dict[str, dict[str, int]] = {}
    for row, canonical in enumerate(read.canonical):
        if canonical:
            spellings.setdefault(canonical, {}).setdefault(numbers[row], row)
    twice = [list(rows.values()) for rows in spellings.values() if len(rows) > 1]
    return [
        *_found("ambiguous-number", "can be read in more than one way", ambiguous, numbers, lines),
        *_found("unreadable-number", "can't be read as any office's number", unreadable, numbers, lines),
        *_found("two-spellings", "are one number in several spellings", list(chain(*twice)), numbers, lines),
    ]


def date_findings(dates: Sequence[str], lines: Sequence[int]) -> list[Finding]:
    """Dates that no calendar has, and those of publications that are still to come; an empty one is only unknown."""
    known = {text: iso_date(text) for text in set(dates)}
    today = date.today().isoformat()
    wrong = [row for row, text in enumerate(dates) if not _possible(known[text], today)]
    return _found("impossible-date", "can't be dates of publication", wrong, dates, lines)


def _possible(day: str | None, today: str) -> bool:
    return day is not None and (not day or _FIRST_YEAR <= day <= today)


def _found(rule: str, wrong: str, rows: Sequence[int], texts: Sequence[str], lines: Sequence[int]) -> list[Finding]:
    if not rows:
        return []
    shown = ", ".join(repr(text) for text in list(dict.fromkeys(texts[row] for row in rows))[:_SHOWN])
    more = "" if len(rows) <= _SHOWN else ", …"
    message = f"{len(rows)} {wrong}: {shown}{more}."
    return [Finding(rule=rule, severity="warning", rows=tuple(lines[row] for row in rows), message=message)]
