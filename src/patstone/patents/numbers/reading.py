"""What a text says as a number: its readings, and the one canonical form where there is exactly one."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["publication", "application"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    country: str
    """Two letters (WIPO ST.3); WO for applications under the PCT."""
    number: str
    """Without country and kind, in the office's canonical form; an application's has a slash in it."""
    kind: str
    """Such as B2; empty where neither the text nor the context says it."""
    role: Role
    date: str = ""
    """2018-07-03, 2018-07 or 2018; empty where neither the text nor the context says it."""

    @property
    def canonical(self) -> str:
        """US10012345B2; for an application, whose kind says nothing, US10/012345 or PCT/US2018/012345."""
        if self.role == "publication":
            return f"{self.country}{self.number}{self.kind}"
        # PCT/US1999/012345 carries its own country; WO before it would make a second spelling.
        return self.number if self.number.startswith("PCT/") else f"{self.country}{self.number}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Identified:
    input: str
    readings: tuple[Reading, ...]
    ambiguous: bool
    """Two readings or more; or one of a number that has visibly lost digits."""
    reason: str = ""
    """Why nothing can be read, or what the reading left out of account; empty where all is well."""

    @property
    def canonical(self) -> str:
        """Empty unless the text can be read in exactly one way."""
        return "" if self.ambiguous or not self.readings else self.readings[0].canonical
