"""Columns of numbers: grouped by shape, so that what a shape means is found once, and its numbers go by arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from patstone.patents.numbers.identify import identify
from patstone.patents.numbers.reading import Identified


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
    blank = [""] * len(texts)
    columns = [blank if given is None else given for given in (countries, kinds, dates)]
    found = [
        identify(text, country=country, kind=kind, date=date, role=role)
        for text, country, kind, date in zip(texts, *columns, strict=True)
    ]
    return Columns(
        texts=texts,
        countries=columns[0],
        kinds=columns[1],
        dates=columns[2],
        role=role,
        canonical=np.array([one.canonical for one in found], dtype=object),
        readings=np.array([len(one.readings) for one in found], dtype=np.int64),
        ambiguous=np.array([one.ambiguous for one in found], dtype=np.bool_),
    )
