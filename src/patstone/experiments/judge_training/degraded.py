"""Comparisons to train on where no expert has judged: claims made worse by known degrees, two degrees at a time.

Each kind of degradation speaks of one criterion, and of overall quality. Separating such pairs is easy and carries over
to experts' labels only in part; the model card says what a judge was trained on.
"""

from pathlib import Path

from patstone.errors import DataError
from patstone.gold.criteria import OVERALL, in_order
from patstone.gold.degrading import comparisons
from patstone.gold.preferences import Item, Preferences, collected
from patstone.patents.claims import resolve
from patstone.patents.publication import Rejected
from patstone.patents.readers.claimsets import read_claim_sets


def degraded(folder: str | Path, *, seed: int = 0) -> tuple[Preferences, list[str]]:
    """The comparisons, and what was passed over; a folder of files of claims, of patents, or a collection."""
    files = sorted(path for path in Path(folder).iterdir() if path.is_file() and not path.name.startswith("."))
    sources = [Path(folder)] if any(path.suffix == ".parquet" for path in files) else files
    found = [(source, one) for source in sources for one in read_claim_sets(source)]
    sets = [
        (f"{source.stem} {one.name}", resolve(one.claims)) for source, one in found if not isinstance(one, Rejected)
    ]
    if not sets:
        raise DataError("No claims can be read here.", path=folder)
    items = [
        Item(
            name=known.name,
            gold=known.gold,
            a=known.a,
            b=known.b,
            labels={known.criterion: float(known.label), OVERALL: float(known.label)},
            line=place,
        )
        for place, known in enumerate(comparisons(sets, seed=seed), start=1)
    ]
    criteria = in_order(name for item in items for name in item.labels)
    passed = [f"{one.path}, {one.offset}: passed over: {one.reason}" for _, one in found if isinstance(one, Rejected)]
    return collected(items, name=f"{Path(folder).name}, degraded", criteria=criteria), passed
