"""What a gold standard is, told by its columns: this decides which task `patstone score` and `compare` do.

A table that labels publications or families and has no column of topics is a gold standard of labels. Where the names
of the columns would also do for classes of patents, the first cell decides: a label is yes, positive and their like.
Everything else holds judgments of answers to topics, or of classes of patents.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from patstone.files.formats import FORMATS, format_of, split_sheet
from patstone.files.header import Wanted, has, plain
from patstone.gold.sources import CLASSES, PATENT, TOPIC

Kind = Literal["judgments", "labels"]
# `topic` names a column of labels only where somebody says so: elsewhere it is what judgments are grouped by.
_LABEL = Wanted(
    name="label", synonyms=("class", "judgment", "judgement", "relevant", "positive"), kind="text", blank=True
)


def kind_of(
    gold: object,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
) -> Kind:
    """The kind of a gold standard; an object is what its type says, and a stream, which can be read once, judgments."""
    from patstone.gold.labels import GoldStandard

    if isinstance(gold, GoldStandard):
        return "labels"
    named = {key.rpartition(".")[2]: name for key, name in (columns or {}).items() if not key.startswith("run.")}
    chosen = format or format_of(gold) if isinstance(gold, str | Path) else None
    if {"topic", "patent", "classes"} & set(named) or chosen not in FORMATS.values() or str(gold) == "-":
        return "judgments"
    assert isinstance(gold, str | Path)
    from patstone.files.tables import header_of

    header = header_of(gold, format=chosen)
    if "label" in named:
        return "labels"
    if not has(header, _LABEL) or has(header, TOPIC):
        return "judgments"
    return "labels" if not _like_classes(header) or _says_yes_or_no(gold, chosen) else "judgments"


def _like_classes(header: Sequence[str]) -> bool:
    return has(header, PATENT) and has(header, CLASSES)


def _says_yes_or_no(path: str | Path, format: str | None) -> bool:  # noqa: A002
    """Whether the first cell in the column of labels is a word for yes or no."""
    from patstone.gold.labels import is_label

    return is_label(_first_cell(path, format))


def _first_cell(path: str | Path, format: str | None) -> str:  # noqa: A002
    from patstone.errors import DataError
    from patstone.files.rows import read_rows
    from patstone.files.streams import rewindable
    from patstone.files.tables import read_table

    def place(header: Sequence[str], _line: int) -> dict[str, int]:
        names = {plain(name): at for at, name in reversed(list(enumerate(header)))}
        return {"label": next(names[name] for name in (_LABEL.name, *_LABEL.synonyms) if name in names)}

    if format in ("json", "jsonl"):
        return str(read_table(path, [_LABEL], format=format).columns["label"][0])
    first = next(read_rows(rewindable(split_sheet(path)[0]), place, format=str(format)), None)
    # A row that can't be read is for the reader of the whole table to refuse.
    return "" if first is None or isinstance(first, DataError) else str(first[1]["label"])
