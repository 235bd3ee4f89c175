"""A test collection of seven documents and two questions, small enough to rank by hand."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from patstone.gold import schemas
from patstone.gold.dataset import Dataset, open_dataset, write_card, write_documents, write_judgments, write_queries

DOCUMENTS: list[dict[str, Any]] = [
    {"id": "EP1A1", "date": "2001-05-02", "family": "F1", "title": "Battery separator", "abstract": "a separator film"},
    {"id": "EP2B1", "date": "2002-05-02", "family": "F2", "title": "Battery case", "abstract": "a case with a valve"},
    {"id": "JP3A", "date": "2003-05", "family": "F3", "title": "Valve", "abstract": "a relief valve for a battery"},
    {"id": "US4B2", "date": "2004-05-02", "family": "F4", "title": "Wind rotor", "abstract": "a rotor blade with ice"},
    {"id": "US5B2", "date": "2011-05-02", "family": "F2", "title": "Battery case", "abstract": "a case with a valve"},
    {
        "id": "US6B2",
        "date": "2012-01-01",
        "family": "F6",
        "title": "Separator and valve",
        "abstract": "separator valve",
    },
    {"id": "US7B2", "date": None, "family": None, "title": "Heated blade", "abstract": "a heated blade without ice"},
]
QUERIES: list[dict[str, Any]] = [
    {
        "topic": "US6B2",
        "document": "US6B2",
        "country": "US",
        "date": "2012-01-01",
        "priority": "2010-03-01",
        "family": "F6",
        "title": "Separator and valve",
        "abstract": "A battery has a separator and a valve.",
        "description": "A valve opens. The separator of the battery is a film. The film is thin.",
        "claims": [
            {"number": 1, "text": "A battery comprising a separator.", "independent": True},
            {"number": 2, "text": "The battery of claim 1, further comprising a valve.", "independent": False},
        ],
    },
    {
        "topic": "W1",
        "priority": None,
        "title": "De-icing",
        "abstract": "A rotor blade is heated.",
        "claims": [{"number": 1, "text": "A heated rotor blade.", "independent": True}],
    },
]
JUDGMENTS: list[dict[str, Any]] = [
    {"topic": "US6B2", "claim": "1", "document": "EP1A1", "grade": 2.0, "invention": "F1"},
    {"topic": "US6B2", "claim": "2", "document": "EP2B1", "grade": 1.0, "invention": "F2"},
    {"topic": "US6B2", "claim": "2", "document": "JP3A", "grade": 2.0, "invention": "F3"},
    {"topic": "W1", "claim": "1", "document": "US4B2", "grade": 1.0, "invention": "F4"},
    {"topic": "W1", "claim": "1", "document": "US7B2", "grade": 2.0, "invention": None},
]


def rows(records: list[dict[str, Any]], schema: pa.Schema) -> list[pa.RecordBatch]:
    return [pa.RecordBatch.from_pylist(records, schema=schema)]


def write(folder: Path, *, claims: bool = True) -> Dataset:
    """The collection as a folder; `claims` says whether single claims are judged."""
    folder.mkdir(exist_ok=True)
    documents = [{"country": one["id"][:2], "language": "en", **one} for one in DOCUMENTS]
    write_documents(folder, rows(documents, schemas.DOCUMENTS))
    write_queries(folder, rows(QUERIES, schemas.QUERIES))
    judged = rows(JUDGMENTS, schemas.JUDGMENTS)
    write_judgments(folder, judged)
    if claims:
        write_judgments(folder, judged, of_claims=True)
    write_card(folder, {"name": "small", "licence": "CC0-1.0"})
    return open_dataset(folder)
