"""Columns of numbers: grouped by shape, so that what a shape means is found once, and its numbers go by arrays.

A group is what shares shape, country and kind: its texts are one matrix of bytes, the numbers in them are columns of
it, and a plan's bounds and years are compared for all at once. Groups too small to gain from that, and texts that
ASCII can't hold, go through `identify` one by one; either way says exactly the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from patstone.errors import UsageError
from patstone.patents.numbers.identify import country_of, day_of, identify, is_received, kind_of
from patstone.patents.numbers.plan import LAST_YEAR, Choice, Field, Plan, plan
from patstone.patents.numbers.reading import Identified
from patstone.patents.numbers.text import clean, shape_of, spotted

Values = NDArray[np.int64]
# Below this, a plan's arrays take longer to set up than its texts to read.
_FEW = 12


@dataclass(frozen=True, eq=False, kw_only=True)
class Columns:
    texts: Sequence[str]
    countries: Sequence[str]
    kinds: Sequence[str]
    dates: Sequence[str]
    role: str
    canonical: NDArray[np.object_]
    """Empty where a text can't be read without a guess."""
    readings: NDArray[np.int64]
    """How many there are of each."""
    ambiguous: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, row: int) -> Identified:
        """All about one of them."""
        return identify(
            self.texts[row], country=self.countries[row], kind=self.kinds[row], date=self.dates[row], role=self.role
        )


def identify_all(
    texts: Sequence[str],
    *,
    countries: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    dates: Sequence[str] | None = None,
    role: str = "",
) -> Columns:
    """Read a column of numbers, with columns of context where there are any."""
    columns = [_column(given, len(texts)) for given in (countries, kinds, dates)]
    size = len(texts)
    found = Columns(
        texts=texts,
        countries=columns[0],
        kinds=columns[1],
        dates=columns[2],
        role=role,
        canonical=np.full(size, "", dtype=object),
        readings=np.zeros(size, dtype=np.int64),
        ambiguous=np.zeros(size, dtype=np.bool_),
    )
    years = _years(columns[2])
    cleaned = [clean(text) for text in texts]
    for (shape, country, kind), rows in _groups(cleaned, columns[0], columns[1]).items():
        if len(rows) < _FEW or not shape.isascii() or is_received(kind):
            _one_by_one(found, rows)
        else:
            meaning = plan(shape, country_of(country), kind_of(kind), role)
            _together(found, meaning, np.array(rows), [cleaned[row] for row in rows], years)
    return found


def _column(given: Sequence[str] | None, size: int) -> Sequence[str]:
    if given is not None and len(given) != size:
        raise UsageError(f"Columns of context must be as long as the numbers: {size}. Got {len(given)}.")
    return [""] * size if given is None else given


def _years(dates: Sequence[str]) -> Values:
    """The year of each date, -1 where there is none; few dates are distinct, and most columns have none at all."""
    known = {date: int(day[:4]) if (day := day_of(date)) else -1 for date in set(dates)}
    return np.array([known[date] for date in dates], dtype=np.int64)


def _groups(
    cleaned: Sequence[str], countries: Sequence[str], kinds: Sequence[str]
) -> dict[tuple[str, str, str], list[int]]:
    found: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row, (text, country, kind) in enumerate(zip(cleaned, countries, kinds, strict=True)):
        # What can't be cleaned is empty or overlong: it has no reading, which is what the columns begin with.
        if text:
            found[spotted(shape_of(text), text), country, kind].append(row)
    return found


def _one_by_one(into: Columns, rows: Iterable[int]) -> None:
    for row in rows:
        one = into[row]
        into.canonical[row], into.readings[row], into.ambiguous[row] = one.canonical, len(one.readings), one.ambiguous


def _together(into: Columns, meaning: Plan, rows: Values, texts: Sequence[str], years: Values) -> None:
    """Carry a plan out on all texts of its shape, which are all of one length."""
    letters = np.frombuffer("".join(texts).encode(), dtype=np.uint8).reshape(len(texts), -1)
    dated = np.where(years[rows] >= 0, years[rows], _printed_years(letters, meaning.date))
    read = [_Read(choice, letters, texts, dated) for choice in meaning.choices]
    kept = _kept(read, len(texts))
    several = np.sum(kept, axis=0) > 1
    for one, mask in zip(read, kept, strict=True):
        alone = mask & ~several
        into.readings[rows[alone]] = 1
        into.ambiguous[rows[alone]] = one.choice.doubtful
        if not one.choice.doubtful:
            into.canonical[rows[alone]] = one.numbers(alone, one.choice.canonical)
    # Where several forms hold they may still say the same number, which is for the one-by-one path to find out.
    if several.any():
        _differing(into, rows, read, [mask & several for mask in kept])


def _differing(into: Columns, rows: Values, read: Sequence["_Read"], kept: Sequence[NDArray[np.bool_]]) -> None:
    found: dict[int, dict[tuple[str, str], str]] = defaultdict(dict)
    doubtful: set[int] = set()
    for one, mask in zip(read, kept, strict=True):
        choice, where = one.choice, rows[mask].tolist()
        spelled = zip(where, one.numbers(mask, choice.template), one.numbers(mask, choice.canonical), strict=True)
        for row, number, whole in spelled:
            found[row][choice.role, number] = whole
        doubtful.update(where if choice.doubtful else ())
    for row, readings in found.items():
        clear = len(readings) == 1 and row not in doubtful
        into.readings[row], into.ambiguous[row] = len(readings), not clear
        into.canonical[row] = next(iter(readings.values())) if clear else ""


def _kept(read: Sequence["_Read"], size: int) -> list[NDArray[np.bool_]]:
    """Which choices stand for which texts: those that the date fits, publications first; as `identify` has it."""
    nowhere = np.zeros(size, dtype=np.bool_)
    fitting = [one.fitting for one in read]
    printed = [one.fitting if one.choice.role == "publication" and not one.choice.doubtful else nowhere for one in read]
    undated = [nowhere if one.choice.dated else one.possible for one in read]
    any_printed, any_fitting = np.any([nowhere, *printed], axis=0), np.any([nowhere, *fitting], axis=0)
    return [
        np.where(any_printed, first, np.where(any_fitting, second, third))
        for first, second, third in zip(printed, fitting, undated, strict=True)
    ]


class _Read:
    """One choice carried out on all texts of a shape."""

    def __init__(self, choice: Choice, letters: NDArray[np.uint8], texts: Sequence[str], years: Values) -> None:
        self.choice, self.texts = choice, texts
        # Letters are cut out of the texts only when they are spelled; they bind no year and no limit.
        self.values = [_number(letters, field) if field.whole else None for field in choice.fields]
        possible = np.ones(len(texts), dtype=np.bool_)
        for field, value in zip(choice.fields, self.values, strict=True):
            if value is not None:
                possible &= (value >= field.low) & (value <= field.high)
        low, high = self._window()
        self.possible = possible & (low <= high)
        self.fitting = self.possible & (low <= years) & (years <= high)

    def _window(self) -> tuple[Values, Values]:
        choice, size = self.choice, len(self.texts)
        low, high = np.full(size, choice.years[0]), np.full(size, choice.years[1])
        year = self.values[choice.year] if choice.year >= 0 else None
        if year is not None:
            low, high = np.maximum(low, year), np.minimum(high, year + choice.late)
        serial = self.values[choice.serial] if choice.serial >= 0 else None
        if serial is not None:
            place = np.searchsorted(choice.firsts, serial, side="right") - 1
            since = np.array(choice.since)
            until = np.append(since[1:] + choice.late, LAST_YEAR)
            low, high = np.maximum(low, since[place]), np.minimum(high, until[place])
        return low, high

    def numbers(self, mask: NDArray[np.bool_], template: str) -> list[str]:
        """The template filled for the texts of the mask."""
        columns = [list(self._column(field, counted, mask)) for field, counted in self.choice.filled]
        return [template % values for values in zip(*columns, strict=True)]

    def _column(self, field: int, counted: int, mask: NDArray[np.bool_]) -> Iterator[int | str]:
        values = self.values[field]
        if values is not None:
            return iter((values[mask] - counted).tolist())
        runs = self.choice.fields[field].runs
        return ("".join([text[start:end] for start, end in runs]) for text in compress(self.texts, mask))


def _number(letters: NDArray[np.uint8], field: Field) -> Values:
    return _digits(letters, [place for start, end in field.runs for place in range(start, end)]) + field.offset


def _digits(letters: NDArray[np.uint8], places: Sequence[int]) -> Values:
    value = np.zeros(len(letters), dtype=np.int64)
    for place in places:
        value = value * 10 + (letters[:, place] - 48)
    return value


def _printed_years(letters: NDArray[np.uint8], places: Sequence[int]) -> Values:
    """The year of a date inside the texts; -1 where there is none, or no such month or day, as `day_of` has it."""
    year, month, day = (_digits(letters, places[start:end]) for start, end in ((0, 4), (4, 6), (6, 8)))
    return np.where((year > 0) & (month <= 12) & (day <= 31) & bool(places), year, -1)
