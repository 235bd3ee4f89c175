"""What a classifier said: a label, a score, or both, for publications or for families.

A score is whatever grows with the classifier's belief that a publication belongs to the topic: a probability or a
margin. Nothing is folded, matched or decided here: that is done by named rules in `patstone.measures.classified`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.header import Wanted
from patstone.files.tables import Table, read_table
from patstone.gold.labels import LABEL_COLUMNS, label_of
from patstone.systems.sources import stem

_DOCUMENT = next(column for column in LABEL_COLUMNS if column.name == "document")
_FAMILY = next(column for column in LABEL_COLUMNS if column.name == "family")
PREDICTION_COLUMNS = (
    Wanted(name="document", synonyms=_DOCUMENT.synonyms, required=False),
    Wanted(name="family", synonyms=_FAMILY.synonyms, required=False, blank=True),
    Wanted(
        name="score",
        synonyms=("probability", "proba", "margin", "decision_function", "confidence"),
        kind="number",
        required=False,
    ),
    Wanted(
        name="label",
        synonyms=("prediction", "predicted", "predicted_label", "predicted_class", "class", "decision"),
        kind="text",
        required=False,
    ),
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Predictions:
    name: str
    ids: tuple[str, ...]
    """Publications or families, as the source writes them; one may come again."""
    labels: NDArray[np.bool_] | None = None
    scores: NDArray[np.float64] | None = None
    path: str | None = None
    lines: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, answers: Mapping[str, float | bool], *, name: str = "classifier") -> "Predictions":
        """Build from {publication or family: score}, or from booleans for labels."""
        told = list(answers.values())
        if all(isinstance(value, bool) for value in told):
            return cls(name=name, ids=tuple(answers), labels=np.array(told, dtype=np.bool_))
        return cls(name=name, ids=tuple(answers), scores=np.array(told, dtype=np.float64))

    def refuse(self, rule: str, row: int) -> DataError:
        return DataError(rule, path=self.path, line=self.lines[row] if self.lines else None, value=self.ids[row])


def read_predictions(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
) -> Predictions:
    """Read a table of answers; rows are named by publication where there is such a column, else by family."""
    table = read_table(path, PREDICTION_COLUMNS, columns=columns, format=format)
    named = next((name for name in ("document", "family") if name in table.columns), None)
    if named is None:
        raise DataError("Predictions need a column of publications or of families.", path=table.path, line=1)
    if not {"score", "label"} & set(table.columns):
        raise DataError("Predictions need a column of labels or of scores.", path=table.path, line=1)
    return Predictions(
        name=stem(path),
        ids=tuple(ids.texts(table.columns[named])),
        labels=_labels(table),
        scores=_scores(table),
        path=table.path,
        lines=tuple(table.lines.tolist()),
        notes=table.notes,
    )


def _labels(table: Table) -> NDArray[np.bool_] | None:
    if "label" not in table.columns:
        return None
    return np.array([label_of(table, row, text) for row, text in enumerate(table.columns["label"])], dtype=np.bool_)


def _scores(table: Table) -> NDArray[np.float64] | None:
    scores: NDArray[np.float64] | None = table.columns.get("score")
    wrong = [] if scores is None else np.flatnonzero(~np.isfinite(scores)).tolist()
    if scores is not None and wrong:
        raise table.refuse("A score must be a finite number.", wrong[0], float(scores[wrong[0]]))
    return scores
