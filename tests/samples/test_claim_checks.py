"""The claim linter on real grants, which are mostly sound: false alarms by hand-given verdicts, and no surprises."""

import csv
import os
from collections import Counter
from pathlib import Path

import pytest

from patstone.patents.claims.checks import Checked, check
from patstone.patents.publication import Publication
from patstone.patents.readers.formats import open_source

pytestmark = pytest.mark.samples

FILES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data")) / "samples"
GRANTS = ("greenbook", "sgml", "xml2004", "xml2006", "xml2014", "odp/grant-xml")
VERDICTS = Path(__file__).parents[1] / "golden/claims/antecedent-verdicts.csv"
ALLOWED = 0.2
"""False alarms a claim."""


def publications(folder: Path) -> list[Publication]:
    return [one for one in open_source(folder) if isinstance(one, Publication)]


@pytest.fixture(scope="module")
def grants() -> dict[str, Checked]:
    found = [one for folder in GRANTS for one in publications(FILES / "uspto" / folder)]
    return {one.number: check(one.claims) for one in found}


def test_false_alarms_of_the_antecedent_rule(grants: dict[str, Checked]) -> None:
    rows = list(csv.DictReader(line for line in VERDICTS.read_text().splitlines() if not line.startswith("#")))
    judged = {(row["patent"], int(row["claim"]), int(row["start"]), int(row["end"])) for row in rows if row["verdict"]}
    claims = {(row["patent"], int(row["claim"])) for row in rows}
    assert len(claims) == 100
    found = {
        (number, each.claim, each.start, each.end)
        for number, checked in grants.items()
        for each in checked.diagnostics
        if each.code == "C101" and (number, each.claim) in claims
    }
    # A finding that nobody judged would be a false alarm that nobody counts.
    assert found <= judged
    false = sum(row["verdict"] == "false" for row in rows)
    assert false / len(claims) < ALLOWED
    assert sum(row["verdict"] == "true" for row in rows) > false


def test_grants_are_mostly_sound(grants: dict[str, Checked]) -> None:
    """Offices refuse broken dependencies and second sentences: none of these rules may speak."""
    codes = Counter(each.code for checked in grants.values() for each in checked.diagnostics)
    claims = sum(len(checked.claims) for checked in grants.values())
    assert claims == 255
    assert not {"C201", "C202", "C203", "C205", "C206", "C302", "C304", "C305"} & set(codes)
    # One grant has a claim `The system of claim 11`, which is a method.
    assert codes["C204"] == 1
    assert codes["C101"] / claims < ALLOWED
    assert codes["C102"] / claims < ALLOWED


def test_german_claims_of_european_patents() -> None:
    found = publications(FILES / "epo/ep-fulltext/grant")
    german = [[claim for claim in one.claims if claim.language == "de"] for one in found]
    claims = sum(map(len, german))
    diagnostics = [each for own in german for each in check(own).diagnostics]
    assert claims > 100
    # Findings, not false alarms: the translations do drop articles and terms.
    assert sum(each.code == "C101" for each in diagnostics) / claims < 0.3
