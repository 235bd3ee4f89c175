"""The columns of a test collection's tables: what `patstone build` writes and `patstone search` reads.

Ids are canonical numbers, such as US10012345B2. A date is `2018-07-03`, or `2018-07` or `2018` where no more is
known, or null. A family is null where none is known. Texts are null where the source has none. Further columns may
stand beside these and are not looked at; of these, only the ones that are not nullable must be there.
"""

import pyarrow as pa

CLAIM = pa.struct(
    [
        pa.field("number", pa.int32()),
        pa.field("text", pa.string()),
        # Null where nobody could tell.
        pa.field("independent", pa.bool_()),
    ]
)
_PUBLISHED = [
    pa.field("application", pa.string()),
    pa.field("country", pa.string()),
    pa.field("kind", pa.string()),
    pa.field("date", pa.string()),
]
_TEXTS = [
    # Two lower-case letters (ISO 639-1).
    pa.field("language", pa.string()),
    pa.field("title", pa.string()),
    pa.field("abstract", pa.string()),
    pa.field("description", pa.string()),
    pa.field("claims", pa.list_(CLAIM)),
]
# What can be found: ordered by country, then date, then id.
DOCUMENTS = pa.schema(
    [pa.field("id", pa.string(), nullable=False), *_PUBLISHED, pa.field("family", pa.string()), *_TEXTS]
)
# What is asked, in the order of topics.
QUERIES = pa.schema(
    [
        # The name of the question, which judgments and runs go by; mostly the document's id.
        pa.field("topic", pa.string(), nullable=False),
        pa.field("document", pa.string()),
        *_PUBLISHED,
        # The earliest date that this document can claim: nothing published later is prior art.
        pa.field("priority", pa.string()),
        pa.field("family", pa.string()),
        # train, dev or test, where the collection is split.
        pa.field("split", pa.string()),
        *_TEXTS,
    ]
)
# Who stands in which cluster, and why: one row for each topic and document.
CLUSTERS = pa.schema(
    [
        pa.field("topic", pa.string(), nullable=False),
        pa.field("document", pa.string(), nullable=False),
        pa.field("family", pa.string()),
        # base, own (its application and family, never scored), cited, or family (of a cited one).
        pa.field("role", pa.string()),
        # X, Y, A, … of the citation, and the grade made of it.
        pa.field("category", pa.string()),
        pa.field("grade", pa.float64()),
        # The claims that the citation speaks to.
        pa.field("claims", pa.list_(pa.int32())),
    ]
)
# Rows that `write_judgments` takes; the claim's number as text, null in judgments of whole documents.
JUDGMENTS = pa.schema(
    [
        pa.field("topic", pa.string(), nullable=False),
        pa.field("claim", pa.string()),
        pa.field("document", pa.string(), nullable=False),
        pa.field("grade", pa.float64()),
        pa.field("invention", pa.string()),
    ]
)
