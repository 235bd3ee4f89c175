"""Dates as patent sources write them, as ISO dates: `2011-01-25`, or `2011-01` and `2011` where a source knows no more.

Offices write 20110125, 2011.01.25, 25.01.2011 and 2011-01-25, and a zero for what they don't know: a day 00 leaves the
month, 0 leaves nothing. What is no date at all is None, so that it is never taken for an unknown one.
"""

import re
from datetime import date
from decimal import Decimal

_YEAR_FIRST = re.compile(r"(\d{4})[-./]?(?:(\d{2})[-./]?(\d{2})?)?(?:[T ]\d{2}:.*)?", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})", re.ASCII)


def iso_date(value: object) -> str | None:
    """Read a date: empty if the source says that it is unknown, None if it is no date."""
    # A datetime is a date too, and its first ten letters are the day.
    if isinstance(value, date):
        return value.isoformat()[:10]
    # NaN, which data frames write for nothing, differs from itself.
    if value is None or value != value or value in (0, "0", "-1"):
        return ""
    text = str(int(value) if isinstance(value, float | Decimal) and value == int(value) else value).strip()
    if found := _YEAR_FIRST.fullmatch(text):
        return _checked(*(int(part or 0) for part in found.groups()))
    # Offices that do not begin with the year begin with the day; none of them begins with the month.
    if found := _DAY_FIRST.fullmatch(text):
        day, month, year = map(int, found.groups())
        return _checked(year, month, day)
    return None if text else ""


def _checked(year: int, month: int, day: int) -> str | None:
    if not year:
        return ""
    try:
        # An unknown day or month stands as 00; the year alone is told by both.
        whole = date(year, month or 1, day or 1)
    except ValueError:
        return None
    return whole.isoformat()[: 10 if day and month else 7 if month else 4]
