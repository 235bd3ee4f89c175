"""Numbers that a document says of itself, of its application, and of what it cites, in canonical form."""

from patstone.errors import DataError
from patstone.patents.numbers import canonical, identify


def published(country: str, number: str, kind: str, date: str = "") -> str:
    """Give a document's own number; a document whose number would be a guess is refused."""
    found = canonical(country, number, kind, date=date) if country and number else ""
    if not found:
        said = " ".join(filter(None, (country, number, kind)))
        raise DataError("A document must have a number that can be read without a guess.", value=said)
    return found


def applied(country: str, number: str, kind: str = "", date: str = "") -> str:
    """Give an application's number, in the source's own form where no other can be told."""
    plain = "".join((country, number, kind)).replace(" ", "")
    # Priorities are compared as texts, so that an unreadable number still links documents that write it alike.
    return (canonical(country, number, kind, date=date, role="application") if country and number else "") or plain


def cited(country: str, number: str, kind: str = "", date: str = "") -> str:
    """Give the number of a cited document; empty where it can't be told without a guess."""
    return canonical(country, number, kind, date=date) if country and number else ""


def identified(words: str) -> str:
    """Give the number that a text names; empty where it has several readings or none."""
    return identify(words, role="publication").canonical
