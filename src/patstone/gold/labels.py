"""A gold standard of labels: which families, or single publications, belong to a topic and which do not.

A row is a publication with its family and label, as gold standards are published (Class, DocDB Family ID, Serial no.,
Title, Publication date); without a column of families every publication is a unit of its own. What is wrong with the
rows is kept as findings and settled by a named policy, never by silence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.header import Wanted
from patstone.files.tables import Table, read_table
from patstone.gold.findings import Finding, Severity
from patstone.gold.written import date_findings, number_findings
from patstone.patents.families import COLUMNS as FAMILY_COLUMNS

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Conflicts = Literal["drop", "positive", "negative"]
"""What becomes of a unit that is labelled both ways."""

LABEL_COLUMNS = (
    Wanted(name="label", synonyms=("class", "topic", "judgment", "judgement", "relevant", "positive"), kind="text"),
    Wanted(name="family", synonyms=FAMILY_COLUMNS[1].synonyms, required=False, blank=True),
    Wanted(
        name="document",
        synonyms=("serial_no", "serial_number", "number", *FAMILY_COLUMNS[0].synonyms),
        required=False,
    ),
    Wanted(name="title", synonyms=("text",), kind="text", required=False, blank=True),
    Wanted(name="date", synonyms=("publication_date", "published"), kind="text", required=False, blank=True),
)
_NO_FAMILY = {"", "0", "-1"}
# What databases write where they have no title.
_NO_TITLE = {"", "null", "none", "nan", "n/a", "-", "untitled", "[no title]", "no title"}
# fmt: off
_POSITIVE = frozenset((
    "+", "1", "1.0", "y", "yes", "t", "true", "p", "pos", "positive", "relevant", "in", "member",
    "j", "ja", "o", "oui", "s", "si", "sí", "да", "д", "是", "はい",
))
_NEGATIVE = frozenset((
    "-", "−", "0", "0.0", "n", "no", "f", "false", "neg", "negative", "irrelevant", "not relevant", "out",
    "nein", "non", "нет", "н", "否", "いいえ",
))
# fmt: on


@dataclass(frozen=True, eq=False, kw_only=True)
class GoldStandard:
    name: str
    unit: Literal["family", "publication"]
    units: tuple[str, ...]
    """What is judged, in the order of its first rows."""
    positive: Bools
    numbers: tuple[str, ...]
    """Publications as the source writes them, one a row."""
    of: Ints
    """For each publication: its unit."""
    titles: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    """For each publication: its line (of a text), row (of a sheet) or record in the source, from 1."""
    scope: str = ""
    """What belongs to the topic and what does not, in words."""
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know about the reading."""

    def __len__(self) -> int:
        return len(self.units)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Each unit's different titles, one a line, letters folded: what a classifier of titles reads."""
        told: list[dict[str, None]] = [{} for _ in self.units]
        for unit, title in zip(self.of.tolist(), self.titles, strict=True):
            told[unit][" ".join(title.casefold().split())] = None
        return tuple("\n".join(filter(None, titles)) for titles in told)

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits of units, labels and publications; the order of the rows does not count."""
        from patstone.files.fingerprint import hexed, sums

        unit = ids.hashed(list(ids.words(ids.pack(self.units)).T), 1)
        judged = ids.hashed([unit], self.positive.astype(np.uint64))
        member = ids.hashed([unit[self.of], *ids.words(ids.pack(self.numbers)).T], 2)
        return hexed([*sums(judged), *sums(member)])


def read_labels(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    scope: str | Path | None = None,
    conflicts: Conflicts = "drop",
    strict: bool = False,
) -> GoldStandard:
    """Read a table of labels; the scope note is the text file beside it unless `scope` names another.

    `conflicts` settles what a unit labelled both ways is; with `strict` the first finding is raised, errors first.
    """
    table = read_table(path, LABEL_COLUMNS, columns=columns, format=format)
    if not {"family", "document"} & set(table.columns):
        raise DataError("A gold standard needs a column of publications or of families.", path=table.path, line=1)
    gold = _Rows(table).settled(conflicts, scope=read_scope(path, scope))
    if strict and gold.findings:
        # Stable, so that among errors the first one found stays the first.
        wrong = min(gold.findings, key=lambda finding: finding.severity != "error")
        raise DataError(wrong.message, path=table.path, line=wrong.rows[0])
    return gold


def read_scope(path: str | Path, scope: str | Path | None = None) -> str:
    """The words that say what belongs to the topic; empty where there are none."""
    from patstone.files.streams import rewindable
    from patstone.files.text import read_text

    beside = Path(path).with_suffix(".txt")
    if scope is None and (beside == Path(path) or not beside.is_file()):
        return ""
    return read_text(rewindable(beside if scope is None else scope)).strip()


class _Rows:
    """The rows of a table of labels while they are sorted into units."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.families, self.numbers = self._named("family"), self._named("document")
        self.unit: Literal["family", "publication"] = "family" if self.families else "publication"
        self.numbers = self.numbers or self.families
        self.names = [self._unit(row) for row in range(len(table))]
        self.labels = [label_of(table, row, text) for row, text in enumerate(table.columns["label"])]

    def settled(self, conflicts: Conflicts, *, scope: str) -> GoldStandard:
        kept, repeated = self._each_once()
        labels: dict[str, set[bool]] = {}
        for row in kept:
            labels.setdefault(self.names[row], set()).add(self.labels[row])
        torn = {name for name, found in labels.items() if len(found) > 1}
        units = {name: place for place, name in enumerate(n for n in labels if conflicts != "drop" or n not in torn)}
        rows = [row for row in kept if self.names[row] in units]
        return GoldStandard(
            name=Path(self.table.path).name.partition(".")[0],
            unit=self.unit,
            units=tuple(units),
            positive=np.array([conflicts == "positive" if n in torn else True in labels[n] for n in units], np.bool_),
            numbers=tuple(self.numbers[row] for row in rows),
            of=np.array([units[self.names[row]] for row in rows], dtype=np.int64),
            titles=self._told("title", rows),
            dates=self._told("date", rows),
            lines=tuple(self.table.lines[rows].tolist()),
            scope=scope,
            findings=(*self._torn(torn, kept, conflicts), *repeated, *self._blank(), *self._misread()),
            notes=self.table.notes,
        )

    def _named(self, column: str) -> list[str]:
        return ids.texts(self.table.columns[column]) if column in self.table.columns else []

    def _told(self, column: str, rows: Sequence[int]) -> tuple[str, ...]:
        told = self.table.columns.get(column)
        return tuple("" if told is None else str(told[row]).strip() for row in rows)

    def _unit(self, row: int) -> str:
        # Grouping by an empty family, 0 or -1 would join strangers.
        alone = not self.families or self.families[row] in _NO_FAMILY
        return self.numbers[row] if alone else self.families[row]

    def _each_once(self) -> tuple[list[int], list[Finding]]:
        """The rows that say something new, and what is wrong with the others."""
        first: dict[str, int] = {}
        kept, again, moved = [], [], []
        for row, number in enumerate(self.numbers):
            before = first.setdefault(number, row)
            if before == row or self.numbers is self.families:
                kept.append(row)
            elif self.names[before] != self.names[row]:
                moved.append(self._two_families(before, row))
            else:
                again.append(row)
                # A label that changes is a conflict of the unit, and must be seen there.
                kept += [row] if self.labels[before] != self.labels[row] else []
        told = f"{len(again)} rows repeat a publication of the same family; each counts once."
        return kept, [*moved, *self._finding("duplicate-publication", "warning", again, told)]

    def _two_families(self, before: int, row: int) -> Finding:
        said = f"Publication {self.numbers[row]!r} is in families {self.names[before]!r} and {self.names[row]!r}"
        return self._finding("two-families", "error", [before, row], f"{said}; it counts in the first.")[0]

    def _torn(self, torn: set[str], kept: Sequence[int], conflicts: Conflicts) -> list[Finding]:
        members: dict[str, list[int]] = {}
        for row in kept:
            if self.names[row] in torn:
                members.setdefault(self.names[row], []).append(row)
        settled = "left out" if conflicts == "drop" else f"counted as {conflicts}"
        return [
            self._finding(
                "label-conflict", "error", rows, f"The {self.unit} {name!r} is labelled both ways; it is {settled}."
            )[0]
            for name, rows in members.items()
        ]

    def _blank(self) -> list[Finding]:
        lone = [row for row, name in enumerate(self.families) if name in _NO_FAMILY]
        titles = self.table.columns.get("title", ())
        empty = [row for row, title in enumerate(titles) if str(title).strip().casefold() in _NO_TITLE]
        return [
            *self._finding(
                "no-family", "warning", lone, f"{len(lone)} publications have no family; each stands alone."
            ),
            *self._finding("empty-title", "warning", empty, f"{len(empty)} publications have no title."),
        ]

    def _misread(self) -> list[Finding]:
        """Numbers and dates that can't be what they should be; ids of families alone are no numbers."""
        lines = self.table.lines.tolist()
        dates = [str(date).strip() for date in self.table.columns.get("date", [""] * len(lines))]
        if "document" not in self.table.columns:
            return date_findings(dates, lines)
        return [*number_findings(self.numbers, dates, lines), *date_findings(dates, lines)]

    def _finding(self, rule: str, severity: Severity, rows: Sequence[int], message: str) -> list[Finding]:
        lines = tuple(self.table.lines[list(rows)].tolist())
        return [Finding(rule=rule, severity=severity, rows=lines, message=message)] if lines else []


def is_label(text: str) -> bool:
    """Whether a word says yes or no."""
    return text.strip().casefold() in _POSITIVE | _NEGATIVE


def label_of(table: Table, row: int, text: str) -> bool:
    """Whether the word in a table's row says yes; what says neither yes nor no is refused by its line."""
    word = text.strip().casefold()
    if not is_label(word):
        raise table.refuse("A label is positive or negative (also yes or no, 1 or 0).", row, text)
    return word in _POSITIVE
