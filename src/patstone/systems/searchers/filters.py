"""Which documents may answer a question: published in time, by the offices wanted, not the asker's own family.

Nothing published on or after the question's date is prior art to it. A document of which only the month or the year is
known counts as published on its last day, and one without a date is left out wherever there is a date to compare
with: to let it in could be a leak. A question without a date is not limited by it; how many are so is counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from patstone.systems.searchers.formulation import Question
    from patstone.systems.searchers.index import Shelf

Before = Literal["priority", "publication", "any"]


@dataclass(frozen=True, kw_only=True)
class Filters:
    before: Before = "priority"
    """Which date of the question limits the documents' dates of publication."""
    offices: tuple[str, ...] = ()
    """Countries whose documents may answer; all of them when empty."""
    self: Literal["family", "document", "keep"] = "family"
    """What of the asker's own is left out."""

    def date(self, question: "Question") -> int:
        """The first day that is too late, as YYYYMMDD; 0 for no limit."""
        return {"priority": question.priority, "publication": question.date, "any": 0}[self.before]

    def allowed(self, question: "Question", shelf: "Shelf") -> NDArray[np.bool_] | None:
        """For each document whether it may answer; None when all may."""
        conditions = [np.isin(shelf.countries, self.offices)] if self.offices else []
        if limit := self.date(question):
            conditions.append((shelf.dates > 0) & (shelf.dates < limit))
        if self.self != "keep":
            conditions.append(shelf.docs != question.own)
        if self.self == "family" and question.family:
            conditions.append(shelf.families != question.family)
        return np.logical_and.reduce(conditions) if conditions else None

    def notes(self, questions: "Sequence[Question]", shelf: "Shelf") -> list[str]:
        """What the filters could not tell."""
        undated = sum(not self.date(one) for one in questions) if self.before != "any" else 0
        unknown = int((shelf.dates == 0).sum()) if self.before != "any" else 0
        alone = sum(not one.family for one in questions) if self.self == "family" else 0
        said = {
            "questions without a date of {}, answered by documents of any date": undated,
            "documents without a date, left out where a question has one": unknown,
            "questions without a family, of which only the document itself is left out": alone,
        }
        return [f"{text.format(self.before)}: {count:,}" for text, count in said.items() if count]
