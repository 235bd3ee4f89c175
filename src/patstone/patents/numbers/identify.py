"""One text, all its readings: the plan for its shape, carried out on it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from patstone.errors import UsageError, shorten
from patstone.patents.numbers.plan import Choice, Plan, plan
from patstone.patents.numbers.reading import Identified, Reading
from patstone.patents.numbers.text import LONGEST, clean, shape_of, spotted

# Sources write 20180703, 2018-07-03, 2018.07 and time stamps; only the year decides between readings.
_DATE = re.compile(r"(\d{4})(?:[-./]?(\d{2})(?:[-./]?(\d{2}))?)?(?:[T ].*)?")
# Two characters at most: longer ones are the words of a database, not an office's kind.
_KIND = re.compile(r"[A-Z][0-9A-Z]?")
# The kind under which DOCDB files an international application with the office that received it.
_RECEIVED = "W"
_PCT = re.compile(r"(\d{4}|\d\d)(\d{6}|(?<=^\d\d)\d{5})", re.ASCII)
_ROLES = ("", "publication", "application")


def identify(text: str, *, country: str = "", kind: str = "", date: str = "", role: str = "") -> Identified:
    """Read a number. `country`, `kind`, `date` (when it was published) and `role` narrow the readings; none is guessed.

    A date that fits no reading narrows nothing and is told in `reason`; where it fits a publication, the number is
    the publication's and not that of an application.
    """
    if role not in _ROLES:
        raise UsageError(f"A role is publication or application. Got {shorten(repr(role))}.")
    cleaned = clean(text)
    if is_received(kind) and role != "publication" and country and (found := _PCT.fullmatch(cleaned)):
        international = f"PCT/{country_of(country)}{found[1]}/{found[2]}"
        return replace(identify(international, date=date, role="application"), input=text)
    if not cleaned:
        reason = f"longer than {LONGEST} characters" if len(text) > LONGEST else "empty"
        return Identified(input=text, readings=(), ambiguous=False, reason=reason)
    known = plan(spotted(shape_of(cleaned), cleaned), country_of(country), kind_of(kind), role)
    given = day_of(date) or day_of("".join([cleaned[place] for place in known.date]))
    return _identified(text, cleaned, known, given)


def canonical(country: str, number: str, kind: str = "", *, date: str = "", role: str = "publication") -> str:
    """The canonical form of a number whose parts a source gives apart; empty where that would be a guess."""
    return identify(number, country=country, kind=kind, date=date, role=role).canonical


def is_received(kind: str) -> bool:
    return kind == _RECEIVED


def country_of(text: str) -> str:
    return text.strip().upper()


def kind_of(text: str) -> str:
    """A kind as context; what is no kind, such as the 00 of old files, says nothing."""
    kind = clean(text)
    return kind if _KIND.fullmatch(kind) else ""


def day_of(text: str) -> str:
    """2018-07-03 from 20180703 and its like; a month or day that is 00 is not known, and what is no date is empty."""
    found = _DATE.fullmatch(text.strip())
    if not found or found[1] == "0000" or (found[2] or "") > "12" or (found[3] or "") > "31":
        return ""
    year, month, day = found.groups(default="00")
    return year if month == "00" else f"{year}-{month}" if day == "00" else f"{year}-{month}-{day}"


def _identified(text: str, cleaned: str, found: Plan, date: str) -> Identified:
    held = [(choice, values) for choice in found.choices if (values := choice.values(cleaned)) is not None]
    # Three sieves, each only where the one before leaves something: what can be, what the date fits, what was printed.
    windows = [(choice, values, choice.window(values)) for choice, values in held]
    possible = [(choice, values, window) for choice, values, window in windows if window[0] <= window[1]]
    year = int(date[:4]) if date else -1
    fitting = [each for each in possible if each[2][0] <= year <= each[2][1]]
    # What has lost digits may fit any date by chance.
    printed = [each for each in fitting if each[0].role == "publication" and not each[0].doubtful]
    kept = printed or fitting or [each for each in possible if not each[0].dated]
    reason = "" if kept else found.reason
    if date:
        reason = reason or ("" if fitting else f"the date {date} fits no reading and was left out of account")
    # Two forms may spell the same number; that is one reading, not an ambiguity.
    readings = {(choice.role, choice.number(values)): _reading(choice, values, date) for choice, values, _ in kept}
    ambiguous = len(readings) > 1 or any(choice.doubtful for choice, _, _ in kept)
    return Identified(input=text, readings=tuple(readings.values()), ambiguous=ambiguous, reason=reason)


def _reading(choice: Choice, values: Sequence[int | str], date: str) -> Reading:
    return Reading(country=choice.country, number=choice.number(values), kind=choice.kind, role=choice.role, date=date)
