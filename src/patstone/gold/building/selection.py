"""What goes into a test collection: which patents are base documents, and which citations make their clusters.

Each filter is a name and a condition in SQL, in the order in which they are applied and counted, so that an empty
result can be told by the filter that emptied it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from patstone.errors import UsageError, shorten

Before = Literal["priority", "filing", "publication", "any"]
CitedBy = Literal["auto", "examiner", "applicant", "third-party", "unknown", "any"]
Split = Literal["none", "time", "family"]
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")
_CLASS = re.compile(r"[0-9A-Z][0-9A-Z/,@.]*")
_LIMITS: dict[str, str] = {
    "priority": "coalesce(priority_date, filed, date)",
    "filing": "coalesce(filed, date)",
    "publication": "date",
    "any": "CAST(NULL AS VARCHAR)",
}


@dataclass(frozen=True, kw_only=True)
class Selection:
    office: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    from_: str | None = None
    to: str | None = None
    classes: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    cited_by: tuple[CitedBy, ...] = ("auto",)
    before: Before = "priority"
    claims: bool = False
    """Only citations that say which claims they speak to."""
    sample: int | None = None
    seed: int = 0
    split: Split = "none"

    def __post_init__(self) -> None:
        for name, allowed in (("before", Before), ("split", Split)):
            _among(name, [getattr(self, name)], get_args(allowed))
        _among("cited_by", self.cited_by, get_args(CitedBy))
        if self.sample is not None and self.sample < 1:
            raise UsageError(f"A sample must be an int in [1, inf). Got {self.sample} instead.")
        for date in filter(None, (self.from_, self.to)):
            if not _DATE.fullmatch(date):
                raise UsageError(f"A date is written 2018, 2018-07 or 2018-07-03. Got {shorten(repr(date))}.")
        for symbol in self.classes:
            if not _CLASS.fullmatch(symbol):
                raise UsageError(f"A class is the beginning of a symbol, such as G06F16. Got {shorten(repr(symbol))}.")

    @property
    def limit(self) -> str:
        """The date that relevant documents must be older than, in SQL."""
        return _LIMITS[self.before]

    def filters(self) -> dict[str, tuple[str, list[Any]]]:
        """The condition of each filter that was asked for, and its values, for base documents."""
        found: dict[str, tuple[str, list[Any]]] = {}
        for name, column, values in (("office", "country", self.office), ("kinds", "kind", self.kinds)):
            if values:
                found[name] = (f"coalesce({column} IN (SELECT unnest(?)), false)", [list(values)])
        if self.from_:
            found["from"] = ("coalesce(date >= ?, false)", [self.from_])
        if self.to:
            # A month or a year that is named as the end belongs to it with all its days.
            found["to"] = ("coalesce(date[:length(?)] <= ?, false)", [self.to, self.to])
        if self.classes:
            pattern = f"(^| )({'|'.join(map(re.escape, self.classes))})"
            listed = " || ' ' || ".join(
                f"array_to_string(coalesce({name}, []), ' ')" for name in ("cpc", "ipc", "fi", "fterm")
            )
            found["class"] = (f"regexp_matches({listed}, ?)", [pattern])
        if self.language:
            found["language"] = ("coalesce(language IN (SELECT unnest(?)), false)", [list(self.language)])
        return found

    def searched(self) -> tuple[str, list[Any]]:
        """The condition on documents that can be relevant: those of the offices and languages asked for."""
        asked = [one for name, one in self.filters().items() if name in ("office", "language")]
        condition = " AND ".join(condition for condition, _ in asked) or "true"
        return condition, [value for _, values in asked for value in values]

    def usable(self) -> str:
        """The condition on who cited, in SQL; `told` says whether the source tells who cites in a document."""
        if "any" in self.cited_by:
            return "true"
        if "auto" in self.cited_by:
            # Where nobody says who cited, every citation stands; where someone does, only the examiner's are judgments.
            return "cited_by = 'examiner' OR NOT told"
        return "cited_by IN ({})".format(", ".join(f"'{one}'" for one in self.cited_by))

    def shown(self) -> dict[str, Any]:
        """All of it for the card."""
        return {field.name.rstrip("_"): _plain(getattr(self, field.name)) for field in fields(self)}


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    return list(value) if isinstance(value, tuple) else value


def _among(name: str, given: Sequence[str], allowed: Sequence[str]) -> None:
    wrong: Iterator[str] = (one for one in given if one not in allowed)
    if (first := next(wrong, None)) is not None:
        raise UsageError(f"{name} is one of {', '.join(allowed)}. Got {shorten(repr(first))}.")
