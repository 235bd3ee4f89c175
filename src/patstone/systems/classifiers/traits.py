"""What else a gold standard tells of a family beside its titles: offices, first year, how often it was published.

Likenesses between 0 and 1, each 1 with itself. They say who wants protection where and when, which is worth something
to a classifier, and is just what a gold standard should not be guessable by: a model that reads them says so in its
name, and `gold audit` looks at them alone.
"""

import numpy as np

from patstone.gold.labels import GoldStandard
from patstone.systems.classifiers.learner import Floats
from patstone.systems.classifiers.text import cosines

YEARS, DOUBLINGS = 8.0, 1.5
"""How far apart two families are half strangers: in years, and in doublings of their number of publications."""


def traits(gold: GoldStandard) -> Floats:
    """The mean of the three likenesses."""
    return (offices(gold) + years(gold) + sizes(gold)) / 3


def offices(gold: GoldStandard) -> Floats:
    """By the offices that published them; rare ones weigh more, as rare words do."""
    names = sorted({number[:2] for number in gold.numbers})
    place = {name: column for column, name in enumerate(names)}
    found = np.zeros((len(gold), len(names)))
    found[gold.of, [place[number[:2]] for number in gold.numbers]] = 1.0
    weighted = found * (np.log((1 + len(gold)) / (1 + found.sum(axis=0))) + 1)
    return cosines(weighted @ weighted.T)


def years(gold: GoldStandard) -> Floats:
    """By the year of the first publication; one without a date is like nobody but itself."""
    first = np.full(len(gold), np.inf)
    told = [(unit, date[:4]) for unit, date in zip(gold.of.tolist(), gold.dates or (), strict=False)]
    for unit, year in told:
        first[unit] = min(first[unit], float(year) if year.isdigit() else np.inf)
    known = np.isfinite(first)
    first[~known] = 0.0
    both = (known[:, None] & known[None, :]) | np.eye(len(gold), dtype=np.bool_)
    return np.where(both, _near(first, YEARS), 0.0)


def sizes(gold: GoldStandard) -> Floats:
    return _near(np.log2(np.bincount(gold.of, minlength=len(gold))), DOUBLINGS)


def _near(values: Floats, scale: float) -> Floats:
    found: Floats = 0.5 ** (((values[:, None] - values[None, :]) / scale) ** 2)
    return found
