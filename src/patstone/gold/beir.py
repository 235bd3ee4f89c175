"""BEIR folders: judgments are in qrels/SPLIT.tsv; the test split is read unless FOLDER#SPLIT names another."""

import os
from pathlib import Path

from patstone.errors import DataError

_ENDINGS = (".tsv", ".tsv.gz", ".tsv.zst")


def judgments(path: str | Path) -> Path | None:
    """The file of judgments in a BEIR folder; None where the path is not a folder."""
    folder, split = str(path), None
    if not _is_folder(folder):
        folder, mark, split = folder.rpartition("#")
        if not mark or not _is_folder(folder):
            return None
    found = {
        file.name.split(".")[0]: file for file in sorted(Path(folder).glob("qrels/*")) if file.name.endswith(_ENDINGS)
    }
    if not found:
        raise DataError("A folder must be in BEIR layout, with qrels/test.tsv; this one has no such file.", path=folder)
    first = next(iter(found))
    split = split or (first if len(found) == 1 else "test")
    if split not in found:
        rule = f"The folder has no split {split!r}; name one of {', '.join(found)}, as in {folder}#{first}."
        raise DataError(rule, path=folder)
    return found[split]


def _is_folder(path: str) -> bool:
    # Path.is_dir would raise for a name that is too long.
    return os.path.isdir(path)  # noqa: PTH112
