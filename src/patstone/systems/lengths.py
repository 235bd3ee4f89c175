"""How many words each document has: what a user must read in measures of effort.

A document that is not in the table gets a stated default, and `unknown` counts them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.fingerprint import bits, hexed, sums
from patstone.files.header import Wanted
from patstone.files.index import Index, first_places
from patstone.files.tables import read_table

DEFAULT_WORDS = 500.0
# The words of a whole ranking are added up, which must stay a number.
_MOST_WORDS = 10**9
_RULE = f"A length is a number of words from 0 to {_MOST_WORDS:,}"
COLUMNS = (
    Wanted(name="document", synonyms=("doc", "doc_id", "docid", "docno", "document_id", "publication", "patent")),
    Wanted(name="words", synonyms=("length", "word_count", "n_words", "tokens"), kind="number"),
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Lengths:
    docs: ids.Ids
    words: NDArray[np.float64]
    default: float = DEFAULT_WORDS
    """The length of a document that is not here."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know about the reading."""

    def __post_init__(self) -> None:
        wrong = np.flatnonzero(~_possible(self.words))
        if len(wrong):
            doc = ids.texts(self.docs[wrong[:1]])[0]
            raise DataError(f"{_RULE}; {doc!r} has none.", value=float(self.words[wrong[0]]))

    @classmethod
    def from_dict(cls, lengths: Mapping[str, float], *, default: float = DEFAULT_WORDS) -> "Lengths":
        """Build from {document: words}."""
        words = np.array(list(lengths.values()), dtype=np.float64)
        return cls(docs=ids.pack(lengths), words=words, default=default)

    def __len__(self) -> int:
        return len(self.docs)

    def of(self, docs: ids.Ids) -> NDArray[np.float64]:
        """The length of each document, or the default."""
        # Place -1, an unknown document, reads the last of these.
        return np.append(self.words, self.default)[self._index.find(docs)]

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits of the content; the order of rows does not count."""
        return hexed([*sums(ids.hashed([*ids.words(self.docs).T, bits(self.words)])), *bits(np.array([self.default]))])

    def unknown(self, docs: ids.Ids) -> int:
        """How many of the documents have no length here."""
        return int(np.count_nonzero(self._index.find(docs) < 0))

    @cached_property
    def _index(self) -> Index:
        return Index.of(self.docs)


def read_lengths(path: str | Path, *, columns: Mapping[str, str] | None = None) -> Lengths:
    """Read a table with a row for each document; a row given twice alike is read once."""
    table = read_table(path, COLUMNS, columns=columns)
    docs, words = table.columns["document"], table.columns["words"]
    wrong = np.flatnonzero(~_possible(words))
    if len(wrong):
        raise table.refuse(f"{_RULE}.", int(wrong[0]), float(words[wrong[0]]))
    first = first_places(docs)
    wrong = np.flatnonzero(words != words[first])
    if len(wrong):
        row = int(wrong[0])
        doc = ids.texts(docs[[row]])[0]
        rule = f"A document has one length; {doc!r} has another on line {table.lines[first[row]]}."
        raise table.refuse(rule, row, float(words[row]))
    kept = first == np.arange(len(first))
    return Lengths(docs=docs[kept], words=words[kept], notes=table.notes)


def _possible(words: NDArray[np.float64]) -> NDArray[np.bool_]:
    return (words >= 0) & (words <= _MOST_WORDS)
