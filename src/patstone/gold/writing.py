"""Writes a gold standard in the published layout: a tab-separated table, and its scope note beside it."""

from collections.abc import Mapping
from pathlib import Path

from patstone.files.streams import atomic, ensured_folder
from patstone.gold.labels import GoldStandard
from patstone.gold.reviews import View

HEADER = ("Class", "DocDB Family ID", "Serial no.", "Title", "Publication date")
_WORDS = {True: "positive", False: "negative"}


def write_labels(gold: GoldStandard, path: str | Path) -> Path:
    """A row for each publication; nothing is quoted, so that tabs and line ends in titles become spaces."""
    blank = ("",) * len(gold.numbers)
    rows = zip(gold.of.tolist(), gold.numbers, gold.titles or blank, gold.dates or blank, strict=True)
    # Where publications are the units, they have no family to name.
    families = gold.units if gold.unit == "family" else ("",) * len(gold)
    lines = [
        "\t".join(" ".join(cell.split()) for cell in (_WORDS[bool(gold.positive[unit])], families[unit], *rest))
        for unit, *rest in rows
    ]
    with atomic(path) as temporary:
        temporary.write_text("\n".join(["\t".join(HEADER), *lines, ""]), encoding="utf-8")
    if gold.scope:
        with atomic(Path(path).with_suffix(".txt")) as temporary:
            temporary.write_text(gold.scope + "\n", encoding="utf-8")
    return Path(path)


def write_views(views: Mapping[View, GoldStandard], folder: str | Path | None) -> dict[View, Path]:
    """One file for each view, named after it; none without a folder."""
    if folder is None:
        return {}
    place = ensured_folder(folder)
    return {view: write_labels(gold, place / f"{gold.name}.tsv") for view, gold in views.items()}
