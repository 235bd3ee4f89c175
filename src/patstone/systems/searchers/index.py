"""An inverted index of a test collection: for each term its documents and how often it stands there.

Documents are numbered by id descending, so that among equal scores the lower number goes first, as trec_eval ranks
them. Documents are read in batches; what grows with the collection is eight bytes a posting and a few columns.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.fingerprint import hexed, sums
from patstone.systems.searchers.analysis import Vocabulary

if TYPE_CHECKING:
    from patstone.gold.dataset import Dataset

Ints = NDArray[np.int64]
FIELDS = ("title", "abstract", "claims", "description")
_ROWS = 1 << 12


@dataclass(frozen=True, eq=False, kw_only=True)
class Shelf:
    """What filters and results need to know of the documents, in the order of their numbers."""

    docs: ids.Ids
    dates: NDArray[np.int32]
    """The last day on which it may have been published, as YYYYMMDD; 0 where nobody knows."""
    countries: NDArray[Any]
    families: NDArray[Any]
    """Empty where nobody knows."""

    def __len__(self) -> int:
        return len(self.docs)


@dataclass(frozen=True, eq=False, kw_only=True)
class Index:
    shelf: Shelf
    vocabulary: Vocabulary
    starts: Ints
    """Term t owns postings starts[t]:starts[t + 1]."""
    postings: NDArray[np.int32]
    counts: NDArray[np.int32]
    lengths: Ints
    """Terms in each document."""

    @cached_property
    def spread(self) -> Ints:
        """In how many documents each term stands."""
        return np.diff(self.starts)

    @cached_property
    def totals(self) -> Ints:
        """How often each term stands in the collection."""
        ends = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
        return np.asarray(ends[self.starts[1:]] - ends[self.starts[:-1]])

    @cached_property
    def rarity(self) -> NDArray[np.float64]:
        """The idf of each term: ln(N / df)."""
        return np.asarray(np.log(len(self.shelf) / self.spread))

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits of the documents' ids, of the terms, and of what stands where."""
        rows = ids.hashed([*ids.words(self.shelf.docs).T, self.lengths.astype(np.uint64)])
        places = ids.hashed([self.postings.astype(np.uint64), self.counts.astype(np.uint64)])
        terms = crc32("\n".join(self.vocabulary.codes).encode())
        return hexed([*sums(rows), *sums(places), terms])

    def save(self, folder: Path) -> None:
        """Write it so that processes can share it."""
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))
        for name in _COLUMNS:
            np.save(folder / f"{name}.npy", getattr(self.shelf, name))
        (folder / "terms.json").write_text(json.dumps(list(self.vocabulary.codes)), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Index":
        """Map what `save` wrote into memory, which many processes then hold once."""
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in (*_ARRAYS, *_COLUMNS)}
        terms = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
        shelf = Shelf(**{name: arrays.pop(name) for name in _COLUMNS})
        return cls(shelf=shelf, vocabulary=Vocabulary({term: code for code, term in enumerate(terms)}), **arrays)


_ARRAYS, _COLUMNS = ("starts", "postings", "counts", "lengths"), ("docs", "dates", "countries", "families")


def build(dataset: "Dataset", fields: Sequence[str] = FIELDS) -> Index:
    """Index these fields of the documents."""
    vocabulary, parts, lengths, known = Vocabulary(), [], [], []
    for batch in dataset.documents("id", "country", "date", "family", *fields, rows=_ROWS):
        known.append(batch.select(["id", "country", "date", "family"]))
        doc, term = vocabulary.learned(joined(batch, fields))
        lengths.append(np.bincount(doc, minlength=batch.num_rows))
        # One sort puts equal terms of a batch together, and equal documents within them.
        pairs, times = np.unique(term * batch.num_rows + doc, return_counts=True)
        first = sum(map(len, lengths[:-1]))
        at, numbers = np.divmod(pairs, batch.num_rows)
        parts.append((at.astype(np.int32), (numbers + first).astype(np.int32), times.astype(np.int32)))
    if not parts:
        raise DataError("A test collection must hold at least one document.", path=dataset.path)
    shelf, number = _shelved(known, dataset.path)
    starts, postings, counts = _merged(parts, len(vocabulary))
    ordered = np.empty(len(shelf), dtype=np.int64)
    ordered[number] = np.concatenate(lengths)
    return Index(
        shelf=shelf,
        vocabulary=vocabulary,
        starts=starts,
        postings=number[postings].astype(np.int32),
        counts=counts,
        lengths=ordered,
    )


def joined(batch: pa.RecordBatch, fields: Sequence[str]) -> pa.Array:
    """One text for each row; without fields it is empty."""
    if not fields:
        return pa.repeat("", batch.num_rows)
    columns = [claims_text(batch.column(name)) if name == "claims" else batch.column(name) for name in fields]
    return pc.binary_join_element_wise(*columns, " ", null_handling="replace", null_replacement="")


def claims_text(claims: pa.ListArray) -> pa.Array:
    sizes = pc.fill_null(pc.list_value_length(claims), 0).to_numpy(zero_copy_only=False)
    texts = pc.fill_null(pc.struct_field(claims.flatten(), "text"), "")
    ends = pa.array(np.concatenate([[0], np.cumsum(sizes)]), pa.int32())
    return pc.binary_join(pa.ListArray.from_arrays(ends, texts), " ")


def _shelved(known: Sequence[pa.RecordBatch], path: Path) -> tuple[Shelf, NDArray[np.int32]]:
    """The shelf, and for each document as it was read its number there."""
    table = pa.Table.from_batches(known)
    docs = ids.pack(table.column("id").to_pylist())
    order = np.argsort(docs, kind="stable")[::-1]
    again = np.flatnonzero(docs[order][1:] == docs[order][:-1])
    if len(again):
        raise DataError("A document stands once in a collection.", path=path, value=ids.texts(docs[order][again])[0])
    number = np.empty(len(docs), dtype=np.int32)
    number[order] = np.arange(len(docs), dtype=np.int32)
    texts = {name: pc.fill_null(table.column(name), "").to_numpy() for name in ("country", "family")}
    shelf = Shelf(
        docs=docs[order],
        dates=last_days(table.column("date"))[order],
        countries=texts["country"].astype(np.str_)[order],
        families=texts["family"].astype(np.str_)[order],
    )
    return shelf, number


def last_days(dates: pa.ChunkedArray) -> NDArray[np.int32]:
    """YYYYMMDD; where the day or the month is not known, the last one that it can be; 0 for no date."""
    digits = pc.replace_substring(pc.fill_null(dates, ""), "-", "")
    filled = pc.if_else(pc.equal(pc.utf8_length(digits), 4), pc.binary_join_element_wise(digits, "12", ""), digits)
    filled = pc.if_else(pc.equal(pc.utf8_length(filled), 6), pc.binary_join_element_wise(filled, "31", ""), filled)
    whole = pc.match_substring_regex(filled, "^[0-9]{8}$")
    return np.asarray(pc.cast(pc.if_else(whole, filled, "0"), pa.int32()).to_numpy())


Part = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]


def _merged(parts: Sequence[Part], terms: int) -> tuple[Ints, NDArray[np.int32], NDArray[np.int32]]:
    """Put the postings of each term together: each part is in order of terms already, so no sort is needed."""
    sizes = sum((np.bincount(term, minlength=terms) for term, _, _ in parts), np.zeros(terms, dtype=np.int64))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    free = starts[:-1].copy()
    postings, counts = np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1], dtype=np.int32)
    for term, doc, count in parts:
        own = np.bincount(term, minlength=terms)
        place = np.arange(len(term)) + (free - np.concatenate([[0], np.cumsum(own)[:-1]]))[term]
        postings[place], counts[place] = doc, count
        free += own
    return starts, postings, counts
