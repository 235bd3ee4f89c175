"""XML files whose documents each hold any number of publications, such as an answer to a query or a cluster."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers import markup, pieces
from patstone.patents.readers.documents import rejected
from patstone.patents.readers.markup import Element

Found = Iterator[Publication | DataError]
"""Publications, and errors in the place of those that can't be read."""


def read_answers(source: Rewindable, convert: Callable[[Element], Found]) -> Iterator[Publication | Rejected]:
    with source.open() as stream:
        for piece in pieces.documents(stream):
            try:
                # One endless document costs itself: the cutter goes on behind it.
                if not piece.whole:
                    raise DataError(f"A document must have at most {pieces.LARGEST >> 20} MB.")
                document = markup.parse(piece.data)
                for found in convert(document.root):
                    # A cluster with one bad member still has the others.
                    if isinstance(found, DataError):
                        yield rejected(found, source.name, piece.offset)
                    else:
                        yield replace(found, repairs=document.repairs) if document.repairs else found
            except DataError as error:
                yield rejected(error, source.name, piece.offset)
