"""Publications by columns: the Arrow batches of a part. Everything goes by whole columns, since rows are millions."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain
from typing import Any

import pyarrow as pa

from patstone.patents import claims as claim_sets
from patstone.patents.collection.schema import CITATION, CLAIM, PART_CITATIONS, PART_DOCUMENTS
from patstone.patents.publication import Citation, Claim, Publication, Text

_NAMES = {"family_id": "family", "extended_id": "extended"}
"""Columns that a publication has under another name."""


def size(one: Publication) -> int:
    """How long the texts of a publication are, in characters."""
    told = len(one.description) + sum(len(said.text) for said in (*one.titles, *one.abstracts))
    return told + sum(len(claim.text) for claim in one.claims)


def documents(publications: Sequence[Publication]) -> pa.RecordBatch:
    made: dict[str, Any] = {
        "title": [_chosen(one.titles, one.language) for one in publications],
        "abstract": [_chosen(one.abstracts, one.language) for one in publications],
        "titles": [_all(one.titles) for one in publications],
        "abstracts": [_all(one.abstracts) for one in publications],
    }
    told = PART_DOCUMENTS.names[:-1]
    values = [made[name] if name in made else _told(publications, name) for name in told]
    arrays = [pa.array(column, PART_DOCUMENTS.field(name).type) for name, column in zip(told, values, strict=True)]
    claims = _listed([_settled(one.claims) for one in publications], _claims, CLAIM)
    return pa.record_batch([*arrays, claims], schema=PART_DOCUMENTS)


def citations(publications: Sequence[Publication]) -> pa.RecordBatch:
    column = _listed([one.citations for one in publications], _citations, CITATION)
    return pa.record_batch([column], schema=PART_CITATIONS)


def _told(publications: Sequence[Publication], column: str) -> list[Any]:
    name = _NAMES.get(column, column)
    return [getattr(one, name) or None for one in publications]


def _chosen(texts: Sequence[Text], language: str) -> str | None:
    """The text in the document's own language, else in English, else the first."""
    by_language = {said.language: said.text for said in reversed(texts)}
    return by_language.get(language) or by_language.get("en") or (texts[0].text if texts else None)


def _all(texts: Sequence[Text]) -> list[dict[str, str]] | None:
    """All of them where there are several; one alone stands in its column already."""
    return [{"language": said.language, "text": said.text} for said in texts] if len(texts) > 1 else None


def _listed(
    rows: Sequence[Sequence[Any]], columns: Callable[[Sequence[Any]], Iterable[list[Any]]], of: pa.StructType
) -> pa.Array:
    """Lists of structures, made from the columns of all of them at once; an empty list is null."""
    fields = [of.field(place) for place in range(of.num_fields)]
    arrays = [pa.array(values, field.type) for values, field in zip(columns(list(chain(*rows))), fields, strict=True)]
    ends = [0, *accumulate(map(len, rows))]
    offsets = pa.array([None if not row else end for row, end in zip(rows, ends, strict=False)] + ends[-1:], pa.int32())
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(arrays, fields=fields))


def _citations(rows: Sequence[Citation]) -> Iterable[list[Any]]:
    yield [one.cited or None for one in rows]
    yield [one.raw or None for one in rows]
    yield [one.patent for one in rows]
    yield [one.cited_by for one in rows]
    yield [one.category or None for one in rows]
    yield [one.phase or None for one in rows]
    yield [one.claims or None for one in rows]
    yield [one.passages or None for one in rows]
    yield [one.date or None for one in rows]


def _claims(rows: Sequence[tuple[Claim, str, Sequence[int]]]) -> Iterable[list[Any]]:
    yield [claim.number for claim, _, _ in rows]
    yield [claim.language or None for claim, _, _ in rows]
    yield [kind for _, kind, _ in rows]
    yield [parents for _, _, parents in rows]
    yield [claim.text for claim, _, _ in rows]


def _settled(claims: Sequence[Claim]) -> list[tuple[Claim, str, Sequence[int]]]:
    """Each claim with its kind and parents, language by language: by mark-up where there is any, else by words."""
    found: list[tuple[Claim, str, Sequence[int]]] = []
    for language in dict.fromkeys(claim.language for claim in claims):
        own = [claim for claim in claims if claim.language == language]
        if any(claim.references for claim in own) and all(claim.references is not None for claim in own):
            # What mark-up says need not be looked for in the words.
            found += [(claim, *_marked(claim.references or ())) for claim in own]
        else:
            found += [(one.claim, one.kind, one.depends_on) for one in claim_sets.resolve(own)]
    return found


def _marked(references: Sequence[int]) -> tuple[str, Sequence[int]]:
    return ("dependent", sorted({*references})) if references else ("independent", ())
