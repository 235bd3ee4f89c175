"""Small sources of our own as files, and the collections made of them, for tests."""

import json
from pathlib import Path
from typing import Any

import patstone as ps

Row = dict[str, Any]


def table(path: Path, *rows: Row) -> Path:
    """A table of documents as JSON Lines; one column alone would not tell that it is one."""
    path.write_text("".join(json.dumps({"filed": "", **row}) + "\n" for row in rows))
    return path


def made(folder: Path, *sources: list[Row], **words: Any) -> ps.Collection:
    """The collection of tables, the first of which has precedence."""
    paths = [table(folder / f"{place}.jsonl", *rows) for place, rows in enumerate(sources)]
    return ps.convert(paths, folder / "collection", **words)


def rows(collection: ps.Collection, name: str, *columns: str) -> list[Any]:
    """The rows of a table, or the values of its one column."""
    found = collection.table(name, list(columns) or None).to_pylist()
    return [row[columns[0]] for row in found] if len(columns) == 1 else found


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def grants(folder: Path, count: int, each: int = 3) -> list[Path]:
    """Tables of made-up grants that cite each other and come last to first."""
    return [
        table(
            folder / f"week{week}.jsonl",
            *(
                {
                    "number": f"US{7_000_000 + (count - week) * each - place - 1}B2",
                    "date": f"2010-{1 + (week + place) % 12:02}-05",
                    "priorities": [f"US12/{(week + place) % 9:06}"],
                    "title": f"Part {week}/{place}",
                    "description": f"Some words on part {place} of week {week}. " * 50,
                    "claims": [{"number": 1, "text": "A part."}, {"number": 2, "text": "The part of claim 1."}],
                    "examiner_citations": [f"US{7_000_000 + place}B2", "US1234567A"],
                }
                for place in range(each)
            ),
        )
        for week in range(count)
    ]
