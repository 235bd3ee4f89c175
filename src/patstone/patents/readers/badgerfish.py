"""JSON that is XML under other brackets (BadgerFish): `$` is text, `@name` an attribute, a list repeats its element.

It is written back as XML, without prefixes, so that what reads the XML reads the JSON too, and a list of one that has
collapsed to its member is no special case.
"""

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from patstone.errors import DataError
from patstone.patents.readers.fields import Record

_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_DEEPEST = 100


def to_xml(document: Record) -> bytes:
    """Write the document's one root element."""
    if len(document) != 1:
        raise DataError("The JSON of an XML document must have one root.", value=[*document][:5])
    ((name, value),) = document.items()
    return "".join(_written(name, value, 0)).encode(errors="replace")


def _written(name: str, value: object, depth: int) -> Iterator[str]:
    # Python's own limit would end the program in a place that tells nothing.
    if depth > _DEEPEST:
        raise DataError(f"Elements must not be nested over {_DEEPEST} deep.")
    tag = _local(name)
    for one in value if isinstance(value, list) else [value]:
        # An element without attributes collapses to its text.
        content = one if isinstance(one, dict) else {"$": one}
        attributes = (
            f" {_local(key[1:])}={quoteattr(_words(said))}"
            for key, said in content.items()
            if key.startswith("@") and not isinstance(said, dict | list)
        )
        yield f"<{tag}{''.join(attributes)}>"
        for key, said in content.items():
            if key == "$":
                yield escape(_words(said))
            elif not key.startswith("@"):
                yield from _written(key, said, depth + 1)
        yield f"</{tag}>"


def _local(name: str) -> str:
    # The readers of the XML take prefixes off too, so that JSON and XML meet without them.
    local = name.rpartition(":")[2]
    if not _NAME.fullmatch(local):
        raise DataError("This can't be the name of an XML element.", value=name)
    return local


def _words(value: object) -> str:
    return "" if value is None else str(value)
