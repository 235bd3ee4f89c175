"""The JSON that scripts rely on: `{"signature": …, "results": […], "counts": …, "warnings": […]}`.

It is strict JSON: what is undefined is null, never NaN. The module is not called json, so that nobody mistakes it for
the standard library's.
"""

from collections.abc import Iterable
from typing import Any

from patstone.measures.scores import Scores
from patstone.report.cells import Table
from patstone.report.notes import notes
from patstone.report.records import records
from patstone.report.signature import sign


def payload(tables: Iterable[Table], *, scores: Scores, seed: int | None = None) -> dict[str, Any]:
    """The rows of all tables, one number a row, under `results`; signatures by measure, counts by system."""
    # One signature a measure is enough in one object.
    found = [records(table).without("signature") for table in tables]
    results = found[0] if len(found) == 1 else [record for rows in found for record in rows]
    return {
        "signature": {str(measure): str(sign(scores, measure, seed=seed)) for measure in scores.measures},
        "results": results,
        "counts": {system: dict(counts) for system, counts in scores.counts.items()},
        "warnings": list(notes(scores)),
    }
