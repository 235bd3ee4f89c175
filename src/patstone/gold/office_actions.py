"""Judgments from US office actions, as the Open Data Portal answers in JSON: what examiners cited against which claims.

The topic is the application, a subtopic each claim that is named, and the grade what the category says. Where claims
are named at all, citations that name none are left out, with a count; so are those of other literature and those that
nobody could read without a guess. A document cited again for a claim keeps its highest grade.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from patstone.errors import DataError
from patstone.files import ids
from patstone.files.streams import rewindable
from patstone.gold.columns import Judgments, assemble, coded
from patstone.gold.passages import highest
from patstone.gold.qrels import Qrels

# X alone takes novelty away, Y together with others; A and whatever else is background.
GRADES = {"X": 3.0, "Y": 2.0}
BACKGROUND = 1.0


@dataclass(frozen=True)
class _Cited:
    topic: str
    doc: str
    grade: float
    claims: tuple[int, ...]


def read_office_actions(path: str | Path) -> Qrels:
    counts: Counter[str] = Counter()
    cited = list(_cited(path, counts))
    if not cited:
        raise DataError("No citation of a patent could be read from these office actions.", path=path)
    by_claim = any(one.claims for one in cited)
    if by_claim:
        counts["citations that name no claim, left out"] = sum(not one.claims for one in cited)
    rows = [(one, claim) for one in cited for claim in (one.claims if by_claim else (0,))]
    topic, topics = coded([one.topic for one, _ in rows])
    judged = Judgments(
        topics=topics,
        topic=topic,
        docs=ids.pack(one.doc for one, _ in rows),
        grades=np.array([one.grade for one, _ in rows]),
        subtopics=ids.pack(str(claim) for _, claim in rows) if by_claim else None,
        path=str(path),
    )
    kept, notes = highest(judged)
    said = tuple(f"{path}: {what}: {count:,}" for what, count in counts.items() if count)
    return replace(assemble(kept), notes=(*said, *notes))


def _cited(path: str | Path, counts: Counter[str]) -> Iterator[_Cited]:
    from patstone.patents.publication import Rejected
    from patstone.patents.readers.uspto_citations import READER

    for one in READER.read(rewindable(path)):
        if isinstance(one, Rejected):
            counts["records that could not be read"] += 1
            continue
        for citation in one.citations:
            if not citation.patent:
                counts["citations of other literature"] += 1
            elif not citation.cited:
                counts["cited numbers that could not be read without a guess"] += 1
            else:
                # Several letters, as in XP, count as the most serious.
                grade = max((GRADES.get(letter, BACKGROUND) for letter in citation.category), default=BACKGROUND)
                yield _Cited(one.number, citation.cited, grade, citation.claims)
