"""What stands in a document, of whatever type the source made it: texts, lists, records, dates.

Sources collapse a list of one to its only member and leave out what is empty; both read as lists here. Anything else
that is not what its place must hold is a `DataError`, which refuses that document and no other.
"""

import math
from decimal import Decimal
from typing import Any

from patstone.errors import DataError
from patstone.patents.dates import iso_date
from patstone.patents.readers.markup import fold

Record = dict[str, Any]
# Grouping by one of these would make one family of all documents that have none.
_NO_FAMILY = {"", "0", "-1"}


def clean(words: str) -> str:
    """Fold white space; halves of characters, which JSON can hold and no file can, are replaced."""
    folded = fold(words)
    try:
        folded.encode()
    except UnicodeEncodeError:
        return folded.encode(errors="replace").decode()
    return folded


def text(value: object, what: str) -> str:
    if isinstance(value, str):
        return clean(value)
    if value is None:
        return ""
    if isinstance(value, bytes):
        return clean(value.decode(errors="replace"))
    # NaN: what data frames write for nothing.
    if isinstance(value, float | Decimal) and value != value:
        return ""
    # True is an int to Python and no text to anybody.
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not math.isfinite(value):
        raise DataError(f"{what} must be a text.", value=value)
    return str(int(value)) if value == int(value) else str(value)


def items(value: object) -> list[object]:
    """Members of a list; a list of one may stand as its member, an empty one as nothing."""
    if isinstance(value, list | tuple):
        return list(value)
    return [] if value is None or value in ("", {}) else [value]


def record(value: object, what: str) -> Record:
    if not isinstance(value, dict):
        raise DataError(f"{what} must be an object.", value=value)
    return value


def optional(value: object, what: str) -> Record:
    return {} if value is None or value in ("", []) else record(value, what)


def records(value: object, what: str) -> list[Record]:
    return [record(item, what) for item in items(value)]


def texts(value: object, what: str) -> tuple[str, ...]:
    """Distinct texts in the order they are first given, without empty ones."""
    return tuple(dict.fromkeys(filter(None, (text(item, what) for item in items(value)))))


def day(value: object, what: str) -> str:
    found = iso_date(value)
    if found is None:
        raise DataError(f"{what} must be a date.", value=value)
    return found


def any_day(value: object) -> str:
    """A date that may be wrong without harm, such as that of a cited document."""
    return iso_date(value) or ""


def family(value: object, what: str = "The family") -> str:
    """A family's id; what sources write for none (0, -1) is none."""
    found = text(value, what)
    return "" if found in _NO_FAMILY else found
