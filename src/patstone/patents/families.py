"""Which documents are one invention: a family id for each document.

An empty id, 0 and -1 mean that the source knows no family; grouping by them would join strangers, so such a
document stands alone and is counted in `singletons`. A document with two families is an error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.fingerprint import hexed, sums, together
from patstone.files.header import Wanted
from patstone.files.index import Index, first_places
from patstone.files.tables import Table, read_table

Ints = NDArray[np.int64]

COLUMNS = (
    Wanted(
        name="document",
        synonyms=("doc", "doc_id", "docid", "docno", "document_id", "publication", "publication_number", "patent"),
    ),
    Wanted(
        name="family",
        synonyms=("family_id", "docdb_family_id", "simple_family_id", "simple_family", "invention"),
        blank=True,
    ),
)
_NO_FAMILY = {"", "0", "-1", "0.0", "-1.0", "nan", "none", "null"}


@dataclass(frozen=True, eq=False, kw_only=True)
class Families:
    docs: ids.Ids
    codes: Ints
    """For each document, a number from 0 that the members of its family share."""
    singletons: int
    """Documents that stand alone because the source gives no family for them."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know about the reading."""

    @classmethod
    def from_dict(cls, families: Mapping[str, str]) -> "Families":
        """Build from {document: family}."""
        return build(ids.pack(families), [str(name).strip() for name in families.values()])

    def __len__(self) -> int:
        return len(self.docs)

    def of(self, docs: ids.Ids) -> Ints:
        """The family of each document; -1 for a document that is not known."""
        # Place -1 reads the last of these.
        return np.append(self.codes, -1)[self._index.find(docs)]

    def members(self, code: int) -> ids.Ids:
        """The documents of one family."""
        start, end = np.searchsorted(self._sorted, [code, code + 1])
        return self.docs[self._by_code[start:end]]

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits of who belongs together; the families' names and the order of rows do not count."""
        row = ids.hashed(list(ids.words(self.docs).T))
        return hexed(sums(ids.hashed([row, together(row, self.codes)])))

    @cached_property
    def _index(self) -> Index:
        return Index.of(self.docs)

    @cached_property
    def _sorted(self) -> Ints:
        return self.codes[self._by_code]

    @cached_property
    def _by_code(self) -> Ints:
        return np.argsort(self.codes, kind="stable")


def read_families(path: str | Path, *, columns: Mapping[str, str] | None = None) -> Families:
    """Read a table with a row for each document; a row given twice alike is read once."""
    table = read_table(path, COLUMNS, columns=columns)
    return build(table.columns["document"], ids.texts(table.columns["family"]), table)


def build(docs: ids.Ids, families: Sequence[str], table: Table | None = None) -> Families:
    """Number the families in the order of their first documents."""
    first = first_places(docs)
    alone = np.array([name.casefold() in _NO_FAMILY for name in families], dtype=np.bool_)
    # A document without a family goes by its own first row, which no name of a family can be.
    keys = [row if single else name for row, single, name in zip(first.tolist(), alone, families, strict=True)]
    numbers: dict[str | int, int] = {}
    codes = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
    wrong = np.flatnonzero(codes != codes[first])
    if len(wrong):
        raise _two_families(docs, families, int(wrong[0]), int(first[wrong[0]]), table)
    kept = first == np.arange(len(first))
    singletons = int(alone[kept].sum())
    return Families(docs=docs[kept], codes=codes[kept], singletons=singletons, notes=_notes(table, singletons))


def _notes(table: Table | None, singletons: int) -> tuple[str, ...]:
    if table is None:
        return ()
    alone = f"{table.path}: documents without a family: {singletons:,}; each stands alone"
    return (*table.notes, alone) if singletons else table.notes


def _two_families(docs: ids.Ids, families: Sequence[str], row: int, earlier: int, table: Table | None) -> DataError:
    doc = ids.texts(docs[[row]])[0]
    where = f" on line {table.lines[earlier]}" if table else ""
    rule = f"A document has one family; {doc!r} has {families[earlier]!r}{where} too."
    return table.refuse(rule, row, families[row]) if table else DataError(rule, value=families[row])
