"""The golden shapes: a pattern in which a small letter is any digit, and readings in the same letters."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden/patents/numbers.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Shape:
    office: str
    """Empty where the text names it itself."""
    pattern: str
    kind: str
    date: str
    readings: tuple[str, ...]
    made_up: str

    def expected(self, text: str) -> list[str] | None:
        """What a text of this shape must be read as; None where it is of another."""
        # Capitals and digits stand for themselves.
        whole = re.sub("[a-z]", lambda letter: rf"(?P<{letter[0]}>\d)", re.escape(self.pattern))
        found = re.fullmatch(whole, text)
        if found is None:
            return None
        return [re.sub("[a-z]", lambda letter: found[letter[0]], reading) for reading in self.readings]


SHAPES = [
    Shape(office, pattern, kind, date, tuple(readings), made_up)
    for office, pattern, kind, date, readings, made_up in GOLDEN["shapes"]
]
