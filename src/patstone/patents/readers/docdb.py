"""DOCDB exchange XML: a weekly delivery or a backfile, read one exchange document at a time, or a document alone.

Families are simple ones (`family-id`), priorities those that are active. A delivery's documents stand under one root,
and a file of one document may have lost that root and with it the declaration of its prefix.
"""

from collections.abc import Iterator

from patstone.files.streams import Rewindable
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers.exchange import exchange_publication, unqualified
from patstone.patents.readers.markup import Element, read_documents
from patstone.patents.readers.reader import Reader

_NAME = "docdb"


def read(source: Rewindable) -> Iterator[Publication | Rejected]:
    empty = True
    for found in read_documents(source, _convert, element="exchange-document", prepare=_declared):
        empty = False
        yield found
    if empty:
        yield Rejected(path=source.name, offset=0, reason="The file holds no exchange document.")


def knows(head: bytes, _: str) -> bool:
    # OPS wraps the same element in its own; there the family and the errors stand around it.
    return b"exchange-document" in head and b"world-patent-data" not in head


def _declared(body: bytes) -> bytes:
    """Declare the prefix, which a delivery does on its root alone."""
    opening, end, rest = body.partition(b">")
    # The published samples of single documents are such files, and no parser takes an undeclared prefix.
    if not opening.startswith(b"<exch:") or b"xmlns:exch" in opening:
        return body
    name, space, attributes = opening.partition(b" ")
    return name + b' xmlns:exch="http://www.epo.org/exchange"' + space + attributes + end + rest


def _convert(root: Element) -> Publication:
    return exchange_publication(unqualified(root), _NAME)


READER = Reader(
    name=_NAME, about="DOCDB exchange XML of the EPO: weekly deliveries and backfiles", knows=knows, read=read
)
