"""What is wrong with a gold standard, or worth knowing: a rule, how bad it is, the rows, and a sentence."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    rule: str
    """A stable name, such as label-conflict."""
    severity: Severity
    rows: tuple[int, ...]
    """Lines of a text, rows of a sheet or records, from 1."""
    message: str
