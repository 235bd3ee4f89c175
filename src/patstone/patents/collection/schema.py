"""The tables of a collection: the columns of each, in their order, and which version of this layout they have.

`doc`, `family` and `extended` are integers without gaps, so that joins are cheap: documents from 0 in the order of
office, date and number, families from 1 (many programs take 0 for none) in the order of their first documents. What no
source tells is null; `number`, `country`, `doc`, `family`, `extended` and all that is counted never are. Dates are
texts, since sources know some to the month only.
"""

import pyarrow as pa

VERSION = 1
"""Raised when a column changes its name, type or meaning."""

_INT, _TEXT, _TEXTS = pa.int32(), pa.string(), pa.list_(pa.string())
_IN_LANGUAGES = pa.list_(pa.struct([("language", _TEXT), ("text", _TEXT)]))
CLAIM = pa.struct(
    [("number", _INT), ("language", _TEXT), ("kind", _TEXT), ("depends_on", pa.list_(_INT)), ("text", _TEXT)]
)
CITATION = pa.struct(
    [
        ("cited_number", _TEXT),
        ("raw", _TEXT),
        ("patent", pa.bool_()),
        ("cited_by", _TEXT),
        ("category", _TEXT),
        ("phase", _TEXT),
        ("claims", pa.list_(_INT)),
        ("passages", _TEXT),
        ("date", _TEXT),
    ]
)
_TOLD = [
    ("number", _TEXT),
    ("raw", _TEXT),
    ("country", _TEXT),
    ("kind", _TEXT),
    ("date", _TEXT),
    ("application", _TEXT),
    ("filed", _TEXT),
    ("priorities", _TEXTS),
    ("priority_date", _TEXT),
    ("family_id", _TEXT),
    ("extended_id", _TEXT),
    ("language", _TEXT),
    ("title", _TEXT),
    ("abstract", _TEXT),
    ("titles", _IN_LANGUAGES),
    ("abstracts", _IN_LANGUAGES),
    ("description", _TEXT),
    ("ipc", _TEXTS),
    ("cpc", _TEXTS),
    ("fi", _TEXTS),
    ("fterm", _TEXTS),
    ("applicants", _TEXTS),
    ("repairs", _TEXTS),
]
"""What sources tell of a document itself."""

PART_DOCUMENTS = pa.schema([*_TOLD, ("source", _TEXT), ("claims", pa.list_(CLAIM))])
PART_CITATIONS = pa.schema([("citations", pa.list_(CITATION))])
PART_KEYS = pa.schema(
    [
        ("number", _TEXT),
        ("country", _TEXT),
        ("date", _TEXT),
        ("application", _TEXT),
        ("priorities", _TEXTS),
        ("family", _TEXT),
        ("extended", _TEXT),
        ("overlay", pa.bool_()),
        ("position", pa.int64()),
        ("batch", _INT),
        ("place", _INT),
        ("size", pa.int64()),
        ("citations", _INT),
    ]
)
"""What the plan is made from; `position` counts a file's documents, `batch` and `place` find one in its part."""

DOCUMENTS = pa.schema(
    [
        pa.field("doc", _INT, nullable=False),
        ("number", _TEXT),
        pa.field("family", _INT, nullable=False),
        pa.field("extended", _INT, nullable=False),
        ("family_by", _TEXT),
        *_TOLD[1:],
        ("sources", _TEXTS),
    ]
)
CLAIMS = pa.schema(
    [
        pa.field("doc", _INT, nullable=False),
        ("number", _INT),
        ("language", _TEXT),
        ("kind", _TEXT),
        ("depends_on", pa.list_(_INT)),
        ("text", _TEXT),
    ]
)
CITATIONS = pa.schema(
    [
        pa.field("citing", _INT, nullable=False),
        ("cited", _INT),
        ("matched", _TEXT),
        ("cited_number", _TEXT),
        ("raw", _TEXT),
        ("patent", pa.bool_()),
        ("cited_by", _TEXT),
        ("category", _TEXT),
        ("phase", _TEXT),
        ("claims", pa.list_(_INT)),
        ("passages", _TEXT),
        ("date", _TEXT),
    ]
)
FAMILIES = pa.schema(
    [
        pa.field("family", _INT, nullable=False),
        pa.field("extended", _INT, nullable=False),
        pa.field("doc", _INT, nullable=False),
        ("document", _TEXT),
        ("family_by", _TEXT),
    ]
)
TABLES = {"documents": DOCUMENTS, "claims": CLAIMS, "citations": CITATIONS, "families": FAMILIES}
