"""What can go wrong, as one tree; each branch has the exit code that the command line ends with.

PatstoneError
├── CheckFailed    1   a check that the user asked for did not pass
├── UsageError     2   the call is wrong: an unknown measure, an option out of its range
├── DataError      3   the data are wrong: names file, line, rule and value
└── MissingExtra   4   an optional part is not installed; the message is its install command
"""

from pathlib import Path
from typing import ClassVar


class PatstoneError(Exception):
    exit_code: ClassVar[int] = 1


class CheckFailed(PatstoneError):
    exit_code = 1


class UsageError(PatstoneError):
    exit_code = 2


class DataError(PatstoneError):
    """`rule` says what should hold, `value` what was found; `line` counts from 1."""

    exit_code = 3

    def __init__(
        self,
        rule: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        value: object = None,
    ) -> None:
        self.rule, self.path, self.line, self.value = rule, path, line, value
        place = "".join([f"{path}: " if path is not None else "", f"line {line}: " if line is not None else ""])
        found = f" Got {shorten(repr(value))}." if value is not None else ""
        super().__init__(f"{place}{rule}{found}")


class MissingExtra(PatstoneError):
    exit_code = 4

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'patstone[{extra}]'")


def shorten(text: str, limit: int = 120) -> str:
    """A hostile value must not flood the terminal."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
