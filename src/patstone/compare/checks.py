"""Options and scores that every comparison checks before it draws a single number."""

from collections.abc import Iterable

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.measures.scores import Scores


def require_count(owner: str, name: str, value: int, *, low: int = 1) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low:
        raise UsageError(f"The {name!r} option of {owner} must be an int in [{low}, inf). Got {value!r} instead.")


def require_fraction(owner: str, name: str, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating) or not 0 < value < 1:
        raise UsageError(f"The {name!r} option of {owner} must be a number in (0, 1). Got {value!r} instead.")


def require_choice(owner: str, name: str, value: str, choices: Iterable[str]) -> None:
    known = tuple(choices)
    if value not in known:
        raise UsageError(f"The {name!r} option of {owner} must be one of {', '.join(known)}. Got {value!r} instead.")


def require_comparable(owner: str, scores: Scores) -> None:
    """Two systems at least, each with a topic for each measure: an arm that never ran is not a worse arm."""
    if len(scores.systems) < 2:
        raise UsageError(f"{owner} needs at least two runs. Got {len(scores.systems)}.")
    empty = np.argwhere(scores.topics_counted == 0)
    if len(empty):
        system, measure = (int(index) for index in empty[0])
        raise DataError(
            f"{owner} needs a topic with a value for each run and measure; {scores.systems[system]!r} has none for "
            f"{scores.measures[measure]}: leave the run or the measure out, or count missing topics as zero."
        )
