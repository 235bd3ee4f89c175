"""What is in a collection, as tables for people and rows for machines."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from patstone.cli.answer import Answer

if TYPE_CHECKING:
    from patstone.patents.collection.collection import Collection
    from patstone.report.cells import Table

SHOWN = 12
"""Values of each kind that people are shown; machines get all of them."""
_UNKNOWN = "(not told)"


def profile(collection: "Collection") -> Answer:
    manifest = collection.manifest
    counts = collection.counts
    return Answer(
        tables=[totals(collection), *(table for table in shares(counts))],
        data=[long(counts)],
        payload=lambda: {
            "signature": None,
            "results": [
                {"table": table, "by": by, "value": value, "rows": rows} for table, by, value, rows in groups(counts)
            ],
            "counts": {
                **counts["totals"],
                **counts["merged"],
                "rejected": manifest["rejected"]["records"],
                "repairs": manifest["repairs"],
            },
            "precedence": manifest["precedence"],
            "snapshot": manifest["snapshot"],
            "sources": manifest["sources"],
            "tables": manifest["tables"],
        },
        notes=tuple(notes(collection)),
    )


def groups(counts: Mapping[str, Any]) -> Iterator[tuple[str, str, str | None, int]]:
    """Every count: of which table, by what, for which value, how many rows; what no source tells has no value."""
    for table, several in counts["by"].items():
        for by, values in several.items():
            for value, rows in values.items():
                yield table, by, value or None, rows


def long(counts: Mapping[str, Any]) -> "Table":
    from patstone.report.cells import Column, Table

    keys = (Column(key="table"), Column(key="by"), Column(key="value"), Column(key="rows", kind="count"))
    return Table(title="", columns=keys, rows=tuple(groups(counts)), keys=3)


def totals(collection: "Collection") -> "Table":
    from patstone.report.cells import Column, Table

    merged = collection.counts["merged"]
    rows = [(name.replace("_", " "), count) for name, count in collection.counts["totals"].items()]
    rows += [(name.replace("_", " "), count) for name, count in merged.items() if count]
    rows.append(("rejected", collection.manifest["rejected"]["records"]))
    return Table(
        title=f"{collection.path.name}, as of {collection.manifest['snapshot'] or 'an unknown day'}",
        columns=(Column(key="what"), Column(key="count", kind="count")),
        rows=tuple(rows),
    )


def shares(counts: Mapping[str, Any]) -> "Iterator[Table]":
    """A table for each thing that rows are counted by, the most frequent values first; years in their order."""
    from patstone.report.cells import Column, Table

    for table, several in counts["by"].items():
        for by, values in several.items():
            if not any(values):
                continue
            ordered = sorted(values.items(), key=lambda pair: -pair[1])[:SHOWN]
            if by == "year":
                ordered.sort()
            more = len(values) - len(ordered)
            yield Table(
                title=f"{table} by {by.replace('_', ' ')}",
                columns=(Column(key=by), Column(key="rows", kind="count")),
                rows=tuple((value or _UNKNOWN, rows) for value, rows in ordered),
                notes=(f"and {more} more; --csv lists all",) if more else (),
            )


def notes(collection: "Collection") -> Iterator[str]:
    """What was dropped or mended on the way."""
    manifest, merged = collection.manifest, collection.counts["merged"]
    if rejected := manifest["rejected"]["records"]:
        listed = collection.path / "rejected.jsonl"
        yield f"files and documents that could not be read: {rejected:,}; {listed} lists them"
    for repair, documents in manifest["repairs"].items():
        yield f"documents mended ({repair}): {documents:,}"
    if lost := merged["overlays_without_document"]:
        yield f"applications in overlays that no document here comes from: {lost:,}; their citations were left out"
    if several := merged["applications_with_several_families"]:
        yield f"applications whose publications were given different families: {several:,}; each kept its own"
    if ambiguous := collection.counts["by"]["citations"]["matched"].get("ambiguous"):
        yield f"citations whose number stands for several inventions: {ambiguous:,}; they are not resolved"
