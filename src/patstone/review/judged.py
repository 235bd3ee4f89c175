"""Agreement and audit inside the app: the same numbers as `patstone gold agree` and `gold audit`, on what stands.

Agreement under each version of the scope note shows whether rewriting it helped: a verdict counts for the version
that its reviewer had before them.
"""

import numpy as np

from patstone.compare.agreement import Agreed
from patstone.compare.agreement import agreement as agreed
from patstone.compare.classifiers import Sampling
from patstone.experiments.audit import audit as audited
from patstone.gold.reviews import GAP, Reviews
from patstone.report.cells import Column, Table
from patstone.review import coordinating, standards, store
from patstone.review.database import Database

_RESAMPLES = 500
"""Bootstrap samples: a page is looked at often, and its intervals need no third digit."""
_FEWEST = 20
"""Families of each class from which the audit's classifiers can learn and be tested."""
_COLUMNS = (
    Column(key="statistic"),
    Column(key="of"),
    Column(key="value", kind="score"),
    Column(key="interval", kind="interval"),
    Column(key="units", kind="count"),
)


def agreement(database: Database) -> list[Table]:
    with database.read() as connection:
        versions = sorted(note.version for note in store.scope_history(connection))
    now = _table("All verdicts that stand", coordinating.reviews(database))
    return [now, *([_by_version(database, versions)] if len(versions) > 1 else [])]


def _table(title: str, reviews: Reviews) -> Table:
    rows = tuple((one.statistic, one.of, one.value, (one.low, one.high), one.units) for one in _agreed(reviews))
    notes = (f"{reviews.doubts:,} doubts count as no verdict.",) if reviews.doubts else ()
    return Table(title=title, columns=_COLUMNS, rows=rows, notes=notes, keys=2)


def _by_version(database: Database, versions: list[int]) -> Table:
    rows = [
        (version, one.statistic, one.value, (one.low, one.high), one.units)
        for version in versions
        for one in _agreed(coordinating.reviews(database, version=version))
        if one.of == "all"
    ]
    columns = (Column(key="scope note", kind="count"), *(column for column in _COLUMNS if column.key != "of"))
    return Table(title="Under each version of the scope note", columns=columns, rows=tuple(rows), keys=2)


def _agreed(reviews: Reviews) -> list[Agreed]:
    """Nothing as long as there is nothing to compare: no family that two have judged."""
    if not ((reviews.answers != GAP).sum(axis=1) >= 2).any():
        return []
    # Who has judged nothing yet agrees with nobody.
    some = np.flatnonzero((reviews.answers != GAP).any(axis=0))
    answers = reviews.answers[:, some]
    names = tuple(reviews.reviewers[place] for place in some.tolist())
    return agreed(Reviews(units=reviews.units, reviewers=names, answers=answers), Sampling(resamples=_RESAMPLES))


def audit(database: Database) -> list[Table]:
    """The seven criteria on the consensus, as far as it is settled."""
    columns = (
        Column(key="criterion"),
        Column(key="verdict"),
        Column(key="evidence"),
        Column(key="what would settle it"),
    )
    standing = standards.standing(database, "consensus")
    if min(standing.positive, standing.negative) < _FEWEST:
        told = f"So far {standing.positive} positives and {standing.negative} negatives are settled."
        note = f"{told} With fewer than {_FEWEST} of each there is nothing to learn from and the audit would be noise."
        return [Table(title="Criteria", columns=columns, rows=(), notes=(note,))]
    (found,) = audited([standing.gold], reviews=coordinating.reviews(database))
    rows = tuple((one.criterion, one.verdict, one.evidence, one.settle) for one in found.criteria)
    return [Table(title="Criteria", columns=columns, rows=rows)]
