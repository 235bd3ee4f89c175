"""Claims of real files: parents by words against mark-up, and the three languages of a grant against each other."""

import os
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from patstone.patents.claims import resolve
from patstone.patents.publication import Claim, Publication
from patstone.patents.readers.formats import open_source

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data")) / "samples"
FOLDERS = ("greenbook", "sgml", "pap", "xmlApp2004", "xml2004", "xml2006", "xml2014", "odp/grant-xml")

# Read by eye in files that mark no references up: the parent of each claim from 1 on, 0 for none.
BY_HAND = {
    "US3932709A": [0, 1, 1, 0, 4, 4, 4, 4, 8, 8, 8, 0, 12, 0, 14, 0, 0],
    "US3937375A": [0, 1, 2],
    "US4347903A": [0, 1, 1],
    "USD435854S": [0],
    "US20010000044A1": [0, 1, 1, 3, 4, 1, 1, 1, 1, 1, 1, 1, 0, 13, 13, 13, 16, 13, 0, 19, 20],
    "US4314796A": [0, 1, 1, 1, 1, 1, 4, 6, 6, 9, 1, 11, 11],
}


def documents() -> list[Publication]:
    paths = [path for folder in FOLDERS for path in sorted((SAMPLES / "uspto" / folder).iterdir())]
    paths.append(SAMPLES / "google-bigquery/spider2/publications_sample.jsonl")
    found = [one for path in paths for one in open_source(path) if isinstance(one, Publication)]
    return [one for one in found if one.country == "US" and one.claims]


def by_words(claims: tuple[Claim, ...]) -> list[tuple[int, ...]]:
    return [claim.depends_on for claim in resolve([replace(claim, references=None) for claim in claims])]


def test_parents_of_american_claims_by_their_words() -> None:
    """At most one in 422 may be wrong, where the best parser known gets four wrong."""
    right = marked = 0
    for found in documents():
        if any(claim.references for claim in found.claims):
            expected = [tuple(sorted({*(claim.references or ())})) for claim in found.claims]
            marked += len(expected)
        else:
            expected = [(parent,) if parent else () for parent in BY_HAND[found.number]]
        right += sum(one == other for one, other in zip(by_words(found.claims), expected, strict=True))
    assert marked == 330
    assert marked + sum(map(len, BY_HAND.values())) == 388
    assert right >= 388 * 421 / 422


def test_three_languages_name_the_same_parents() -> None:
    """178 claims in German, English and French; one French text has lost its number (`selon la revendication et`)."""
    compared, differing = 0, []
    for path in sorted((SAMPLES / "epo/ep-fulltext/grant").iterdir()):
        for found in open_source(path):
            if not isinstance(found, Publication):
                continue
            sets = defaultdict(list)
            for claim in found.claims:
                sets[claim.language].append(claim)
            parents = [[(claim.number, claim.depends_on) for claim in resolve(claims)] for claims in sets.values()]
            for same in zip(*parents, strict=True):
                compared += len(same) > 1
                differing += [(found.number, same[0][0])] if len(set(same)) > 1 else []
    assert compared == 178
    assert differing == [("EP1442058B1", 3)]
