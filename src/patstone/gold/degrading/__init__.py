"""Claims made worse on purpose: in one respect, by one kind of fault, to a stated degree, from a seed.

A degraded claim set is gold: which of two is better is known because it was made so. `degrade` makes one, `kinds` lists
what can be done, `comparisons` pairs the degrees of each kind. Whatever was changed is recorded.
"""

from patstone.gold.degrading.degrading import Degraded, degrade, kinds
from patstone.gold.degrading.edits import Change, Edit
from patstone.gold.degrading.pairs import comparisons

__all__ = ["Change", "Degraded", "Edit", "comparisons", "degrade", "kinds"]
