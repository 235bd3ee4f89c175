"""What a file's name says of its format, known without the readers, which take time to load."""

import os
from pathlib import Path

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
}
COMPRESSED = (".gz", ".zst")


def format_of(path: str | Path) -> str | None:
    """The format that the name's ending tells, if it tells one."""
    name, _ = split_sheet(path)
    return FORMATS.get(suffix(name))


def suffix(path: str | Path) -> str:
    """The last ending of the name, not counting that of a compression."""
    parts = Path(path)
    return (Path(parts.stem) if parts.suffix.lower() in COMPRESSED else parts).suffix.lower()


def split_sheet(path: str | Path) -> tuple[str, str | None]:
    """Split workbook.xlsx#Sheet; a file that has the whole as its name keeps it."""
    text = str(path)
    marks = [place for place, letter in enumerate(text) if letter == "#" and _is_workbook(text[:place])]
    # Path.exists would raise for a name that is too long.
    if not marks or os.path.exists(text):  # noqa: PTH110
        return text, None
    return text[: marks[0]], text[marks[0] + 1 :]


def _is_workbook(path: str) -> bool:
    return FORMATS.get(suffix(path)) == "xlsx"
